// Complex numbers as vectors of two.
#pragma once
#define CU_COMPLEX_H_ // programs test it
#pragma GCC system_header
#include "cuda_runtime.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define AIWC_COMPLEX(Complex, Real, suffix)                                                        \
  AIWC_BOTH Complex make_##Complex(Real x, Real y) {                                               \
    Complex z;                                                                                     \
    z.x = x;                                                                                       \
    z.y = y;                                                                                       \
    return z;                                                                                      \
  }                                                                                                \
  AIWC_BOTH Real cuCreal##suffix(Complex z) {                                                      \
    return z.x;                                                                                    \
  }                                                                                                \
  AIWC_BOTH Real cuCimag##suffix(Complex z) {                                                      \
    return z.y;                                                                                    \
  }                                                                                                \
  AIWC_BOTH Complex cuConj##suffix(Complex z) {                                                    \
    return make_##Complex(z.x, -z.y);                                                              \
  }                                                                                                \
  AIWC_BOTH Complex cuCadd##suffix(Complex a, Complex b) {                                         \
    return make_##Complex(a.x + b.x, a.y + b.y);                                                   \
  }                                                                                                \
  AIWC_BOTH Complex cuCsub##suffix(Complex a, Complex b) {                                         \
    return make_##Complex(a.x - b.x, a.y - b.y);                                                   \
  }                                                                                                \
  AIWC_BOTH Complex cuCmul##suffix(Complex a, Complex b) {                                         \
    return make_##Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                           \
  }                                                                                                \
  /* Scaled, so that squares do not overflow. */                                                   \
  AIWC_BOTH Complex cuCdiv##suffix(Complex a, Complex b) {                                         \
    const Real scale = 1 / (fabs##suffix(b.x) + fabs##suffix(b.y));                                \
    const Real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;             \
    const Real square = 1 / (bx * bx + by * by);                                                   \
    return make_##Complex((ax * bx + ay * by) * square, (ay * bx - ax * by) * square);             \
  }                                                                                                \
  AIWC_BOTH Real cuCabs##suffix(Complex z) {                                                       \
    return hypot##suffix(z.x, z.y);                                                                \
  }                                                                                                \
  AIWC_BOTH Complex cuCfma##suffix(Complex a, Complex b, Complex c) {                              \
    return make_##Complex(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y);               \
  }
AIWC_COMPLEX(cuFloatComplex, float, f)
AIWC_COMPLEX(cuDoubleComplex, double, )
#undef AIWC_COMPLEX

AIWC_BOTH cuComplex make_cuComplex(float x, float y) {
  return make_cuFloatComplex(x, y);
}
AIWC_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return make_cuDoubleComplex(z.x, z.y);
}
AIWC_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex((float)z.x, (float)z.y);
}
