// prints: line 5: threads of one warp exchange values in shared memory with no barrier or __syncwarp() between: the simulator runs them one after another, so results may be wrong (aiwc build --warps-in-step has them wait for one another)
#include "right.h"
__global__ void shift(int *out) {
  __shared__ int tile[33];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[threadIdx.x + 1];
}
bool isRight() { // whatever it gives
  shift<<<1, 32>>>(managed<int>(32));
  return synchronised();
}
