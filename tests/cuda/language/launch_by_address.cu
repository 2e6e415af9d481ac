// cudaLaunchKernel with pointers to arguments, and a structure with an array by value.
#include "right.h"
struct Weights { float values[9]; int count; };
__global__ void k(Weights weights, float *out) {
  float sum = 0;
  for (int i = 0; i < weights.count; ++i)
    sum += weights.values[i];
  out[threadIdx.x] = sum * threadIdx.x;
}
bool isRight() {
  Weights weights{{1, 2, 3, 4}, 4};
  float *out = managed<float>(4);
  void *arguments[] = {&weights, &out};
  return cudaLaunchKernel((void *)k, dim3(1), dim3(4), arguments, 0, 0) == cudaSuccess && synchronised() && out[3] == 30;
}
