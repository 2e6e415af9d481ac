// refused: a call through a pointer (a virtual function or a function pointer)
#include "right.h"
typedef int (*Operation)(int);
__device__ int plusOne(int x) { return x + 1; }
__device__ int twice(int x) { return 2 * x; }
__device__ Operation operations[] = {plusOne, twice};
__global__ void k(int *out) { out[threadIdx.x] = operations[threadIdx.x % 2](threadIdx.x); }
bool isRight() {
  int *out = managed<int>(2);
  k<<<1, 2>>>(out);
  return synchronised() && out[0] == 1 && out[1] == 2;
}
