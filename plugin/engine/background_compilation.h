#pragma once

#include "plugin/engine/jit.h"

#include <future>
#include <memory>

namespace aiwc::engine {

/// Compiles `kernel` in a new thread. The future rethrows the exceptions of the compilation. An
/// exit or a fork of the process waits until the compilation ends or arrives at its next
/// checkpoint, where it stops: an exit would destroy LLVM's globals while they are in use, and a
/// forked child would inherit LLVM's locks and wait for them for ever. After a fork, the
/// compilation continues in the parent; in the child the future never becomes ready.
std::future<std::unique_ptr<CompiledKernel>> compileInBackground(LoweredKernel kernel);

/// LLVM calls it between two passes, when it holds no lock. It does nothing in a thread that was
/// not started by `compileInBackground`.
void compilationCheckpoint();

} // namespace aiwc::engine
