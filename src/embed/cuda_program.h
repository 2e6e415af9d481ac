/// The container for programs and objects that `aiwc build` made of CUDA or HIP: executables whose
/// device code is in packed units (device_code/device_code.h).
///
/// Annotations follow behind the last byte of the file, where a loader does not look: a line each,
/// as in bitcode, then a footer with their length. Reading needs neither LLVM nor the footer. What
/// rewrites the file (strip, a linker) drops them.
#pragma once

#include "embed/container.h"

#include <span>
#include <string>
#include <string_view>

namespace aiwc::embed {

extern const Container kCudaProgram; // its functions:

/// Without the annotations; any content without them is returned unchanged.
std::string stripCudaProgram(std::string_view file);
/// Throws nothing but std::bad_alloc.
std::string embedIntoCudaProgram(std::string_view file, std::span<const Annotation> annotations);
/// The kernels of all units. The hash is that of the device code if there is one unit, which
/// takes LLVM: throws as identityOfBitcode.
Identity identityOfCudaProgram(std::string_view file);

} // namespace aiwc::embed
