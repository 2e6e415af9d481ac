#pragma once

#include "plugin/engine/jit.h"

#include <future>
#include <memory>

namespace aiwc::plugin::engine {

/// Compiles `kernel` in a new thread. The future rethrows the exceptions of the compilation. An
/// exit or a fork of the process waits until the compilation ends: an exit would destroy LLVM's
/// globals while they are in use, and a forked child would inherit LLVM's locks and wait for them
/// for ever.
std::future<std::unique_ptr<CompiledKernel>> compileInBackground(LoweredKernel kernel);

} // namespace aiwc::plugin::engine
