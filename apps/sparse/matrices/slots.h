/// Places in time, for stack distances: how many lines were accessed last after a time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace aiwc::sparse {

/// A row of slots, each of which is free or taken by something of one of two kinds: a bit for each,
/// and sums over blocks of three sizes.
class Slots {
public:
  enum Kind : uint8_t { kUsual, kSpecial };

  explicit Slots(size_t size) {
    const size_t large = size / kLarge + 1;
    for (std::vector<uint64_t> &words : words_)
      words.resize(large * (kLarge / kWord));
    small_.resize(large * (kLarge / kSmall));
    middle_.resize(large * (kLarge / kMiddle));
    large_.resize(large);
  }

  void take(uint32_t slot, Kind kind = kUsual) {
    anySpecial_ = anySpecial_ || kind == kSpecial;
    words_[kind][slot / kWord] |= uint64_t{1} << slot % kWord;
    small_[slot / kSmall] += oneOfBlock(kind);
    middle_[slot / kMiddle] += oneOfBlock(kind);
    large_[slot / kLarge] += uint64_t{1} << 32U * kind;
  }
  void leave(uint32_t slot, Kind kind = kUsual) {
    words_[kind][slot / kWord] &= ~(uint64_t{1} << slot % kWord);
    small_[slot / kSmall] -= oneOfBlock(kind);
    middle_[slot / kMiddle] -= oneOfBlock(kind);
    large_[slot / kLarge] -= uint64_t{1} << 32U * kind;
  }

  struct Counts {
    uint32_t usual = 0, special = 0;
  };
  /// How many are taken after `slot`, if none is from `end` on.
  Counts after(uint32_t slot, uint32_t end) const {
    uint64_t sum = 0; // as in large_
    for (size_t i = slot / kLarge + 1; i <= end / kLarge; ++i)
      sum += large_[i];
    sum += ofBlocks(middle_, slot / kMiddle + 1, kLarge / kMiddle, end / kMiddle);
    sum += ofBlocks(small_, slot / kSmall + 1, kMiddle / kSmall, end / kSmall);
    Counts counts{static_cast<uint32_t>(sum), static_cast<uint32_t>(sum >> 32U)};
    counts.usual += ofWords(words_[kUsual], slot);
    if (anySpecial_)
      counts.special += ofWords(words_[kSpecial], slot);
    return counts;
  }

  void clear() {
    for (std::vector<uint64_t> &words : words_)
      std::ranges::fill(words, 0);
    std::ranges::fill(small_, 0);
    std::ranges::fill(middle_, 0);
    std::ranges::fill(large_, 0);
  }

private:
  static constexpr uint32_t kWord = 64, kSmall = 256, kMiddle = 4096, kLarge = 32768;

  static uint32_t oneOfBlock(Kind kind) { return uint32_t{1} << 16U * kind; }

  /// The blocks from `first` up to the end of the next larger block that it is in, or to `last`.
  static uint64_t ofBlocks(const std::vector<uint32_t> &blocks, size_t first, size_t together,
                           size_t last) {
    uint32_t sum = 0; // of at most 32768 slots
    for (const size_t end = std::min((first + together - 1) / together * together, last + 1);
         first < end; ++first)
      sum += blocks[first];
    return uint64_t{sum >> 16U} << 32U | (sum & 0xFFFFU);
  }
  static uint32_t ofWords(const std::vector<uint64_t> &words, uint32_t slot) {
    size_t word = slot / kWord;
    auto count = static_cast<uint32_t>(std::popcount(words[word] >> slot % kWord >> 1));
    for (++word; word % (kSmall / kWord) != 0; ++word)
      count += static_cast<uint32_t>(std::popcount(words[word]));
    return count;
  }

  std::array<std::vector<uint64_t>, 2> words_; ///< by kind
  std::vector<uint32_t> small_, middle_;       ///< the upper half is of the second kind
  std::vector<uint64_t> large_;                ///< the same
  bool anySpecial_ = false;
};

} // namespace aiwc::sparse
