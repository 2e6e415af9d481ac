#pragma once

#include "random.h"
#include "trace/chunk.h"
#include "trace/program.h"

#include <array>
#include <vector>

namespace aiwc::test {

/// The memory of a random execution: some buffers in each address space, and accesses to them with
/// locality, unaligned, straddling every power of two, now and then thousands of bytes long.
class RandomMemory {
public:
  explicit RandomMemory(Random &random);

  /// Appends what one execution of `operation`, at `opOffset` in its block, accesses.
  void append(std::vector<trace::Access> &accesses, const trace::Operation &operation,
              uint32_t opOffset, uint32_t item);
  /// What an async_work_group_copy accesses: bytes between global and local memory.
  std::vector<trace::Access> groupAccesses();

private:
  struct Buffer {
    uint64_t number = 0; ///< bits 48 and up of an address
    uint64_t bytes = 0;
    uint64_t cursor = 0; ///< behind the previous access
    uint64_t hot = 0;    ///< an offset that is accessed again and again
  };

  trace::Access random(trace::AddressSpace space, uint32_t opOffset, uint32_t item, bool write);
  uint64_t randomOffset(Buffer &buffer, uint32_t size, uint32_t item);

  Random &random_;
  std::array<std::vector<Buffer>, 4> buffers_; ///< per AddressSpace
};

} // namespace aiwc::test
