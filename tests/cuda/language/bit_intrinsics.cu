// Functions of bits, of packed numbers, and of bits of real ones.
#include "right.h"
__global__ void k(unsigned *out, unsigned x) {
  out[0] = __popc(x) + __clz(x) + __ffs(x);
  out[1] = __brev(x);
  out[2] = __byte_perm(x, 0, 0x0123);
  out[3] = __funnelshift_l(x, 1, 4);
  out[4] = __vadd4(0x01ff7f80u, 0x01010101u);
  out[5] = __float_as_uint(1.0f) + __umulhi(x, 16);
  out[6] = __dp4a(0x01020304, 0x01010101, 5);
}
bool isRight() {
  unsigned *out = managed<unsigned>(7);
  k<<<1, 1>>>(out, 0xf0000000u);
  return synchronised() && out[0] == 4 + 0 + 29 && out[1] == 15 && out[2] == 0xf0 && out[3] == 0x1f &&
         out[4] == 0x02008081u && out[5] == 0x3f800000u + 15 && out[6] == 15;
}
