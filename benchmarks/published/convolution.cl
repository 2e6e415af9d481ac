// Convolves an image with a filter of 15 x 15 weights in constant memory. A work-group copies the part
// of the padded image that it needs into local memory, and each work-item computes tile_size_x x
// tile_size_y pixels that lie block_size_x and block_size_y apart. use_padding: rows of local memory
// are lengthened so that the rows of a narrow work-group begin in successive banks of 32. A pixel of
// local memory that several sums of a work-item need is read once: so do compilers that unroll all
// loops.
// LOADS_ONLY leaves the sums out: what remains accesses the image and the result in the same order,
// and is quick to simulate.
#define FILTER 15
#define BORDER (FILTER - 1)
#define TILE_WIDTH (block_size_x * tile_size_x)
#define TILE_HEIGHT (block_size_y * tile_size_y)
#define ROW (TILE_WIDTH + BORDER)
#if use_padding
#define PADDING ((block_size_x - ROW % 32 + 64) % 32)
#else
#define PADDING 0
#endif

kernel void convolution(global float *restrict result, global const float *restrict image,
                        constant float *restrict weights, const int width, const int height) {
  local float tile[TILE_HEIGHT + BORDER][ROW + PADDING];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int left = get_group_id(0) * TILE_WIDTH;
  const int top = get_group_id(1) * TILE_HEIGHT;
  const int paddedWidth = width + BORDER;
  const int paddedHeight = height + BORDER;

  for (int row = y; row < TILE_HEIGHT + BORDER; row += block_size_y)
    for (int column = x; column < ROW; column += block_size_x)
      if (top + row < paddedHeight && left + column < paddedWidth)
        tile[row][column] = image[(top + row) * paddedWidth + left + column];
  barrier(CLK_LOCAL_MEM_FENCE);

  float sums[tile_size_y][tile_size_x];
#pragma unroll
  for (int tileY = 0; tileY < tile_size_y; tileY++)
#pragma unroll
    for (int tileX = 0; tileX < tile_size_x; tileX++)
#if LOADS_ONLY
      sums[tileY][tileX] = tile[y + tileY * block_size_y][x + tileX * block_size_x];
#else
      sums[tileY][tileX] = 0;

#pragma unroll 1 // keeps the compilation short
  for (int column = 0; column < FILTER; column++) {
    float weight[FILTER];
#pragma unroll
    for (int row = 0; row < FILTER; row++)
      weight[row] = weights[row * FILTER + column];
#pragma unroll
    for (int tileX = 0; tileX < tile_size_x; tileX++)
#pragma unroll
      for (int tileRow = 0; tileRow < (tile_size_y - 1) * block_size_y + FILTER; tileRow++) {
        const float pixel = tile[y + tileRow][x + tileX * block_size_x + column];
#pragma unroll
        for (int tileY = 0; tileY < tile_size_y; tileY++) {
          const int row = tileRow - tileY * block_size_y;
          if (row >= 0 && row < FILTER)
            sums[tileY][tileX] += pixel * weight[row];
        }
      }
  }
#endif

#pragma unroll
  for (int tileY = 0; tileY < tile_size_y; tileY++)
#pragma unroll
    for (int tileX = 0; tileX < tile_size_x; tileX++) {
      const int column = left + tileX * block_size_x + x;
      const int row = top + tileY * block_size_y + y;
      if (column < width && row < height)
        result[row * width + column] = sums[tileY][tileX];
    }
}
