#include "plugin/engine/deep_stack.h"

#include "plugin/engine/stack_switch.h"
#include "plugin/engine/stacks.h"

#include <atomic>
#include <exception>

namespace aiwc::engine {

namespace {

/// A call on another stack.
struct DeepCall {
  const std::function<void()> &work;
  std::exception_ptr error;
};

AIWC_LEAVES_BY_JUMP void enterDeepCall(void *from, void *data) {
  auto *call = static_cast<DeepCall *>(data);
  const Stack caller = FiberSwitch::begun();
  try {
    call->work();
  } catch (...) {
    call->error = std::current_exception();
  }
  const FiberSwitch forGood(caller, false);
  aiwcSwitchStack(from, nullptr);
  __builtin_unreachable();
}

} // namespace

void runOnDeepStack(const std::function<void()> &work) {
  static thread_local bool isDeep = false;
  if (isDeep)
    return work();
  // A stack for all calls, and others for calls at the same time.
  static Stacks &kept = *new Stacks; // outlives every static destructor
  static std::atomic_flag inUse;
  const bool isFree = !inUse.test_and_set(std::memory_order_acquire);
  Stacks other;
  Stacks &stack = isFree ? kept : other;
  DeepCall call{work, nullptr};
  isDeep = true;
  if (stack.provide(1, kDeepStackBytes)) {
    forgetFrames(stack.at(0));
    FiberSwitch there(stack.at(0));
    aiwcSwitchStack(newOnStack(stack.top(0), enterDeepCall), &call);
    there.arrived();
  } else {
    try {
      work();
    } catch (...) {
      call.error = std::current_exception();
    }
  }
  isDeep = false;
  if (isFree)
    inUse.clear(std::memory_order_release);
  if (call.error)
    std::rethrow_exception(call.error);
}

} // namespace aiwc::engine
