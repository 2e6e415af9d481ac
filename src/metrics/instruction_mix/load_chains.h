/// Which loads of a kernel wait for one another.
#pragma once

#include "trace/program.h"

#include <cstdint>
#include <vector>

namespace aiwc::metrics {

struct LoadChains {
  /// Takes time in proportion to the code.
  explicit LoadChains(const trace::Program &program);

  /// By block of the program: loads of global, constant or local memory whose address depends on
  /// what the same one loaded before, as in a loop that follows a list. Parts of a vector are one.
  std::vector<uint64_t> loads;
  /// By block: the longest chain of loads of which each depends on the one before, in the block.
  std::vector<uint64_t> rounds;
};

} // namespace aiwc::metrics
