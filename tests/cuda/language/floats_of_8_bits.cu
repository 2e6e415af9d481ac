// Conversions of numbers of 8 bits, on the device and on the host: of each code, and of floats in the
// middle of two numbers and beside it, which go to the nearest, or to the even one.
#include "right.h"
#include <cuda_fp8.h>

/// What a code means: sign, exponent, fraction, by the definition of the formats.
__host__ __device__ float meaning(int code, __nv_fp8_interpretation_t kind) {
  const int fractionBits = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  const int exponent = (code & 0x7f) >> fractionBits, fraction = code & ((1 << fractionBits) - 1);
  if (kind == __NV_E4M3 ? (code & 0x7f) == 0x7f : exponent == 31)
    return kind == __NV_E5M2 && fraction == 0 ? (code < 128 ? INFINITY : -INFINITY) : NAN;
  float value = fraction + (exponent == 0 ? 0 : 1 << fractionBits);
  for (int i = exponent == 0 ? 1 : exponent; i < bias + fractionBits; ++i)
    value /= 2;
  for (int i = exponent; i > bias + fractionBits; --i)
    value *= 2;
  return code < 128 ? value : -value;
}
__host__ __device__ bool areSame(float a, float b) {
  return a == b ? signbit(a) == signbit(b) : a != a && b != b;
}

/// The number of conversions of a code, and of what is near it, that are wrong.
template <typename One, typename Two, typename Four>
__host__ __device__ int wrongNear(int code, __nv_fp8_interpretation_t kind) {
  One x;
  x.__x = code;
  const float value = meaning(code, kind);
  int wrong = !areSame((float)x, value) + !areSame((float)(half)x, value) +
              !areSame((float)(__nv_bfloat16)x, value) + !((int)value == (int)x || value != value);
  const int last = kind == __NV_E4M3 ? 0x7e : 0x7b, magnitude = code & 0x7f;
  if (magnitude > last)
    return wrong;
  wrong += One(value).__x != code;
  wrong += One((double)value).__x != code;
  wrong += One(half(value)).__x != code;
  wrong += One(__nv_bfloat16(value)).__x != code;
  // The next number, or where it would be.
  const float behind = magnitude < last ? meaning(magnitude + 1, kind) : kind == __NV_E4M3 ? 480 : 65536;
  const float sign = code < 128 ? 1 : -1, middle = (sign * value + behind) / 2;
  const int next = code + 1, even = code % 2 == 0 ? code : next;
  const int saturated = magnitude < last ? next : code, ofMiddle = code % 2 == 0 ? code : saturated;
  wrong += One(sign * middle).__x != ofMiddle;
  wrong += One((double)sign * middle * (1 + 1e-12)).__x != saturated;
  wrong += One((double)sign * middle * (1 - 1e-12)).__x != code;
  wrong += One(sign * nextafterf(middle, 0)).__x != code;
  wrong += One(sign * nextafterf(middle, INFINITY)).__x != saturated;
  wrong += __nv_cvt_float_to_fp8(sign * middle, __NV_NOSAT, kind) != even;
  wrong += __nv_cvt_float_to_fp8(sign * nextafterf(middle, INFINITY), __NV_NOSAT, kind) != next;
  const Two two(make_float2(value, sign * middle));
  wrong += two.__x != (code | ofMiddle << 8);
  wrong += Two(__half2(two)).__x != two.__x || float2(two).x != value;
  const Four four(make_float4(value, 0, -value, 1));
  wrong += four.__x != (unsigned)(code | (code ^ 128) << 16 | One(1.0f).__x << 24) || float4(four).w != 1;
  return wrong;
}
template <typename One> __host__ __device__ int wrongLimits(__nv_fp8_interpretation_t kind) {
  const int last = kind == __NV_E4M3 ? 0x7e : 0x7b;
  return (One(INFINITY).__x != last) + (One(-1e30f).__x != (last | 128)) + (One(NAN).__x != 0x7f) +
         (One(100000).__x != last) + (One(3u).__x != One(3.0f).__x) + ((float)One(-7) != -7) +
         (__nv_cvt_float_to_fp8(-INFINITY, __NV_NOSAT, kind) != (last + 1 | 128));
}
__host__ __device__ int wrongOf(int code) {
  return wrongNear<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(code, __NV_E4M3) +
         wrongNear<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(code, __NV_E5M2) +
         wrongLimits<__nv_fp8_e4m3>(__NV_E4M3) + wrongLimits<__nv_fp8_e5m2>(__NV_E5M2);
}
__global__ void count(int *wrong) { wrong[threadIdx.x] = wrongOf(threadIdx.x); }

bool isRight() {
  int *wrong = managed<int>(256);
  count<<<1, 256>>>(wrong);
  bool isRight = synchronised();
  for (int code = 0; code < 256; ++code)
    if (wrong[code] != 0 || wrongOf(code) != 0) {
      printf("%02x: %d, %d on the host\n", code, wrong[code], wrongOf(code));
      isRight = false;
    }
  return isRight;
}
