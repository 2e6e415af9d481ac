/// Continues code on another stack. Unlike Boost.Context and ucontext, a switch does not save and
/// load the control words of floating-point units, which takes longer than all else and which
/// nothing here changes. Only for x86-64 with the calling convention of System V.
#pragma once

#include <cstddef>

namespace aiwc::engine {

/// What code finds when it is continued.
struct Switched {
  void *from; ///< the code that was suspended for it, to be continued once
  void *data;
};

/// Suspends the calling code and continues `to`, which finds `data`. Returns when the calling code
/// is continued.
extern "C" Switched aiwcSwitchStack(void *to, void *data);

/// The begin of a call of `entry` on an empty stack that grows downwards from `top`, to be passed
/// to `aiwcSwitchStack`. `entry` must not return, and no exception may leave it. `top` is a
/// multiple of 16.
void *newOnStack(void *top, void (*entry)(void *from, void *data));

} // namespace aiwc::engine
