#include "metrics/memory_addresses/address_counts.h"

namespace aiwc::metrics {

void AddressCounts::addBeyond(Slot &slot, uint32_t space, uint64_t address, Counts more) {
  Counts &beyond = overflow_[{space, address}];
  const uint64_t reads = slot.reads + more.reads, writes = slot.writes + more.writes;
  slot.reads = std::min<uint64_t>(reads, 1);
  slot.writes = std::min<uint64_t>(writes, 1);
  beyond.reads += reads - slot.reads;
  beyond.writes += writes - slot.writes;
  beyond.extent = std::max(beyond.extent, more.extent);
  slot.extent = std::max<uint32_t>(slot.extent, std::min(more.extent, kMostExtent));
}

bool AddressCounts::isBeyond(const Memory::Page &page) const {
  const uint64_t begin = page.number * Memory::kPageBytes;
  const auto next = overflow_.lower_bound({page.owner, begin});
  return next != overflow_.end() && next->first.first == page.owner &&
         next->first.second - begin < Memory::kPageBytes;
}

bool AddressCounts::areAlike(std::span<const Slot> words) {
  const uint32_t extent = words[0].extent;
  if (!std::has_single_bit(extent) || extent < Memory::kWordBytes || extent >= kPageBytes)
    return false;
  const uint32_t step = extent / Memory::kWordBytes;
  return std::ranges::count(words.subspan(1, step - 1), Slot{}) == step - 1 &&
         std::equal(words.begin() + step, words.end(), words.begin());
}

void AddressCounts::merge(AddressCounts &&other) {
  memory_.merge(std::move(other.memory_), [this](uint32_t space, uint64_t address, Slot &mine,
                                                 const Slot &theirs) {
    const uint32_t reads = mine.reads + theirs.reads, writes = mine.writes + theirs.writes;
    if (reads > kMostCount || writes > kMostCount)
      return addBeyond(mine, space, address, theirs.counts());
    mine.reads = reads;
    mine.writes = writes;
    mine.extent = std::max<uint32_t>(mine.extent, theirs.extent);
  });
  for (const auto &[address, counts] : other.overflow_) {
    Counts &mine = overflow_[address];
    mine.reads += counts.reads;
    mine.writes += counts.writes;
    mine.extent = std::max(mine.extent, counts.extent);
  }
  other.overflow_.clear();
}

AddressCounts::Counts AddressCounts::countsOf(uint32_t space, uint64_t address,
                                              const Slot &slot) const {
  Counts counts = slot.counts();
  if (const auto more = overflow_.find({space, address}); more != overflow_.end()) {
    counts.reads += more->second.reads;
    counts.writes += more->second.writes;
    counts.extent = std::max(counts.extent, more->second.extent);
  }
  return counts;
}

} // namespace aiwc::metrics
