// Runs the work-items of a kernel that synchronises. Each is a fiber that runs from one barrier to
// the next.
#include "plugin/engine/thread_runtime.h"

#include <sys/mman.h>

#include <algorithm>

namespace aiwc::plugin::engine {

using namespace trace;
namespace context = boost::context::detail;

namespace {

/// Size of a fiber's stack. The operating system provides its pages when they are first accessed.
/// When the buffer of the trace is full, the analyses run on this stack too.
constexpr size_t kStackBytes = size_t{256} << 10;

constexpr size_t kStackColours = 31;
constexpr size_t kColourBytes = size_t{5} * 64;
constexpr size_t kUsedBytes = kStackBytes - kStackColours * kColourBytes;

} // namespace

void ThreadRuntime::freeStacks() {
  if (stacks_)
    ::munmap(stacks_, stackCount_ * kStackBytes);
  stacks_ = nullptr;
  stackCount_ = 0;
}

uint8_t *ThreadRuntime::stackTop(uint32_t item) {
  if (stackCount_ < items_) {
    freeStacks();
    stackCount_ = items_;
    void *memory = ::mmap(nullptr, stackCount_ * kStackBytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    stacks_ = memory == MAP_FAILED ? nullptr : static_cast<uint8_t *>(memory);
    if (!stacks_) {
      stackCount_ = 0;
      return nullptr;
    }
  }
  // The top is shifted per stack: if all tops had the same offset in a page, they would compete for
  // few sets of the processor's cache.
  return stacks_ + (item + size_t{1}) * kStackBytes - item % kStackColours * kColourBytes;
}

Stack ThreadRuntime::stackOf(uint32_t item) {
  return {stacks_ + item * kStackBytes, kStackBytes};
}

void ThreadRuntime::enterFiber(context::transfer_t transfer) {
  auto *runtime = static_cast<ThreadRuntime *>(transfer.data);
  runtime->scheduler_ = transfer.fctx;
  runtime->schedulerStack_ = FiberSwitch::begun();
  runtime->runKernel();
  runtime->leaveFiber(Outcome::kFinished);
}

void ThreadRuntime::leaveFiber(Outcome outcome) {
  fibers_[item_].outcome = outcome;
  const FiberSwitch forGood(schedulerStack_, false);
  context::jump_fcontext(scheduler_, nullptr);
  __builtin_unreachable();
}

/// Runs a work-item to its end or to a barrier. Returns false if it failed.
bool ThreadRuntime::resume(uint32_t item) {
  selectItem(item);
  Fiber &fiber = fibers_[item];
  trace_.beginRun(item);
  FiberSwitch there(stackOf(item));
  fiber.context = context::jump_fcontext(fiber.context, this).fctx;
  there.arrived();
  if (fiber.outcome == Outcome::kFailed)
    return false;
  trace_.endRun(fiber.outcome == Outcome::kBarrier ? RunEnd::kBarrier : RunEnd::kFinished);
  return true;
}

bool ThreadRuntime::runFibers() {
  if (private_.size() < items_)
    private_.resize(items_);
  fibers_.assign(items_, Fiber());
  if (!stackTop(0))
    return false;
  for (uint32_t item = 0; item < items_; ++item) {
    beginItem(item);
    forgetFrames(stackOf(item));
    fibers_[item].context = context::make_fcontext(stackTop(item), kUsedBytes, enterFiber);
    if (!resume(item))
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
