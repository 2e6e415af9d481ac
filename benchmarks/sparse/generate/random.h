/// Random numbers that are the same on every machine for a seed, which those of the standard
/// library's distributions are not.
#pragma once

#include "common/hash.h"

#include <array>
#include <bit>
#include <cstdint>

namespace aiwc::sparse {

/// xoshiro256** (Blackman, Vigna: "Scrambled linear pseudorandom number generators", 2021), whose
/// state is filled by splitmix64.
class Random {
public:
  explicit Random(uint64_t seed) {
    for (uint64_t &word : state_) {
      seed += kGoldenRatio;
      word = splitMix64(seed);
    }
  }

  uint64_t operator()() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17U;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Each of 0 to `count` - 1 with the same probability. `count` is at least 1.
  uint64_t below(uint64_t count) {
    // Numbers above the last multiple of `count` would make small results more likely.
    const uint64_t surplus = (0 - count) % count;
    for (;;)
      if (const uint64_t number = (*this)(); number <= ~uint64_t{0} - surplus)
        return number % count;
  }

  /// In [0, 1), a multiple of 2^-53.
  double unit() { return static_cast<double>((*this)() >> 11U) * 0x1p-53; }

private:
  std::array<uint64_t, 4> state_ = {};
};

} // namespace aiwc::sparse
