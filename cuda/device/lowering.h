/// From device bitcode of clang to what the simulator runs.
#pragma once

#include "image.h"

#include <llvm/IR/Module.h>

namespace aiwc::cuda {

/// Lowers `module`. Throws aiwc::Error, which names place and kernel, for what the simulator has
/// not.
///
/// The order: one function per kernel; symbols and shared memory as OpenCL has them; the address
/// space of each pointer; the instructions and functions that the simulator lacks; and only then
/// the passes that Oclgrind applies to OpenCL C, so that they see what clang would have made of it.
Image lower(llvm::Module &module);

} // namespace aiwc::cuda
