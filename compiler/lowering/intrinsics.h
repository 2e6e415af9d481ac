/// LLVM's intrinsics.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::lowering {

/// Replaces those that the simulator lacks by OpenCL's functions and by other instructions, and
/// removes hints to the compiler. Refuses the rest. After all optimisation, which makes them.
void lowerIntrinsics(llvm::Module &module);

} // namespace aiwc::lowering
