#pragma once

#include "random.h"
#include "trace/chunk.h"
#include "trace/program.h"

#include <array>
#include <vector>

namespace aiwc::test {

/// The memory of a random execution: some buffers in each address space, and random accesses to
/// them. The accesses have locality, may be unaligned and cross any power of two, and are sometimes
/// thousands of bytes long.
class RandomMemory {
public:
  explicit RandomMemory(Random &random);

  /// Appends random accesses of one execution of `operation`, which is at `opOffset` in its block.
  void append(std::vector<trace::Access> &accesses, const trace::Operation &operation,
              uint32_t opOffset, uint32_t item);
  /// Random accesses of an async_work_group_copy between global and local memory.
  std::vector<trace::Access> groupAccesses();

private:
  struct Buffer {
    uint64_t number = 0; ///< bits 48 and up of an address
    uint64_t bytes = 0;
    uint64_t cursor = 0; ///< offset after the previous access
    uint64_t hot = 0;    ///< an offset that is accessed often
  };

  trace::Access random(trace::AddressSpace space, uint32_t opOffset, uint32_t item, bool write);
  uint64_t randomOffset(Buffer &buffer, uint32_t size, uint32_t item);

  Random &random_;
  std::array<std::vector<Buffer>, 4> buffers_; ///< per AddressSpace
};

} // namespace aiwc::test
