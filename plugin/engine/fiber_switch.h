/// Tells AddressSanitizer, where the build has it, that execution goes on on another stack. It
/// would take the frames there for others' otherwise. Without it all of this is nothing.
#pragma once

#include <cstddef>

#ifdef AIWC_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace aiwc::plugin::engine {

struct Stack {
  const void *bottom = nullptr;
  size_t size = 0;
};

/// A fiber is going to begin on the stack. The last one there was left for good in the middle of
/// functions, whose marks around their variables stand where code that makes none, a kernel's, may
/// have its own.
inline void forgetFrames([[maybe_unused]] const Stack &stack) {
#ifdef AIWC_ADDRESS_SANITIZER
  __asan_unpoison_memory_region(stack.bottom, stack.size);
#endif
}

/// Around one switch: made in front of it, `arrived` behind the one that comes back.
class FiberSwitch {
public:
  /// `returns`: somebody will switch back.
  FiberSwitch([[maybe_unused]] const Stack &to, [[maybe_unused]] bool returns = true) {
#ifdef AIWC_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(returns ? &frames_ : nullptr, to.bottom, to.size);
#endif
  }
  void arrived() {
    arrivedWith(frames_);
  }
  /// The same at the begin of a fiber. Returns the stack that execution came from.
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

} // namespace aiwc::plugin::engine
