#include "metrics/lockstep_sampling.h"

namespace aiwc::metrics {
namespace {

/// The finaliser of SplitMix64: every bit of the result depends on every bit of `x`.
uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27) * 0x94D049BB133111EBU;
  return x ^ x >> 31;
}

} // namespace

uint32_t LockstepSampling::sampledSlotOf(uint64_t k) {
  const auto doubling = static_cast<uint64_t>(std::bit_width(k / kExact)) - 1;
  const uint64_t weight = kExact / kStrata << doubling;
  const uint64_t stratum = k / weight; // kStrata to 2 kStrata - 1
  const uint64_t chosen = mix(stratum + 0x9E3779B97F4A7C15U * (doubling + 1)) & (weight - 1);
  if ((k & (weight - 1)) != chosen)
    return kNone;
  return static_cast<uint32_t>(kExact + doubling * kStrata + stratum - kStrata);
}

} // namespace aiwc::metrics
