#include "plugin/own_local_memory.h"

#include "plugin/hooks.h"
#include "simulator/compat.h"

#include <llvm/IR/GlobalVariable.h>

#include <cstddef>

namespace aiwc::plugin {
namespace {

/// Called by the preloaded library (plugin/preload.cpp). The compiler names a kernel's variable
/// `tile` `kernel.tile`.
size_t ownLocalMemory(const oclgrind::Kernel *kernel) {
  constexpr unsigned kLocalSpace = 3;
  size_t bytes = 0;
  for (auto value = kernel->values_begin(); value != kernel->values_end(); ++value) {
    const auto *type = llvm::dyn_cast<llvm::PointerType>(value->first->getType());
    if (!type || type->getAddressSpace() != kLocalSpace)
      continue;
    llvm::StringRef name = value->first->getName();
    if (llvm::isa<llvm::GlobalVariable>(value->first) &&
        !(name.consume_front(kernel->getName()) && name.startswith(".")))
      continue;
    bytes += value->second.size;
  }
  return bytes;
}

} // namespace

void measureOwnLocalMemory() {
  if (Hooks *const hooks = preloadedHooks())
    hooks->measureLocalMemory = ownLocalMemory;
}

} // namespace aiwc::plugin
