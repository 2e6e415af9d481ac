// A barrier in a loop with a break that all threads take.
#include "right.h"
__global__ void k(int *out, int n) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  for (int i = 1;; i *= 2) {
    __syncthreads();
    if (i > n)
      break;
    const int other = tile[(threadIdx.x + i) % 64];
    __syncthreads();
    tile[threadIdx.x] += other;
  }
  out[threadIdx.x] = tile[threadIdx.x];
}
bool isRight() {
  int *out = managed<int>(64);
  k<<<1, 64>>>(out, 32);
  return synchronised() && out[0] == 2016 && out[63] == 2016;
}
