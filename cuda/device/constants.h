/// Constant expressions.
#pragma once

#include <llvm/IR/Function.h>

namespace aiwc::cuda {

/// Makes instructions of the constants in `function` that contain the address of a variable or a
/// cast between address spaces, so that these can be replaced by what is no constant. LLVM folds
/// what remains constant.
void expandConstants(llvm::Function &function);

} // namespace aiwc::cuda
