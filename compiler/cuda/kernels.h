/// Kernels as Oclgrind starts them.
#pragma once

#include "device_code/device_code.h"
#include "symbols.h"

#include <llvm/IR/Module.h>

namespace aiwc::cuda {

/// Adds the arguments for dynamic shared memory and for the buffers of symbols to the kernels that
/// use them, and describes the kernels in `code`. Static shared memory becomes a kernel's own.
void addHiddenArguments(llvm::Module &module, const Symbols &symbols, DeviceCode &code);

/// What OpenCL knows of arguments, as metadata.
void describeKernels(llvm::Module &module, const DeviceCode &code);

} // namespace aiwc::cuda
