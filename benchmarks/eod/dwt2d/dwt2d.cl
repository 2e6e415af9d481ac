// The two-dimensional discrete wavelet transform of JPEG 2000's reversible path: the 5/3 wavelet by
// lifting, in integers, without loss.
//
// In one dimension, for a signal x that goes on mirrored at both ends:
//   predict  d[n] = x[2n + 1] - floor((x[2n] + x[2n + 2]) / 2)    the details
//   update   s[n] = x[2n] + floor((d[n - 1] + d[n] + 2) / 4)      the signal at half the resolution
// In two dimensions rows first, then columns.

// Bytes, red, green and blue of a pixel side by side, to three planes of numbers around zero. A
// work-item is a pixel.
kernel void c_CopySrcToComponents(const global uchar *restrict source, global int *restrict red,
                                  global int *restrict green, global int *restrict blue,
                                  const uint pixels) {
  const size_t pixel = get_global_id(0);
  if (pixel >= pixels)
    return;
  const int3 colour = convert_int3(vload3(pixel, source)) - 128;
  red[pixel] = colour.x;
  green[pixel] = colour.y;
  blue[pixel] = colour.z;
}

// A work-group transforms a tile of EDGE by EDGE quadruples of pixels, a work-item each, in local
// memory. A coefficient takes two pixels more before the tile and one more behind it; neighbouring
// tiles transform these too, instead of waiting for each other.
#define TILE (2 * EDGE)
#define SPAN (TILE + 3)
#define ROUNDS ((SPAN + EDGE - 1) / EDGE) // steps of EDGE that cover the span

// Index i of a signal of n numbers that is mirrored at its ends. What lies farther outside than the
// transform looks is not needed: it only has to stay inside the array.
static size_t mirror(const int i, const int n) {
  const int inside = abs(i);
  return (size_t)max(inside < n ? inside : 2 * (n - 1) - inside, 0);
}

// One level of one component: the upper left `width` by `height` numbers of `from` become four
// bands in `to`: the image at half the resolution in the upper left, the details of the rows to the
// right of it, of the columns below it, of both in the lower right.
kernel __attribute__((reqd_work_group_size(EDGE, EDGE, 1)))
void cl_fdwt53Kernel(const global int *restrict from, const uint from_stride,
                     global int *restrict to, const uint to_stride, const uint width,
                     const uint height) {
  local int tile[SPAN][SPAN]; // tile[2][2] is the first pixel of the tile itself
  const size_t x = get_local_id(0);
  const size_t y = get_local_id(1);
  const int first_column = (int)(get_group_id(0) * TILE) - 2;
  const int first_row = (int)(get_group_id(1) * TILE) - 2;

#pragma unroll
  for (size_t i = 0; i < ROUNDS; ++i) {
    const size_t row = y + i * EDGE;
    if (row < SPAN) {
      const global int *line = from + mirror(first_row + (int)row, height) * from_stride;
#pragma unroll
      for (size_t j = 0; j < ROUNDS; ++j) {
        const size_t column = x + j * EDGE;
        if (column < SPAN)
          tile[row][column] = line[mirror(first_column + (int)column, width)];
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // Rows, all of them: EDGE + 1 details, the first one of which belongs to the tile before.
#pragma unroll
  for (size_t i = 0; i < ROUNDS; ++i) {
    const size_t row = y + i * EDGE;
    if (row < SPAN) {
      tile[row][2 * x + 1] -= (tile[row][2 * x] + tile[row][2 * x + 2]) >> 1;
      if (x == 0)
        tile[row][TILE + 1] -= (tile[row][TILE] + tile[row][TILE + 2]) >> 1;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (size_t i = 0; i < ROUNDS; ++i) {
    const size_t row = y + i * EDGE;
    if (row < SPAN)
      tile[row][2 * x + 2] += (tile[row][2 * x + 1] + tile[row][2 * x + 3] + 2) >> 2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // Columns, those of the tile itself.
#pragma unroll
  for (size_t j = 0; j < 2; ++j) {
    const size_t column = 2 + x + j * EDGE;
    tile[2 * y + 1][column] -= (tile[2 * y][column] + tile[2 * y + 2][column]) >> 1;
    if (y == 0)
      tile[TILE + 1][column] -= (tile[TILE][column] + tile[TILE + 2][column]) >> 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (size_t j = 0; j < 2; ++j) {
    const size_t column = 2 + x + j * EDGE;
    tile[2 * y + 2][column] += (tile[2 * y + 1][column] + tile[2 * y + 3][column] + 2) >> 2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const size_t column = get_global_id(0);
  const size_t row = get_global_id(1);
  const size_t low_width = (width + 1) / 2;
  const size_t low_height = (height + 1) / 2;
  const bool has_low_column = column < low_width;
  const bool has_low_row = row < low_height;
  const bool has_high_column = column < width / 2;
  const bool has_high_row = row < height / 2;
  global int *low = to + row * to_stride + column;
  global int *high = low + low_height * to_stride;
  if (has_low_row && has_low_column)
    low[0] = tile[2 * y + 2][2 * x + 2];
  if (has_low_row && has_high_column)
    low[low_width] = tile[2 * y + 2][2 * x + 3];
  if (has_high_row && has_low_column)
    high[0] = tile[2 * y + 3][2 * x + 2];
  if (has_high_row && has_high_column)
    high[low_width] = tile[2 * y + 3][2 * x + 3];
}
