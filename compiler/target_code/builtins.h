#pragma once

#include "target_code/retarget.h"

namespace aiwc::target_code {

/// Replaces the calls of OpenCL's functions: by what the target has for work-item functions,
/// barriers, simple arithmetic and memory accesses, and by an empty piece of assembly from operands
/// to result for all others. It takes the same registers at this place as a function with few
/// instructions would. Throws Error for a call that nothing can stand for.
void lowerBuiltins(llvm::Module &module, const Target &target);

} // namespace aiwc::target_code
