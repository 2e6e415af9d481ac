#include "metrics/reuse_distance/source_lines.h"

#include <algorithm>

namespace aiwc::metrics {

SourceLines::SourceLines(const trace::Program &program) : lines_{0} {
  for (const trace::Operation &operation : program.operations)
    if (operation.line != lines_.back())
      lines_.push_back(operation.line);
  std::ranges::sort(lines_);
  lines_.erase(std::unique(lines_.begin(), lines_.end()), lines_.end());
  numbers_.reserve(program.operations.size());
  for (const trace::Operation &operation : program.operations)
    numbers_.push_back(
        static_cast<uint32_t>(std::ranges::lower_bound(lines_, operation.line) - lines_.begin()));
}

} // namespace aiwc::metrics
