#pragma once

#include "metrics/atomic_contention/atomic_operations.h"
#include "metrics/sampled_groups/sample_error.h"
#include "trace/chunk.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace aiwc::metrics {

/// Counts the atomics on each address (`bits` is 0), or the turns that they take (AtomicTurns) on
/// each line of 2^bits bytes, of global and constant memory, and the sampled work-groups that have
/// them, to tell how many the launch has on one block.
///
/// Memory: about 60 bytes per block and stratum. Kernels without atomics cost nothing.
class AtomicSharing {
public:
  AtomicSharing(const trace::Program &program, size_t strata, unsigned bits);

  void beginGroup(size_t stratum) {
    stratum_ = stratum;
    ++group_;
  }
  void consume(const trace::Chunk &chunk);
  /// Adds the groups of `other`.
  void merge(const AtomicSharing &other);

  /// The most atomics on one block in the launch; `shares`: of the strata. If at least two
  /// sampled groups, and a quarter of those of a stratum, have atomics on a block, their number
  /// is scaled to the launch. For other blocks it is the number in the sample.
  uint64_t most(std::span<const SampledShare> shares) const;

private:
  struct Address {
    uint64_t atomics = 0;
    uint64_t groups = 0, last = 0; ///< how many groups have atomics on it; the last of them
  };
  using Addresses = std::unordered_map<uint64_t, Address>;

  bool hasAtomics_;
  unsigned bits_;
  size_t stratum_ = 0;
  uint64_t group_ = 0;            ///< how many have begun
  std::vector<Addresses> strata_; ///< by address
  AtomicTurns turns_;
};

} // namespace aiwc::metrics
