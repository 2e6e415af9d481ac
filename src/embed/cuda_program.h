/// The carrier for programs and objects that `aiwc build` made of CUDA or HIP: executables whose
/// device code is in images (cuda_image/image.h).
///
/// Annotations follow behind the last byte of the file, where a loader does not look: a line each,
/// as in bitcode, then a footer with their length. Reading needs neither LLVM nor the footer. What
/// rewrites the file (strip, a linker) drops them.
#pragma once

#include "embed/carrier.h"

#include <span>
#include <string>
#include <string_view>

namespace aiwc::embed {

extern const Carrier kCudaProgram; // its functions:

/// Without the annotations; any content without them is returned unchanged.
std::string stripCudaProgram(std::string_view file);
/// Throws nothing but std::bad_alloc.
std::string embedIntoCudaProgram(std::string_view file, std::span<const Annotation> annotations);
/// The kernels of all images. The hash is that of the device code if there is one image, which
/// takes LLVM: throws as identityOfBitcode.
Identity identityOfCudaProgram(std::string_view file);

} // namespace aiwc::embed
