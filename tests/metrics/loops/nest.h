/// Two nested loops; a test chooses what their bodies read and write.
#pragma once

#include "metrics/hand_trace.h"

namespace aiwc::test {

/// for (line 1) { for (line 2) { load (line 3); store (line 4) } }, as compilers write it: the
/// header tests. Blocks: 0 entry, 1 outer header, 2 inner header, 3 inner body, 4 outer latch,
/// 5 return.
inline trace::Program nest() {
  using namespace trace;
  constexpr AddressSpace kGlobal = AddressSpace::kGlobal;
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{1}});
  builder.block({builder.op("br", {.line = 1})}, BlockEnd::kBranch, {BlockId{2}, BlockId{5}});
  builder.block({builder.op("br", {.line = 2})}, BlockEnd::kBranch, {BlockId{3}, BlockId{4}});
  builder.block({builder.op("load", {.memory = MemoryKind::kLoad, .space = kGlobal, .line = 3}),
                 builder.op("store", {.memory = MemoryKind::kStore, .space = kGlobal, .line = 4}),
                 builder.op("br", {.line = 2})},
                BlockEnd::kJump, {BlockId{2}});
  builder.block({builder.op("br", {.line = 1})}, BlockEnd::kJump, {BlockId{1}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  return builder.build();
}

/// The elements of one buffer that iteration (i, j) reads and writes.
struct Elements {
  uint64_t reads, writes;
};

inline trace::Access storeOf(trace::AddressSpace space, uint64_t element) {
  trace::Access access = write(space, 1, 4 * element);
  access.opOffset = 1;
  return access;
}

/// One work-item executes the outer loop with n and the inner loop with m trips.
template <typename Body>
profile::KernelProfile run(uint64_t n, uint64_t m, Body body,
                           trace::AddressSpace space = trace::AddressSpace::kGlobal) {
  const trace::Program program = nest();
  HandTrace trace(program);
  trace.group(1).item(0).block(0);
  for (uint64_t i = 0; i < n; ++i) {
    trace.blocks({1});
    for (uint64_t j = 0; j < m; ++j) {
      const Elements elements = body(i, j);
      trace.block(2).block(3,
                           {read(space, 1, 4 * elements.reads), storeOf(space, elements.writes)});
    }
    trace.blocks({2, 4});
  }
  trace.blocks({1, 5});
  return measure(trace);
}

} // namespace aiwc::test
