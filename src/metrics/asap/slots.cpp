// Finds the slots of an AsapCode whose values are used across blocks.
#include "metrics/asap/code.h"

#include <algorithm>

namespace aiwc::metrics {

/// Calls visit(slot) for the slots that a block reads before it writes them. Phis read values of
/// the previous block, even of slots that other phis write.
template <typename Visit> void AsapCode::forEachExposed(const Block &block, Visit visit) {
  std::vector<bool> defined(slots);
  const auto read = [&](const Term &term) {
    if (!defined[term.slot])
      visit(term.slot);
  };
  const auto all = [&](const Copies &which, auto look) {
    std::ranges::for_each(std::span(copies).subspan(which.first, which.count), look);
  };
  for (const Edge &edge : std::span(edges).subspan(block.firstEdge, block.edgeCount))
    all(edge.copies, [&](const Copy &copy) { read(copy.from); });
  for (const Edge &edge : std::span(edges).subspan(block.firstEdge, block.edgeCount))
    all(edge.copies, [&](const Copy &copy) { defined[copy.to] = true; });
  for (const Op &op : std::span(ops).subspan(block.firstOp, block.opCount)) {
    forEachTerm(op, read);
    defined[op.result] = true;
  }
  for (const Depth &instruction : std::span(gone).subspan(block.firstGone, block.goneCount))
    read(instruction.term);
  all(block.arguments, [&](const Copy &copy) { read(copy.from); });
  read(block.returned.from);
}

template <typename Visit> void AsapCode::forEachSlot(Visit visit) {
  for (Op &op : ops) {
    for (Term *term : {&op.a, &op.b, &op.c})
      visit(term->slot);
    visit(op.result);
  }
  for (Copy &copy : copies) {
    visit(copy.from.slot);
    visit(copy.to);
  }
  for (Term &term : terms)
    visit(term.slot);
  for (Depth &instruction : gone)
    visit(instruction.term.slot);
  for (Term &term : depths)
    visit(term.slot);
  for (Block &block : blocks) {
    visit(block.callResult);
    visit(block.returned.from.slot);
  }
}

void AsapCode::sortSlots() {
  std::vector<bool> outlives(slots);
  outlives[kZero] = outlives[kSink] = true;
  for (const Block &block : blocks)
    forEachExposed(block, [&](uint32_t slot) { outlives[slot] = true; });
  keptSlots = static_cast<uint32_t>(std::ranges::count(outlives, true));
  std::vector<uint32_t> place(slots);
  uint32_t kept = 0, local = keptSlots;
  for (uint32_t slot = 0; slot < slots; ++slot)
    place[slot] = outlives[slot] ? kept++ : local++;
  forEachSlot([&](uint32_t &slot) { slot = place[slot]; });
}

} // namespace aiwc::metrics
