// What CUDA adds to the mathematical functions of C: more functions, and intrinsics. Intrinsics of
// lower precision compute at full precision here.
#pragma once
#pragma GCC system_header
#include "aiwc_math_overloads.h"
#include "vector_types.h"

#include <type_traits>

// Minimum and maximum, in device code OpenCL's.
#define AIWC_MINMAX(type, prefix, letters, smaller, larger)                                        \
  AIWC_OPENCL(type, min, (type, type), prefix "min" letters);                                      \
  AIWC_OPENCL(type, max, (type, type), prefix "max" letters);                                      \
  AIWC_HOST type min(type a, type b) {                                                             \
    return smaller;                                                                                \
  }                                                                                                \
  AIWC_HOST type max(type a, type b) {                                                             \
    return larger;                                                                                 \
  }
#define AIWC_MINMAX_INTEGER(type, letters)                                                         \
  AIWC_MINMAX(type, "_Z3", letters, b < a ? b : a, a < b ? b : a)
AIWC_MINMAX_INTEGER(int, "ii")
AIWC_MINMAX_INTEGER(unsigned int, "jj")
AIWC_MINMAX_INTEGER(long, "ll")
AIWC_MINMAX_INTEGER(unsigned long, "mm")
AIWC_MINMAX_INTEGER(long long, "ll")
AIWC_MINMAX_INTEGER(unsigned long long, "mm")
AIWC_MINMAX(float, "_Z4f", "ff", __builtin_fminf(a, b), __builtin_fmaxf(a, b))
AIWC_MINMAX(double, "_Z4f", "dd", __builtin_fmin(a, b), __builtin_fmax(a, b))
#undef AIWC_MINMAX_INTEGER
#undef AIWC_MINMAX

namespace aiwc_cuda {
/// The type in which values of two different arithmetic types meet.
template <typename First, typename Second>
using Common = std::enable_if_t<std::is_arithmetic_v<First> && std::is_arithmetic_v<Second> &&
                                    !std::is_same_v<First, Second>,
                                std::common_type_t<First, Second>>;
} // namespace aiwc_cuda
template <typename First, typename Second>
AIWC_BOTH aiwc_cuda::Common<First, Second> min(First a, Second b) {
  return min((aiwc_cuda::Common<First, Second>)a, (aiwc_cuda::Common<First, Second>)b);
}
template <typename First, typename Second>
AIWC_BOTH aiwc_cuda::Common<First, Second> max(First a, Second b) {
  return max((aiwc_cuda::Common<First, Second>)a, (aiwc_cuda::Common<First, Second>)b);
}
#define AIWC_PREFIXED_MINMAX(prefix, type)                                                         \
  AIWC_BOTH type prefix##min(type a, type b) {                                                     \
    return min(a, b);                                                                              \
  }                                                                                                \
  AIWC_BOTH type prefix##max(type a, type b) {                                                     \
    return max(a, b);                                                                              \
  }
AIWC_PREFIXED_MINMAX(u, unsigned int)
AIWC_PREFIXED_MINMAX(ll, long long)
AIWC_PREFIXED_MINMAX(ull, unsigned long long)
#undef AIWC_PREFIXED_MINMAX

// Functions that C lacks, on both sides.
#define AIWC_ADDED1(length, name, onHost)                                                          \
  AIWC_OPENCL(float, name, (float), "_Z" #length #name "f");                                       \
  AIWC_OPENCL(double, name, (double), "_Z" #length #name "d");                                     \
  AIWC_OPENCL(float, name##f, (float), "_Z" #length #name "f");                                    \
  AIWC_HOST double name(double x) {                                                                \
    return onHost;                                                                                 \
  }                                                                                                \
  AIWC_HOST float name(float x) {                                                                  \
    return (float)name((double)x);                                                                 \
  }                                                                                                \
  AIWC_HOST float name##f(float x) {                                                               \
    return (float)name((double)x);                                                                 \
  }
AIWC_HOST double aiwcSinPi(double x) {
  const double rest = __builtin_remainder(x, 2);
  return __builtin_sin((rest > 0.5    ? 1 - rest
                        : rest < -0.5 ? -1 - rest
                                      : rest) *
                       3.14159265358979323846);
}
AIWC_ADDED1(5, rsqrt, 1 / __builtin_sqrt(x))
AIWC_ADDED1(5, sinpi, aiwcSinPi(x))
AIWC_ADDED1(5, cospi, aiwcSinPi(0.5 - __builtin_fabs(__builtin_remainder(x, 2))))
#undef AIWC_ADDED1
template <typename Integer, typename = decltype(Integer() % 1)> AIWC_BOTH double rsqrt(Integer x) {
  return rsqrt((double)x);
}
// The host's C library has exp10 as an extension.
AIWC_OPENCL(float, exp10, (float), "_Z5exp10f");
AIWC_OPENCL(double, exp10, (double), "_Z5exp10d");
AIWC_OPENCL(float, exp10f, (float), "_Z5exp10f");

#define AIWC_COMPOSED(type, suffix)                                                                \
  AIWC_BOTH type rcbrt##suffix(type x) {                                                           \
    return 1 / cbrt##suffix(x);                                                                    \
  }                                                                                                \
  /* For large numbers, the continued fraction of Laplace: there, exp(x * x) has no number. */     \
  AIWC_BOTH type erfcx##suffix(type x) {                                                           \
    if (!(x > 8))                                                                                  \
      return exp##suffix(x * x) * erfc##suffix(x);                                                 \
    type sum = x;                                                                                  \
    for (int k = 12; k > 0; --k)                                                                   \
      sum = x + type(0.5) * type(k) / sum;                                                         \
    return type(0.56418958354775628695) / sum;                                                     \
  }                                                                                                \
  AIWC_BOTH type normcdf##suffix(type x) {                                                         \
    return type(0.5) * erfc##suffix(x * type(-0.70710678118654752440));                            \
  }                                                                                                \
  AIWC_BOTH void sincospi##suffix(type x, type *sine, type *cosine) {                              \
    *sine = sinpi##suffix(x);                                                                      \
    *cosine = cospi##suffix(x);                                                                    \
  }                                                                                                \
  AIWC_BOTH type rhypot##suffix(type x, type y) {                                                  \
    return 1 / hypot##suffix(x, y);                                                                \
  }                                                                                                \
  AIWC_BOTH type norm3d##suffix(type x, type y, type z) {                                          \
    return sqrt##suffix(x * x + y * y + z * z);                                                    \
  }                                                                                                \
  AIWC_BOTH type rnorm3d##suffix(type x, type y, type z) {                                         \
    return 1 / norm3d##suffix(x, y, z);                                                            \
  }                                                                                                \
  AIWC_BOTH type norm##suffix(int items, const type *x) {                                          \
    type sum = 0;                                                                                  \
    for (int i = 0; i < items; ++i)                                                                \
      sum += x[i] * x[i];                                                                          \
    return sqrt##suffix(sum);                                                                      \
  }                                                                                                \
  AIWC_BOTH type rnorm##suffix(int items, const type *x) {                                         \
    return 1 / norm##suffix(items, x);                                                             \
  }                                                                                                \
  AIWC_BOTH type norm4d##suffix(type x, type y, type z, type w) {                                  \
    return sqrt##suffix(x * x + y * y + z * z + w * w);                                            \
  }                                                                                                \
  AIWC_BOTH type rnorm4d##suffix(type x, type y, type z, type w) {                                 \
    return 1 / norm4d##suffix(x, y, z, w);                                                         \
  }                                                                                                \
  /* Power series, whose terms all have one sign. */                                               \
  AIWC_BOTH type aiwcBesselI##suffix(int order, type x, type first) {                              \
    type sum = first, term = first;                                                                \
    for (int k = 1; fabs##suffix(term) > fabs##suffix(sum) * type(1e-17); ++k)                     \
      sum += term *= x * x / type(4 * k * (k + order));                                            \
    return sum;                                                                                    \
  }                                                                                                \
  AIWC_BOTH type cyl_bessel_i0##suffix(type x) {                                                   \
    return aiwcBesselI##suffix(0, x, 1);                                                           \
  }                                                                                                \
  AIWC_BOTH type cyl_bessel_i1##suffix(type x) {                                                   \
    return aiwcBesselI##suffix(1, x, x / 2);                                                       \
  }                                                                                                \
  /* The inverse of erf at y: Newton's steps from a first guess by logarithms (S. Winitzki, 2008). \
   * 1 - y and 1 + y are given, since one of them may be less than what y can tell from 1. */      \
  AIWC_BOTH type aiwcInverseErf##suffix(type y, type oneMinus, type onePlus) {                     \
    if (!(oneMinus > 0 && onePlus > 0))                                                            \
      return oneMinus == 0  ? type(__builtin_inf())                                                \
             : onePlus == 0 ? type(-__builtin_inf())                                               \
                            : type(__builtin_nan(""));                                             \
    const type l = log##suffix(oneMinus * onePlus), m = type(4.330746750799873) + l / 2;           \
    type x =                                                                                       \
        copysign##suffix(sqrt##suffix(sqrt##suffix(m * m - l * type(6.802721088435374)) - m), y);  \
    for (int step = 0; step < 3; ++step)                                                           \
      x -= (y < 0 ? erfc##suffix(-x) - onePlus : oneMinus - erfc##suffix(x)) *                     \
           type(0.88622692545275801365) * exp##suffix(x * x);                                      \
    return x;                                                                                      \
  }                                                                                                \
  AIWC_BOTH type erfinv##suffix(type y) {                                                          \
    return aiwcInverseErf##suffix(y, 1 - y, 1 + y);                                                \
  }                                                                                                \
  AIWC_BOTH type erfcinv##suffix(type y) {                                                         \
    return aiwcInverseErf##suffix(1 - y, y, 2 - y);                                                \
  }                                                                                                \
  AIWC_BOTH type normcdfinv##suffix(type p) {                                                      \
    return type(-1.41421356237309504880) * erfcinv##suffix(2 * p);                                 \
  }
AIWC_COMPOSED(float, f)
AIWC_COMPOSED(double, )
#undef AIWC_COMPOSED

// Intrinsics of floating point.
#define AIWC_FAST1(fast, exact)                                                                    \
  AIWC_DEVICE float fast(float x) {                                                                \
    return exact(x);                                                                               \
  }
AIWC_FAST1(__expf, expf)
AIWC_FAST1(__exp10f, exp10f)
AIWC_FAST1(__logf, logf)
AIWC_FAST1(__log2f, log2f)
AIWC_FAST1(__log10f, log10f)
AIWC_FAST1(__sinf, sinf)
AIWC_FAST1(__cosf, cosf)
AIWC_FAST1(__tanf, tanf)
AIWC_FAST1(__tanhf, tanhf)
AIWC_FAST1(__frsqrt_rn, rsqrtf)
#undef AIWC_FAST1
AIWC_COMPUTED(float, __powf, (float x, float y), powf(x, y))
AIWC_COMPUTED(float, __fdividef, (float x, float y), x / y)
AIWC_COMPUTED(float, fdividef, (float x, float y), x / y)
AIWC_COMPUTED(double, fdivide, (double x, double y), x / y)
AIWC_DEVICE void __sincosf(float x, float *sine, float *cosine) {
  sincosf(x, sine, cosine);
}
AIWC_COMPUTED(float, __saturatef, (float x), fminf(fmaxf(x, 0), 1))

// The simulator rounds to the nearest; results differ in the last bit from those of the other
// modes.
#define AIWC_CONVERTED(To, name, From, rounded)                                                    \
  AIWC_DEVICE To name(From x) {                                                                    \
    return (To)rounded(x);                                                                         \
  }
#define AIWC_ROUNDED_OF(type, letter, mode)                                                        \
  AIWC_DEVICE type __##letter##add_##mode(type x, type y) {                                        \
    return x + y;                                                                                  \
  }                                                                                                \
  AIWC_DEVICE type __##letter##sub_##mode(type x, type y) {                                        \
    return x - y;                                                                                  \
  }                                                                                                \
  AIWC_DEVICE type __##letter##mul_##mode(type x, type y) {                                        \
    return x * y;                                                                                  \
  }                                                                                                \
  AIWC_DEVICE type __##letter##div_##mode(type x, type y) {                                        \
    return x / y;                                                                                  \
  }                                                                                                \
  AIWC_DEVICE type __##letter##rcp_##mode(type x) {                                                \
    return 1 / x;                                                                                  \
  }                                                                                                \
  AIWC_DEVICE type __##letter##sqrt_##mode(type x) {                                               \
    return sqrt(x);                                                                                \
  }
#define AIWC_ROUNDED(mode)                                                                         \
  AIWC_ROUNDED_OF(float, f, mode)                                                                  \
  AIWC_ROUNDED_OF(double, d, mode)                                                                 \
  AIWC_DEVICE float __fmaf_##mode(float x, float y, float z) {                                     \
    return fmaf(x, y, z);                                                                          \
  }                                                                                                \
  AIWC_DEVICE double __fma_##mode(double x, double y, double z) {                                  \
    return fma(x, y, z);                                                                           \
  }                                                                                                \
  AIWC_CONVERTED(float, __int2float_##mode, int, )                                                 \
  AIWC_CONVERTED(float, __uint2float_##mode, unsigned int, )                                       \
  AIWC_CONVERTED(float, __ll2float_##mode, long long, )                                            \
  AIWC_CONVERTED(float, __ull2float_##mode, unsigned long long, )                                  \
  AIWC_CONVERTED(double, __ll2double_##mode, long long, )                                          \
  AIWC_CONVERTED(double, __ull2double_##mode, unsigned long long, )                                \
  AIWC_CONVERTED(float, __double2float_##mode, double, )
AIWC_ROUNDED(rn)
AIWC_ROUNDED(rz)
AIWC_ROUNDED(ru)
AIWC_ROUNDED(rd)
AIWC_CONVERTED(double, __int2double_rn, int, )
AIWC_CONVERTED(double, __uint2double_rn, unsigned int, )
#define AIWC_TO_INTEGER(mode, rounded)                                                             \
  AIWC_CONVERTED(int, __float2int_##mode, float, rounded)                                          \
  AIWC_CONVERTED(unsigned int, __float2uint_##mode, float, rounded)                                \
  AIWC_CONVERTED(long long, __float2ll_##mode, float, rounded)                                     \
  AIWC_CONVERTED(unsigned long long, __float2ull_##mode, float, rounded)                           \
  AIWC_CONVERTED(int, __double2int_##mode, double, rounded)                                        \
  AIWC_CONVERTED(unsigned int, __double2uint_##mode, double, rounded)                              \
  AIWC_CONVERTED(long long, __double2ll_##mode, double, rounded)                                   \
  AIWC_CONVERTED(unsigned long long, __double2ull_##mode, double, rounded)
AIWC_TO_INTEGER(rn, rint)
AIWC_TO_INTEGER(rz, )
AIWC_TO_INTEGER(ru, ceil)
AIWC_TO_INTEGER(rd, floor)
#undef AIWC_TO_INTEGER
#undef AIWC_ROUNDED
#undef AIWC_ROUNDED_OF
#undef AIWC_CONVERTED

// Bits of one type as another.
#define AIWC_BITS(name, to, from)                                                                  \
  AIWC_BOTH to name(from x) {                                                                      \
    to result;                                                                                     \
    __builtin_memcpy(&result, &x, sizeof result);                                                  \
    return result;                                                                                 \
  }
AIWC_BITS(__float_as_int, int, float)
AIWC_BITS(__float_as_uint, unsigned int, float)
AIWC_BITS(__int_as_float, float, int)
AIWC_BITS(__uint_as_float, float, unsigned int)
AIWC_BITS(__double_as_longlong, long long, double)
AIWC_BITS(__longlong_as_double, double, long long)
#undef AIWC_BITS
AIWC_BOTH int __double2hiint(double x) {
  return (int)(__double_as_longlong(x) >> 32);
}
AIWC_BOTH int __double2loint(double x) {
  return (int)__double_as_longlong(x);
}
AIWC_BOTH double __hiloint2double(int high, int low) {
  return __longlong_as_double(
      (long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}

// Intrinsics of integers.
AIWC_OPENCL(int, __mul24, (int, int), "_Z5mul24ii");
AIWC_OPENCL(unsigned int, __umul24, (unsigned int, unsigned int), "_Z5mul24jj");
AIWC_OPENCL(int, mul24, (int, int), "_Z5mul24ii");
AIWC_OPENCL(unsigned int, umul24, (unsigned int, unsigned int), "_Z5mul24jj");
AIWC_OPENCL(int, __mulhi, (int, int), "_Z6mul_hiii");
AIWC_OPENCL(int, mulhi, (int, int), "_Z6mul_hiii");
AIWC_OPENCL(unsigned int, __umulhi, (unsigned int, unsigned int), "_Z6mul_hijj");
AIWC_OPENCL(unsigned int, umulhi, (unsigned int, unsigned int), "_Z6mul_hijj");
AIWC_OPENCL(long long, __mul64hi, (long long, long long), "_Z6mul_hill");
AIWC_OPENCL(long long, mul64hi, (long long, long long), "_Z6mul_hill");
AIWC_OPENCL(unsigned long long, __umul64hi, (unsigned long long, unsigned long long),
            "_Z6mul_himm");
AIWC_OPENCL(unsigned long long, umul64hi, (unsigned long long, unsigned long long), "_Z6mul_himm");
AIWC_OPENCL(int, __clz, (int), "_Z3clzi");
AIWC_OPENCL(int, __popc, (unsigned int), "_Z8popcountj");
AIWC_OPENCL(int, __hadd, (int, int), "_Z4haddii");
AIWC_OPENCL(int, __rhadd, (int, int), "_Z5rhaddii");
AIWC_OPENCL(unsigned int, __uhadd, (unsigned int, unsigned int), "_Z4haddjj");
AIWC_OPENCL(unsigned int, __urhadd, (unsigned int, unsigned int), "_Z5rhaddjj");
namespace aiwc_cuda {
AIWC_OPENCL(unsigned long, popcount, (unsigned long), "_Z8popcountm");
AIWC_OPENCL(unsigned long, leadingZeros, (unsigned long), "_Z3clzm");
AIWC_OPENCL(unsigned int, difference, (int, int), "_Z8abs_diffii");
AIWC_OPENCL(unsigned int, difference, (unsigned int, unsigned int), "_Z8abs_diffjj");
} // namespace aiwc_cuda
AIWC_COMPUTED(int, __popcll, (unsigned long long x), (int)aiwc_cuda::popcount(x))
AIWC_COMPUTED(int, __clzll, (long long x), (int)aiwc_cuda::leadingZeros((unsigned long)x))
AIWC_COMPUTED(int, __ffs, (int x), __builtin_ffs(x))
AIWC_COMPUTED(int, __ffsll, (long long x), __builtin_ffsll(x))
AIWC_COMPUTED(unsigned int, __brev, (unsigned int x), __builtin_bitreverse32(x))
AIWC_COMPUTED(unsigned long long, __brevll, (unsigned long long x), __builtin_bitreverse64(x))
AIWC_COMPUTED(unsigned int, __sad, (int x, int y, unsigned int z), aiwc_cuda::difference(x, y) + z)
AIWC_COMPUTED(unsigned int, __usad, (unsigned int x, unsigned int y, unsigned int z),
              aiwc_cuda::difference(x, y) + z)
AIWC_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return (unsigned int)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
AIWC_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return (unsigned int)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
AIWC_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return (unsigned int)((((unsigned long long)high << 32 | low) << (shift < 32 ? shift : 32)) >>
                        32);
}
AIWC_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return (unsigned int)(((unsigned long long)high << 32 | low) >> (shift < 32 ? shift : 32));
}
/// Each nibble of the selector chooses one of the eight bytes; its highest bit repeats the sign.
AIWC_DEVICE unsigned int __byte_perm(unsigned int low, unsigned int high, unsigned int selector) {
  const unsigned long long bytes = (unsigned long long)high << 32 | low;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned int choice = selector >> (4 * i);
    const unsigned int byte = (unsigned int)(bytes >> (8 * (choice & 7))) & 0xff;
    result |= (choice & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << (8 * i);
  }
  return result;
}
/// The sum of products of four bytes each, or of two words of 16 bits and two bytes.
#define AIWC_PRODUCTS(type, Word, Byte, Words, Bytes)                                              \
  AIWC_DEVICE type __dp4a(type a, type b, type c) {                                                \
    for (int i = 0; i < 4; ++i)                                                                    \
      c += (Byte)(a >> (8 * i)) * (Byte)(b >> (8 * i));                                            \
    return c;                                                                                      \
  }                                                                                                \
  AIWC_DEVICE type __dp2a_lo(type a, type b, type c) {                                             \
    return c + (Word)a * (Byte)b + (Word)(a >> 16) * (Byte)(b >> 8);                               \
  }                                                                                                \
  AIWC_DEVICE type __dp2a_hi(type a, type b, type c) {                                             \
    return __dp2a_lo(a, b >> 16, c);                                                               \
  }                                                                                                \
  AIWC_DEVICE type __dp4a(Bytes a, Bytes b, type c) {                                              \
    return __dp4a(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c);                    \
  }                                                                                                \
  AIWC_DEVICE type __dp2a_lo(Words a, Bytes b, type c) {                                           \
    return __dp2a_lo(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c);                 \
  }                                                                                                \
  AIWC_DEVICE type __dp2a_hi(Words a, Bytes b, type c) {                                           \
    return __dp2a_hi(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c);                 \
  }
AIWC_PRODUCTS(int, short, signed char, short2, char4)
AIWC_PRODUCTS(unsigned int, unsigned short, unsigned char, ushort2, uchar4)
#undef AIWC_PRODUCTS
/// The place of a set bit, the count-th from `base` upwards, or downwards if `count` is negative;
/// of the bit at `base` if it is 0; all ones if there is none.
AIWC_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int count) {
  const int step = count < 0 ? -1 : 1;
  int left = count == 0 ? 1 : count * step;
  for (int at = (int)base; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1 && --left == 0) || count == 0)
      return mask >> at & 1 ? (unsigned int)at : ~0u;
  return ~0u;
}

// Loads and stores with hints to caches that the simulator does not have.
#define AIWC_LOAD(name)                                                                            \
  template <typename Value> AIWC_DEVICE Value name(const Value *address) {                         \
    return *address;                                                                               \
  }
AIWC_LOAD(__ldg)
AIWC_LOAD(__ldca)
AIWC_LOAD(__ldcg)
AIWC_LOAD(__ldcs)
AIWC_LOAD(__ldcv)
AIWC_LOAD(__ldlu)
#undef AIWC_LOAD
#define AIWC_STORE(name)                                                                           \
  template <typename Value> AIWC_DEVICE void name(Value *address, Value value) {                   \
    *address = value;                                                                              \
  }
AIWC_STORE(__stcg)
AIWC_STORE(__stcs)
AIWC_STORE(__stwb)
AIWC_STORE(__stwt)
#undef AIWC_STORE
/// Addresses are the same numbers in each space.
AIWC_COMPUTED(size_t, __cvta_generic_to_shared, (const void *pointer), (size_t)pointer)
AIWC_COMPUTED(size_t, __cvta_generic_to_global, (const void *pointer), (size_t)pointer)
AIWC_COMPUTED(void *, __cvta_shared_to_generic, (size_t address), (void *)address)
AIWC_COMPUTED(void *, __cvta_global_to_generic, (size_t address), (void *)address)
AIWC_COMPUTED(unsigned int, __isGlobal, (const void *), 1)
template <typename Value> AIWC_DEVICE void __prefetch_global_l1(const Value *) {}
template <typename Value> AIWC_DEVICE void __prefetch_global_l2(const Value *) {}
