#pragma once

#include <string>
#include <string_view>

namespace aiwc::cuda_build {

/// The source of a CUDA program with `kernel<<<...>>>(...)` where it has `kernel<< <...>> >(...)`,
/// which nvcc takes and clang does not. Lines and columns stay as they are, and so do comments and
/// literals.
std::string withLaunchBrackets(std::string_view source);

/// The source with `__shared__ __align__(N)` where it has `__shared__ alignas(N)`, which nvcc takes
/// and clang does not. Lines stay as they are.
std::string withSharedAlignment(std::string_view source);

/// The text with `r` for the registers of PTX in the constraints of inline assembly (`"=l"(x)`
/// becomes
/// `"=r"(x)`), which clang takes for no other target. They differ by size, which the operand has,
/// too.
std::string withRegisterConstraints(std::string_view source);

/// Names what is absent, `thrust`, if that is why the compiler could not compile a source: its
/// messages speak of headers and identifiers only. Empty for all other errors.
std::string absentFeatureIn(std::string_view messages);

} // namespace aiwc::cuda_build
