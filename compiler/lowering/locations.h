/// Places in the user's source, and the refusals that name them.
#pragma once

#include "common/error.h"
#include "lowering/names.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>

#include <string>
#include <utility>

namespace aiwc::lowering {

/// The kernel's name as in the source.
std::string sourceName(const llvm::Function &kernel);

/// A kernel that the simulator cannot run. `what()` is `FILE:LINE: error: kernel 'NAME' REASON`.
class Refusal : public Error {
public:
  Refusal(std::string mangledKernel, const std::string &place, const std::string &sentence)
      : Error(place + ": error: " + sentence), kernel(std::move(mangledKernel)),
        note(place + ": note: " + sentence) {}

  std::string kernel; ///< as the host registers it
  std::string note;   ///< the same line, for a file that is built without the kernel
};

/// Lets refusals tell which kernel of the host it is, whatever its function is called later.
void rememberNames(llvm::Module &module);

/// Throws Refusal, `FILE:LINE: error: kernel 'NAME' uses WHAT, which the simulator has not`.
/// The place is the innermost one in the file that was compiled, since the user knows that rather
/// than the headers of CUDA's functions.
[[noreturn]] void refuse(const llvm::Instruction &where, const std::string &what);

/// The same for any other `reason`, after the kernel's name.
[[noreturn]] void refuseWith(const llvm::Instruction &where, const std::string &reason);

/// Throws Error with the same line, for what no compiler could build.
[[noreturn]] void failWith(const llvm::Instruction &where, const std::string &reason);

} // namespace aiwc::lowering
