// Runs the work-items of a group. Each is a fiber that runs from one barrier to the next.
// Work-items that do not synchronise run one after another on the same stack.
#include "plugin/engine/thread_runtime.h"

#include <algorithm>

namespace aiwc::plugin::engine {

using namespace trace;
namespace context = boost::context::detail;

AIWC_LEAVES_BY_JUMP void ThreadRuntime::enterFiber(context::transfer_t transfer) {
  auto *runtime = static_cast<ThreadRuntime *>(transfer.data);
  runtime->scheduler_ = transfer.fctx;
  runtime->schedulerStack_ = FiberSwitch::begun();
  if (runtime->launch_.kernel.code.synchronises)
    runtime->runKernel();
  else if (!runtime->runInTurn())
    runtime->leaveFiber(Outcome::kFailed);
  runtime->leaveFiber(Outcome::kFinished);
}

AIWC_LEAVES_BY_JUMP void ThreadRuntime::leaveFiber(Outcome outcome) {
  fibers_[slotOf(item_)].outcome = outcome;
  const FiberSwitch forGood(schedulerStack_, false);
  context::jump_fcontext(scheduler_, nullptr);
  __builtin_unreachable();
}

/// Continues a fiber. Returns false if it failed.
bool ThreadRuntime::switchTo(size_t slot) {
  Fiber &fiber = fibers_[slot];
  FiberSwitch there(launch_.stacks.at(slot));
  fiber.context = context::jump_fcontext(fiber.context, this).fctx;
  there.arrived();
  return fiber.outcome != Outcome::kFailed;
}

/// Runs a work-item to its end or to a barrier. Returns false if it failed.
bool ThreadRuntime::resume(uint32_t item) {
  selectItem(item);
  trace_.beginRun(item);
  if (!switchTo(item))
    return false;
  trace_.endRun(fibers_[item].outcome == Outcome::kBarrier ? RunEnd::kBarrier : RunEnd::kFinished);
  return true;
}

/// Runs all work-items in the present fiber. Returns false after an exception, which may not leave
/// the fiber.
bool ThreadRuntime::runInTurn() {
  try {
    for (uint32_t item = 0; item < items_; ++item) {
      fibers_[0].copies = 0;
      beginItem(item);
      trace_.beginRun(item);
      runKernel();
      trace_.endRun(RunEnd::kFinished);
    }
    return true;
  } catch (...) {
    return giveUp(Failure::kInternal);
  }
}

bool ThreadRuntime::runItems() {
  const bool synchronises = launch_.kernel.code.synchronises;
  const size_t slots = synchronises ? items_ : 1;
  Stacks &stacks = launch_.stacks;
  if (!stacks.provide(slots, launch_.kernel.frameBytes))
    return giveUp(Failure::kStacks);
  if (private_.size() < slots)
    private_.resize(slots);
  fibers_.assign(slots, Fiber());
  for (uint32_t slot = 0; slot < slots; ++slot) {
    forgetFrames(stacks.at(slot));
    fibers_[slot].context =
        context::make_fcontext(stacks.top(slot), stacks.usableBytes(), enterFiber);
    if (!synchronises)
      return switchTo(slot);
    beginItem(slot);
    if (!resume(slot))
      return false;
  }
  while (fibers_[0].outcome == Outcome::kBarrier) {
    if (!leaveBarrier())
      return false;
    for (uint32_t item = 0; item < items_; ++item)
      if (!resume(item))
        return false;
  }
  for (const Fiber &fiber : fibers_)
    if (fiber.outcome != Outcome::kFinished)
      return giveUp(Failure::kDivergence);
  return true;
}

/// Checks that every work-item is at the same barrier, and makes the copies that the barrier waits
/// for. Returns false if the work-items diverge, which the interpreter reports.
bool ThreadRuntime::leaveBarrier() {
  const Fiber &first = fibers_[0];
  for (const Fiber &fiber : fibers_)
    if (fiber.outcome != Outcome::kBarrier ||
        fiber.barrier->getDebugLoc() != first.barrier->getDebugLoc() ||
        fiber.fence != first.fence || fiber.events != first.events)
      return giveUp(Failure::kDivergence);
  if (!first.events.empty()) {
    for (const Fiber &fiber : fibers_)
      if (fiber.copies != copies_.size())
        return giveUp(Failure::kCopies);
    for (const uint64_t event : first.events)
      if (std::ranges::none_of(copies_, [&](const AsyncCopy &c) { return c.event == event; }))
        return giveUp(Failure::kCopies);
    trace_.beginRun(Run::kWorkGroup);
    for (const uint64_t event : first.events)
      if (!performCopies(event))
        return giveUp(Failure::kOutput);
    trace_.endRun(RunEnd::kBarrier);
    for (Fiber &fiber : fibers_)
      fiber.copies = copies_.size();
  }
  trace_.barrier();
  return true;
}

void ThreadRuntime::arriveAtBarrier(const llvm::Instruction &call, uint64_t fence,
                                    const uint64_t *events, uint64_t eventCount) {
  Fiber &fiber = fibers_[item_];
  fiber.outcome = Outcome::kBarrier;
  fiber.barrier = &call;
  fiber.fence = fence;
  fiber.events.assign(events, events + eventCount);
}

void ThreadRuntime::waitAtBarrier() {
  FiberSwitch there(schedulerStack_);
  scheduler_ = context::jump_fcontext(scheduler_, nullptr).fctx;
  there.arrived();
}

} // namespace aiwc::plugin::engine
