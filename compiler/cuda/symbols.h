/// Variables of the program: `__device__`, `__constant__`, and constants of the compiler.
#pragma once

#include "device_code/device_code.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include <map>

namespace aiwc::cuda {

/// The annotation of `__constant__` variables in CUDA's headers. Clang has no other difference
/// between them and `__device__` variables.
inline constexpr const char *kConstantAnnotation = "aiwc.constant";

/// That of kernels with __launch_bounds__, whose first argument is the most threads of a block; and
/// the attribute that has this number afterwards.
inline constexpr const char *kLaunchBoundsAnnotation = "aiwc.launch_bounds";

/// Moves constants to OpenCL's constant address space: `__constant__` variables, and literals.
/// Before anything else, since the address space of a variable spreads. Keeps
/// the launch bounds of kernels as attributes.
void separateConstants(llvm::Module &module);

/// Where the symbols lie in their buffers.
struct Symbols {
  struct Place {
    SymbolSpace space = SymbolSpace::kGlobal;
    unsigned member = 0; ///< of the buffer's type
  };
  llvm::StructType *types[2] = {}; ///< the content of each buffer
  std::map<const llvm::GlobalVariable *, Place> places;
};

/// Whether the variable is data that the compiler made constant and that no host code refers to:
/// strings, tables. Code reads them as OpenCL's constants, not from the buffers.
bool isLiteralOnly(const llvm::GlobalVariable &variable);

/// Refuses a variable that is declared and defined nowhere.
void refuseUndefined(llvm::Function &kernel);

/// Gives each symbol its place, and describes symbols and initial bytes in `code`.
Symbols placeSymbols(llvm::Module &module, DeviceCode &code);

} // namespace aiwc::cuda
