/// Traces written down by hand, and their metrics.
#pragma once

#include "profile/kernel_profile.h"
#include "support/plain_trace.h"
#include "support/program_builder.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace aiwc::test {

/// Writes an execution down in canonical order: group, then item and its blocks one after another.
class HandTrace {
public:
  explicit HandTrace(const trace::Program &program) : program_(program) {}

  /// The next work-group begins, of so many work-items.
  HandTrace &group(uint32_t items);
  /// Work-item `item` executes from here on, until the next `item`, `barrier` or `group`.
  HandTrace &item(uint32_t item);
  /// It executes the block to its end, `times` times, making these accesses each time.
  HandTrace &block(uint32_t block, const std::vector<trace::Access> &accesses = {},
                   uint64_t times = 1);
  /// It executes these blocks.
  HandTrace &blocks(const std::vector<uint32_t> &blocks);
  /// The work-group itself makes these accesses.
  HandTrace &groupCopies(const std::vector<trace::Access> &accesses);
  /// Every work-item that has not finished has reached a barrier; the next interval begins.
  HandTrace &barrier();
  /// The group is given up after the first `operations` operations of the block.
  HandTrace &abort(uint32_t block, uint32_t operations,
                   const std::vector<trace::Access> &accesses = {});

  const trace::Program &program() const { return program_; }
  const Execution &execution() const { return execution_; }

private:
  Stretch &current() { return execution_.groups.back().intervals.back().stretches.back(); }

  const trace::Program &program_;
  Execution execution_;
};

/// Accesses at byte `offset` of a buffer. Local memory has the buffers of its own address space.
trace::Access read(trace::AddressSpace space, uint64_t buffer, uint64_t offset, uint32_t size = 4);
trace::Access write(trace::AddressSpace space, uint64_t buffer, uint64_t offset, uint32_t size = 4);

/// The metrics of the trace, after requiring that the brute-force twin finds the same.
profile::KernelProfile measure(const HandTrace &trace, uint64_t workGroupSize = 1);

/// A kernel of one straight block, executed once by one work-item.
profile::KernelProfile measureOnce(ProgramBuilder &builder,
                                   const std::vector<trace::Operation> &operations);

/// A kernel that loads, one with an atomic, and one that loads between barriers.
trace::Program loadingProgram(trace::MemoryKind kind = trace::MemoryKind::kLoad);

/// One group whose work-items load once, from byte `offset(work-item)` of a global buffer.
profile::KernelProfile loadOnce(uint32_t items, const std::function<uint64_t(uint64_t)> &offset,
                                uint32_t size = 4);

} // namespace aiwc::test
