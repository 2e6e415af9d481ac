#include "metrics/reuse_distance/lru_stack.h"

#include "common/hash.h"

#include <algorithm>

namespace aiwc::metrics {
namespace {

constexpr uint32_t kWordBits = 64;
constexpr uint32_t kFewestSlots = 4 * kWordBits;

/// Mixes all bits of a page's key into the lower ones.
size_t hashOf(uint64_t key) {
  key = fibonacciHash(key);
  return static_cast<size_t>(key ^ key >> 32);
}

} // namespace

uint64_t LruStack::accessBeyond(uint64_t line) {
  uint32_t &number = numberOf(line);
  uint64_t depth = kCold;
  if (number == kNone) {
    number = static_cast<uint32_t>(lines_.size());
    lines_.push_back(line);
    slotOf_.push_back(0);
  } else {
    depth = kRecent + leaveSlot(slotOf_[number]);
  }
  const Recent now{line, number};
  if (recentCount_ == kRecent)
    age(recent_[kRecent - 1]);
  else
    ++recentCount_;
  for (uint32_t i = recentCount_ - 1; i > 0; --i)
    recent_[i] = recent_[i - 1];
  recent_[0] = now;
  return depth;
}

uint32_t &LruStack::numberOf(uint64_t line) {
  const uint64_t key = line >> kPageBits;
  const size_t offset = line & ((size_t{1} << kPageBits) - 1);
  if (2 * (pages_.size() + 1) > pageTable_.size())
    growPageTable();
  const size_t mask = pageTable_.size() - 1;
  for (size_t i = hashOf(key) & mask;; i = (i + 1) & mask) {
    PageEntry &entry = pageTable_[i];
    if (entry.key == key)
      return pages_[entry.page][offset];
    if (entry.key == kFree) {
      entry = {key, static_cast<uint32_t>(pages_.size())};
      pages_.emplace_back().fill(kNone);
      return pages_.back()[offset];
    }
  }
}

void LruStack::growPageTable() {
  const std::vector<PageEntry> old = std::move(pageTable_);
  pageTable_.assign(std::max<size_t>(16, 2 * old.size()), PageEntry{});
  const size_t mask = pageTable_.size() - 1;
  for (const PageEntry &entry : old) {
    if (entry.key == kFree)
      continue;
    size_t i = hashOf(entry.key) & mask;
    while (pageTable_[i].key != kFree)
      i = (i + 1) & mask;
    pageTable_[i] = entry;
  }
}

void LruStack::age(const Recent &oldest) {
  if (nextSlot_ == numberAt_.size())
    reclaimSlots();
  const uint32_t word = nextSlot_ / kWordBits;
  occupied_[word] |= uint64_t{1} << (nextSlot_ % kWordBits);
  numberAt_[nextSlot_] = oldest.number;
  slotOf_[oldest.number] = nextSlot_;
  if (++nextSlot_ % kWordBits != 0)
    return;
  const auto count = static_cast<uint32_t>(std::popcount(occupied_[word]));
  for (size_t i = word + 1; i < tree_.size(); i += i & -i)
    tree_[i] += count;
  inTree_ += count;
}

/// Frees an occupied slot. Returns the number of occupied slots after it (more recent lines).
uint64_t LruStack::leaveSlot(uint32_t slot) {
  const uint32_t word = slot / kWordBits;
  const uint32_t filling = nextSlot_ / kWordBits;
  const uint64_t younger = occupied_[word] >> (slot % kWordBits) >> 1;
  auto behind = static_cast<uint64_t>(std::popcount(younger));
  occupied_[word] &= ~(uint64_t{1} << (slot % kWordBits));
  if (word == filling)
    return behind;
  uint32_t upToWord = 0;
  for (size_t i = word + 1; i > 0; i &= i - 1)
    upToWord += tree_[i];
  behind += inTree_ - upToWord;
  if (filling < occupied_.size())
    behind += static_cast<uint64_t>(std::popcount(occupied_[filling]));
  for (size_t i = word + 1; i < tree_.size(); i += i & -i)
    --tree_[i];
  --inTree_;
  return behind;
}

/// Moves all lines to the front of the row. Afterwards the row has at least 1.5 times as many slots
/// as lines, so that reclaiming costs O(1) per access.
void LruStack::reclaimSlots() {
  uint32_t next = 0;
  for (size_t word = 0; word < occupied_.size(); ++word)
    for (uint64_t bits = occupied_[word]; bits != 0; bits &= bits - 1) {
      const size_t slot = word * kWordBits + static_cast<size_t>(std::countr_zero(bits));
      const uint32_t number = numberAt_[slot];
      numberAt_[next] = number;
      slotOf_[number] = next++;
    }
  const size_t slots = std::max<size_t>(
      {kFewestSlots, numberAt_.size(), std::bit_ceil(size_t{next} + next / 2 + kWordBits)});
  numberAt_.resize(slots);
  occupied_.assign(slots / kWordBits, 0);
  tree_.assign(slots / kWordBits + 1, 0);
  const uint32_t full = next / kWordBits;
  std::fill_n(occupied_.begin(), full, ~uint64_t{0});
  if (next % kWordBits != 0)
    occupied_[full] = (uint64_t{1} << (next % kWordBits)) - 1;
  for (size_t i = 1; i < tree_.size(); ++i) {
    tree_[i] += i <= full ? kWordBits : 0;
    if (const size_t parent = i + (i & -i); parent < tree_.size())
      tree_[parent] += tree_[i];
  }
  nextSlot_ = next;
  inTree_ = full * kWordBits;
}

std::vector<uint32_t> LruStack::order() const {
  std::vector<uint32_t> numbers;
  numbers.reserve(lines_.size());
  for (size_t word = 0; word < occupied_.size(); ++word)
    for (uint64_t bits = occupied_[word]; bits != 0; bits &= bits - 1)
      numbers.push_back(numberAt_[word * kWordBits + static_cast<size_t>(std::countr_zero(bits))]);
  for (uint32_t depth = recentCount_; depth > 0; --depth)
    numbers.push_back(recent_[depth - 1].number);
  return numbers;
}

void LruStack::clear() {
  // Otherwise, each small group after a large one would have to clear the large group's tables.
  const size_t lines = lines_.size();
  if (lines_.capacity() > 16 * (lines + kFewestSlots)) {
    lines_ = {};
    slotOf_ = {};
  }
  lines_.clear();
  slotOf_.clear();
  if (pageTable_.size() > 8 * (pages_.size() + 8)) {
    pageTable_ = {};
    pages_ = {};
  }
  pages_.clear();
  std::fill(pageTable_.begin(), pageTable_.end(), PageEntry{});
  if (numberAt_.size() > 16 * (lines + kFewestSlots)) {
    numberAt_ = {};
    occupied_ = {};
    tree_ = {};
  }
  std::fill(occupied_.begin(), occupied_.end(), 0);
  std::fill(tree_.begin(), tree_.end(), 0);
  recent_.fill({});
  recentCount_ = 0;
  nextSlot_ = 0;
  inTree_ = 0;
}

} // namespace aiwc::metrics
