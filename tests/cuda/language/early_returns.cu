// Threads that have returned count as arrived at the barrier.
#include "right.h"
__global__ void k(int *out, int n) {
  __shared__ int tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n)
    return;
  tile[threadIdx.x] = i;
  __syncthreads();
  out[i] = tile[0] + tile[threadIdx.x];
}
bool isRight() {
  int *out = managed<int>(100);
  k<<<2, 64>>>(out, 100);
  return synchronised() && out[99] == 64 + 99;
}
