#include "metrics/memory_addresses/address_counts.h"

#include <algorithm>

namespace aiwc::metrics {

AddressCounts::AddressCounts() : cache_(size_t{1} << kCacheBits) {}

AddressCounts::Page &AddressCounts::findPage(uint64_t key) {
  std::unique_ptr<Page> &page = pages_[key];
  if (!page)
    page = std::make_unique<Page>();
  return *page;
}

void AddressCounts::spill(uint32_t space, uint64_t address, Slot &slot) {
  Counts &counts = overflow_[keyOf(space, address >> kPageBits)][address & (kPageSize - 1)];
  // A slot that was touched stays non-zero, so that `forEach` sees it: one of each stays behind.
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
  // The slots are small now: one of what is added marks the address, the rest overflows.
  Counts &overflow = overflow_[keyOf(space, address >> kPageBits)][address & (kPageSize - 1)];
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
  for (auto &[key, from] : other.pages_) {
    std::unique_ptr<Page> &to = pages_[key];
    if (!to) {
      to = std::move(from);
      continue;
    }
    const uint32_t space = spaceOf(key);
    const uint64_t base = addressOf(key);
    for (uint64_t word = 0; word < from->words.size(); ++word)
      add(to->words[word], space, base + 4 * word, from->words[word]);
    if (!from->between)
      continue;
    if (!to->between)
      to->between = std::make_unique<std::array<Slot, kPageSize>>();
    for (uint64_t offset = 0; offset < kPageSize; ++offset)
      add((*to->between)[offset], space, base + offset, (*from->between)[offset]);
  }
  for (const auto &[key, page] : other.overflow_)
    for (const auto &[offset, counts] : page) {
      Counts &mine = overflow_[key][offset];
      mine.reads += counts.reads;
      mine.writes += counts.writes;
    }
  other.pages_.clear();
  other.overflow_.clear();
  std::ranges::fill(other.cache_, CacheEntry());
}

std::vector<std::pair<uint64_t, const AddressCounts::Page *>> AddressCounts::sortedPages() const {
  std::vector<std::pair<uint64_t, const Page *>> sorted;
  sorted.reserve(pages_.size());
  for (const auto &[key, page] : pages_)
    sorted.emplace_back(key, page.get());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

AddressCounts::Counts AddressCounts::countsOf(uint64_t pageKey, uint64_t offset,
                                              const Slot &slot) const {
  Counts counts{slot.reads, slot.writes, slot.extent};
  if (overflow_.empty()) [[likely]]
    return counts;
  if (const auto page = overflow_.find(pageKey); page != overflow_.end()) {
    if (const auto more = page->second.find(offset); more != page->second.end()) {
      counts.reads += more->second.reads;
      counts.writes += more->second.writes;
    }
  }
  return counts;
}

} // namespace aiwc::metrics
