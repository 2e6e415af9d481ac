// Lanes find those with the same value; votes; sums of a warp.
#include "right.h"
__global__ void k(unsigned *out) {
  const int x = threadIdx.x % 3;
  out[threadIdx.x] = __match_any_sync(~0u, x);
  if (threadIdx.x == 0)
    out[32] = 7;
  const unsigned sum = __reduce_add_sync(~0u, threadIdx.x);
  const bool all = __all_sync(~0u, x < 3), any = __any_sync(~0u, x > 2);
  if (threadIdx.x == 5)
    out[33] = sum + all + 1000 * any;
}
bool isRight() {
  unsigned *out = managed<unsigned>(34);
  k<<<1, 32>>>(out);
  return synchronised() && out[0] == 0x49249249u && out[31] == 0x92492492u && out[33] == 497;
}
