#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <utility>
#include <vector>

namespace aiwc::test {

/// Random numbers that depend only on the seed, on every platform; the distributions of <random>
/// differ between platforms.
class Random {
public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  uint64_t next() { return engine_(); }
  /// In [0, bound); `bound` is not 0.
  uint64_t below(uint64_t bound) { return engine_() % bound; }
  /// In [low, high].
  uint64_t between(uint64_t low, uint64_t high) { return low + below(high - low + 1); }
  bool oneIn(uint64_t n) { return below(n) == 0; }
  bool percent(uint64_t share) { return below(100) < share; }
  template <typename T> T oneOf(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }
  template <typename T> void shuffle(std::vector<T> &values) {
    for (size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[below(i)]);
  }

private:
  std::mt19937_64 engine_;
};

} // namespace aiwc::test
