/// The native loops. Each returns what it computed, so that no compiler removes it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aiwc::native {

/// x = x * m + c, `steps` times, in sixteen vectors of 64 bytes, which a core overlaps: the sum of
/// all their lanes. The i-th vector begins with i in each lane.
float multiplyAdd(float m, float c, size_t steps);
double multiplyAdd(double m, double c, size_t steps);

/// a[i] = a[i] + b[i]
void stream(float *a, const float *b, size_t count);

/// The sum of `count` numbers, modulo 2^32.
uint32_t sum(const uint32_t *a, size_t count);

/// Where `steps` steps of a pointer chase from `at` arrive.
uint32_t chase(const uint32_t *next, uint32_t at, size_t steps);

} // namespace aiwc::native
