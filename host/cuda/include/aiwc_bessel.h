// Bessel functions of the first and the second kind in device code: OpenCL lacks them.
#pragma once
#pragma GCC system_header
#include "aiwc_math_overloads.h"

namespace aiwc_cuda {
/// J of an order, and Y of orders 0 and 1, at x > 0: downwards by J(k-1) = 2 k / x J(k) - J(k+1)
/// from an order at which J is nothing, to which J(0) + 2 J(2) + 2 J(4) + ... = 1 gives the
/// measure; Y is a sum of these (Abramowitz and Stegun, 9.1.46 and 9.1.88).
template <typename Number> AIWC_DEVICE Number besselDownwards(int order, Number x, Number (&y)[2]) {
  const Number most = Number(1e15), pi = Number(3.14159265358979323846);
  const Number large = x < Number(order) ? Number(order) : x;
  Number above = 0, at = 1, sum = 0, even = 0, odd = 0, found = 0;
  for (int k = 2 * (int)(large / 2 + 10 + 3 * sqrt(large)); k > 0; --k) {
    if (fabs(at) > most) {
      above /= most, at /= most, sum /= most, even /= most, odd /= most, found /= most;
    }
    const Number half = Number(k / 2), sign = Number(k / 2 % 2 == 0 ? 1 : -1);
    if (k == order)
      found = at;
    if (k % 2 == 0) {
      sum += 2 * at;
      even += sign * at / half;
    } else
      odd -= sign * at * (k == 1 ? 1 : 1 / (half + 1) + 1 / half);
    const Number below = Number(2 * k) / x * at - above;
    above = at;
    at = below;
  }
  sum += at;
  const Number scale = 2 / (pi * sum), logarithm = log(x / 2) + Number(0.57721566490153286061);
  y[0] = scale * (logarithm * at - 2 * even);
  y[1] = scale * (logarithm * above - at / x + odd);
  return (order == 0 ? at : found) / sum;
}
/// J and Y of order 0 or 1 at a large x, by Hankel's expansion (9.2.5 to 9.2.10).
template <typename Number> AIWC_DEVICE void besselFar(int order, Number x, Number &j, Number &y) {
  Number p = 1, q = 0, term = 1;
  for (int k = 1; k < 40 && fabs(term) > Number(1e-17); ++k) {
    const int odd = 2 * k - 1;
    term *= Number(4 * order * order - odd * odd) / (Number(8 * k) * x);
    (k % 2 == 0 ? p : q) += k % 4 < 2 ? term : -term;
  }
  const Number scale = 1 / sqrt(Number(3.14159265358979323846) * x), sine = sin(x), cosine = cos(x);
  const Number c = order == 0 ? sine + cosine : sine - cosine;
  const Number s = order == 0 ? sine - cosine : -sine - cosine;
  j = scale * (p * c - q * s);
  y = scale * (p * s + q * c);
}
/// J of an order at x >= 0; `y`: Y of orders 0 and 1.
template <typename Number> AIWC_DEVICE Number besselJ(int order, Number x, Number (&y)[2]) {
  if (x < Number(1e-9)) { // the first terms of the power series
    y[0] = Number(0.63661977236758134308) * (log(x / 2) + Number(0.57721566490153286061));
    y[1] = Number(-0.63661977236758134308) / x;
    Number j = 1;
    for (int k = 1; k <= order; ++k)
      j *= x / Number(2 * k);
    return j;
  }
  if (x < 25 || Number(order) > x)
    return besselDownwards(order, x, y);
  Number j[2];
  besselFar(0, x, j[0], y[0]);
  besselFar(1, x, j[1], y[1]);
  if (x - x != 0) // infinite
    return j[0] = y[0] = y[1] = x == x ? 0 : x;
  for (int k = 1; k < order; ++k) {
    const Number next = Number(2 * k) / x * j[1] - j[0];
    j[0] = j[1];
    j[1] = next;
  }
  return j[order == 0 ? 0 : 1];
}
template <typename Number> AIWC_DEVICE Number besselFirst(int order, Number x) {
  Number y[2];
  if (order < 0)
    return Number(__builtin_nan(""));
  const Number j = besselJ(order, fabs(x), y);
  return x < 0 && order % 2 == 1 ? -j : j;
}
template <typename Number> AIWC_DEVICE Number besselSecond(int order, Number x) {
  Number y[2];
  if (order < 0 || x < 0)
    return Number(__builtin_nan(""));
  if (x == 0)
    return Number(-__builtin_inf());
  besselJ(0, x, y);
  for (int k = 1; k < order; ++k) {
    const Number next = Number(2 * k) / x * y[1] - y[0];
    y[0] = y[1];
    y[1] = next;
  }
  return y[order == 0 ? 0 : 1];
}
} // namespace aiwc_cuda

#define AIWC_BESSEL(type, suffix)                                                                  \
  AIWC_COMPUTED(type, j0##suffix, (type x), aiwc_cuda::besselFirst(0, x))                          \
  AIWC_COMPUTED(type, j1##suffix, (type x), aiwc_cuda::besselFirst(1, x))                          \
  AIWC_COMPUTED(type, jn##suffix, (int order, type x), aiwc_cuda::besselFirst(order, x))           \
  AIWC_COMPUTED(type, y0##suffix, (type x), aiwc_cuda::besselSecond(0, x))                         \
  AIWC_COMPUTED(type, y1##suffix, (type x), aiwc_cuda::besselSecond(1, x))                         \
  AIWC_COMPUTED(type, yn##suffix, (int order, type x), aiwc_cuda::besselSecond(order, x))
AIWC_BESSEL(float, f)
AIWC_BESSEL(double, )
#undef AIWC_BESSEL
