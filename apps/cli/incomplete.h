/// Profiles of launches that did not run to their end, of which no time can be predicted.
#pragma once

#include "inputs.h"

#include <string>
#include <string_view>
#include <vector>

namespace aiwc::cli {

/// Removes the incomplete profiles that were found in folders, if others remain, and returns a
/// warning of one line that begins with `command`; "" if nothing was removed. An incomplete profile
/// whose file the user named stays, and so do all if none is complete: the model says what is wrong
/// with them.
std::string leaveIncompleteOut(std::vector<NamedProfile> &profiles, std::string_view command);

} // namespace aiwc::cli
