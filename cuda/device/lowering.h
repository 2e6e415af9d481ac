/// From device bitcode of clang to what the simulator runs.
#pragma once

#include "cuda_image/image.h"

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace aiwc::cuda {

/// Lowers `module`. A kernel that needs what the simulator has not is left out: the image says why,
/// and `notes` gets a line for it, `FILE:LINE: note: kernel 'NAME' uses ...`. Throws aiwc::Error
/// with the first one's place, name and reason if no other kernel is left.
///
/// The order: one function per kernel; symbols and shared memory as OpenCL has them; the address
/// space of each pointer; the instructions and functions that the simulator lacks; and only then
/// the passes that Oclgrind applies to OpenCL C, so that they see what clang would have made of it.
Image lower(llvm::Module &module, std::vector<std::string> &notes);

} // namespace aiwc::cuda
