// bfloat16: the upper half of a float.
#pragma once
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
} // namespace aiwc_cuda

AIWC_NARROW_TYPE(__nv_bfloat16, aiwc_cuda::bfloatToFloat, aiwc_cuda::floatToBfloat)
AIWC_NARROW_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
AIWC_NARROW_ATOMICS(__nv_bfloat16, __nv_bfloat162)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

AIWC_BOTH float __bfloat162float(__nv_bfloat16 x) {
  return (float)x;
}
AIWC_BOTH __nv_bfloat16 __float2bfloat16(float x) {
  return __nv_bfloat16(x);
}
AIWC_BOTH __nv_bfloat16 __float2bfloat16_rn(float x) {
  return __nv_bfloat16(x);
}
AIWC_BOTH __nv_bfloat16 __double2bfloat16(double x) {
  return __nv_bfloat16(x);
}
AIWC_BOTH __nv_bfloat162 __float2bfloat162_rn(float x) {
  return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(x));
}
AIWC_BOTH __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(y));
}
AIWC_BOTH float2 __bfloat1622float2(__nv_bfloat162 x) {
  return make_float2((float)x.x, (float)x.y);
}
AIWC_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 x) {
  return __nv_bfloat162(__nv_bfloat16(x.x), __nv_bfloat16(x.y));
}
AIWC_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 x) {
  return x.x;
}
AIWC_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 x) {
  return x.y;
}
AIWC_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) {
  return __nv_bfloat162(x, x);
}
AIWC_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
AIWC_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) {
  return x.bits;
}
AIWC_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  __nv_bfloat16 x;
  x.bits = bits;
  return x;
}
