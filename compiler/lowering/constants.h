/// Constant expressions.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace aiwc::lowering {

/// Makes instructions of the constants in `function` that contain the address of a variable or a
/// cast between address spaces, so that these can be replaced by what is no constant. LLVM folds
/// what remains constant.
void expandConstants(llvm::Function &function);

/// Makes instructions of the constants of kernels that compute with addresses beyond adding
/// offsets, which the compiled engine does not take. After all optimisation, which would fold them
/// again.
void expandAddressArithmetic(llvm::Module &module);

} // namespace aiwc::lowering
