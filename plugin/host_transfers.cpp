#include "plugin/host_transfers.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace aiwc::plugin {
namespace {

/// The code of a function, from the symbol table.
struct CodeRange {
  const char *begin = nullptr;
  size_t size = 0;

  bool contains(const void *address) const { return address >= begin && address < begin + size; }
};

CodeRange rangeOf(const void *function) {
  Dl_info library;
  const ElfW(Sym) *symbol = nullptr;
  if (!function ||
      !dladdr1(function, &library, reinterpret_cast<void **>(const_cast<ElfW(Sym) **>(&symbol)),
               RTLD_DL_SYMENT) ||
      !symbol)
    return {};
  return {static_cast<const char *>(library.dli_saddr), symbol->st_size};
}

/// Whether the store being reported initialises a program's constants, which no host command does.
/// Such a store looks in every way like the first write to a buffer, so we look who makes it; that
/// costs microseconds and is asked for stores of a whole buffer without flags alone.
bool isProgramInitialisation(const oclgrind::Memory &memory, size_t address, size_t size) {
  static const CodeRange initialiser =
      rangeOf(reinterpret_cast<const void *>(&compat::allocateProgramScopeVars));
  const oclgrind::Memory::Buffer *buffer = memory.getBuffer(address);
  if (!buffer || buffer->flags != 0 || buffer->size != size || memory.extractOffset(address) != 0)
    return false;
  std::array<void *, 12> callers;
  const auto depth = static_cast<size_t>(backtrace(callers.data(), callers.size()));
  return std::any_of(callers.begin(), callers.begin() + depth,
                     [](const void *caller) { return initialiser.contains(caller); });
}

} // namespace

void HostTransfers::load(const oclgrind::Memory &memory, size_t address, size_t size) {
  const std::scoped_lock lock(mutex_);
  add(toHost_, size);
  lastLoad_ = {address, size,
               memory.isAddressValid(address, size) ? memory.getPointer(address) : nullptr};
}

void HostTransfers::store(const oclgrind::Memory &memory, size_t address, size_t size,
                          const uint8_t *data) {
  if (isProgramInitialisation(memory, address, size))
    return;
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
