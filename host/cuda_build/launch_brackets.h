#pragma once

#include <string>
#include <string_view>

namespace aiwc::cuda_build {

/// The source of a CUDA program with `kernel<<<...>>>(...)` where it has `kernel<< <...>> >(...)`,
/// which nvcc takes and clang does not. Lines and columns stay as they are, and so do comments and
/// literals.
std::string withLaunchBrackets(std::string_view source);

} // namespace aiwc::cuda_build
