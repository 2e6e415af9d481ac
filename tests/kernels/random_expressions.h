/// Expressions and assignments of random kernels, over the variables that `randomKernel` declares.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::test {

/// SplitMix64 (Steele, Lea, Flood 2014): the standard library's distributions differ by library.
class Random {
public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u) {}
  /// In [0, bound).
  uint64_t below(uint64_t bound) {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % bound;
  }
  bool oneIn(uint64_t n) { return below(n) == 0; }
  std::string pick(const std::vector<std::string> &choices) {
    return choices[below(choices.size())];
  }

private:
  uint64_t state_;
};

/// Of every type there are the same variables, so that an expression of a type can be made of any
/// of them. `depth`: how deep an expression may be nested.
class Expressions {
public:
  Expressions(Random &random, uint64_t seed) : random_(random), suffix_(std::to_string(seed)) {}

  std::string helpers(); ///< the functions that expressions call
  std::string integer(int depth);
  std::string wide(int depth); ///< of type long
  std::string real(int depth);
  std::string precise(int depth); ///< of type double
  std::string condition(int depth);
  /// What a switch is over: no element of a vector, of which the compiler might make a vector of
  /// odd integers, which Oclgrind reads beyond its end.
  std::string selector();
  std::string assignment();

private:
  std::string pick(const std::vector<std::string> &choices) { return random_.pick(choices); }
  std::string integerVector();
  std::string realVector();
  std::string atomic();
  std::string throughPointer();
  std::string half();
  std::string idiom(); ///< of which the compiler makes an intrinsic

  Random &random_;
  std::string suffix_; ///< of the names of helpers
};

} // namespace aiwc::test
