#pragma once

#include <string>

namespace aiwc::engine {

/// Names the builds of the plugin, of Oclgrind and of LLVM that run in this process, by the build
/// ids that the linker gave them. Empty if one of them has none. Machine code that another build
/// has made may differ from the code that this one makes of the same kernel.
const std::string &engineBuild();

} // namespace aiwc::engine
