#pragma once

#include "metrics/shared/lockstep_sampling.h"
#include "trace/chunk.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::metrics {

/// The accesses of a group's work-items in a barrier interval that LockstepSampling selects. A
/// column is the k-th access of every work-item. Layout: a cache line holds consecutive accesses of
/// one work-item, the next cache line those of the next work-item. So a work-item writes one line
/// sequentially, and reading a column uses adjacent lines.
class AccessColumns {
public:
  void begin(uint32_t items) {
    items_ = items;
    room_ = slotsIn(addresses_.size());
    made_.assign(items, LockstepCounter{});
    longest_ = 0;
  }

  void add(uint32_t item, std::span<const trace::Access> accesses) {
    last_ = {item, made_[item], accesses.size()};
    LockstepCounter made = made_[item];
    for (const trace::Access &access : accesses) {
      if (access.addressSpace() == trace::AddressSpace::kPrivate)
        continue;
      const uint32_t slot = made.count();
      if (slot == LockstepSampling::kNone)
        continue;
      const size_t at = placeOf(slot, item);
      if (slot >= room_) [[unlikely]]
        grow(slot);
      addresses_[at] = access.address;
      spaces_[at] = static_cast<uint8_t>(access.space);
    }
    longest_ = std::max(longest_, made.slots());
    made_[item] = made;
  }

  /// Like `add`, if the accesses have the same kinds as those that were added last. Faster.
  void addAgain(uint32_t item, std::span<const trace::Access> accesses) {
    const LockstepCounter after = made_[last_.item];
    // Not all accesses were selected, or not the same ones as last time.
    if (made_[item] != last_.before || after.slots() - last_.before.slots() != last_.accesses)
      return add(item, accesses);
    uint32_t slot = last_.before.slots();
    for (auto access = accesses.begin(); access != accesses.end();) {
      const size_t at = placeOf(slot, item);
      const auto count = static_cast<uint32_t>(
          std::min<std::ptrdiff_t>(kLine - slot % kLine, accesses.end() - access));
      std::copy_n(spaces_.begin() + static_cast<std::ptrdiff_t>(placeOf(slot, last_.item)), count,
                  spaces_.begin() + static_cast<std::ptrdiff_t>(at));
      for (uint32_t i = 0; i < count; ++i)
        addresses_[at + i] = (access++)->address;
      slot += count;
    }
    made_[item] = after;
  }

  uint32_t columns() const { return longest_; }
  /// Counters of the accesses, by work-item.
  std::span<const LockstepCounter> made() const { return made_; }

  /// Writes the addresses of this slot to `addresses`, sorted by work-item. Returns whether they
  /// are in different address spaces.
  bool read(uint32_t slot, std::vector<uint64_t> &addresses) const {
    uint32_t spaces = 0;
    size_t at = placeOf(slot, 0);
    addresses.resize(items_);
    size_t n = 0;
    for (uint32_t item = 0; item < items_; ++item, at += kLine) {
      const bool made = made_[item].slots() > slot;
      addresses[n] = addresses_[at];
      spaces |= uint32_t{made} << spaces_[at];
      n += made;
    }
    addresses.resize(n);
    return !std::has_single_bit(spaces);
  }
  /// Appends the addresses of this slot that are in the address space `space`.
  void read(uint32_t slot, uint32_t space, std::vector<uint64_t> &addresses) const {
    for (uint32_t item = 0; item < items_; ++item)
      if (made_[item].slots() > slot && spaces_[placeOf(slot, item)] == space)
        addresses.push_back(addresses_[placeOf(slot, item)]);
  }

private:
  static constexpr size_t kLine = 8;

  size_t placeOf(uint32_t slot, uint32_t item) const {
    return (slot / kLine * items_ + item) * kLine + slot % kLine;
  }
  /// Makes room for this slot for all work-items.
  void grow(uint32_t slot) {
    const size_t size = std::max((slot / kLine + 1) * items_ * kLine, addresses_.size() * 3 / 2);
    addresses_.resize(size);
    spaces_.resize(size);
    room_ = slotsIn(size);
  }
  /// The number of slots for all work-items that fit into `places` elements.
  size_t slotsIn(size_t places) const {
    return items_ == 0 ? 0 : places / (items_ * kLine) * kLine;
  }

  /// The last call of `add` (not of `addAgain`).
  struct Addition {
    uint32_t item = 0;
    LockstepCounter before; ///< the work-item's counter before it
    size_t accesses = 0;
  };

  uint32_t items_ = 0, longest_ = 0;
  size_t room_ = 0; ///< number of slots that fit
  Addition last_;
  std::vector<LockstepCounter> made_; ///< accesses, per work-item
  std::vector<uint64_t> addresses_;
  std::vector<uint8_t> spaces_;
};

} // namespace aiwc::metrics
