// Events, a grid of three dimensions, launch bounds, and errors of launches.
#include "right.h"
__global__ void __launch_bounds__(64, 2) k(int *out) {
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block + 10 * threadIdx.z;
}
bool isRight() {
  int *out = managed<int>(24 * 24);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  k<<<dim3(2, 3, 4), dim3(4, 3, 2)>>>(out);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float milliseconds = -1;
  cudaEventElapsedTime(&milliseconds, begin, end);
  k<<<1, 2048>>>(out);
  return cudaGetLastError() == cudaErrorInvalidConfiguration && synchronised() && milliseconds >= 0 && out[575] == 33;
}
