#include "plugin/host_transfers.h"

#include "plugin/host_command.h"
#include "plugin/kernel_host_functions.h"

#include <dlfcn.h>

#include <utility>

namespace aiwc::plugin {
namespace {

/// What Oclgrind does for the host on this thread; null if it is none of its commands, or if the
/// library that knows it is not preloaded.
HostCommand *currentCommand() {
  static const auto current =
      reinterpret_cast<HostCommand *(*)()>(dlsym(RTLD_DEFAULT, "aiwcHostCommand"));
  return current ? current() : nullptr;
}

/// Whether the host is that of `aiwc kernel`: what it copies says nothing of an application.
bool isOurHost() {
  static const bool is = dlsym(RTLD_DEFAULT, kArgumentContentsName) != nullptr;
  return is;
}

} // namespace

void HostTransfers::addPiece(TransferCounts &counts, size_t size) {
  HostCommand *const command = currentCommand(); // none: memory is made with the host's content
  if (command && command->kind != HostCommand::Kind::kTransfer)
    return;
  const std::scoped_lock lock(mutex_);
  counts.bytes += size;
  if (!command || !std::exchange(command->isCounted, true))
    ++counts.transfers;
}

void HostTransfers::load(size_t size) {
  addPiece(toHost_, size);
}

void HostTransfers::store(size_t size) {
  addPiece(toDevice_, size);
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
  const TransferCounts counts = std::exchange(toDevice_, {});
  return isOurHost() ? TransferCounts{} : counts;
}

TransferCounts HostTransfers::takeToHost() {
  const std::scoped_lock lock(mutex_);
  const TransferCounts counts = std::exchange(toHost_, {});
  return isOurHost() ? TransferCounts{} : counts;
}

} // namespace aiwc::plugin
