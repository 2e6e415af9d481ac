// refused: the simulator has no kernels that launch kernels (dynamic parallelism)
#include "right.h"
__global__ void child(int *x) { ++*x; }
__global__ void parent(int *x) { child<<<1, 1>>>(x); }
bool isRight() {
  int *x = managed<int>(1);
  parent<<<1, 1>>>(x);
  return synchronised() && *x == 1;
}
