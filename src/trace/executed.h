#pragma once

#include "common/hash.h"
#include "trace/program.h"

#include <cstdint>

namespace aiwc::trace {

/// What a work-group, or a part of it, has executed.
struct Executed {
  uint64_t instructions = 0;
  /// The sum of `markOf` over the executed blocks. Two groups with the same sum have executed each
  /// block equally often, but for a chance of one in 2^60.
  uint64_t marks = 0;

  void add(const Program &program, BlockId block);
  bool operator==(const Executed &) const = default;
};

/// A number that stands for a block: its index, mixed.
constexpr uint64_t markOf(BlockId block) {
  return splitMix64(fibonacciHash(index(block) + uint64_t{1}));
}

inline void Executed::add(const Program &program, BlockId block) {
  instructions += program.block(block).opCount;
  marks += markOf(block);
}

} // namespace aiwc::trace
