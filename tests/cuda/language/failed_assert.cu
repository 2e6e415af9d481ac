// prints: Assertion `threadIdx.x < 3` failed.
#include "right.h"
#include <cassert>
__global__ void k() { assert(threadIdx.x < 3); }
bool isRight() {
  k<<<1, 4>>>();
  return cudaDeviceSynchronize() == cudaErrorAssert;
}
