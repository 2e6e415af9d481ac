#pragma once

#include "common/wide.h"
#include "profile/kernel_profile.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace aiwc::metrics {

/// Counts how often each value occurs. Small values, the usual ones, cost one array access; the
/// array grows with them, so that an empty tally costs nothing. A tally of the lengths of disjoint
/// stretches of an execution of N instructions has at most sqrt(2 N) distinct values, so it stays
/// small however long the execution is.
class Tally {
public:
  void add(uint64_t value, uint64_t times = 1) {
    if (value < small_.size()) [[likely]]
      small_[value] += times;
    else
      addBeyond(value, times);
  }
  void merge(const Tally &other);
  /// Values that occur, increasing.
  profile::Histogram histogram() const;

private:
  void addBeyond(uint64_t value, uint64_t times);

  std::vector<uint64_t> small_; ///< by value; what is not in it is in `large_`
  std::unordered_map<uint64_t, uint64_t> large_;
};

/// Number of values in a histogram.
uint64_t population(const profile::Histogram &histogram);

/// The middle value, or the mean of the middle two. The histogram is not empty.
double median(const profile::Histogram &histogram);

/// Shannon entropy in bits of the distribution in which `second` of the histogram's entries are
/// the numbers of outcomes that occur `first` times each; 0 for no outcome at all. The sum runs in
/// the histogram's order, so equal histograms give equal bits.
double entropyOfOccurrences(const profile::Histogram &occurrences);

/// Smallest number of outcomes that together account for at least 90 % of the occurrences; 0 for
/// none. `occurrences` as above.
uint64_t outcomesCovering90(const profile::Histogram &occurrences);

} // namespace aiwc::metrics
