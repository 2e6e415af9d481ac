#pragma once

#include "trace/program.h"

#include <cstdint>
#include <vector>

namespace aiwc::metrics {

/// Numbers the source lines of a program without gaps, so that counts per source line can be
/// arrays. Number 0 is line 0: operations without debug location, and accesses of the work-group.
class SourceLines {
public:
  explicit SourceLines(const trace::Program &program);

  /// The number of source lines, at least 1.
  size_t count() const { return lines_.size(); }
  /// The source line with this number, 1-based; 0 for number 0.
  uint32_t line(size_t number) const { return lines_[number]; }
  /// The numbers of the source lines of a block's operations, in order.
  const uint32_t *numbersOf(const trace::Block &block) const {
    return numbers_.data() + index(block.firstOp);
  }

private:
  std::vector<uint32_t> lines_;   ///< by number, increasing
  std::vector<uint32_t> numbers_; ///< per operation
};

} // namespace aiwc::metrics
