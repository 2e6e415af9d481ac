/// Announces to AddressSanitizer that execution continues on another stack. Without that, it would
/// attribute the frames there to the wrong stack. In a build without AddressSanitizer these
/// functions do nothing.
#pragma once

#include <cstddef>

#ifdef AIWC_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

/// Marks a function that execution leaves by a jump to another stack and not by its end, which
/// ThreadSanitizer would wait for.
#ifdef AIWC_THREAD_SANITIZER
#define AIWC_LEAVES_BY_JUMP __attribute__((no_sanitize("thread")))
#else
#define AIWC_LEAVES_BY_JUMP
#endif

namespace aiwc::engine {

struct Stack {
  const void *bottom = nullptr;
  size_t size = 0;
};

/// Call before a fiber begins on the stack. The previous fiber there may have stopped inside of
/// functions, and AddressSanitizer still guards the memory around their variables. The code of a
/// kernel is not instrumented and may have its own variables there.
inline void forgetFrames([[maybe_unused]] const Stack &stack) {
#ifdef AIWC_ADDRESS_SANITIZER
  __asan_unpoison_memory_region(stack.bottom, stack.size);
#endif
}

/// Announces one switch: construct it before the switch, and call `arrived` after execution has
/// come back.
class FiberSwitch {
public:
  /// `returns`: whether execution will come back.
  FiberSwitch([[maybe_unused]] const Stack &to, [[maybe_unused]] bool returns = true) {
#ifdef AIWC_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(returns ? &frames_ : nullptr, to.bottom, to.size);
#endif
  }
  void arrived() {
    arrivedWith(frames_);
  }
  /// Call it at the begin of a fiber, instead of `arrived`. Returns the stack that execution came
  /// from.
  static Stack begun() {
    return arrivedWith(nullptr);
  }

private:
  static Stack arrivedWith([[maybe_unused]] void *frames) {
    Stack from;
#ifdef AIWC_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(frames, &from.bottom, &from.size);
#endif
    return from;
  }

  void *frames_ = nullptr;
};

} // namespace aiwc::engine
