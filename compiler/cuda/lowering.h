/// From device bitcode of clang to what the simulator runs.
#pragma once

#include "device_code/device_code.h"
#include "lowering/pipeline.h"

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace aiwc::cuda {

/// Lowers `module`. A kernel that needs what the simulator has not is left out: the device code
/// says why, and `notes` gets a line for it, `FILE:LINE: note: kernel 'NAME' uses ...`. Throws
/// aiwc::Error with the first one's place, name and reason if no other kernel is left.
DeviceCode lower(llvm::Module &module, std::vector<std::string> &notes);

/// CUDA's own passes of lowering/pipeline.h, which describe kernels and symbols in `code`.
lowering::LanguagePasses languagePasses(DeviceCode &code);

} // namespace aiwc::cuda
