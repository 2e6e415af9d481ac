#pragma once

#include <optional>
#include <string>
#include <vector>

namespace aiwc::lowering {

/// The exit status of a program whose arguments ask for its help or version, which this prints;
/// none if they do not.
std::optional<int> answerToHelp(const std::vector<std::string> &words, const char *program,
                                const char *help);

} // namespace aiwc::lowering
