/// The native loops. Each returns what it computed, so that no compiler removes it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aiwc::native {

/// The type and number of the chains of multiply-adds: as many as a core overlaps.
inline constexpr size_t kChains = 16 * 16;

/// x = x * m + c in kChains chains, `steps` times each.
float multiplyAdd(float m, float c, size_t steps);
double multiplyAdd(double m, double c, size_t steps);

/// a[i] = a[i] + b[i]
void stream(float *a, const float *b, size_t count);

/// The sum of `count` numbers, modulo 2^32.
uint32_t sum(const uint32_t *a, size_t count);

/// Where `steps` steps of a pointer chase from 0 arrive.
uint32_t chase(const uint32_t *next, size_t steps);

} // namespace aiwc::native
