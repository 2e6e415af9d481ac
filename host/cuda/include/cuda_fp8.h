// Numbers of 8 bits: e4m3, which have no infinity, and e5m2. They are only kept and converted.
#pragma once
#define __CUDA_FP8_H__ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

/// To the nearest, and to the even one of two.
AIWC_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                   __nv_fp8_interpretation_t kind) {
  const int fraction = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  const unsigned int largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
  unsigned int bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  const unsigned int sign = bits >> 24 & 0x80, magnitude = bits & 0x7fffffff;
  const int shift = 23 - fraction;
  unsigned int result = (magnitude + (1u << (shift - 1)) - 1 + (magnitude >> shift & 1)) >> shift;
  result -= (127u - bias) << fraction;
  if (magnitude < (128u - bias) << 23) { // below the smallest normal number: of fixed distance
    const unsigned int fixed = (127u + shift + 1 - bias) << 23; // a power of 2 with the distance
    float sum;
    __builtin_memcpy(&sum, &fixed, sizeof sum);
    sum += __builtin_fabsf(x);
    __builtin_memcpy(&result, &sum, sizeof result);
    result -= fixed;
  }
  if (result > largest)
    result = saturation == __NV_SATFINITE ? largest : largest + 1; // infinity, or no number
  return (__nv_fp8_storage_t)(x != x ? 0x7f : sign | result);
}
AIWC_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                    __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(aiwc_cuda::roundedToOdd(x), saturation, kind);
}

namespace aiwc_cuda {
AIWC_BOTH float eightBitsToFloat(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  if (kind == __NV_E5M2) // the upper half of 16 bits
    return (float)__ushort_as_half((unsigned short)(x << 8));
  const unsigned int bits = (x & 0x7fu) << 20;
  float magnitude;
  __builtin_memcpy(&magnitude, &bits, sizeof bits);
  magnitude = (x & 0x7f) == 0x7f ? __builtin_nanf("") : magnitude * 0x1p120f; // by the biases
  return x & 0x80 ? -magnitude : magnitude;
}
} // namespace aiwc_cuda

AIWC_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half(aiwc_cuda::eightBitsToFloat(x, kind));
}
AIWC_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                 __nv_fp8_interpretation_t kind) {
  __half2_raw raw = {__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x,
                     __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x};
  return raw;
}

/// Of a number, and of two of them, whose first lies lowest.
#define AIWC_TO_EIGHT_BITS(name, Number, name2, Two, convert)                                      \
  AIWC_BOTH __nv_fp8_storage_t __nv_cvt_##name##_to_fp8(Number x, __nv_saturation_t saturation,    \
                                                        __nv_fp8_interpretation_t kind) {          \
    return convert;                                                                                \
  }                                                                                                \
  AIWC_TO_TWICE_EIGHT_BITS(name, Number, name2, Two)
#define AIWC_TO_TWICE_EIGHT_BITS(name, Number, name2, Two)                                         \
  AIWC_BOTH __nv_fp8x2_storage_t __nv_cvt_##name2##_to_fp8x2(Two x, __nv_saturation_t saturation,  \
                                                             __nv_fp8_interpretation_t kind) {     \
    const Number first = {x.x}, second = {x.y};                                                    \
    return (__nv_fp8x2_storage_t)(__nv_cvt_##name##_to_fp8(first, saturation, kind) |              \
                                  __nv_cvt_##name##_to_fp8(second, saturation, kind) << 8);        \
  }
AIWC_TO_TWICE_EIGHT_BITS(float, float, float2, float2)
AIWC_TO_TWICE_EIGHT_BITS(double, double, double2, double2)
AIWC_TO_EIGHT_BITS(halfraw, __half_raw, halfraw2, __half2_raw,
                   __nv_cvt_float_to_fp8((float)__half(x), saturation, kind))
AIWC_TO_EIGHT_BITS(bfloat16raw, __nv_bfloat16_raw, bfloat16raw2, __nv_bfloat162_raw,
                   __nv_cvt_float_to_fp8((float)__nv_bfloat16(x), saturation, kind))
#undef AIWC_TO_EIGHT_BITS
#undef AIWC_TO_TWICE_EIGHT_BITS

#define AIWC_EIGHT_BITS(type, kind)                                                                \
  struct __nv_fp8_##type {                                                                         \
    __nv_fp8_storage_t __x;                                                                        \
    __nv_fp8_##type() = default;                                                                   \
    AIWC_BOTH_MEMBER explicit __nv_fp8_##type(double x)                                            \
        : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, kind)) {}                                  \
    template <typename Number>                                                                     \
    AIWC_BOTH_MEMBER explicit __nv_fp8_##type(Number x)                                            \
        : __x(__nv_cvt_float_to_fp8((float)x, __NV_SATFINITE, kind)) {}                            \
    template <typename Number> AIWC_BOTH_MEMBER explicit operator Number() const {                 \
      return (Number)aiwc_cuda::eightBitsToFloat(__x, kind);                                       \
    }                                                                                              \
  };                                                                                               \
  struct __attribute__((aligned(2))) __nv_fp8x2_##type {                                           \
    __nv_fp8x2_storage_t __x;                                                                      \
    __nv_fp8x2_##type() = default;                                                                 \
    AIWC_BOTH_MEMBER explicit __nv_fp8x2_##type(float2 x)                                          \
        : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, kind)) {}                                \
    AIWC_BOTH_MEMBER explicit __nv_fp8x2_##type(double2 x)                                         \
        : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, kind)) {}                               \
    AIWC_BOTH_MEMBER explicit __nv_fp8x2_##type(__half2 x)                                         \
        : __x(__nv_cvt_halfraw2_to_fp8x2(x, __NV_SATFINITE, kind)) {}                              \
    AIWC_BOTH_MEMBER explicit __nv_fp8x2_##type(__nv_bfloat162 x)                                  \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(x, __NV_SATFINITE, kind)) {}                          \
    AIWC_BOTH_MEMBER explicit operator __half2() const {                                           \
      return __nv_cvt_fp8x2_to_halfraw2(__x, kind);                                                \
    }                                                                                              \
    AIWC_BOTH_MEMBER explicit operator float2() const {                                            \
      return __half22float2(__nv_cvt_fp8x2_to_halfraw2(__x, kind));                                \
    }                                                                                              \
  };                                                                                               \
  struct __attribute__((aligned(4))) __nv_fp8x4_##type {                                           \
    __nv_fp8x4_storage_t __x;                                                                      \
    __nv_fp8x4_##type() = default;                                                                 \
    template <typename Two>                                                                        \
    AIWC_BOTH_MEMBER explicit __nv_fp8x4_##type(Two low, Two high)                                 \
        : __x(__nv_fp8x2_##type(low).__x | (unsigned int)__nv_fp8x2_##type(high).__x << 16) {}     \
    AIWC_BOTH_MEMBER explicit __nv_fp8x4_##type(float4 x)                                          \
        : __nv_fp8x4_##type(make_float2(x.x, x.y), make_float2(x.z, x.w)) {}                       \
    AIWC_BOTH_MEMBER explicit __nv_fp8x4_##type(double4 x)                                         \
        : __nv_fp8x4_##type(make_double2(x.x, x.y), make_double2(x.z, x.w)) {}                     \
    AIWC_BOTH_MEMBER explicit operator float4() const {                                            \
      const float2 low =                                                                           \
          __half22float2(__nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)__x, kind));             \
      const float2 high =                                                                          \
          __half22float2(__nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)(__x >> 16), kind));     \
      return make_float4(low.x, low.y, high.x, high.y);                                            \
    }                                                                                              \
  };
AIWC_EIGHT_BITS(e4m3, __NV_E4M3)
AIWC_EIGHT_BITS(e5m2, __NV_E5M2)
#undef AIWC_EIGHT_BITS
