/// Places in time, for stack distances: how many lines were accessed last after a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace aiwc::sparse {

/// A row of slots, some of which are taken: a bit for each, and counts of two sizes of blocks.
class Slots {
public:
  explicit Slots(size_t size)
      : words_((size / kWide + 1) * (kWide / kWord)), blocks_(words_.size() * kWord / kBlock),
        wide_(words_.size() * kWord / kWide) {}

  void take(uint32_t slot) {
    words_[slot / kWord] |= uint64_t{1} << slot % kWord;
    ++blocks_[slot / kBlock];
    ++wide_[slot / kWide];
  }
  void leave(uint32_t slot) {
    words_[slot / kWord] &= ~(uint64_t{1} << slot % kWord);
    --blocks_[slot / kBlock];
    --wide_[slot / kWide];
  }
  /// How many are taken after `slot`, if none is from `end` on.
  uint32_t after(uint32_t slot, uint32_t end) const {
    size_t word = slot / kWord;
    auto count = static_cast<uint32_t>(std::popcount(words_[word] >> slot % kWord >> 1));
    for (++word; word % (kBlock / kWord) != 0; ++word)
      count += static_cast<uint32_t>(std::popcount(words_[word]));
    const size_t lastBlock = end / kBlock + 1;
    size_t block = slot / kBlock + 1;
    for (const size_t stop = std::min<size_t>(lastBlock, slot / kWide * kInWide + kInWide);
         block < stop; ++block)
      count += blocks_[block];
    for (size_t wide = slot / kWide + 1; wide <= end / kWide; ++wide)
      count += wide_[wide];
    return count;
  }
  void clear() {
    std::ranges::fill(words_, 0);
    std::ranges::fill(blocks_, 0);
    std::ranges::fill(wide_, 0);
  }

private:
  static constexpr uint32_t kWord = 64, kBlock = 256, kWide = 16384, kInWide = kWide / kBlock;
  std::vector<uint64_t> words_;
  std::vector<uint16_t> blocks_;
  std::vector<uint32_t> wide_;
};

} // namespace aiwc::sparse
