// Runs the work-items of a group. Each is a fiber that runs from one barrier, or meeting of its
// sub-group, to the next.
// Work-items that do not synchronise run one after another on the same stack.
#include "plugin/engine/stack_switch.h"
#include "plugin/engine/thread_runtime.h"

#include <algorithm>
#include <span>

namespace aiwc::engine {

using namespace trace;

/// Whole warps of CUDA may wait at different barriers.
constexpr uint32_t kWarp = 32;

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

RunEnd ThreadRuntime::endOf(Outcome outcome) {
  switch (outcome) {
  case Outcome::kBarrier:
    return RunEnd::kBarrier;
  case Outcome::kMeeting:
    return RunEnd::kMeeting;
  default:
    return RunEnd::kFinished;
  }
}

/// Runs a work-item to its end, a barrier or a meeting. Returns false if it failed.
bool ThreadRuntime::resume(uint32_t item) {
  selectItem(item);
  const uint64_t before = executedUntraced().instructions;
  trace_.beginRun(item);
  if (!switchTo(item))
    return false;
  trace_.endRun(endOf(fibers_[item].outcome));
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
  state_.itemInstructions = launch_.countsItems ? itemInstructions_.data() : nullptr;
  state_.items = items_;
  widePauses_.resize(code.functions.size()); // a function for each region, and others
  state_.widePauses = widePauses_.data();
  lanes_.assign(code.meets ? items_ : 0, {});
  waitingLanes_ = 0;
  runKernel();
}

/// The numbers in State::context at `offset`, per work-item, of all work-items.
std::span<uint32_t> ThreadRuntime::liveWords(uint64_t offset) {
  return {reinterpret_cast<uint32_t *>(context_.data() + items_ * offset), items_};
}

/// Has all work-items meet, which are at `site`. Returns false if they may have to wait for one
/// another.
bool ThreadRuntime::meetTogether(const MeetingSite &site) {
  return waitingLanes_ == 0 &&
         simulator::meetTogether(site.constant, liveWords(site.value), liveWords(site.argument),
                                 liveWords(site.mask), liveWords(site.result));
}

/// The meeting with this number among the waits; null if it is a barrier.
const MeetingSite *ThreadRuntime::siteOf(uint8_t wait) const {
  const std::vector<MeetingSite> &sites = launch_.untraced()->code.meetings;
  const auto site = std::ranges::find(sites, wait, &MeetingSite::wait);
  return site == sites.end() ? nullptr : &*site;
}

/// Notes which work-items have arrived at meetings.
void ThreadRuntime::arriveAtMeetings(std::span<const uint8_t> marks) {
  for (uint32_t item = 0; item < lanes_.size(); ++item) {
    lanes_[item].hasFinished = marks[item] == 0;
    const MeetingSite *site = lanes_[item].waits ? nullptr : siteOf(marks[item]);
    if (!site)
      continue;
    simulator::Meeting meeting = site->constant;
    meeting.value = liveWords(site->value)[item];
    meeting.argument = liveWords(site->argument)[item];
    meeting.mask = liveWords(site->mask)[item];
    lanes_[item].arrive(meeting);
    ++waitingLanes_;
  }
}

/// Marks those that go on, with what they have got.
void ThreadRuntime::leaveMeetings(std::span<uint8_t> marks) {
  for (uint32_t item = 0; item < lanes_.size(); ++item)
    if (lanes_[item].leaves()) {
      liveWords(siteOf(marks[item])->result)[item] = lanes_[item].result;
      marks[item] |= kGoesOn;
      --waitingLanes_;
    }
}

uint64_t ThreadRuntime::nextRegion() {
  const std::span<uint8_t> marks(context_.data() + items_ * *launch_.untraced()->code.marks,
                                 items_);
  if (const uint8_t wait = marks[0];
      wait < kGoesOn && std::equal(marks.begin() + 1, marks.end(), marks.begin())) {
    if (wait == 0)
      return 0;
    const MeetingSite *site = siteOf(wait);
    if (!site || meetTogether(*site)) {
      std::ranges::fill(marks, static_cast<uint8_t>(wait | kGoesOn));
      return wait;
    }
  }
  // Copies of a call that are at the same place are waits of their own: those behind the others go
  // on later.
  const auto goesOn = [](uint8_t mark) { return mark >= kGoesOn; };
  const auto next = [&] {
    const auto first = std::ranges::find_if(marks, goesOn);
    return first == marks.end() ? 0 : *first - kGoesOn;
  };
  if (const uint64_t region = next(); region != 0)
    return region;
  arriveAtMeetings(marks);
  if (simulator::meet(lanes_)) {
    leaveMeetings(marks);
    return next();
  }
  uint8_t reached = 0;
  for (uint32_t item = 0; item < items_; ++item) {
    if (isCuda_ && waitingLanes_ == 0 && item % kWarp == 0)
      reached = 0;
    uint8_t &mark = marks[item];
    if (mark == 0 ? !isCuda_ : reached != 0 && mark != reached)
      fail(Failure::kDivergence);
    if (mark != 0) {
      reached = mark;
      mark |= kGoesOn;
    }
  }
  return next();
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
  lanes_.assign(launch_.kernel.code.meets ? items_ : 0, {});
  for (uint32_t item = 0; item < items_; ++item) {
    beginItem(item);
    if (!resume(item))
      return false;
  }
  const auto waits = [](const Fiber &fiber) { return fiber.outcome == Outcome::kBarrier; };
  for (;;) {
    while (meetInSubGroups())
      if (!resumeThoseThatMet())
        return false;
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

/// Returns whether any work-items have met, which go on.
bool ThreadRuntime::meetInSubGroups() {
  for (uint32_t item = 0; item < lanes_.size(); ++item)
    lanes_[item].hasFinished = fibers_[item].outcome == Outcome::kFinished;
  return simulator::meet(lanes_);
}

/// Returns false if one of them failed.
bool ThreadRuntime::resumeThoseThatMet() {
  for (uint32_t item = 0; item < items_; ++item)
    if (lanes_[item].leaves() && !resume(item))
      return false;
  return true;
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

/// Checks that every work-item is at the same barrier as `first`, or, in CUDA, at the same as its
/// warp or has returned, and makes the copies that the barrier waits for. Returns false if the
/// work-items diverge, which the interpreter reports.
bool ThreadRuntime::leaveBarrier(const Fiber &first) {
  const std::span<Fiber> fibers(fibers_.data(), items_);
  const llvm::Instruction *reached = first.barrier;
  for (uint32_t item = 0; item < items_; ++item) {
    const Fiber &fiber = fibers_[item];
    const bool waits = fiber.outcome == Outcome::kBarrier;
    if (waits && isCuda_ && item % kWarp == 0)
      reached = fiber.barrier;
    if (waits ? (fiber.barrier != reached &&
                 fiber.barrier->getDebugLoc() != reached->getDebugLoc()) ||
                    fiber.fence != first.fence || fiber.events != first.events
              : !isCuda_)
      return giveUp(Failure::kDivergence);
  }
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

uint32_t ThreadRuntime::waitForSubGroup(const simulator::Meeting &meeting,
                                        simulator::Fragments *fragments) {
  const uint32_t item = item_;
  fibers_[item].outcome = Outcome::kMeeting;
  lanes_[item].arrive(meeting, fragments);
  leaveAndReturn();
  return lanes_[item].result;
}

/// Continues the scheduler; returns when it continues this fiber.
void ThreadRuntime::leaveAndReturn() {
  FiberSwitch there(schedulerStack_);
  scheduler_ = aiwcSwitchStack(scheduler_, nullptr).from;
  there.arrived();
}

} // namespace aiwc::engine
