// The kernels of tasks.c: one for each kind of task. Matrices are tiles of n x n floats, row-major.

#pragma OPENCL FP_CONTRACT OFF

// LU decomposition of a tile in place, without pivoting; one work-group, a work-item for each row.
kernel void lu_diagonal(global float *tile, const uint n) {
  const size_t row = get_local_id(0);
  for (uint k = 0; k + 1 < n; ++k) {
    if (row > k) {
      const float factor = tile[row * n + k] / tile[k * n + k];
      tile[row * n + k] = factor;
      for (uint j = k + 1; j < n; ++j)
        tile[row * n + j] -= factor * tile[k * n + j];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

// Solves L x = tile for each column; L is the lower half of the decomposed tile.
kernel void lu_row(const global float *restrict decomposed, global float *restrict tile,
                   const uint n) {
  const size_t column = get_global_id(0);
  for (uint i = 1; i < n; ++i) {
    float x = tile[i * n + column];
    for (uint k = 0; k < i; ++k)
      x -= decomposed[i * n + k] * tile[k * n + column];
    tile[i * n + column] = x;
  }
}

// Solves x U = tile for each row; U is the upper half of the decomposed tile.
kernel void lu_column(const global float *restrict decomposed, global float *restrict tile,
                      const uint n) {
  const size_t row = get_global_id(0);
  for (uint j = 0; j < n; ++j) {
    float x = tile[row * n + j];
    for (uint k = 0; k < j; ++k)
      x -= tile[row * n + k] * decomposed[k * n + j];
    tile[row * n + j] = x / decomposed[j * n + j];
  }
}

// tile -= left * above. Work-groups of EDGE x EDGE stage what they share.
#define EDGE 16
kernel __attribute__((reqd_work_group_size(EDGE, EDGE, 1)))
void lu_internal(const global float *restrict left, const global float *restrict above,
                 global float *restrict tile, const uint n) {
  local float a[EDGE][EDGE];
  local float b[EDGE][EDGE];
  const size_t x = get_local_id(0), y = get_local_id(1);
  const size_t column = get_global_id(0), row = get_global_id(1);
  float sum = tile[row * n + column];
  for (uint k = 0; k < n; k += EDGE) {
    a[y][x] = left[row * n + k + x];
    b[y][x] = above[(k + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < EDGE; ++i)
      sum -= a[y][i] * b[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  tile[row * n + column] = sum;
}

// One level of the 5/3 wavelet along the rows of a strip: a work-item for each pair of pixels. The
// smooth half of a row comes first, then its details.
kernel void wavelet(const global float *restrict image, global float *restrict coefficients,
                    const uint width) {
  const size_t pair = get_global_id(0);
  const size_t row = get_global_id(1) * width;
  const size_t last = width / 2 - 1;
  const float even = image[row + 2 * pair];
  const float next = image[row + 2 * min(pair + 1, last)];
  const float detail = image[row + 2 * pair + 1] - 0.5f * (even + next);
  const size_t before = pair > 0 ? pair - 1 : 0;
  const float detail_before = image[row + 2 * before + 1] -
                              0.5f * (image[row + 2 * before] + image[row + 2 * min(before + 1, last)]);
  coefficients[row + pair] = even + 0.25f * (detail_before + detail);
  coefficients[row + width / 2 + pair] = detail;
}

// A step of diffusion over a strip, whose edges go on beyond it.
kernel void stencil(const global float *restrict from, global float *restrict to, const uint width,
                    const uint height) {
  const size_t x = get_global_id(0), y = get_global_id(1);
  const float here = from[y * width + x];
  const float west = from[y * width + (x > 0 ? x - 1 : 0)];
  const float east = from[y * width + min(x + 1, (size_t)width - 1)];
  const float north = from[(y > 0 ? y - 1 : 0) * width + x];
  const float south = from[min(y + 1, (size_t)height - 1) * width + x];
  to[y * width + x] = here + 0.2f * (west + east + north + south - 4.0f * here);
}

// The sum of each work-group's elements.
#define LANES 64
kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))
void reduction(const global float *restrict values, global float *restrict sums,
               const uint each) {
  local float sum[LANES];
  const size_t lane = get_local_id(0);
  const global float *own = values + get_group_id(0) * LANES * each;
  float mine = 0;
  for (uint i = 0; i < each; ++i)
    mine += own[i * LANES + lane];
  sum[lane] = mine;
  for (uint step = LANES / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < step)
      sum[lane] += sum[lane + step];
  }
  if (lane == 0)
    sums[get_group_id(0)] = sum[0];
}

// Rows of a sparse matrix in CSR, whose lengths differ, times a vector.
kernel void csr(const global uint *restrict row_begin, const global uint *restrict column,
                const global float *restrict value, const global float *restrict x,
                global float *restrict y) {
  const size_t row = get_global_id(0);
  float sum = 0;
  for (uint i = row_begin[row]; i < row_begin[row + 1]; ++i)
    sum += value[i] * x[column[i]];
  y[row] = sum;
}
