/// For the preloaded library only: memory at one address for host and kernels.
#pragma once

#include "common/shared_memory.h"

#include <cstddef>

namespace oclgrind {
class Context;
class Kernel;
class Memory;
/// Has the members of Oclgrind's struct. The functions replace Oclgrind's (half_numbers.cpp).
struct TypedValue {
  unsigned size, num;
  unsigned char *data;
  __attribute__((visibility("default"))) double getFloat(unsigned index) const;
  __attribute__((visibility("default"))) void setFloat(double value, unsigned index);
};
} // namespace oclgrind

namespace aiwc::plugin {

/// The buffer that the calling thread created last, and the memory that it is in.
struct CreatedBuffer {
  size_t address = 0;
  const oclgrind::Memory *memory = nullptr;
};
CreatedBuffer lastCreatedBuffer() noexcept; // preload.cpp

/// Call when a new buffer is at this address.
void forgetBufferAt(const oclgrind::Memory *memory, size_t address) noexcept;

/// Replaces the host's addresses of shared memory in shared memory by the simulator's, while it
/// exists.
class TranslatedAddresses {
public:
  /// Further ones that the kernel may store become the host's afterwards.
  TranslatedAddresses(const oclgrind::Context *context, const oclgrind::Kernel *kernel);
  ~TranslatedAddresses();
  TranslatedAddresses(const TranslatedAddresses &) = delete;
  TranslatedAddresses &operator=(const TranslatedAddresses &) = delete;

private:
  const oclgrind::Memory *memory_ = nullptr;
  bool storesAddresses_ = false;
  TranslatedWords words_;
};

/// Has Oclgrind set the argument, with addresses of shared memory replaced.
void setKernelArgument(oclgrind::Kernel *kernel, unsigned index, oclgrind::TypedValue value);

/// The function of an extension that has this name; null if there is none.
void *sharedMemoryFunction(const char *name);

} // namespace aiwc::plugin
