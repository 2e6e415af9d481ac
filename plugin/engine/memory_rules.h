/// What Oclgrind reports about accesses.
#pragma once

#include "simulator/compat.h"

#include <mutex>
#include <string>
#include <vector>

namespace aiwc::engine {

/// An error that Oclgrind reports for an access, after which the kernel continues.
enum class Violation : uint8_t {
  kReadOfWriteOnly,
  kWriteToReadOnly,
  kReadOfMapped,
  kWriteToMapped,
  kReadOutside, ///< of all buffers
  kWriteOutside,
};

/// Oclgrind's message about an access of `size` bytes at `address` in OpenCL's address space
/// `space` (1: global, 3: local).
std::string messageOf(Violation violation, unsigned space, uint64_t address, uint64_t size);

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
