// The mathematical functions of device code under the names of C and C++, at full precision: they
// are OpenCL's. They overload the host's of the same names, and have to be declared before the
// C++ library, which otherwise makes its constexpr functions device functions.
#pragma once
#pragma GCC system_header
#include "host_defines.h"

#include <stddef.h>

#define AIWC_MATH1(length, name)                                                                   \
  AIWC_OPENCL(float, name, (float), "_Z" #length #name "f");                                       \
  AIWC_OPENCL(double, name, (double), "_Z" #length #name "d");                                     \
  AIWC_OPENCL(float, name##f, (float), "_Z" #length #name "f");
#define AIWC_MATH2(length, name)                                                                   \
  AIWC_OPENCL(float, name, (float, float), "_Z" #length #name "ff");                               \
  AIWC_OPENCL(double, name, (double, double), "_Z" #length #name "dd");                            \
  AIWC_OPENCL(float, name##f, (float, float), "_Z" #length #name "ff");
#define AIWC_MATH1_ALL                                                                             \
  AIWC_MATH1(4, acos)                                                                              \
  AIWC_MATH1(5, acosh)                                                                             \
  AIWC_MATH1(4, asin)                                                                              \
  AIWC_MATH1(5, asinh)                                                                             \
  AIWC_MATH1(4, atan)                                                                              \
  AIWC_MATH1(5, atanh)                                                                             \
  AIWC_MATH1(4, cbrt)                                                                              \
  AIWC_MATH1(4, ceil)                                                                              \
  AIWC_MATH1(3, cos)                                                                               \
  AIWC_MATH1(4, cosh)                                                                              \
  AIWC_MATH1(3, erf)                                                                               \
  AIWC_MATH1(4, erfc)                                                                              \
  AIWC_MATH1(3, exp)                                                                               \
  AIWC_MATH1(4, exp2)                                                                              \
  AIWC_MATH1(5, expm1)                                                                             \
  AIWC_MATH1(4, fabs)                                                                              \
  AIWC_MATH1(5, floor)                                                                             \
  AIWC_MATH1(6, lgamma)                                                                            \
  AIWC_MATH1(3, log)                                                                               \
  AIWC_MATH1(5, log10)                                                                             \
  AIWC_MATH1(5, log1p)                                                                             \
  AIWC_MATH1(4, log2)                                                                              \
  AIWC_MATH1(4, logb)                                                                              \
  AIWC_MATH1(4, rint)                                                                              \
  AIWC_MATH1(5, round)                                                                             \
  AIWC_MATH1(3, sin)                                                                               \
  AIWC_MATH1(4, sinh)                                                                              \
  AIWC_MATH1(4, sqrt)                                                                              \
  AIWC_MATH1(3, tan)                                                                               \
  AIWC_MATH1(4, tanh)                                                                              \
  AIWC_MATH1(6, tgamma)                                                                            \
  AIWC_MATH1(5, trunc)
AIWC_MATH1_ALL
AIWC_MATH2(5, atan2)
AIWC_MATH2(8, copysign)
AIWC_MATH2(4, fdim)
AIWC_MATH2(4, fmax)
AIWC_MATH2(4, fmin)
AIWC_MATH2(4, fmod)
AIWC_MATH2(5, hypot)
AIWC_MATH2(9, nextafter)
AIWC_MATH2(3, pow)
AIWC_MATH2(9, remainder)
#undef AIWC_MATH1
#undef AIWC_MATH2

AIWC_OPENCL(float, fma, (float, float, float), "_Z3fmafff");
AIWC_OPENCL(double, fma, (double, double, double), "_Z3fmaddd");
AIWC_OPENCL(float, fmaf, (float, float, float), "_Z3fmafff");
AIWC_OPENCL(float, ldexp, (float, int), "_Z5ldexpfi");
AIWC_OPENCL(double, ldexp, (double, int), "_Z5ldexpdi");
AIWC_OPENCL(float, ldexpf, (float, int), "_Z5ldexpfi");
AIWC_OPENCL(float, scalbn, (float, int), "_Z5ldexpfi");
AIWC_OPENCL(double, scalbn, (double, int), "_Z5ldexpdi");
AIWC_OPENCL(float, scalbnf, (float, int), "_Z5ldexpfi");
AIWC_OPENCL(int, ilogb, (float), "_Z5ilogbf");
AIWC_OPENCL(int, ilogb, (double), "_Z5ilogbd");
AIWC_OPENCL(int, ilogbf, (float), "_Z5ilogbf");
AIWC_OPENCL(float, nearbyint, (float), "_Z4rintf");
AIWC_OPENCL(double, nearbyint, (double), "_Z4rintd");
AIWC_OPENCL(float, nearbyintf, (float), "_Z4rintf");

AIWC_OPENCL(float, abs, (float), "_Z4fabsf");
AIWC_COMPUTED(int, __isnanf, (float x), x != x)
AIWC_COMPUTED(int, __isinff, (float x), __builtin_fabsf(x) == __builtin_inff())
AIWC_COMPUTED(int, __finitef, (float x), __builtin_fabsf(x) < __builtin_inff())
AIWC_OPENCL(double, abs, (double), "_Z4fabsd");
AIWC_OPENCL(int, abs, (int), "_Z3absi");
AIWC_OPENCL(long, abs, (long), "_Z3absl");
AIWC_OPENCL(long long, abs, (long long), "_Z3absl");
AIWC_OPENCL(long, labs, (long), "_Z3absl");
AIWC_OPENCL(long long, llabs, (long long), "_Z3absl");

#define AIWC_TO_NEAREST(name, Integer, rounded)                                                    \
  AIWC_DEVICE Integer name(float x) {                                                              \
    return (Integer)rounded(x);                                                                    \
  }                                                                                                \
  AIWC_DEVICE Integer name(double x) {                                                             \
    return (Integer)rounded(x);                                                                    \
  }                                                                                                \
  AIWC_DEVICE Integer name##f(float x) {                                                           \
    return (Integer)rounded(x);                                                                    \
  }
AIWC_TO_NEAREST(lrint, long, rint)
AIWC_TO_NEAREST(llrint, long long, rint)
AIWC_TO_NEAREST(lround, long, round)
AIWC_TO_NEAREST(llround, long long, round)
#undef AIWC_TO_NEAREST

#define AIWC_WITH_POINTER(type, suffix)                                                            \
  AIWC_DEVICE type frexp##suffix(type x, int *exponent) {                                          \
    const bool hasExponent = x != 0 && x - x == 0; /* neither infinite nor NaN */                  \
    *exponent = hasExponent ? ilogb(x) + 1 : 0;                                                    \
    return hasExponent ? ldexp(x, -*exponent) : x;                                                 \
  }                                                                                                \
  AIWC_DEVICE type modf##suffix(type x, type *whole) {                                             \
    *whole = trunc(x);                                                                             \
    return copysign(x - x == 0 ? x - *whole : x == x ? type(0) : x, x);                            \
  }                                                                                                \
  AIWC_DEVICE void sincos##suffix(type x, type *sine, type *cosine) {                              \
    *sine = sin(x);                                                                                \
    *cosine = cos(x);                                                                              \
  }                                                                                                \
  AIWC_DEVICE type remquo##suffix(type x, type y, int *quotient) {                                 \
    const type rest = remainder(x, y);                                                             \
    *quotient = (int)rint((x - rest) / y);                                                         \
    return rest;                                                                                   \
  }
AIWC_WITH_POINTER(float, )
AIWC_WITH_POINTER(float, f)
AIWC_WITH_POINTER(double, )
#undef AIWC_WITH_POINTER

AIWC_COMPUTED(float, nanf, (const char *), __builtin_nanf(""))
AIWC_COMPUTED(double, nan, (const char *), __builtin_nan(""))

AIWC_COMPUTED(void *, memcpy, (void *to, const void *from, size_t bytes),
              __builtin_memcpy(to, from, bytes))
AIWC_COMPUTED(void *, memmove, (void *to, const void *from, size_t bytes),
              __builtin_memmove(to, from, bytes))
AIWC_COMPUTED(void *, memset, (void *to, int value, size_t bytes),
              __builtin_memset(to, value, bytes))

// OpenCL's printf. The simulator reads formats that are literals.
__attribute__((device)) int printf(const char *format, ...) __asm__("printf");

// Integers, for which the C++ library would call the host's functions.
#define AIWC_MATH1(length, name)                                                                   \
  template <typename Integer, typename = decltype(Integer() % 1)>                                  \
  AIWC_DEVICE double name(Integer x) {                                                             \
    return name((double)x);                                                                        \
  }
AIWC_MATH1_ALL
#undef AIWC_MATH1

namespace std {
#define AIWC_MATH1(length, name) using ::name;
AIWC_MATH1_ALL
#undef AIWC_MATH1
using ::abs;
using ::atan2;
using ::copysign;
using ::fdim;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::frexp;
using ::hypot;
using ::ilogb;
using ::ldexp;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
using ::nearbyint;
using ::nextafter;
using ::pow;
using ::remainder;
using ::remquo;
using ::scalbn;
} // namespace std

#undef AIWC_MATH1_ALL
