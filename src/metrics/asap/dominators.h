#pragma once

#include "trace/program.h"

#include <cstdint>
#include <vector>

namespace aiwc::metrics {

/// The dominator trees of a program's functions [Cooper, Harvey, Kennedy, "A simple, fast dominance
/// algorithm", 2001]. A block that no way from its function's entry leads to is dominated by itself
/// alone.
class Dominators {
public:
  explicit Dominators(const trace::Program &program);

  /// Whether every way to `b` leads through `a`.
  bool dominates(trace::BlockId a, trace::BlockId b) const;
  /// The blocks that can be reached, in reverse post-order: what dominates a block is before it.
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
      parents_; ///< per place, that of the immediate dominator; an entry's is its own
};

} // namespace aiwc::metrics
