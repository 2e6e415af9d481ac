/// Tells AddressSanitizer, where the build has it, that execution goes on on another stack. It
/// would take the frames there for others' otherwise. Without it all of this is nothing.
#pragma once

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

namespace aiwc::plugin::engine {

struct Stack {
  const void *bottom = nullptr;
  size_t size = 0;
};

/// Around one switch: made in front of it, `arrived` behind the one that comes back.
class FiberSwitch {
public:
  /// `returns`: somebody will switch back.
  FiberSwitch([[maybe_unused]] const Stack &to, [[maybe_unused]] bool returns = true) {
#ifdef __SANITIZE_ADDRESS__
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
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(frames, &from.bottom, &from.size);
#endif
    return from;
  }

  void *frames_ = nullptr;
};

} // namespace aiwc::plugin::engine
