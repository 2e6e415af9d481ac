#include "metrics/sampled_groups/atomic_sharing.h"

#include <algorithm>
#include <cmath>

namespace aiwc::metrics {

AtomicSharing::AtomicSharing(const trace::Program &program, size_t strata, unsigned bits)
    : hasAtomics_(hasAtomics(program)), bits_(bits), strata_(strata) {}

void AtomicSharing::consume(const trace::Chunk &chunk) {
  if (!hasAtomics_)
    return;
  Addresses &addresses = strata_[stratum_];
  forEachAtomic(chunk,
                [&](uint32_t item, const trace::Operation &operation, const trace::Access &access) {
                  if (access.addressSpace() == trace::AddressSpace::kLocal)
                    return;
                  if (bits_ > 0 && !turns_.next(item, operation, access.address))
                    return;
                  Address &address = addresses[access.address >> bits_];
                  ++address.atomics;
                  if (address.last != group_) {
                    address.last = group_;
                    ++address.groups;
                  }
                });
  if (chunk.end != trace::ChunkEnd::kFull)
    turns_.restart();
}

void AtomicSharing::merge(const AtomicSharing &other) {
  for (size_t i = 0; i < strata_.size(); ++i)
    for (const auto &[at, more] : other.strata_[i]) {
      Address &address = strata_[i][at];
      address.atomics += more.atomics;
      address.groups += more.groups;
    }
}

uint64_t AtomicSharing::most(std::span<const SampledShare> shares) const {
  std::unordered_map<uint64_t, double> launch;
  for (size_t i = 0; i < strata_.size(); ++i) {
    const SampledShare &share = shares[i];
    const double factor =
        share.items == 0 ? 1
                         : static_cast<double>(share.totalItems) / static_cast<double>(share.items);
    const uint64_t least = std::max<uint64_t>(2, share.groups / 4);
    for (const auto &[at, address] : strata_[i])
      launch[at] += static_cast<double>(address.atomics) * (address.groups >= least ? factor : 1.0);
  }
  double most = 0;
  for (const auto &[at, atomics] : launch)
    most = std::max(most, atomics);
  return static_cast<uint64_t>(std::llround(most));
}

} // namespace aiwc::metrics
