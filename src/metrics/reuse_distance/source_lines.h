#pragma once

#include "trace/program.h"

#include <cstdint>
#include <vector>

namespace aiwc::metrics {

/// The source lines of a program, numbered without gaps, so that what is counted per source line
/// is an array. Number 0 is line 0: what has no debug location, and the work-group itself.
class SourceLines {
public:
  explicit SourceLines(const trace::Program &program);

  /// How many there are, at least 1.
  size_t count() const { return lines_.size(); }
  /// The line of a number, 1-based; 0 where there is none.
  uint32_t line(size_t number) const { return lines_[number]; }
  /// The numbers of a block's operations, in their order.
  const uint32_t *numbersOf(const trace::Block &block) const {
    return numbers_.data() + index(block.firstOp);
  }

private:
  std::vector<uint32_t> lines_;   ///< by number, increasing
  std::vector<uint32_t> numbers_; ///< per operation
};

} // namespace aiwc::metrics
