#include "metrics/memory_addresses/address_counts.h"

namespace aiwc::metrics {

void AddressCounts::spill(uint32_t space, uint64_t address, Slot &slot) {
  Counts &counts = overflow_[{space, address}];
  // Leave one access of each kind in the slot, so that it is non-zero and `forEach` finds it.
  const uint32_t reads = slot.reads > 0 ? slot.reads - 1 : 0;
  const uint32_t writes = slot.writes > 0 ? slot.writes - 1 : 0;
  counts.reads += reads;
  counts.writes += writes;
  slot.reads -= reads;
  slot.writes -= writes;
}

void AddressCounts::add(Slot &slot, uint32_t space, uint64_t address, const Slot &more) {
  slot.extent = std::max(slot.extent, more.extent);
  if (more.reads <= kSlotMax - slot.reads && more.writes <= kSlotMax - slot.writes) [[likely]] {
    slot.reads += more.reads;
    slot.writes += more.writes;
    return;
  }
  spill(space, address, slot);
  // The slot's counts are at most 1 now: add one access to the slot and the rest to the overflow.
  Counts &overflow = overflow_[{space, address}];
  const auto move = [](uint32_t from, uint32_t &mine, uint64_t &over) {
    if (from == 0)
      return;
    over += from - 1;
    ++mine;
  };
  move(more.reads, slot.reads, overflow.reads);
  move(more.writes, slot.writes, overflow.writes);
}

void AddressCounts::merge(AddressCounts &&other) {
  memory_.merge(std::move(other.memory_),
                [this](uint32_t space, uint64_t address, Slot &mine, const Slot &theirs) {
                  add(mine, space, address, theirs);
                });
  for (const auto &[address, counts] : other.overflow_) {
    Counts &mine = overflow_[address];
    mine.reads += counts.reads;
    mine.writes += counts.writes;
  }
  other.overflow_.clear();
}

AddressCounts::Counts AddressCounts::countsOf(uint32_t space, uint64_t address,
                                              const Slot &slot) const {
  Counts counts{slot.reads, slot.writes, slot.extent};
  if (overflow_.empty()) [[likely]]
    return counts;
  if (const auto more = overflow_.find({space, address}); more != overflow_.end()) {
    counts.reads += more->second.reads;
    counts.writes += more->second.writes;
  }
  return counts;
}

} // namespace aiwc::metrics
