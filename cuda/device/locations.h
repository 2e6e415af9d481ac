/// Places in the user's source, and the errors that name them.
#pragma once

#include "common/error.h"
#include "names.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>

#include <string>

namespace aiwc::cuda {

/// The kernel's name as in the source.
std::string sourceName(const llvm::Function &kernel);

/// Throws aiwc::Error, `FILE:LINE: error: kernel 'NAME' uses WHAT, which the simulator has not`.
/// The place is the innermost one in the file that was compiled, since the user knows that rather
/// than the headers of CUDA's functions.
[[noreturn]] void refuse(const llvm::Instruction &where, const std::string &what);

/// The same for any other `reason`, after the kernel's name.
[[noreturn]] void refuseWith(const llvm::Instruction &where, const std::string &reason);

} // namespace aiwc::cuda
