#pragma once

#include "trace/program.h"

#include <cstdint>
#include <vector>

namespace aiwc::metrics {

/// The dominator trees of a program's functions [Cooper, Harvey, Kennedy, "A simple, fast dominance
/// algorithm", 2001]. An unreachable block is dominated only by itself.
class Dominators {
public:
  explicit Dominators(const trace::Program &program);

  /// Whether every path from the function's entry to `b` goes through `a`.
  bool dominates(trace::BlockId a, trace::BlockId b) const;
  /// The reachable blocks in reverse post-order: the dominators of a block precede it.
  const std::vector<trace::BlockId> &order() const { return order_; }

private:
  static constexpr uint32_t kUnreached = UINT32_MAX;

  template <typename Visit> void forEachSuccessor(uint32_t block, Visit visit) const;
  void orderFunction(const trace::Function &function);
  void findDominators(size_t first);
  uint32_t commonDominator(uint32_t a, uint32_t b) const;

  const trace::Program &program_;
  std::vector<trace::BlockId> order_;
  std::vector<uint32_t> place_; ///< per block, in `order_`
  std::vector<uint32_t>
      parents_; ///< per place, the place of the immediate dominator; an entry's is its own
};

} // namespace aiwc::metrics
