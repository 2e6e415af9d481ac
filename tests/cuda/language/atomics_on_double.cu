// atomicAdd of double, and a maximum by compare-and-swap.
#include "right.h"
__device__ double atomicMaximum(double *address, double value) {
  unsigned long long *bits = (unsigned long long *)address, old = *bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, __double_as_longlong(fmax(value, __longlong_as_double(seen))));
  } while (seen != old);
  return __longlong_as_double(old);
}
__global__ void k(double *out) {
  atomicAdd(&out[0], 0.25);
  atomicMaximum(&out[1], threadIdx.x * 1.5);
}
bool isRight() {
  double *out = managed<double>(2);
  k<<<4, 64>>>(out);
  return synchronised() && out[0] == 64 && out[1] == 94.5;
}
