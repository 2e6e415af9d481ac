/// Traces that tests write by hand, and functions to compute their metrics.
#pragma once

#include "profile/kernel_profile.h"
#include "support/plain_trace.h"
#include "support/program_builder.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace aiwc::test {

/// Builds an execution in canonical order: a group, then each work-item with its blocks.
class HandTrace {
public:
  explicit HandTrace(const trace::Program &program) : program_(program) {}

  /// Begins the next work-group, which has `items` work-items.
  HandTrace &group(uint32_t items);
  /// The following blocks are executed by work-item `item`, until the next `item`, `barrier` or
  /// `group`.
  HandTrace &item(uint32_t item);
  /// The work-item executes the block completely `times` times, with these accesses each time.
  HandTrace &block(uint32_t block, const std::vector<trace::Access> &accesses = {},
                   uint64_t times = 1);
  /// The work-item executes these blocks, without accesses.
  HandTrace &blocks(const std::vector<uint32_t> &blocks);
  /// The work-group itself makes these accesses.
  HandTrace &groupCopies(const std::vector<trace::Access> &accesses);
  /// Every work-item that has not finished has reached a barrier; the next interval begins.
  HandTrace &barrier();
  /// The group is abandoned after the first `operations` operations of the block.
  HandTrace &abort(uint32_t block, uint32_t operations,
                   const std::vector<trace::Access> &accesses = {});

  const trace::Program &program() const { return program_; }
  const Execution &execution() const { return execution_; }

private:
  Stretch &current() { return execution_.groups.back().intervals.back().stretches.back(); }

  const trace::Program &program_;
  Execution execution_;
};

/// An access at byte `offset` of a buffer. Each address space has its own buffers.
trace::Access read(trace::AddressSpace space, uint64_t buffer, uint64_t offset, uint32_t size = 4);
trace::Access write(trace::AddressSpace space, uint64_t buffer, uint64_t offset, uint32_t size = 4);

/// Computes the metrics of the trace and requires that the brute-force reference gives the same.
profile::KernelProfile measure(const HandTrace &trace, uint64_t workGroupSize = 1);

/// The metrics of a kernel with one block, executed once by one work-item.
profile::KernelProfile measureOnce(ProgramBuilder &builder,
                                   const std::vector<trace::Operation> &operations);

/// A kernel that loads, one with an atomic, and one that loads between barriers.
trace::Program loadingProgram(trace::MemoryKind kind = trace::MemoryKind::kLoad);

/// One group whose work-items load once, from byte `offset(work-item)` of a global buffer.
profile::KernelProfile loadOnce(uint32_t items, const std::function<uint64_t(uint64_t)> &offset,
                                uint32_t size = 4);

} // namespace aiwc::test
