// bfloat16: the upper half of a float.
#pragma once
#define __CUDA_BF16_H__ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header
#include "aiwc_narrow_floats.h"

namespace aiwc_cuda {
AIWC_BOTH float bfloatToFloat(unsigned short bits) {
  const unsigned int word = (unsigned int)bits << 16;
  float x;
  __builtin_memcpy(&x, &word, sizeof x);
  return x;
}
/// To the nearest, and to the even one of two.
AIWC_BOTH unsigned short floatToBfloat(float x) {
  unsigned int bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return (unsigned short)(x != x ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
AIWC_BOTH unsigned short doubleToBfloat(double x) {
  return floatToBfloat(roundedToOdd(x));
}
/// Where the sum as a float is the middle of two bfloat16s, what it lacks decides.
AIWC_BOTH unsigned short fusedBfloats(unsigned short a, unsigned short b, unsigned short c) {
  const float x = bfloatToFloat(a), y = bfloatToFloat(b), z = bfloatToFloat(c);
  float sum = fmaf(x, y, z);
  unsigned int bits;
  __builtin_memcpy(&bits, &sum, sizeof bits);
  if ((bits & 0xffff) == 0x8000 && sum == sum) {
    const float product = x * y;
    const bool isLarger = __builtin_fabsf(product) >= __builtin_fabsf(z);
    const float lack = isLarger ? z - (sum - product) : product - (sum - z);
    if (lack != 0)
      bits += (lack > 0) == (sum > 0) ? 1 : -1;
    __builtin_memcpy(&sum, &bits, sizeof sum);
  }
  return floatToBfloat(sum);
}
} // namespace aiwc_cuda

AIWC_NARROW_TYPE(__nv_bfloat16, unsigned short, aiwc_cuda::bfloatToFloat, aiwc_cuda::floatToBfloat,
                 aiwc_cuda::doubleToBfloat)
AIWC_NARROW_FUNCTIONS(__nv_bfloat16, __nv_bfloat162, aiwc_cuda::fusedBfloats)
AIWC_NARROW_ATOMICS(__nv_bfloat16, __nv_bfloat162)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

AIWC_NARROW_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16)
AIWC_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
