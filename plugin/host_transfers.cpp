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

/// The address range of a function's code, from the symbol table.
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

/// The cause of an access that Oclgrind reports as the host's.
enum class Origin {
  kTransfer,
  kCopy,           ///< within the device
  kFill,           ///< a piece of a fill
  kInitialisation, ///< of a program's constants
};

/// The origin of the access that Oclgrind is reporting on this thread.
Origin findOrigin() {
  using Function = void (*)();
  const auto range = [](Function function) {
    return rangeOf(reinterpret_cast<const void *>(function));
  };
  static const std::pair<CodeRange, Origin> makers[] = {
      {range(&compat::copyMemory), Origin::kCopy},
      {range(&compat::fillBuffer), Origin::kFill},
      {range(&compat::fillImage), Origin::kFill},
      {range(&compat::allocateProgramScopeVars), Origin::kInitialisation},
  };
  // The innermost frames: this function, the callback, Oclgrind's notification, its memory class,
  // and the callers of that class.
  std::array<void *, 8> callers;
  const auto depth = static_cast<size_t>(backtrace(callers.data(), callers.size()));
  for (size_t i = 0; i < depth; ++i)
    for (const auto &[code, origin] : makers)
      if (code.contains(callers[i]))
        return origin;
  return Origin::kTransfer;
}

} // namespace

void HostTransfers::load(size_t size) {
  if (findOrigin() != Origin::kTransfer)
    return;
  const std::scoped_lock lock(mutex_);
  add(toHost_, size);
}

void HostTransfers::store(const oclgrind::Memory &memory, size_t address, size_t size,
                          const uint8_t *data) {
  const std::scoped_lock lock(mutex_);
  if (continuesFill(memory, address, size, data)) {
    filled_.address = address;
    return;
  }
  filled_ = {};
  const Origin origin = findOrigin();
  if (origin == Origin::kFill)
    filled_ = {address, size, data};
  if (origin == Origin::kTransfer || origin == Origin::kFill)
    add(toDevice_, size);
}

/// Whether the store writes the same bytes as the last piece of a fill, from the same source
/// address, to the end of that piece. Then it is the next piece of the fill, and the call stack
/// need not be searched: a large fill has millions of pieces.
bool HostTransfers::continuesFill(const oclgrind::Memory &memory, size_t address, size_t size,
                                  const uint8_t *data) const {
  if (filled_.pattern != data || filled_.size != size || filled_.address + size != address ||
      !memory.isAddressValid(filled_.address, size))
    return false;
  return std::memcmp(memory.getPointer(filled_.address), data, size) == 0;
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
