#include "predict/makespan.h"

#include "common/error.h"
#include "common/wide.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace aiwc::predict {

namespace {

using Counts = std::vector<uint64_t>;

/// Searches the finish times of all devices for the smallest makespan.
class Search {
public:
  Search(uint64_t pieces, size_t devices, const FinishTime &finish)
      : pieces_(pieces), finish_(finish), low_(devices, 0), high_(devices, pieces),
        capacity_(devices, 0) {}

  /// The number of pieces that each device can finish within the smallest makespan.
  const Counts &capacities() {
    // One device can always do it all, so this makespan is feasible, and its device has the room:
    // also if its finish times do not increase, or are no numbers.
    double single = std::numeric_limits<double>::infinity();
    size_t fastest = 0;
    for (size_t device = 0; device < low_.size(); ++device)
      if (const double finish = finish_(device, pieces_); finish < single) {
        single = finish;
        fastest = device;
      }
    Counts counts = until(single);
    counts[fastest] = pieces_;
    accept(single, std::move(counts));
    for (;;) {
      const size_t device = widest();
      if (low_[device] == high_[device])
        return capacity_;
      const uint64_t middle = low_[device] + (high_[device] - low_[device] + 1) / 2;
      const double makespan = finish_(device, middle);
      Counts counts = until(makespan);
      // Rounding may make finish times decrease slightly; the bracket must still become narrower.
      counts[device] = std::max(counts[device], middle);
      if (!enough(counts)) {
        low_ = std::move(counts);
        continue;
      }
      accept(makespan, std::move(counts));
      high_[device] = std::min(high_[device], middle - 1);
    }
  }

private:
  /// The device with the most finish times that may still be the makespan: those of low + 1 to high
  /// pieces.
  size_t widest() const {
    size_t best = 0;
    for (size_t device = 1; device < low_.size(); ++device)
      if (high_[device] - low_[device] > high_[best] - low_[best])
        best = device;
    return best;
  }

  /// The most pieces, between low and high, whose finish time is `inTime`.
  template <typename InTime>
  uint64_t most(size_t device, uint64_t high, const InTime &inTime) const {
    uint64_t low = low_[device];
    while (low < high) {
      const uint64_t middle = low + (high - low + 1) / 2;
      if (inTime(finish_(device, middle)))
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }

  Counts until(double makespan) const {
    Counts counts(low_.size());
    for (size_t device = 0; device < counts.size(); ++device)
      counts[device] =
          most(device, high_[device], [&](double finish) { return finish <= makespan; });
    return counts;
  }

  bool enough(const Counts &counts) const {
    Wide sum = 0;
    for (uint64_t count : counts)
      sum += count;
    return sum >= pieces_;
  }

  /// `makespan` is feasible with `counts`: what is left to look at are earlier finish times.
  void accept(double makespan, Counts counts) {
    for (size_t device = 0; device < counts.size(); ++device)
      high_[device] =
          most(device, counts[device], [&](double finish) { return finish < makespan; });
    capacity_ = std::move(counts);
  }

  uint64_t pieces_;
  const FinishTime &finish_;
  Counts low_, high_, capacity_;
};

/// The smallest set of devices that can do all pieces: those that can do most.
std::vector<size_t> fewestDevices(const Counts &capacities, uint64_t pieces) {
  std::vector<size_t> order(capacities.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](size_t device) { return capacities[device]; });
  Wide sum = 0;
  size_t count = 0;
  while (sum < pieces)
    sum += capacities[order[count++]];
  order.resize(count);
  return order;
}

} // namespace

std::vector<uint64_t> minimalMakespan(uint64_t pieces, size_t devices, const FinishTime &finish) {
  if (devices == 0 || pieces == 0)
    throw Error("nothing to divide, or no devices: expected at least one of each");
  const Counts capacities = Search(pieces, devices, finish).capacities();
  const std::vector<size_t> chosen = fewestDevices(capacities, pieces);
  Wide total = 0;
  for (size_t device : chosen)
    total += capacities[device];

  // Largest-remainder method: quotas are rounded down, and the remaining pieces go to the devices
  // that lost most. No device exceeds its capacity, since its quota does not. Each gets at least
  // one piece, since the other devices could not do all without the one of smallest capacity.
  Counts shares(devices, 0);
  std::vector<std::pair<Wide, size_t>> remainders;
  uint64_t left = pieces;
  for (size_t device : chosen) {
    const Wide product = Wide{capacities[device]} * pieces;
    shares[device] = static_cast<uint64_t>(product / total);
    left -= shares[device];
    remainders.emplace_back(product % total, device);
  }
  std::ranges::stable_sort(remainders, std::ranges::greater(), &std::pair<Wide, size_t>::first);
  for (size_t i = 0; i < left; ++i)
    ++shares[remainders[i].second];
  return shares;
}

} // namespace aiwc::predict
