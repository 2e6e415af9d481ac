// Complex numbers as vectors of two.
#pragma once
#define CU_COMPLEX_H_ // programs test it
#pragma GCC system_header
#include "cuda_runtime.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

AIWC_BOTH cuFloatComplex make_cuFloatComplex(float x, float y) {
  cuFloatComplex z;
  z.x = x;
  z.y = y;
  return z;
}
AIWC_BOTH float cuCrealf(cuFloatComplex z) {
  return z.x;
}
AIWC_BOTH float cuCimagf(cuFloatComplex z) {
  return z.y;
}
AIWC_BOTH cuFloatComplex cuConjf(cuFloatComplex z) {
  return make_cuFloatComplex(z.x, -z.y);
}
AIWC_BOTH cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x + b.x, a.y + b.y);
}
AIWC_BOTH cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x - b.x, a.y - b.y);
}
AIWC_BOTH cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/// Scaled, so that squares do not overflow.
AIWC_BOTH cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  const float scale = 1 / (fabsf(b.x) + fabsf(b.y));
  const float ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
  const float square = 1 / (bx * bx + by * by);
  return make_cuFloatComplex((ax * bx + ay * by) * square, (ay * bx - ax * by) * square);
}
AIWC_BOTH float cuCabsf(cuFloatComplex z) {
  return hypotf(z.x, z.y);
}
AIWC_BOTH cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return make_cuFloatComplex(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y);
}

AIWC_BOTH cuDoubleComplex make_cuDoubleComplex(double x, double y) {
  cuDoubleComplex z;
  z.x = x;
  z.y = y;
  return z;
}
AIWC_BOTH double cuCreal(cuDoubleComplex z) {
  return z.x;
}
AIWC_BOTH double cuCimag(cuDoubleComplex z) {
  return z.y;
}
AIWC_BOTH cuDoubleComplex cuConj(cuDoubleComplex z) {
  return make_cuDoubleComplex(z.x, -z.y);
}
AIWC_BOTH cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x + b.x, a.y + b.y);
}
AIWC_BOTH cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x - b.x, a.y - b.y);
}
AIWC_BOTH cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/// Scaled, so that squares do not overflow.
AIWC_BOTH cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  const double scale = 1 / (fabs(b.x) + fabs(b.y));
  const double ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;
  const double square = 1 / (bx * bx + by * by);
  return make_cuDoubleComplex((ax * bx + ay * by) * square, (ay * bx - ax * by) * square);
}
AIWC_BOTH double cuCabs(cuDoubleComplex z) {
  return hypot(z.x, z.y);
}
AIWC_BOTH cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return make_cuDoubleComplex(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y);
}

AIWC_BOTH cuComplex make_cuComplex(float x, float y) {
  return make_cuFloatComplex(x, y);
}
AIWC_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return make_cuDoubleComplex(z.x, z.y);
}
AIWC_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_cuFloatComplex((float)z.x, (float)z.y);
}
