// The memory that a program has allocated, by the addresses of device and host.
//
// Memory of the device is a buffer of the simulator. Memory that both sides see (managed, pinned
// and registered memory) is memory of the host, which the simulator uses as a buffer: nothing is
// copied. But the simulator's addresses are not the host's. So when a kernel is launched, addresses
// of such memory are replaced, in the kernel's arguments and in managed memory itself. Only then is
// the buffer made, since the memory moves to a device when kernels may use it.
#pragma once

#include "common/address_map.h"
#include "common/shared_memory.h"
#include "cuda/runtime/simulator.h"
#include "driver_types.h"

namespace aiwc::cuda {

/// The pointer that a program gets for an address of the device.
inline void *pointerTo(size_t address) {
  return reinterpret_cast<void *>(address); // NOLINT(performance-no-int-to-ptr): not the host's
}

struct Allocation {
  enum class Kind { kDevice, kManaged, kPinned, kRegistered, kVariables };
  Kind kind = Kind::kDevice;
  cl_mem buffer = nullptr; ///< null until the device has the memory
  size_t address = 0;      ///< of the buffer
  void *host = nullptr;    ///< null for kDevice and kVariables
  unsigned int flags = 0;
};

class Memory {
public:
  /// Returns the address on the device; fails if memory is short.
  size_t allocate(const Simulator &simulator, size_t bytes,
                  Allocation::Kind kind = Allocation::Kind::kDevice);
  /// Memory of the host that kernels see, too.
  void *allocateShared(const Simulator &simulator, size_t bytes, Allocation::Kind kind,
                       unsigned int flags);
  /// Makes memory of the host visible to kernels.
  void share(void *host, size_t bytes, unsigned int flags,
             Allocation::Kind kind = Allocation::Kind::kRegistered);
  /// Frees what begins at the address, of host or device, and is of one of the kinds. Fails with
  /// `error` if there is none.
  void free(const Simulator &simulator, const void *pointer,
            std::initializer_list<Allocation::Kind> kinds, cudaError_t error);

  /// A copy within and between host and device. The host's rows are `pitch` bytes apart.
  struct Place {
    const void *pointer = nullptr;
    size_t pitch = 0;
  };
  void copy(const Simulator &simulator, Place to, Place from, size_t width, size_t height,
            cudaMemcpyKind kind);
  void fill(const Simulator &simulator, void *pointer, size_t pitch, unsigned char value,
            size_t width, size_t height);

  size_t bytes() const { return bytes_; } ///< of all buffers

  using Range = AddressMap<Allocation>::Range;
  /// What the address of the device is in, or null.
  Range *onDevice(const void *pointer) { return byDevice_.find(addressOf(pointer)); }
  /// What the address of the host is in, or null.
  Range *onHost(const void *pointer) { return byHost_.find(addressOf(pointer)); }
  /// The device's address for one of shared memory of the host, which the device has from now on;
  /// others stay as they are.
  size_t deviceAddress(const Simulator &simulator, size_t address);

  /// Replaces addresses of shared memory in managed memory that the device has, while it exists.
  class Translated {
  public:
    Translated(const Simulator &simulator, Memory &memory);
    ~Translated();
    Translated(const Translated &) = delete;
    Translated &operator=(const Translated &) = delete;

  private:
    Memory &memory_;
    TranslatedWords words_;
  };

private:
  static size_t addressOf(const void *pointer) { return reinterpret_cast<size_t>(pointer); }
  /// Where a copy reads or writes: in a buffer, or else in memory of the host.
  struct Resolved {
    cl_mem buffer = nullptr;
    size_t offset = 0;
    char *host = nullptr;
  };
  Resolved resolve(Place place, size_t width, size_t height);

  /// Completes an allocation that the device is to have.
  void addBuffer(const Simulator &simulator, size_t bytes, Allocation &allocation);

  AddressMap<Allocation> byDevice_, byHost_; ///< shared memory that the device has is in both
  size_t bytes_ = 0;
};

/// Buffers that are allocated from now on end with a whole word of 4 bytes.
void allocateWholeWords();

} // namespace aiwc::cuda
