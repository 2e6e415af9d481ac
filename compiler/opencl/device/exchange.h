/// How work-items of a group exchange values for the functions of compiler/opencl/builtins.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::opencl {

/// Replaces what the library takes for given: places in local memory, which become variables of the
/// kernel, and the number of work-items of a sub-group. `mostItems`: of a work-group. After
/// inlining.
void lowerExchanges(llvm::Module &module, unsigned subGroupSize, unsigned mostItems);

} // namespace aiwc::opencl
