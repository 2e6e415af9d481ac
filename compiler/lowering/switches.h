/// Switches.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::lowering {

/// Replaces switches over an integer of a few bits, which LLVM makes of `switch (x & 3)`: Oclgrind
/// does not clear the other bits of its bytes. After all optimisation.
void widenSwitches(llvm::Module &module);

} // namespace aiwc::lowering
