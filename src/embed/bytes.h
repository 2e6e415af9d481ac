/// Searches that process many bytes at a time. The loops have a fixed number of iterations and no
/// branches, so that compilers vectorise them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>

namespace aiwc::embed {

inline constexpr size_t kStride = 32;

/// Whether `test`, which returns 0 or 1, returns 1 for any byte of `text`.
template <typename Test> bool anyByte(std::string_view text, Test test) {
  unsigned char any = 0;
  if (text.size() >= kStride) {
    std::array<unsigned char, kStride> lanes{};
    const auto look = [&](size_t at) {
      for (size_t i = 0; i < kStride; ++i)
        lanes[i] |= test(text[at + i]);
    };
    for (size_t at = 0; at + kStride <= text.size(); at += kStride)
      look(at);
    look(text.size() - kStride); // overlaps the last full stride
    for (const unsigned char lane : lanes)
      any |= lane;
  } else {
    for (const char c : text)
      any |= test(c);
  }
  return any != 0;
}

/// The number of line feeds in `text`.
inline size_t countNewlines(std::string_view text) {
  constexpr size_t kMostRounds = 255; // the largest count that fits into a lane of one byte
  size_t lines = 0;
  while (text.size() >= kStride) {
    std::array<uint8_t, kStride> counts{};
    const size_t rounds = std::min(text.size() / kStride, kMostRounds);
    for (size_t round = 0; round < rounds; ++round)
      for (size_t i = 0; i < kStride; ++i)
        counts[i] = static_cast<uint8_t>(counts[i] + (text[round * kStride + i] == '\n' ? 1 : 0));
    lines = std::accumulate(counts.begin(), counts.end(), lines);
    text.remove_prefix(rounds * kStride);
  }
  return lines + static_cast<size_t>(std::ranges::count(text, '\n'));
}

/// Replaces newlines with spaces, which puts the compact form on one line.
inline void joinLines(std::string &text) {
  char *at = text.data();
  size_t left = text.size();
  for (; left >= kStride; left -= kStride, at += kStride)
    for (size_t i = 0; i < kStride; ++i)
      at[i] = at[i] == '\n' ? ' ' : at[i];
  for (; left > 0; --left, ++at)
    *at = *at == '\n' ? ' ' : *at;
}

} // namespace aiwc::embed
