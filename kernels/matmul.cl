// c := a b, all n x n and row-major, n = get_global_size(0); one element of c per work-item.
#define TILE 4

// Every work-item walks a row of a and a column of b in global memory.
kernel void matmul_naive(global const float *restrict a, global const float *restrict b,
                         global float *restrict c) {
  const size_t n = get_global_size(0);
  const size_t col = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (size_t k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

// A work-group brings tiles of a and b to local memory, so that an element is read from global
// memory n / TILE times instead of n times.
kernel void matmul_local(global const float *restrict a, global const float *restrict b,
                         global float *restrict c) {
  local float tileA[TILE][TILE], tileB[TILE][TILE];
  const size_t n = get_global_size(0);
  const size_t col = get_global_id(0), row = get_global_id(1);
  const size_t lx = get_local_id(0), ly = get_local_id(1);
  float sum = 0;
  for (size_t t = 0; t < n; t += TILE) {
    tileA[ly][lx] = a[row * n + t + lx];
    tileB[ly][lx] = b[(t + ly) * n + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t k = 0; k < TILE; k++)
      sum += tileA[ly][k] * tileB[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + col] = sum;
}
