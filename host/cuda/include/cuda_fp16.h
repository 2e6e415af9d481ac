// Half precision. Device code has the compiler's type for it; where the compiler finds that a sum,
// product, quotient or comparison of floats is one of halves, it is.
#pragma once
#define __CUDA_FP16_H__ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header
#include "aiwc_narrow_floats.h"

namespace aiwc_cuda {
#ifdef __CUDA_ARCH__
typedef _Float16 KeptHalf;
AIWC_DEVICE _Float16 negated(_Float16 x) {
  return -x;
}
AIWC_DEVICE _Float16 magnitude(_Float16 x) {
  return __builtin_fabsf16(x);
}
AIWC_DEVICE float halfToFloat(_Float16 x) {
  return (float)x;
}
AIWC_DEVICE _Float16 floatToHalf(float x) {
  return (_Float16)x;
}
AIWC_DEVICE _Float16 doubleToHalf(double x) {
  return (_Float16)x;
}
AIWC_OPENCL(_Float16, fusedHalves, (_Float16, _Float16, _Float16), "_Z3fmaDhDhDh");
#else
typedef unsigned short KeptHalf;
// On the host, by the layout of IEEE 754.
AIWC_BOTH float halfToFloat(unsigned short bits) {
  const unsigned int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float magnitude = __builtin_ldexpf((float)(exponent == 0 ? fraction : fraction + 1024),
                                     (int)(exponent == 0 ? 1 : exponent) - 25);
  if (exponent == 31)
    magnitude = fraction == 0 ? __builtin_inff() : __builtin_nanf("");
  return bits >> 15 ? -magnitude : magnitude;
}
AIWC_BOTH unsigned short floatToHalf(float x) {
  unsigned int bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  const unsigned short sign = (unsigned short)(bits >> 16 & 0x8000);
  const float magnitude = __builtin_fabsf(x);
  if (!(magnitude < __builtin_inff()))
    return (unsigned short)(sign | (x == x ? 0x7c00 : 0x7fff));
  if (magnitude >= 65520)
    return (unsigned short)(sign | 0x7c00);
  // A unit is the distance of halves near the number; the upper bits follow from the carry.
  int exponent = 0;
  __builtin_frexpf(magnitude, &exponent);
  if (exponent < -13 || magnitude == 0)
    exponent = -13;
  const float units = __builtin_nearbyintf(__builtin_ldexpf(magnitude, 11 - exponent));
  return (unsigned short)(sign | ((exponent + 13) * 1024 + (int)units));
}
AIWC_BOTH unsigned short doubleToHalf(double x) {
  return floatToHalf(roundedToOdd(x));
}
/// The exact sum and a double next to it are to the same side of the middle of two halves.
AIWC_BOTH unsigned short fusedHalves(unsigned short a, unsigned short b, unsigned short c) {
  return doubleToHalf((double)halfToFloat(a) * halfToFloat(b) + halfToFloat(c));
}
#endif
} // namespace aiwc_cuda

AIWC_NARROW_TYPE(__half, aiwc_cuda::KeptHalf, aiwc_cuda::halfToFloat, aiwc_cuda::floatToHalf,
                 aiwc_cuda::doubleToHalf)
AIWC_NARROW_FUNCTIONS(__half, __half2, aiwc_cuda::fusedHalves)
AIWC_NARROW_ATOMICS(__half, __half2)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

AIWC_NARROW_CONVERSIONS(__half, __half2, half)
AIWC_BOTH __half2 make_half2(__half x, __half y) {
  return __half2(x, y);
}
