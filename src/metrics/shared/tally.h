#pragma once

#include "common/wide.h"
#include "profile/kernel_profile.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace aiwc::metrics {

/// Counts how often each value occurs. Small values are the usual case and cost one array access;
/// the array grows on demand, so an empty tally needs no memory. If the values are lengths of
/// disjoint parts of an execution of N instructions, there are at most sqrt(2 N) distinct values,
/// so the tally stays small for long executions.
class Tally {
public:
  void add(uint64_t value, uint64_t times = 1) {
    if (value < small_.size()) [[likely]]
      small_[value] += times;
    else
      addBeyond(value, times);
  }
  /// Adds the counts of `other`, so many times.
  void merge(const Tally &other, uint64_t times = 1);
  /// The values that occur and their counts, by increasing value.
  profile::Histogram histogram() const;

private:
  void addBeyond(uint64_t value, uint64_t times);

  std::vector<uint64_t> small_; ///< counts by value; other values are in `large_`
  std::unordered_map<uint64_t, uint64_t> large_;
};

/// Sum of the counts of a histogram.
uint64_t population(const profile::Histogram &histogram);

/// The middle value, or the mean of the two middle values. The histogram must not be empty.
double median(const profile::Histogram &histogram);

/// Shannon entropy, in bits, of a distribution of outcomes; 0 if there are no outcomes. An entry
/// (a, n) of the histogram means that n outcomes occur a times each. The sum is in the histogram's
/// order, so equal histograms give bit-identical results.
double entropyOfOccurrences(const profile::Histogram &occurrences);

/// Smallest number of outcomes that together have at least 90 % of the occurrences; 0 if there are
/// no outcomes. `occurrences` as above.
uint64_t outcomesCovering90(const profile::Histogram &occurrences);

} // namespace aiwc::metrics
