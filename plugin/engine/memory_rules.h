/// What Oclgrind reports about accesses that stay inside of a buffer of global memory.
#pragma once

#include "simulator/compat.h"

#include <mutex>
#include <vector>

namespace aiwc::engine {

/// An error that Oclgrind reports for an access, after which the kernel continues.
enum class Violation : uint8_t {
  kReadOfWriteOnly,
  kWriteToReadOnly,
  kReadOfMapped,
  kWriteToMapped,
};

/// Oclgrind's message about the violation.
const char *messageOf(Violation violation);

/// A region of global memory that the host has mapped. Oclgrind ignores the offset at which a
/// mapping begins: it checks the first `size` bytes of the buffer or sub-buffer.
struct MappedRegion {
  uint64_t address = 0; ///< of the buffer or sub-buffer
  uint64_t size = 0;    ///< in bytes
  const void *pointer = nullptr;
  bool forWriting = false; ///< false: kernels may read it

  /// Whether Oclgrind counts an access of `bytes` bytes as one of the region. That includes an
  /// access that ends where the region begins.
  bool touches(uint64_t accessed, uint64_t bytes) const {
    return accessed < address + size && accessed + bytes >= address;
  }
};

/// The regions that are mapped now, as Oclgrind keeps them: in the order of their mapping, and a
/// buffer that is released without being unmapped leaves its region behind. Thread-safe.
class MappedRegions {
public:
  void map(const oclgrind::Memory &memory, uint64_t address, uint64_t offset, uint64_t size,
           cl_map_flags flags);
  /// Removes the first region that was mapped at `pointer`.
  void unmap(const void *pointer);
  std::vector<MappedRegion> now() const;

private:
  mutable std::mutex mutex_;
  std::vector<MappedRegion> regions_; ///< guarded by `mutex_`
};

} // namespace aiwc::engine
