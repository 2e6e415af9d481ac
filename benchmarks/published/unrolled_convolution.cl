// Convolves an image of WIDTH x HEIGHT pixels as convolution.cl does, but leaves to the compiler what the
// timed kernels leave to it: all loops are to be unrolled, and only launches whose tiles do not divide the
// image ask whether a pixel is inside. There, compilers sink the sums into the branch that stores a pixel,
// far below the reads of local memory that they need: hundreds of values wait, and are spilled where a
// work-item has few registers. Without the branch, nearly nothing waits.
//
// For what devices keep in memory (aiwc run --targets), built with -O3: the simulator's own -Oz does not unroll
// as much. INDEX is the type of indices, which decides how long LLVM takes the loops to be, and so which
// ones it unrolls: those of up to eight sums with int, as the times of an MI50 show, of nine with size_t, as those of a
// PRO W6600 do.
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
#define PARTIAL (WIDTH % TILE_WIDTH != 0 || HEIGHT % TILE_HEIGHT != 0)
#define PADDED_WIDTH (WIDTH + BORDER)
#define PADDED_HEIGHT (HEIGHT + BORDER)
#ifndef INDEX
#define INDEX int
#endif

kernel void convolution(global float *result, global const float *image, constant float *weights) {
  local float tile[TILE_HEIGHT + BORDER][ROW + PADDING];
  const INDEX x = get_local_id(0);
  const INDEX y = get_local_id(1);
  const int left = get_group_id(0) * TILE_WIDTH;
  const int top = get_group_id(1) * TILE_HEIGHT;

#pragma unroll
  for (int row = y; row < TILE_HEIGHT + BORDER; row += block_size_y)
#pragma unroll
    for (int column = x; column < ROW; column += block_size_x)
#if PARTIAL
      if (top + row < PADDED_HEIGHT && left + column < PADDED_WIDTH)
#endif
        tile[row][column] = image[(top + row) * PADDED_WIDTH + left + column];
  barrier(CLK_LOCAL_MEM_FENCE);

  float sums[tile_size_y][tile_size_x];
#pragma unroll
  for (int tileY = 0; tileY < tile_size_y; tileY++)
#pragma unroll
    for (int tileX = 0; tileX < tile_size_x; tileX++)
      sums[tileY][tileX] = 0;

#pragma unroll
  for (int row = 0; row < FILTER; row++)
#pragma unroll
    for (int column = 0; column < FILTER; column++)
#pragma unroll
      for (int tileY = 0; tileY < tile_size_y; tileY++)
#pragma unroll
        for (int tileX = 0; tileX < tile_size_x; tileX++)
          sums[tileY][tileX] +=
              tile[y + tileY * block_size_y + row][x + tileX * block_size_x + column] *
              weights[row * FILTER + column];

#pragma unroll
  for (int tileY = 0; tileY < tile_size_y; tileY++)
#pragma unroll
    for (int tileX = 0; tileX < tile_size_x; tileX++) {
      const int column = left + tileX * block_size_x + x;
      const int row = top + tileY * block_size_y + y;
#if PARTIAL
      if (column < WIDTH && row < HEIGHT)
#endif
        result[row * WIDTH + column] = sums[tileY][tileX];
    }
}
