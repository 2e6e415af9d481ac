/// Bitcode of the simulator, which is for SPIR, as bitcode for a device.
#pragma once

#include "target_code/retarget.h"

#include <llvm/IR/Module.h>

#include <memory>
#include <string>

namespace aiwc::target_code {

struct Target {
  const char *triple, *cpu, *dataLayout;
  bool isAmd;
  /// LLVM's number of each address space of SPIR: private, global, constant, local, generic.
  unsigned spaces[5];
};

/// gfx906, gfx1030 or nvptx. Throws Error for other names.
const Target &targetOf(const std::string &family);

/// A module for `target` with the kernel and what it calls. Blocks and instructions are those of
/// `module`, in its order, but for calls of OpenCL functions (builtins.h). Throws Error if the
/// module has no such kernel, or code that the target cannot have.
std::unique_ptr<llvm::Module> retargeted(const llvm::Module &module, const std::string &kernel,
                                         const Target &target);

/// Replaces the calls of OpenCL's functions: by what the target has for work-item functions,
/// barriers, simple arithmetic and memory accesses, and by an empty piece of assembly from operands
/// to result for all others. It takes the same registers at this place as a function with few
/// instructions would. Throws Error for a call that nothing can stand for.
void lowerBuiltins(llvm::Module &module, const Target &target);

} // namespace aiwc::target_code
