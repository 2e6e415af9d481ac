#pragma once

#include "profile/kernel_profile.h"

#include <array>
#include <cstdint>

namespace aiwc::metrics {

struct ReuseCounts {
  profile::Histogram distances; ///< bin -> accesses
  uint64_t cold = 0;
};

/// Spatially hashed sampling at a fixed rate [SHARDS: Waldspurger et al., FAST 2015, §3]: a line is
/// followed or not, by a hash of its number, through all its accesses. The distance between two
/// accesses then is that among followed lines divided by the rate, and a followed access stands for
/// 1 / rate accesses.
class ReuseSample {
public:
  /// `rate` in (0, 1]; 1 follows every line.
  explicit ReuseSample(double rate);

  bool everything() const { return rate_ == 1; }
  double rate() const { return rate_; }
  bool takes(uint64_t line) const { return hashOf(line) < threshold_; }
  /// A followed line was accessed.
  void count(uint64_t line) { ++accesses_[hashOf(~line) % kParts]; }
  void merge(const ReuseSample &other);

  uint64_t scaledDistance(uint64_t distance) const {
    return everything() ? distance : static_cast<uint64_t>(static_cast<double>(distance) / rate_);
  }
  /// What `counts` of followed accesses say about all `accesses`, of which there are exactly as
  /// many afterwards: what the scaled counts lack or exceed (which is due to lines that are
  /// accessed very often) is put to or taken from the shortest distances, as [SHARDS, §3.2
  /// "SHARDS_adj"] does.
  ReuseCounts scaled(const ReuseCounts &counts, uint64_t accesses) const;

  /// How far the hit ratio of a cache may be off for having followed only some of the lines: the
  /// larger of
  ///  - two standard errors. Which lines are followed are independent draws with probability R,
  ///    so misses(all) is estimated as misses(followed) / R with variance
  ///    (1 - R) / R · Σ m², m the misses of a line, at most its accesses n. Σ n² over the followed
  ///    lines is estimated without counting per line: from the variance of the accesses
  ///    of `kParts` random parts of them, (kParts / (kParts - 1)) Σ (part - mean)²;
  ///  - the error made in the number of all accesses, which is known: it tells of
  ///    lines accessed so often that following one or not makes a difference by itself.
  double errorBound(uint64_t accesses) const;

private:
  static constexpr size_t kParts = 64;

  /// The finalizer of SplitMix64 (Steele et al. 2014).
  static uint64_t hashOf(uint64_t line) {
    line += 0x9E3779B97F4A7C15U;
    line = (line ^ line >> 30) * 0xBF58476D1CE4E5B9U;
    line = (line ^ line >> 27) * 0x94D049BB133111EBU;
    return line ^ line >> 31;
  }

  double rate_;
  uint64_t threshold_;
  std::array<uint64_t, kParts> accesses_{}; ///< of followed lines, per random part of the lines
};

} // namespace aiwc::metrics
