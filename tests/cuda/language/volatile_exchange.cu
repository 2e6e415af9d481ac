// The last steps of a reduction rely on the threads of a warp running in step.
#include "right.h"
__global__ void k(int *out) {
  __shared__ volatile int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 32)
    for (int i = 32; i > 0; i /= 2)
      tile[threadIdx.x] += tile[threadIdx.x + i];
  if (threadIdx.x == 0)
    *out = tile[0];
}
bool isRight() {
  int *out = managed<int>(1);
  k<<<1, 64>>>(out);
  return synchronised() && *out == 2016;
}
