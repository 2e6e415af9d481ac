/// Hashes and mixed numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace aiwc {

/// The fractional part of the golden ratio, times 2^64.
inline constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15U;

/// Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4). The upper bits are the
/// better ones; the lowest n depend on the lowest n of the value only.
constexpr uint64_t fibonacciHash(uint64_t value) {
  return value * kGoldenRatio;
}

/// A permutation of the numbers after which every bit depends on all bits of `value`: the last step
/// of SplitMix64 (Steele et al., 2014), which applies it to multiples of kGoldenRatio.
constexpr uint64_t splitMix64(uint64_t value) {
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9U;
  value = (value ^ value >> 27) * 0x94D049BB133111EBU;
  return value ^ value >> 31;
}

} // namespace aiwc
