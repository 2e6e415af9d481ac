#include "plugin/host_transfers.h"

#include <cstring>
#include <utility>

namespace aiwc::plugin {

void HostTransfers::load(const oclgrind::Memory &memory, size_t address, size_t size) {
  const std::scoped_lock lock(mutex_);
  add(toHost_, size);
  lastLoad_ = {address, size,
               memory.isAddressValid(address, size) ? memory.getPointer(address) : nullptr};
}

void HostTransfers::store(const oclgrind::Memory &memory, size_t address, size_t size,
                          const uint8_t *data) {
  const std::scoped_lock lock(mutex_);
  // clEnqueueCopyBuffer arrives as a load and a store of the very bytes in device memory.
  if (lastLoad_.data && lastLoad_.data == data && lastLoad_.size == size) {
    toHost_.bytes -= size;
    --toHost_.transfers;
    lastLoad_ = {};
    return;
  }
  const bool fill = continuesFill(memory, address, size, data);
  lastStore_ = {address, size, data};
  if (!fill)
    add(toDevice_, size);
}

/// clEnqueueFillBuffer arrives as one store of the same pattern after another.
bool HostTransfers::continuesFill(const oclgrind::Memory &memory, size_t address, size_t size,
                                  const uint8_t *data) const {
  if (lastStore_.data != data || lastStore_.size != size || lastStore_.address + size != address ||
      !memory.isAddressValid(lastStore_.address, size))
    return false;
  return std::memcmp(memory.getPointer(lastStore_.address), data, size) == 0;
}

void HostTransfers::allocated(size_t size, const uint8_t *initialData) {
  if (!initialData)
    return;
  const std::scoped_lock lock(mutex_);
  add(toDevice_, size);
}

void HostTransfers::map(const void *pointer, size_t size, cl_map_flags flags) {
  const std::scoped_lock lock(mutex_);
  if (flags & CL_MAP_READ)
    add(toHost_, size);
  if (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))
    mappedForWriting_.emplace(pointer, size);
}

void HostTransfers::unmap(const void *pointer) {
  const std::scoped_lock lock(mutex_);
  const auto mapping = mappedForWriting_.find(pointer);
  if (mapping == mappedForWriting_.end())
    return;
  add(toDevice_, mapping->second);
  mappedForWriting_.erase(mapping);
}

TransferCounts HostTransfers::takeToDevice() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(toDevice_, {});
}

TransferCounts HostTransfers::takeToHost() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(toHost_, {});
}

} // namespace aiwc::plugin
