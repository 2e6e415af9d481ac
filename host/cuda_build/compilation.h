/// Builds CUDA and HIP programs for the simulator, with clang.
#pragma once

#include "cuda_build/compiler_command.h"
#include "cuda_build/toolkit.h"

namespace aiwc::cuda_build {

/// Carries out the command of a CUDA compiler. Each object has its device code
/// (src/device_code/device_code.h), or, if that is relocatable, clang's bitcode in the section
/// `.aiwc_cuda_bitcode`, which the link joins. Returns the status of the first step that failed,
/// which has then said why on standard error, or 0. Throws Error if a step cannot be run.
int build(const CompilerCommand &command, const Toolkit &toolkit);

/// Compiles the device code of one source, with a compiler's options, and writes it to the
/// file `code`. Returns and throws as `build` does.
int buildDeviceCode(const std::string &source, std::vector<std::string> options,
                    const std::string &code, const Toolkit &toolkit);

} // namespace aiwc::cuda_build
