/* A matrix product and a two-dimensional convolution, each in many variants with one result.
 *
 *   KERNEL   name of the variant's kernel, PRODUCT or CONVOLUTION
 *   SIZE     edge of the matrices, or of the result
 *   WX, WY   work-group
 *   VEC      columns that a work-item computes, as one vector
 *   ROWS     rows that a work-item computes
 *   TILE     product: depth of the tiles in local memory; convolution: 1 for a tile; 0 for none
 *   UNROLL   of the innermost loop
 *   RADIUS   of the convolution's filter
 */
#define JOIN_NAMES(a, b) a##b
#define JOIN(a, b) JOIN_NAMES(a, b)
#if VEC == 1
typedef float Vector;
#define LOAD(from) (*(from))
#define STORE(value, to) (*(to) = (value))
#else
typedef JOIN(float, VEC) Vector;
#define LOAD(from) JOIN(vload, VEC)(0, from)
#define STORE(value, to) JOIN(vstore, VEC)(value, 0, to)
#endif

#ifdef PRODUCT
__attribute__((reqd_work_group_size(WX, WY, 1))) kernel void
KERNEL(global const float *a, global const float *b, global float *c) {
  const int column = get_global_id(0) * VEC;
  const int row = get_global_id(1) * ROWS;
  Vector sums[ROWS];
  for (int r = 0; r < ROWS; ++r)
    sums[r] = 0;
#if TILE
  local float aTile[WY * ROWS][TILE];
  local float bTile[TILE][WX * VEC];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int firstRow = get_group_id(1) * WY * ROWS;
  const int firstColumn = get_group_id(0) * WX * VEC;
  for (int first = 0; first < SIZE; first += TILE) {
    for (int i = y * WX + x; i < WY * ROWS * TILE; i += WX * WY)
      aTile[i / TILE][i % TILE] = a[(firstRow + i / TILE) * SIZE + first + i % TILE];
    for (int i = y * WX + x; i < TILE * WX * VEC; i += WX * WY)
      bTile[i / (WX * VEC)][i % (WX * VEC)] =
          b[(first + i / (WX * VEC)) * SIZE + firstColumn + i % (WX * VEC)];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll UNROLL
    for (int k = 0; k < TILE; ++k) {
      const Vector values = LOAD(&bTile[k][x * VEC]);
      for (int r = 0; r < ROWS; ++r)
        sums[r] += aTile[y * ROWS + r][k] * values;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#else
#pragma unroll UNROLL
  for (int k = 0; k < SIZE; ++k) {
    const Vector values = LOAD(b + k * SIZE + column);
    for (int r = 0; r < ROWS; ++r)
      sums[r] += a[(row + r) * SIZE + k] * values;
  }
#endif
  for (int r = 0; r < ROWS; ++r)
    STORE(sums[r], c + (row + r) * SIZE + column);
}
#endif

#ifdef CONVOLUTION
#define EDGE (2 * RADIUS + 1)
#define STRIDE (SIZE + 2 * RADIUS) /* the image has a border */
__attribute__((reqd_work_group_size(WX, WY, 1))) kernel void
KERNEL(global const float *image, constant float *filter, global float *result) {
  const int column = get_global_id(0) * VEC;
  const int row = get_global_id(1) * ROWS;
  Vector sums[ROWS];
  for (int r = 0; r < ROWS; ++r)
    sums[r] = 0;
#if TILE
#define TILE_WIDTH (WX * VEC + 2 * RADIUS)
#define TILE_HEIGHT (WY * ROWS + 2 * RADIUS)
  local float tile[TILE_HEIGHT * TILE_WIDTH];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int corner = get_group_id(1) * WY * ROWS * STRIDE + get_group_id(0) * WX * VEC;
  for (int i = y * WX + x; i < TILE_HEIGHT * TILE_WIDTH; i += WX * WY)
    tile[i] = image[corner + i / TILE_WIDTH * STRIDE + i % TILE_WIDTH];
  barrier(CLK_LOCAL_MEM_FENCE);
  local const float *source = tile + y * ROWS * TILE_WIDTH + x * VEC;
  const int stride = TILE_WIDTH;
#else
  global const float *source = image + row * STRIDE + column;
  const int stride = STRIDE;
#endif
  for (int v = 0; v < EDGE; ++v) {
#pragma unroll UNROLL
    for (int u = 0; u < EDGE; ++u) {
      const float weight = filter[v * EDGE + u];
      for (int r = 0; r < ROWS; ++r)
        sums[r] += weight * LOAD(source + (r + v) * stride + u);
    }
  }
  for (int r = 0; r < ROWS; ++r)
    STORE(sums[r], result + (row + r) * SIZE + column);
}
#endif
