/// Profiles as text.
#pragma once

#include <string>

namespace aiwc::test {

/// A profile's JSON as if the interpreter had been asked for.
std::string withoutEngine(const std::string &json);

} // namespace aiwc::test
