/// From OpenCL C 2 and 3 and from SPIR-V to what the simulator runs.
#pragma once

#include "lowering/pipeline.h"

#include <llvm/IR/Module.h>

namespace aiwc::opencl {

struct Target {
  unsigned subGroupSize = 32; ///< work-items of a sub-group, a power of two
  unsigned workItems = 1024;  ///< of a work-group at most
  bool fromSpirv = false;     ///< clang's passes for OpenCL C have not run
};

/// Lowers `module`: functions of work-groups and sub-groups, C11 atomics, the generic address
/// space. A module without any of these is only brought to the form that Oclgrind gives OpenCL C,
/// if it comes from SPIR-V, and else stays as it is. Returns whether it changed. Throws
/// aiwc::Error, which names place and kernel, for what the simulator has not.
bool lower(llvm::Module &module, const Target &target);

/// OpenCL's own passes of lowering/pipeline.h, for modules that use more than OpenCL C 1.2 has.
lowering::LanguagePasses languagePasses(const Target &target);

} // namespace aiwc::opencl
