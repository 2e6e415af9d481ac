/// What is wrong with SPIR-V that is cut short. Headers only: the preloaded library and the host of
/// `aiwc kernel` include this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace aiwc::kernel_launch {

/// What is wrong with the words of a module; null if their instructions are complete.
inline const char *spirvFault(std::string_view bytes) {
  constexpr uint32_t kMagic = 0x07230203;
  constexpr size_t kHeaderWords = 5;
  if (bytes.size() % sizeof(uint32_t) != 0)
    return "it is no whole number of 32-bit words";
  const size_t count = bytes.size() / sizeof(uint32_t);
  if (count < kHeaderWords)
    return "it is shorter than its header";
  const auto word = [&](size_t at) {
    uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at * sizeof value, sizeof value);
    return value;
  };
  const bool isSwapped = word(0) == __builtin_bswap32(kMagic);
  if (word(0) != kMagic && !isSwapped)
    return "it does not begin with SPIR-V's number";
  for (size_t at = kHeaderWords; at < count;) {
    const size_t length = (isSwapped ? __builtin_bswap32(word(at)) : word(at)) >> 16;
    if (length == 0 || length > count - at)
      return "it ends within an instruction";
    at += length;
  }
  return nullptr;
}

} // namespace aiwc::kernel_launch
