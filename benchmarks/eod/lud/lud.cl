// LU decomposition in place, without pivoting: A = L U, L with a unit diagonal that is not stored.
//
// Right-looking and blocked: step k factorises the diagonal block, solves for the blocks beside and
// below it, and subtracts their products from the rest of the matrix. The host launches the three
// kernels in this order for every step.
//
// BLOCK is the edge of a block; the matrix has `stride` columns and rows, a multiple of it.
//
// Every element is a - l_0 u_0 - l_1 u_1 - ..., evaluated from left to right, and then perhaps
// divided. Which kernel subtracts a product depends on BLOCK, the order does not, and the rounding
// is the same in all of them: so the result does not depend on BLOCK, to the bit.

#pragma OPENCL FP_CONTRACT OFF

static float subtract_product(float a, float l, float u) {
#ifdef FP_FAST_FMAF
  return fma(-l, u, a);
#else
  return a - l * u;
#endif
}

// Rows of a tile are one element longer than the block: the work-items that walk down a column, a
// row each, then hit different banks of local memory.
typedef float Row[BLOCK + 1];

static void load_tile(local Row *tile, const global float *block, uint stride, size_t lane) {
  for (size_t row = 0; row < BLOCK; ++row)
    tile[row][lane] = block[row * stride + lane];
}

static void store_tile(global float *block, local Row *tile, uint stride, size_t lane) {
  for (size_t row = 0; row < BLOCK; ++row)
    block[row * stride + lane] = tile[row][lane];
}

// The block (step, step). One work-group of BLOCK work-items, one row each.
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void lud_diagonal(global float *restrict matrix, const uint stride, const uint step) {
  local Row tile[BLOCK];
  const size_t row = get_local_id(0);
  global float *block = matrix + step * (size_t)BLOCK * (stride + 1);

  load_tile(tile, block, stride, row);
  barrier(CLK_LOCAL_MEM_FENCE);

  for (size_t k = 0; k + 1 < BLOCK; ++k) {
    if (row > k) {
      const float l = tile[row][k] / tile[k][k];
      tile[row][k] = l;
      for (size_t column = k + 1; column < BLOCK; ++column)
        tile[row][column] = subtract_product(tile[row][column], l, tile[k][column]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); // row k + 1 is final
  }

  store_tile(block, tile, stride, row);
}

// The blocks to the right of the diagonal block (group row 0 of the NDRange: U) and below it (group
// row 1: L). Work-groups of BLOCK by 1 work-items, as many as there are such blocks.
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void lud_perimeter(global float *restrict matrix, const uint stride, const uint step) {
  local Row diagonal[BLOCK];
  local Row tile[BLOCK];
  const size_t lane = get_local_id(0);
  const bool right = get_group_id(1) == 0;
  const size_t distance = (get_group_id(0) + 1) * BLOCK;
  global float *corner = matrix + step * (size_t)BLOCK * (stride + 1);
  global float *block = corner + (right ? distance : distance * stride);

  load_tile(diagonal, corner, stride, lane);
  load_tile(tile, block, stride, lane);
  barrier(CLK_LOCAL_MEM_FENCE);

  if (right) { // L U = A, column `lane` of U from the top
    for (size_t row = 1; row < BLOCK; ++row) {
      float u = tile[row][lane];
      for (size_t k = 0; k < row; ++k)
        u = subtract_product(u, diagonal[row][k], tile[k][lane]);
      tile[row][lane] = u;
    }
  } else { // L U = A, row `lane` of L from the left
    for (size_t column = 0; column < BLOCK; ++column) {
      float l = tile[lane][column];
      for (size_t k = 0; k < column; ++k)
        l = subtract_product(l, tile[lane][k], diagonal[k][column]);
      tile[lane][column] = l / diagonal[column][column];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  store_tile(block, tile, stride, lane);
}

// All blocks to the right of and below the diagonal block. Work-groups of BLOCK by BLOCK
// work-items, one element each.
kernel __attribute__((reqd_work_group_size(BLOCK, BLOCK, 1)))
void lud_internal(global float *restrict matrix, const uint stride, const uint step) {
  local float left[BLOCK][BLOCK];
  local float above[BLOCK][BLOCK];
  const size_t x = get_local_id(0);
  const size_t y = get_local_id(1);
  const size_t first = step * (size_t)BLOCK;
  const size_t column = first + BLOCK + get_global_id(0);
  const size_t row = first + BLOCK + get_global_id(1);

  left[y][x] = matrix[row * stride + first + x];
  above[y][x] = matrix[(first + y) * stride + column];
  barrier(CLK_LOCAL_MEM_FENCE);

  float a = matrix[row * stride + column];
#pragma unroll
  for (size_t k = 0; k < BLOCK; ++k)
    a = subtract_product(a, left[y][k], above[k][x]);
  matrix[row * stride + column] = a;
}
