#include "metrics/asap/dominators.h"

#include <algorithm>
#include <utility>

namespace aiwc::metrics {

using namespace trace;

Dominators::Dominators(const Program &program)
    : program_(program), place_(program.blocks.size(), kUnreached) {
  for (const Function &function : program.functions) {
    const size_t first = order_.size();
    orderFunction(function);
    findDominators(first);
  }
}

template <typename Visit> void Dominators::forEachSuccessor(uint32_t block, Visit visit) const {
  const Block &from = program_.blocks[block];
  const bool continues = from.end == BlockEnd::kFallThrough || from.end == BlockEnd::kCall ||
                         from.end == BlockEnd::kBarrier || from.end == BlockEnd::kMeeting;
  const auto visitReached = [&](uint32_t to) {
    if (to < program_.blocks.size() && program_.blocks[to].function == from.function)
      visit(to);
  };
  if (continues)
    visitReached(block + 1);
  for (const BlockId successor : program_.successorsOf(from))
    visitReached(index(successor));
}

void Dominators::orderFunction(const Function &function) {
  if (index(function.entry) >= program_.blocks.size())
    return;
  /// A block on the current path and its successors that were not visited yet.
  struct Step {
    uint32_t block;
    std::vector<uint32_t> left;
  };
  constexpr uint32_t kSeen = kUnreached - 1;
  std::vector<Step> way;
  std::vector<BlockId> postOrder;
  const auto enter = [&](uint32_t block) {
    place_[block] = kSeen;
    way.push_back({block, {}});
    forEachSuccessor(block, [&](uint32_t to) { way.back().left.push_back(to); });
  };
  enter(index(function.entry));
  while (!way.empty()) {
    if (way.back().left.empty()) {
      postOrder.push_back(static_cast<BlockId>(way.back().block));
      way.pop_back();
      continue;
    }
    const uint32_t next = way.back().left.back();
    way.back().left.pop_back();
    if (place_[next] == kUnreached)
      enter(next);
  }
  for (auto block = postOrder.rbegin(); block != postOrder.rend(); ++block) {
    place_[index(*block)] = static_cast<uint32_t>(order_.size());
    order_.push_back(*block);
  }
}

/// Computes the dominators of the function whose blocks start at `first` in the order.
void Dominators::findDominators(size_t first) {
  if (first == order_.size())
    return;
  std::vector<std::pair<uint32_t, uint32_t>> edges; // sorted by their target
  for (size_t place = first; place < order_.size(); ++place)
    forEachSuccessor(index(order_[place]), [&](uint32_t to) {
      edges.emplace_back(place_[to], static_cast<uint32_t>(place));
    });
  std::sort(edges.begin(), edges.end());
  parents_.resize(order_.size(), kUnreached);
  parents_[first] = static_cast<uint32_t>(first);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t edge = 0; edge < edges.size();) {
      const uint32_t block = edges[edge].first;
      uint32_t parent = kUnreached;
      for (; edge < edges.size() && edges[edge].first == block; ++edge) {
        const uint32_t from = edges[edge].second;
        if (parents_[from] != kUnreached)
          parent = parent == kUnreached ? from : commonDominator(parent, from);
      }
      if (block != first && parents_[block] != parent) {
        parents_[block] = parent;
        changed = true;
      }
    }
  }
}

uint32_t Dominators::commonDominator(uint32_t a, uint32_t b) const {
  while (a != b)
    if (a > b)
      a = parents_[a];
    else
      b = parents_[b];
  return a;
}

bool Dominators::dominates(BlockId a, BlockId b) const {
  if (a == b)
    return true;
  const uint32_t above = place_[index(a)];
  uint32_t place = place_[index(b)];
  if (above == kUnreached || place == kUnreached ||
      program_.block(a).function != program_.block(b).function)
    return false;
  while (place > above)
    place = parents_[place];
  return place == above;
}

} // namespace aiwc::metrics
