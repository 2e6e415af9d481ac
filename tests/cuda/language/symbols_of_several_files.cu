// with symbols_of_several_files_2.cu: a variable and a function of the other file.
#include "right.h"
extern __device__ int shared_value;
__device__ int twice(int x);
__global__ void k(int *out) { *out = twice(shared_value); }
bool isRight() {
  int *out = managed<int>(1), value = 21;
  cudaMemcpyToSymbol(shared_value, &value, sizeof value);
  k<<<1, 1>>>(out);
  return synchronised() && *out == 42;
}
