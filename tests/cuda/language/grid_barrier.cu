// refused: a barrier of the whole grid
#include "right.h"
#include <cooperative_groups.h>
__global__ void k(int *x) {
  x[blockIdx.x] = blockIdx.x;
  cooperative_groups::this_grid().sync();
  x[blockIdx.x] += x[(blockIdx.x + 1) % gridDim.x];
}
bool isRight() {
  int *x = managed<int>(4);
  void *arguments[] = {&x};
  return cudaLaunchCooperativeKernel((void *)k, 4, 1, arguments) == cudaSuccess && synchronised();
}
