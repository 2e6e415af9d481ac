#include "metrics/shared/lockstep_sampling.h"

#include "common/hash.h"

namespace aiwc::metrics {
uint64_t LockstepSampling::sampledKOf(uint32_t slot) {
  const uint64_t weight = weightOf(slot);
  const uint64_t stratum = kStrata + (slot - kExact) % kStrata; // the first one begins at kExact
  return stratum * weight + (splitMix64(fibonacciHash(slot)) & (weight - 1));
}

} // namespace aiwc::metrics
