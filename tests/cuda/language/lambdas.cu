// A lambda with captures is a kernel's argument, and calls another one.
#include "right.h"
template <typename F> __global__ void each(int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    f(i);
}
bool isRight() {
  int *out = managed<int>(100), factor = 3;
  const auto plusOne = [] __device__(int x) { return x + 1; };
  each<<<2, 64>>>(100, [=] __device__(int i) { out[i] = plusOne(factor * i); });
  return synchronised() && out[99] == 298;
}
