#pragma once

#include "metrics/shared/paged_memory.h"
#include "trace/chunk.h"

#include <cstdint>

namespace aiwc::metrics {

/// The last write to each byte of memory.
///
/// Memory: 4 bytes per byte of a 256-byte page that was written to, 20 if the page was split
/// (PagedMemory).
class LastWrites {
public:
  struct Write {
    uint64_t time = 0; ///< 0: never written
    uint32_t line = 0; ///< source line that wrote
  };

  void write(const trace::Access &access, const Write &write) {
    memory_.fill(access.space, access.address, access.size, write);
  }

  /// Calls visit(write) for the writes whose values the access reads; possibly several times per
  /// write.
  template <typename Visit> void read(const trace::Access &access, Visit visit) const {
    memory_.forEach(access.space, access.address, access.size, visit);
  }

  void clear() { memory_.reset(); }

private:
  PagedMemory<Write, 256, WordCell::kOfEveryByte> memory_; ///< owners are address spaces
};

} // namespace aiwc::metrics
