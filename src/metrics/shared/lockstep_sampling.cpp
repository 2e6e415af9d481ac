#include "metrics/shared/lockstep_sampling.h"

namespace aiwc::metrics {
namespace {

/// The finaliser of SplitMix64: every bit of the result depends on every bit of `x`.
uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27) * 0x94D049BB133111EBU;
  return x ^ x >> 31;
}

} // namespace

uint64_t LockstepSampling::sampledKOf(uint32_t slot) {
  const uint64_t weight = weightOf(slot);
  const uint64_t stratum = kStrata + (slot - kExact) % kStrata; // the first one begins at kExact
  return stratum * weight + (mix(slot * 0x9E3779B97F4A7C15U) & (weight - 1));
}

} // namespace aiwc::metrics
