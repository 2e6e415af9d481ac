// The arithmetic of numbers of 16 bits: on floats, rounded to the nearest. Sums, products,
// quotients and square roots are what 16 bits would give, since a float has more than twice the
// bits.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

#include <math.h>

namespace aiwc_cuda {
/// The float next to a double whose last bit is 1, unless the double is a float. To the nearest
/// number of 16 bits it is rounded as the double is.
AIWC_BOTH float roundedToOdd(double x) {
  const float nearest = (float)x;
  unsigned int bits;
  __builtin_memcpy(&bits, &nearest, sizeof bits);
  if ((double)nearest == x || x != x || (bits & 1) != 0)
    return nearest;
  bits += __builtin_fabs((double)nearest) < __builtin_fabs(x) ? 1 : -1;
  float odd;
  __builtin_memcpy(&odd, &bits, sizeof odd);
  return odd;
}

/// Of the type that a number of 16 bits is kept as.
template <typename Kept> AIWC_BOTH unsigned short bitsOf(Kept kept) {
  unsigned short bits;
  __builtin_memcpy(&bits, &kept, sizeof bits);
  return bits;
}
template <typename Kept> AIWC_BOTH Kept ofBits(unsigned short bits) {
  Kept kept;
  __builtin_memcpy(&kept, &bits, sizeof kept);
  return kept;
}
/// The number of 16 bits that is next to x downwards (-1), towards zero (0) or upwards (1).
template <int direction, typename Narrow, typename Number> AIWC_BOTH Narrow rounded(Number x) {
  Narrow result(x);
  const Number nearest = (float)result;
  const bool isFarther = (nearest < 0 ? -nearest : nearest) > (x < 0 ? -x : x);
  if (direction < 0 ? nearest > x : direction > 0 ? nearest < x : isFarther)
    result.kept =
        ofBits<decltype(result.kept)>((unsigned short)(bitsOf(result.kept) + (isFarther ? -1 : 1)));
  return result;
}
/// A double that is between the same numbers of 16 bits, and their middles, as the integer: of a
/// large one, lower bits become one.
template <typename Integer> AIWC_BOTH double betweenTheSame(Integer x) {
  const Integer upper = x >> 48;
  return upper == 0 || upper == (Integer)-1
             ? (double)x
             : 0x1p16 * (double)(x >> 16 | (Integer)((x & 0xffff) != 0));
}
AIWC_BOTH unsigned short negated(unsigned short bits) {
  return bits ^ 0x8000;
}
AIWC_BOTH unsigned short magnitude(unsigned short bits) {
  return bits & 0x7fff;
}
} // namespace aiwc_cuda

/// `type` has one member, `kept`, of 16 bits, and `toFloat`, `fromFloat` and `fromDouble` convert
/// it.
#define AIWC_NARROW_TYPE(type, Kept, toFloat, fromFloat, fromDouble)                               \
  struct __attribute__((aligned(2))) type##_raw {                                                  \
    unsigned short x;                                                                              \
  };                                                                                               \
  struct __attribute__((aligned(2))) type {                                                        \
    Kept kept;                                                                                     \
    type() = default;                                                                              \
    AIWC_BOTH_MEMBER type(type##_raw raw) : kept(aiwc_cuda::ofBits<Kept>(raw.x)) {}                \
    AIWC_BOTH_MEMBER type(float x) : kept(fromFloat(x)) {}                                         \
    AIWC_BOTH_MEMBER type(double x) : kept(fromDouble(x)) {}                                       \
    AIWC_BOTH_MEMBER type(int x) : kept(fromFloat((float)x)) {}                                    \
    AIWC_BOTH_MEMBER type(unsigned int x) : kept(fromFloat((float)x)) {}                           \
    AIWC_BOTH_MEMBER type(long x) : kept(fromFloat((float)x)) {}                                   \
    AIWC_BOTH_MEMBER type(unsigned long x) : kept(fromFloat((float)x)) {}                          \
    AIWC_BOTH_MEMBER type(long long x) : kept(fromFloat((float)x)) {}                              \
    AIWC_BOTH_MEMBER type(unsigned long long x) : kept(fromFloat((float)x)) {}                     \
    AIWC_BOTH_MEMBER operator float() const { return toFloat(kept); }                              \
    AIWC_BOTH_MEMBER operator type##_raw() const {                                                 \
      type##_raw raw = {aiwc_cuda::bitsOf(kept)};                                                  \
      return raw;                                                                                  \
    }                                                                                              \
  };                                                                                               \
  struct __attribute__((aligned(4))) type##2_raw {                                                 \
    unsigned short x, y;                                                                           \
  };                                                                                               \
  struct __attribute__((aligned(4))) type##2 {                                                     \
    type x, y;                                                                                     \
    type##2() = default;                                                                           \
    AIWC_BOTH_MEMBER type##2(type x, type y) : x(x), y(y) {}                                       \
    AIWC_BOTH_MEMBER type##2(type##2_raw raw) : x(type##_raw{raw.x}), y(type##_raw{raw.y}) {}      \
    AIWC_BOTH_MEMBER operator type##2_raw() const {                                                \
      type##2_raw raw = {aiwc_cuda::bitsOf(x.kept), aiwc_cuda::bitsOf(y.kept)};                    \
      return raw;                                                                                  \
    }                                                                                              \
  };

#define AIWC_NARROW_OPERATOR(type, pair, op)                                                       \
  AIWC_BOTH type operator op(type a, type b) {                                                     \
    return type((float)a op(float) b);                                                             \
  }                                                                                                \
  AIWC_BOTH pair operator op(pair a, pair b) {                                                     \
    return pair(a.x op b.x, a.y op b.y);                                                           \
  }                                                                                                \
  AIWC_BOTH type &operator op##=(type &a, type b) {                                                \
    return a = a op b;                                                                             \
  }                                                                                                \
  AIWC_BOTH pair &operator op##=(pair &a, pair b) {                                                \
    return a = a op b;                                                                             \
  }
#define AIWC_NARROW_STEP(type, op, one)                                                            \
  AIWC_BOTH type &operator op##op(type &x) {                                                       \
    return x = x op one;                                                                           \
  }                                                                                                \
  AIWC_BOTH type operator op##op(type &x, int) {                                                   \
    const type before = x;                                                                         \
    x = x op one;                                                                                  \
    return before;                                                                                 \
  }
#define AIWC_NARROW_COMPARISON(type, pair, op)                                                     \
  AIWC_BOTH bool operator op(type a, type b) {                                                     \
    return (float)a op(float) b;                                                                   \
  }                                                                                                \
  AIWC_BOTH bool operator op(pair a, pair b) {                                                     \
    return a.x op b.x && a.y op b.y;                                                               \
  }
#define AIWC_NARROW_2(type, pair, name, name2, result)                                             \
  AIWC_BOTH type name(type a, type b) {                                                            \
    return type(result);                                                                           \
  }                                                                                                \
  AIWC_BOTH pair name2(pair a, pair b) {                                                           \
    return pair(name(a.x, b.x), name(a.y, b.y));                                                   \
  }
/// Between 0 and 1, of NaN 0.
#define AIWC_NARROW_SATURATED(x) fminf(fmaxf((float)(x), 0.0f), 1.0f)
#define AIWC_NARROW_TEST(type, pair, name, op)                                                     \
  AIWC_BOTH bool __h##name(type a, type b) {                                                       \
    return (float)a op(float) b;                                                                   \
  }                                                                                                \
  AIWC_BOTH bool __hb##name##2(pair a, pair b) {                                                   \
    return a.x op b.x && a.y op b.y;                                                               \
  }                                                                                                \
  AIWC_BOTH pair __h##name##2(pair a, pair b) {                                                    \
    return pair(type(a.x op b.x ? 1.0f : 0.0f), type(a.y op b.y ? 1.0f : 0.0f));                   \
  }
#ifdef AIWC_CUDA
#define AIWC_NARROW_1(type, pair, name, function)                                                  \
  AIWC_DEVICE type h##name(type x) {                                                               \
    return type(function((float)x));                                                               \
  }                                                                                                \
  AIWC_DEVICE pair h2##name(pair x) {                                                              \
    return pair(h##name(x.x), h##name(x.y));                                                       \
  }
#else // the host has no functions of these types
#define AIWC_NARROW_1(type, pair, name, function)
#endif

/// `fused`: a b + c, rounded once, of what the numbers are kept as.
#define AIWC_NARROW_FUNCTIONS(type, pair, fused)                                                   \
  AIWC_NARROW_OPERATOR(type, pair, +)                                                              \
  AIWC_NARROW_OPERATOR(type, pair, -)                                                              \
  AIWC_NARROW_OPERATOR(type, pair, *)                                                              \
  AIWC_NARROW_OPERATOR(type, pair, /)                                                              \
  AIWC_NARROW_COMPARISON(type, pair, ==)                                                           \
  AIWC_NARROW_COMPARISON(type, pair, !=)                                                           \
  AIWC_NARROW_COMPARISON(type, pair, <)                                                            \
  AIWC_NARROW_COMPARISON(type, pair, <=)                                                           \
  AIWC_NARROW_COMPARISON(type, pair, >)                                                            \
  AIWC_NARROW_COMPARISON(type, pair, >=)                                                           \
  AIWC_NARROW_STEP(type, +, type(1.0f))                                                            \
  AIWC_NARROW_STEP(type, -, type(1.0f))                                                            \
  AIWC_NARROW_STEP(pair, +, pair(type(1.0f), type(1.0f)))                                          \
  AIWC_NARROW_STEP(pair, -, pair(type(1.0f), type(1.0f)))                                          \
  AIWC_BOTH type operator-(type x) {                                                               \
    x.kept = aiwc_cuda::negated(x.kept);                                                           \
    return x;                                                                                      \
  }                                                                                                \
  AIWC_BOTH pair operator-(pair x) {                                                               \
    return pair(-x.x, -x.y);                                                                       \
  }                                                                                                \
  AIWC_BOTH type __hneg(type x) {                                                                  \
    return -x;                                                                                     \
  }                                                                                                \
  AIWC_BOTH pair __hneg2(pair x) {                                                                 \
    return -x;                                                                                     \
  }                                                                                                \
  AIWC_BOTH type __habs(type x) {                                                                  \
    x.kept = aiwc_cuda::magnitude(x.kept);                                                         \
    return x;                                                                                      \
  }                                                                                                \
  AIWC_BOTH pair __habs2(pair x) {                                                                 \
    return pair(__habs(x.x), __habs(x.y));                                                         \
  }                                                                                                \
  AIWC_NARROW_2(type, pair, __hadd, __hadd2, (float)a + (float)b)                                  \
  AIWC_NARROW_2(type, pair, __hsub, __hsub2, (float)a - (float)b)                                  \
  AIWC_NARROW_2(type, pair, __hmul, __hmul2, (float)a *(float)b)                                   \
  AIWC_NARROW_2(type, pair, __hadd_rn, __hadd2_rn, (float)a + (float)b)                            \
  AIWC_NARROW_2(type, pair, __hsub_rn, __hsub2_rn, (float)a - (float)b)                            \
  AIWC_NARROW_2(type, pair, __hmul_rn, __hmul2_rn, (float)a *(float)b)                             \
  AIWC_NARROW_2(type, pair, __hadd_sat, __hadd2_sat, AIWC_NARROW_SATURATED(a + b))                 \
  AIWC_NARROW_2(type, pair, __hsub_sat, __hsub2_sat, AIWC_NARROW_SATURATED(a - b))                 \
  AIWC_NARROW_2(type, pair, __hmul_sat, __hmul2_sat, AIWC_NARROW_SATURATED(a *b))                  \
  AIWC_NARROW_2(type, pair, __hdiv, __h2div, (float)a / (float)b)                                  \
  AIWC_NARROW_2(type, pair, __hmax, __hmax2, fmaxf((float)a, (float)b))                            \
  AIWC_NARROW_2(type, pair, __hmin, __hmin2, fminf((float)a, (float)b))                            \
  AIWC_BOTH type __hfma(type a, type b, type c) {                                                  \
    a.kept = fused(a.kept, b.kept, c.kept);                                                        \
    return a;                                                                                      \
  }                                                                                                \
  AIWC_BOTH pair __hfma2(pair a, pair b, pair c) {                                                 \
    return pair(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                     \
  }                                                                                                \
  AIWC_BOTH type __hfma_sat(type a, type b, type c) {                                              \
    return type(AIWC_NARROW_SATURATED(__hfma(a, b, c)));                                           \
  }                                                                                                \
  AIWC_BOTH pair __hfma2_sat(pair a, pair b, pair c) {                                             \
    return pair(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));                             \
  }                                                                                                \
  AIWC_NARROW_TEST(type, pair, eq, ==)                                                             \
  AIWC_NARROW_TEST(type, pair, ne, !=)                                                             \
  AIWC_NARROW_TEST(type, pair, lt, <)                                                              \
  AIWC_NARROW_TEST(type, pair, le, <=)                                                             \
  AIWC_NARROW_TEST(type, pair, gt, >)                                                              \
  AIWC_NARROW_TEST(type, pair, ge, >=)                                                             \
  AIWC_BOTH bool __hisnan(type x) {                                                                \
    return (float)x != (float)x;                                                                   \
  }                                                                                                \
  AIWC_BOTH int __hisinf(type x) {                                                                 \
    return (float)x == __builtin_inff() ? 1 : (float)x == -__builtin_inff() ? -1 : 0;              \
  }                                                                                                \
  AIWC_NARROW_1(type, pair, sqrt, sqrtf)                                                           \
  AIWC_NARROW_1(type, pair, rsqrt, rsqrtf)                                                         \
  AIWC_NARROW_1(type, pair, rcp, 1 /)                                                              \
  AIWC_NARROW_1(type, pair, exp, expf)                                                             \
  AIWC_NARROW_1(type, pair, exp2, exp2f)                                                           \
  AIWC_NARROW_1(type, pair, exp10, exp10f)                                                         \
  AIWC_NARROW_1(type, pair, log, logf)                                                             \
  AIWC_NARROW_1(type, pair, log2, log2f)                                                           \
  AIWC_NARROW_1(type, pair, log10, log10f)                                                         \
  AIWC_NARROW_1(type, pair, sin, sinf)                                                             \
  AIWC_NARROW_1(type, pair, cos, cosf)                                                             \
  AIWC_NARROW_1(type, pair, floor, floorf)                                                         \
  AIWC_NARROW_1(type, pair, ceil, ceilf)                                                           \
  AIWC_NARROW_1(type, pair, trunc, truncf)                                                         \
  AIWC_NARROW_1(type, pair, rint, rintf)                                                           \
  AIWC_BOTH float __low2float(pair x) {                                                            \
    return (float)x.x;                                                                             \
  }                                                                                                \
  AIWC_BOTH float __high2float(pair x) {                                                           \
    return (float)x.y;                                                                             \
  }

#ifdef AIWC_CUDA
/// Of the runtime: buffers end with a word of 4 bytes from now on.
extern "C" bool aiwcAllocateWholeWords();

namespace aiwc_cuda {
template <typename Value, typename Pair> struct AddedToOne {
  Value value;
  bool isUpper;
  __attribute__((device, always_inline, nodebug)) Pair operator()(Pair x) const {
    return isUpper ? Pair(x.x, x.y + value) : Pair(x.x + value, x.y);
  }
};
/// An atomic function of 16 bits accesses the word that they are in, all of which belongs to the
/// buffer then, as on a device.
static const bool hasWholeWords __attribute__((unused)) = aiwcAllocateWholeWords();
} // namespace aiwc_cuda

#define AIWC_NARROW_ATOMICS(type, pair)                                                            \
  /* Half of a word, or all of it, by compare-and-swap. */                                         \
  AIWC_DEVICE pair atomicAdd(pair *address, pair value) {                                          \
    return aiwc_cuda::exchangeBy<unsigned int>(address, aiwc_cuda::Added<pair>{value});            \
  }                                                                                                \
  AIWC_DEVICE type atomicAdd(type *address, type value) {                                          \
    const bool isUpper = (size_t)address & 2;                                                      \
    pair *both = (pair *)((size_t)address & ~(size_t)3);                                           \
    const pair before = aiwc_cuda::exchangeBy<unsigned int>(                                       \
        both, aiwc_cuda::AddedToOne<type, pair>{value, isUpper});                                  \
    return isUpper ? before.y : before.x;                                                          \
  }
#else
#define AIWC_NARROW_ATOMICS(type, pair)
#endif

#define AIWC_NARROW_CONVERSION(To, name, parameters, result)                                       \
  AIWC_BOTH To name parameters {                                                                   \
    return result;                                                                                 \
  }
/// From a number that is called `number`; `real` makes a real number of it.
#define AIWC_NARROW_DIRECTIONS(type, number, name, Number, real)                                   \
  AIWC_NARROW_CONVERSION(type, __##number##2##name##_rn, (Number x), type(real(x)))                \
  AIWC_NARROW_CONVERSION(type, __##number##2##name##_rd, (Number x),                               \
                         (aiwc_cuda::rounded<-1, type>(real(x))))                                  \
  AIWC_NARROW_CONVERSION(type, __##number##2##name##_rz, (Number x),                               \
                         (aiwc_cuda::rounded<0, type>(real(x))))                                   \
  AIWC_NARROW_CONVERSION(type, __##number##2##name##_ru, (Number x),                               \
                         (aiwc_cuda::rounded<1, type>(real(x))))
#define AIWC_NARROW_INTEGER(type, name, integer, Integer, real)                                    \
  AIWC_NARROW_DIRECTIONS(type, integer, name, Integer, real)                                       \
  AIWC_NARROW_CONVERSION(Integer, __##name##2##integer##_rz, (type x), (Integer)(float)x)          \
  AIWC_NARROW_CONVERSION(Integer, __##name##2##integer##_rn, (type x), (Integer)rintf((float)x))   \
  AIWC_NARROW_CONVERSION(Integer, __##name##2##integer##_rd, (type x), (Integer)floorf((float)x))  \
  AIWC_NARROW_CONVERSION(Integer, __##name##2##integer##_ru, (type x), (Integer)ceilf((float)x))
/// Conversions, whose names have `name`: half or bfloat16.
#define AIWC_NARROW_CONVERSIONS(type, pair, name)                                                  \
  AIWC_NARROW_CONVERSION(float, __##name##2float, (type x), (float)x)                              \
  AIWC_NARROW_CONVERSION(type, __float2##name, (float x), type(x))                                 \
  AIWC_NARROW_DIRECTIONS(type, float, name, float, )                                               \
  AIWC_NARROW_INTEGER(type, name, int, int, (double))                                              \
  AIWC_NARROW_INTEGER(type, name, uint, unsigned int, (double))                                    \
  AIWC_NARROW_INTEGER(type, name, short, short, (float))                                           \
  AIWC_NARROW_INTEGER(type, name, ushort, unsigned short, (float))                                 \
  AIWC_NARROW_INTEGER(type, name, ll, long long, aiwc_cuda::betweenTheSame)                        \
  AIWC_NARROW_INTEGER(type, name, ull, unsigned long long, aiwc_cuda::betweenTheSame)              \
  AIWC_NARROW_CONVERSION(signed char, __##name##2char_rz, (type x), (signed char)(float)x)         \
  AIWC_NARROW_CONVERSION(unsigned char, __##name##2uchar_rz, (type x), (unsigned char)(float)x)    \
  AIWC_NARROW_CONVERSION(type, __double2##name, (double x), type(x))                               \
  AIWC_NARROW_CONVERSION(pair, __float2##name##2_rn, (float x), pair(type(x), type(x)))            \
  AIWC_NARROW_CONVERSION(pair, __floats2##name##2_rn, (float x, float y), pair(type(x), type(y)))  \
  AIWC_NARROW_CONVERSION(pair, __float22##name##2_rn, (float2 x), pair(type(x.x), type(x.y)))      \
  AIWC_NARROW_CONVERSION(float2, __##name##22float2, (pair x),                                     \
                         make_float2((float)x.x, (float)x.y))                                      \
  AIWC_NARROW_CONVERSION(type, __low2##name, (pair x), x.x)                                        \
  AIWC_NARROW_CONVERSION(type, __high2##name, (pair x), x.y)                                       \
  AIWC_NARROW_CONVERSION(pair, __##name##2##name##2, (type x), pair(x, x))                         \
  AIWC_NARROW_CONVERSION(pair, __halves2##name##2, (type x, type y), pair(x, y))                   \
  AIWC_NARROW_CONVERSION(pair, __low2##name##2, (pair x), pair(x.x, x.x))                          \
  AIWC_NARROW_CONVERSION(pair, __high2##name##2, (pair x), pair(x.y, x.y))                         \
  AIWC_NARROW_CONVERSION(pair, __lows2##name##2, (pair x, pair y), pair(x.x, y.x))                 \
  AIWC_NARROW_CONVERSION(pair, __highs2##name##2, (pair x, pair y), pair(x.y, y.y))                \
  AIWC_NARROW_CONVERSION(pair, __lowhigh2highlow, (pair x), pair(x.y, x.x))                        \
  AIWC_NARROW_CONVERSION(unsigned short, __##name##_as_ushort, (type x),                           \
                         aiwc_cuda::bitsOf(x.kept))                                                \
  AIWC_NARROW_CONVERSION(short, __##name##_as_short, (type x), (short)aiwc_cuda::bitsOf(x.kept))   \
  AIWC_BOTH type __ushort_as_##name(unsigned short bits) {                                         \
    type x;                                                                                        \
    x.kept = aiwc_cuda::ofBits<decltype(x.kept)>(bits);                                            \
    return x;                                                                                      \
  }                                                                                                \
  AIWC_NARROW_CONVERSION(type, __short_as_##name, (short bits),                                    \
                         __ushort_as_##name((unsigned short)bits))
