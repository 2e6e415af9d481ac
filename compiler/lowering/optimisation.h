/// LLVM's own passes.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace aiwc::lowering {

/// Removes variables, functions and prototypes that nothing uses.
void removeUnused(llvm::Module &module);

/// Keeps variables in registers, and removes instructions and branches that are never executed:
/// what shows which functions and addresses are used, and nothing beyond that.
void simplify(llvm::Module &module);

/// The address spaces that follow from where pointers come from.
void inferSpaces(llvm::Module &module);

/// Like `inferSpaces`, for what only a simpler program shows: values that are equal, and members
/// of structures.
void inferSpacesThoroughly(llvm::Function &function);

/// Warps of the device have `lanes` work-items: replaces decoding::kWarpSizeFunction, and
/// simplifies what depends on it. Returns whether the module calls it.
bool placeWarpSize(llvm::Module &module, unsigned lanes);

/// Runs `passes` with the analyses that Oclgrind's compiler has.
void runOn(llvm::Function &function, llvm::FunctionPassManager passes);

/// What Oclgrind does with OpenCL C, in which a kernel's instructions are counted: clang's `-Oz`.
void optimise(llvm::Module &module);

} // namespace aiwc::lowering
