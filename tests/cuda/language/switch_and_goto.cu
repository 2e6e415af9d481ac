// Control flow that is no loop of C.
#include "right.h"
__global__ void k(int *out) {
  int state = threadIdx.x % 5, steps = 0;
again:
  switch (state) {
  case 0: steps += 100; break;
  case 3: state = 1; ++steps; goto again;
  case 1: ++steps; [[fallthrough]];
  default: state = 0; ++steps; goto again;
  }
  out[threadIdx.x] = steps;
}
bool isRight() {
  int *out = managed<int>(10);
  k<<<1, 10>>>(out);
  return synchronised() && out[0] == 100 && out[1] == 102 && out[2] == 101 && out[3] == 103 && out[9] == 101;
}
