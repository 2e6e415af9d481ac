// Runs the work-items of a group. Each is a fiber that runs from one barrier to the next.
// Work-items that do not synchronise run one after another on the same stack.
#include "plugin/engine/stack_switch.h"
#include "plugin/engine/thread_runtime.h"

#include <algorithm>
#include <span>

namespace aiwc::engine {

using namespace trace;

AIWC_LEAVES_BY_JUMP void ThreadRuntime::enterFiber(void *scheduler, void *data) {
  auto *runtime = static_cast<ThreadRuntime *>(data);
  runtime->scheduler_ = scheduler;
  runtime->schedulerStack_ = FiberSwitch::begun();
  if (runtime->runsInTurn())
    runtime->leaveFiber(runtime->runInTurn() ? Outcome::kFinished : Outcome::kFailed);
  for (;;) { // one work-item of each group
    runtime->runKernel();
    runtime->fibers_[runtime->item_].outcome = Outcome::kFinished;
    runtime->leaveAndReturn();
  }
}

AIWC_LEAVES_BY_JUMP void ThreadRuntime::leaveFiber(Outcome outcome) {
  fibers_[slotOf(item_)].outcome = outcome;
  const FiberSwitch forGood(schedulerStack_, false);
  aiwcSwitchStack(scheduler_, nullptr);
  __builtin_unreachable();
}

/// Continues a fiber. Returns false if it failed.
bool ThreadRuntime::switchTo(size_t slot) {
  Fiber &fiber = fibers_[slot];
  FiberSwitch there(launch_.stacks.at(slot));
  fiber.suspended = aiwcSwitchStack(fiber.suspended, this).from;
  there.arrived();
  return fiber.outcome != Outcome::kFailed;
}

/// Runs a work-item to its end or to a barrier. Returns false if it failed.
bool ThreadRuntime::resume(uint32_t item) {
  selectItem(item);
  const uint64_t before = executedUntraced().instructions;
  trace_.beginRun(item);
  if (!switchTo(item))
    return false;
  trace_.endRun(fibers_[item].outcome == Outcome::kBarrier ? RunEnd::kBarrier : RunEnd::kFinished);
  countItem(item, before);
  return true;
}

/// Runs all work-items in the present fiber. Returns false after an exception, which may not leave
/// the fiber.
bool ThreadRuntime::runInTurn() {
  try {
    if (runsWhole()) {
      runWhole();
      return true;
    }
    for (uint32_t item = 0; item < items_; ++item) {
      fibers_[0].copies = 0;
      beginItem(item);
      const uint64_t before = executedUntraced().instructions;
      trace_.beginRun(item);
      runKernel();
      trace_.endRun(RunEnd::kFinished);
      countItem(item, before);
    }
    return true;
  } catch (...) {
    return giveUp(Failure::kInternal);
  }
}

void ThreadRuntime::runWhole() {
  const KernelCode &code = launch_.untraced()->code;
  context_.resize(code.contextBytes * items_);
  state_.context = context_.data();
  static_assert(sizeof localIds_.front() == sizeof *state_.localIds);
  state_.localIds = reinterpret_cast<const uint64_t(*)[3]>(localIds_.data());
  state_.itemInstructions = itemInstructions_.data();
  state_.items = items_;
  widePauses_.reserve(2 * code.functions.size() +
                      2); // with those of code that runs several at once
  widePauses_.resize(code.functions.size());
  state_.widePauses = widePauses_.data();
  runKernel();
}

bool ThreadRuntime::runItems() {
  const bool inTurn = runsInTurn();
  const size_t slots = inTurn ? 1 : items_;
  Stacks &stacks = launch_.stacks;
  if (!stacks.provide(slots, launch_.kernel.frameBytes))
    return giveUp(Failure::kStacks);
  if (private_.size() < slots)
    private_.resize(slots);
  if (!usesPrivateMemory_) {
    private_[0].begin(privateArguments_);
    private_[0].expose(state_);
  }
  if (inTurn) {
    fibers_.clear();
    provideFibers(1);
    const bool succeeded = switchTo(0);
    fibers_.clear(); // it does not continue
    return succeeded;
  }
  provideFibers(items_);
  for (uint32_t item = 0; item < items_; ++item) {
    beginItem(item);
    if (!resume(item))
      return false;
  }
  const auto waits = [](const Fiber &fiber) { return fiber.outcome == Outcome::kBarrier; };
  for (;;) {
    const std::span<Fiber> fibers(fibers_.data(), items_);
    const auto first = std::ranges::find_if(fibers, waits);
    if (first == fibers.end())
      return true;
    if (!leaveBarrier(*first))
      return false;
    for (uint32_t item = 0; item < items_; ++item)
      if (waits(fibers_[item]) && !resume(item))
        return false;
  }
}

/// Makes so many fibers, or has those of the group before begin anew.
void ThreadRuntime::provideFibers(size_t slots) {
  const Stacks &stacks = launch_.stacks;
  if (fiberStacks_ != stacks.generation())
    fibers_.clear();
  fiberStacks_ = stacks.generation();
  for (size_t slot = 0; slot < std::min(slots, fibers_.size()); ++slot)
    fibers_[slot].copies = 0;
  while (fibers_.size() < slots) {
    const size_t slot = fibers_.size();
    forgetFrames(stacks.at(slot));
    fibers_.emplace_back().suspended = newOnStack(stacks.top(slot), enterFiber);
  }
}

/// Checks that every work-item is at the same barrier as `first`, or, in CUDA, has returned, and
/// makes the copies that the barrier waits for. Returns false if the work-items diverge, which the
/// interpreter reports.
bool ThreadRuntime::leaveBarrier(const Fiber &first) {
  const std::span<Fiber> fibers(fibers_.data(), items_);
  for (const Fiber &fiber : fibers)
    if (fiber.outcome != Outcome::kBarrier) {
      if (!isCuda_)
        return giveUp(Failure::kDivergence);
    } else if ((fiber.barrier != first.barrier &&
                fiber.barrier->getDebugLoc() != first.barrier->getDebugLoc()) ||
               fiber.fence != first.fence || fiber.events != first.events)
      return giveUp(Failure::kDivergence);
  if (!first.events.empty()) {
    for (const Fiber &fiber : fibers)
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
    for (Fiber &fiber : fibers)
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
  if (eventCount > 0 || !fiber.events.empty())
    fiber.events.assign(events, events + eventCount);
}

void ThreadRuntime::waitAtBarrier() {
  leaveAndReturn();
}

/// Continues the scheduler; returns when it continues this fiber.
void ThreadRuntime::leaveAndReturn() {
  FiberSwitch there(schedulerStack_);
  scheduler_ = aiwcSwitchStack(scheduler_, nullptr).from;
  there.arrived();
}

} // namespace aiwc::engine
