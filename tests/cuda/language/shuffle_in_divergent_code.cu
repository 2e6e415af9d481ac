// Lanes that took one way shuffle among themselves.
#include "right.h"
__global__ void k(int *out) {
  int v = threadIdx.x;
  if (threadIdx.x % 2 == 0)
    v += __shfl_xor_sync(0x55555555u, v, 2);
  else
    for (int i = 0; i < (int)threadIdx.x % 4; ++i)
      v += __shfl_sync(__activemask(), v, 31);
  out[threadIdx.x] = v;
}
bool isRight() {
  int *out = managed<int>(32);
  k<<<1, 32>>>(out);
  return synchronised() && out[0] == 2 && out[2] == 2 && out[30] == 58 && out[1] == 32;
}
