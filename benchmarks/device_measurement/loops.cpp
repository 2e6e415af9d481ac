#include "loops.h"

#include <cmath>

namespace aiwc::native {

namespace {

// Sixteen 512-bit vectors of accumulators. They are values of the compiler's vector type, as arrays
// would end up in memory.
template <typename Number, size_t Lanes> Number chains(Number m, Number c, size_t steps) {
  typedef Number Vector __attribute__((vector_size(Lanes * sizeof(Number))));
  constexpr size_t kVectors = 16;
  Vector x[kVectors];
  for (size_t i = 0; i < kVectors; ++i)
    x[i] = Vector{} + static_cast<Number>(i);
  const Vector factor = Vector{} + m;
  const Vector summand = Vector{} + c;
  for (size_t step = 0; step < steps; ++step) {
#pragma GCC unroll 16
    for (size_t i = 0; i < kVectors; ++i)
      x[i] = x[i] * factor + summand;
  }
  Vector total{};
  for (const Vector &each : x)
    total += each;
  Number sum = 0;
  for (size_t lane = 0; lane < Lanes; ++lane)
    sum += total[lane];
  return sum;
}

} // namespace

float multiplyAdd(float m, float c, size_t steps) {
  return chains<float, 16>(m, c, steps);
}

double multiplyAdd(double m, double c, size_t steps) {
  return chains<double, 8>(m, c, steps);
}

void stream(float *a, const float *b, size_t count) {
  for (size_t i = 0; i < count; ++i)
    a[i] = a[i] + b[i];
}

uint32_t sum(const uint32_t *a, size_t count) {
  uint32_t total = 0;
  for (size_t i = 0; i < count; ++i)
    total += a[i];
  return total;
}

uint32_t chase(const uint32_t *next, uint32_t at, size_t steps) {
  for (size_t i = 0; i < steps; ++i)
    at = next[at];
  return at;
}

} // namespace aiwc::native
