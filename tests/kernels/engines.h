/// What one engine leaves against what the other does.
#pragma once

#include "support/simulate.h"

namespace aiwc::test {

/// Requires the same profile, byte by byte but for what it says of the engine, of the interpreter
/// and of a run under the compiled engine. Returns which engine the latter used; where that is the
/// interpreter, the profile says why.
std::string requireSameProfile(const WrittenProfile &interpreted, const WrittenProfile &compiled);

} // namespace aiwc::test
