#pragma once

#include <string>
#include <string_view>

namespace aiwc::processes {

/// The tokens of OpenCL C or CUDA, blanks and comments included, as `clang -cc1 -dump-raw-tokens`
/// prints them: those of the text, of which nothing is preprocessed (advice/source_code.h reads
/// them). Takes some 20 ms. Throws Error if clang cannot be run.
std::string clangTokens(std::string_view source);

} // namespace aiwc::processes
