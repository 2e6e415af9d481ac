#pragma once

#include <cstddef>
#include <functional>

namespace aiwc::engine {

/// Bytes of stack for work that may go deep: LLVM, the analyses, writing a profile.
inline constexpr size_t kDeepStackBytes = size_t{8} << 20;

/// Runs `work` in the calling thread on a stack of `kDeepStackBytes`, and returns when it returns;
/// rethrows its exception. An application may launch kernels on a thread with a stack of a few
/// pages, because Oclgrind interprets them in threads of its own. If there is no memory for the
/// stack, `work` runs on that of the thread.
void runOnDeepStack(const std::function<void()> &work);

} // namespace aiwc::engine
