// Pairs of 16 bits.
#include "right.h"
#include <cuda_fp16.h>
__global__ void k(float *out) {
  const __half2 a = __floats2half2_rn(1.5f, -2.0f), b = __float2half2_rn(0.5f);
  const __half2 c = __hfma2(a, b, a) * b;
  out[0] = __low2float(c);
  out[1] = __half2float(__hmax(c.x, c.y));
  out[2] = __high2float(__hsub2(c, a));
}
bool isRight() {
  float *out = managed<float>(3);
  k<<<1, 1>>>(out);
  return synchronised() && out[0] == 1.125f && out[1] == 1.125f && out[2] == 0.5f;
}
