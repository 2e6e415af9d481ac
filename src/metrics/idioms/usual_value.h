#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

namespace aiwc::metrics {

/// Which distance between two addresses is usual. Each work-group names its most frequent distance
/// and how often it occurs; these are added up over work-groups, so that memory does not grow with
/// the number of distances, and the result does not depend on the order of the groups.
class UsualValue {
public:
  /// The number of distances that are looked at in one work-group.
  static constexpr size_t kMostPerGroup = 4096;

  void add(int64_t value) {
    if (isFull())
      return;
    ++addedOfGroup_;
    if (!ofGroup_.empty() && ofGroup_.back().value == value)
      ++ofGroup_.back().times;
    else
      ofGroup_.push_back({value, 1});
  }
  bool isFull() const { return addedOfGroup_ >= kMostPerGroup; }

  void endGroup() {
    if (ofGroup_.empty())
      return;
    std::ranges::sort(ofGroup_, {}, &Occurrences::value);
    Occurrences usual;
    for (size_t begin = 0; begin < ofGroup_.size();) {
      Occurrences all{ofGroup_[begin].value, 0};
      for (; begin < ofGroup_.size() && ofGroup_[begin].value == all.value; ++begin)
        all.times += ofGroup_[begin].times;
      if (all.times > usual.times)
        usual = all;
    }
    counts_[usual.value] += usual.times;
    all_ += addedOfGroup_;
    ofGroup_.clear();
    addedOfGroup_ = 0;
  }

  void merge(const UsualValue &other) {
    for (const auto &[value, count] : other.counts_)
      counts_[value] += count;
    all_ += other.all_;
  }

  /// Whether any distance was seen.
  bool seen() const { return all_ > 0; }
  /// The distance that at least `share` of all have; none if there is none. Distances of 2^47 and
  /// more, which only addresses of different buffers have, count as none.
  std::optional<int64_t> value(double share = 0.5) const {
    const auto most = std::ranges::max_element(
        counts_, {}, [](const auto &entry) { return entry.second; }); // the first of equals
    if (most == counts_.end() ||
        static_cast<double>(most->second) < share * static_cast<double>(all_) ||
        std::abs(most->first) >= int64_t{1} << 47U)
      return std::nullopt;
    return most->first;
  }

private:
  struct Occurrences {
    int64_t value = 0;
    uint64_t times = 0;
  };

  std::vector<Occurrences> ofGroup_; ///< equal ones that follow one another are one entry
  size_t addedOfGroup_ = 0;
  std::map<int64_t, uint64_t> counts_; ///< at most one entry per work-group that was looked at
  uint64_t all_ = 0;
};

} // namespace aiwc::metrics
