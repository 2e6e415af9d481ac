#pragma once

#include "plugin/engine/jit.h"

#include <future>
#include <memory>

namespace aiwc::plugin::engine {

/// Compiles in a thread of its own. What that throws is thrown by the future. The process neither
/// exits nor forks in the middle of it: LLVM's globals are gone then, or its locks held for good.
std::future<std::unique_ptr<CompiledKernel>> compileInBackground(LoweredKernel kernel);

} // namespace aiwc::plugin::engine
