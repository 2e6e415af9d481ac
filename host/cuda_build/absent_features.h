/// What CUDA has and the simulator has not.
#pragma once

#include <string>
#include <string_view>

namespace aiwc::cuda_build {

/// Names what is absent, `thrust`, if that is why the compiler could not compile a source: its
/// messages speak of headers and identifiers only. Empty for all other errors.
std::string absentFeatureIn(std::string_view messages);

} // namespace aiwc::cuda_build
