/// Threads of a warp that exchange values through shared memory without a function for it.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::cuda {

/// Has the lanes of a warp meet where an access to shared memory relies on accesses before it
/// having been made by all lanes: before a read, if there was a write since they last met or came
/// to a barrier, and before a write, if there was a read or a write; but only if the access is
/// volatile, or one of the writes was. Older programs rely on warps that execute each instruction
/// together, and declare such memory volatile. In a module that `runAllInStep` marked, all memory
/// counts as volatile. A copy within shared memory is one access: lanes do not meet between its
/// read and its write.
void meetBetweenExchanges(llvm::Module &module);

/// Marks the module, for `aiwc build --warps-in-step`; the plugin looks for the mark, too.
void runAllInStep(llvm::Module &module);

} // namespace aiwc::cuda
