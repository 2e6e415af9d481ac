/// Calls of functions without a body.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::lowering {

/// Refuses what the simulator cannot call or compute with.
void checkCalls(llvm::Module &module);

/// Gives OpenCL's functions pointers to the address spaces that they have in OpenCL: constant for
/// the format and the literals of printf, private for second results.
void lowerCalls(llvm::Module &module);

} // namespace aiwc::lowering
