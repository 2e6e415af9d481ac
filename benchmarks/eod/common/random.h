#pragma once

#include <cstdint>

namespace aiwc::eod {

/// Random numbers that are the same with every compiler, library and processor, which the
/// distributions of <random> are not. Generator: SplitMix64 (Steele, Lea, Flood: Fast splittable
/// pseudorandom number generators, OOPSLA 2014).
class Random {
public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }

  /// In [0, 1), a multiple of 2^-24: exact as a float.
  float uniform() { return static_cast<float>(bits() >> 40) * 0x1p-24f; }

  float uniform(float low, float high) { return low + (high - low) * uniform(); }

  /// In [0, bound), bound > 0. The bias is below bound / 2^32.
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(((bits() >> 32) * bound) >> 32); }

  /// Approximately standard normal: twelve uniform numbers have variance 1. No logarithm, whose
  /// last bit depends on the library; never beyond 6.
  float normal() {
    float sum = -6.0f;
    for (int i = 0; i < 12; ++i)
      sum += uniform();
    return sum;
  }

private:
  uint64_t state_;
};

} // namespace aiwc::eod
