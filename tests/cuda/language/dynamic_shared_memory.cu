// Two kernels have dynamic shared memory of other types under one name, and parts of it.
#include "right.h"
template <typename T> __device__ T *shared() {
  extern __shared__ char memory[];
  return (T *)memory;
}
template <typename T> __global__ void k(T *out) {
  T *first = shared<T>(), *second = first + blockDim.x;
  first[threadIdx.x] = threadIdx.x;
  second[threadIdx.x] = 2 * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = first[blockDim.x - 1 - threadIdx.x] + second[0];
}
bool isRight() {
  float *f = managed<float>(32);
  double *d = managed<double>(32);
  k<<<1, 32, 2 * 32 * sizeof(float)>>>(f);
  k<<<1, 32, 2 * 32 * sizeof(double)>>>(d);
  return synchronised() && f[0] == 31 && d[31] == 0;
}
