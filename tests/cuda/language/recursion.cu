// refused: uses recursion
#include "right.h"
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void k(int *out) { *out = fibonacci(out[1]); }
bool isRight() {
  int *out = managed<int>(2);
  k<<<1, 1>>>(out);
  return synchronised();
}
