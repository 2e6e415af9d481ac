#pragma once

#include <string>

namespace aiwc::launcher {

/// The file of a library of OpenCL, a loader or a driver, that a child of this process or a child
/// of that has loaded; empty if none has, or has ended.
std::string openClOfChildren();

} // namespace aiwc::launcher
