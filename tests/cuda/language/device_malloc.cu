// refused: the simulator has no malloc in kernels
#include "right.h"
__global__ void k(int **out) { *out = (int *)malloc(16); }
bool isRight() {
  int **out = managed<int *>(1);
  k<<<1, 1>>>(out);
  return synchronised() && *out;
}
