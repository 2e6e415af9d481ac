#include "plugin/engine/thread_runtime.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace aiwc::plugin::engine {

using namespace trace;
namespace context = boost::context::detail;

namespace {

/// Address space, of which the operating system provides what is touched. The analyses run on it,
/// too, when the trace's buffer is full.
constexpr size_t kStackBytes = size_t{256} << 10;
constexpr unsigned kGlobalBits = 48;

void set(uint64_t (&target)[3], const oclgrind::Size3 &size) {
  target[0] = size.x;
  target[1] = size.y;
  target[2] = size.z;
}

} // namespace

const char *describe(Failure failure) {
  switch (failure) {
  case Failure::kAccess:
    return "an access was outside of the buffer that its address was computed from, not aligned or "
           "not "
           "allowed there";
  case Failure::kArrayIndex:
    return "an index was outside of its array";
  case Failure::kElementIndex:
    return "an index was outside of its vector";
  case Failure::kTruthValue:
    return "a truth value was neither 0 nor 1";
  case Failure::kDimension:
    return "a work-item function was asked for a fourth dimension";
  case Failure::kUnreachable:
    return "control reached what it should not";
  case Failure::kDivergence:
    return "work-items of a group met different barriers";
  case Failure::kCopies:
    return "work-items of a group disagreed on a copy, or did not wait for it";
  case Failure::kInternal:
    break;
  }
  return "something unexpected happened";
}

ThreadRuntime::ThreadRuntime(const Launch &launch, ChunkConsumer &consumer)
    : launch_(launch), trace_(state_, consumer, launch.program, launch.kernel.code.blockAccesses) {
  const oclgrind::KernelInvocation &invocation = launch.invocation;
  set(state_.globalSize, invocation.getGlobalSize());
  set(state_.globalOffset, invocation.getGlobalOffset());
  set(state_.enqueuedLocalSize, invocation.getLocalSize());
  set(state_.numGroups, invocation.getNumGroups());
  state_.workDim = invocation.getWorkDim();
  state_.global = launch.global.table();
  state_.runtime = this;
  prepareScratch();
  prepareLocalMemory();
  preparePrivateMemory();
}

ThreadRuntime::~ThreadRuntime() {
  if (stacks_)
    ::munmap(stacks_, stackCount_ * kStackBytes);
}

/// A work-group of one work-item, never run, shows what Oclgrind gives to one: the values of
/// arguments and variables, and which numbers their buffers have.
void ThreadRuntime::prepareScratch() {
  scratchGroup_ = std::make_unique<oclgrind::WorkGroup>(
      &launch_.invocation, oclgrind::Size3(0, 0, 0), oclgrind::Size3(1, 1, 1));
  scratchItem_ = scratchGroup_->getWorkItem(oclgrind::Size3(0, 0, 0));
  values_.resize(launch_.kernel.code.valueBytes);
  for (const ValueSlot &slot : launch_.kernel.code.slots)
    std::memcpy(values_.data() + slot.offset, scratchItem_->getOperand(slot.value).data, slot.size);
  state_.values = values_.data();
}

void ThreadRuntime::prepareLocalMemory() {
  const oclgrind::Memory &memory = *scratchGroup_->getLocalMemory();
  local_.assign(1, BufferEntry());
  for (uint64_t number = 1; memory.isAddressValid(number << kGlobalBits); ++number) {
    const size_t size = memory.getBuffer(number << kGlobalBits)->size;
    localData_.push_back(std::make_unique<uint8_t[]>(size));
    local_.push_back({localData_.back().get(), size, size, nullptr});
  }
  state_.local = local_.data();
  state_.localCount = local_.size();
}

void ThreadRuntime::preparePrivateMemory() {
  const oclgrind::Memory &memory = *scratchItem_->getPrivateMemory();
  for (uint64_t number = 1; memory.isAddressValid(number << PrivateView::kOffsetBits); ++number) {
    const auto *buffer = memory.getBuffer(number << PrivateView::kOffsetBits);
    privateArguments_.emplace_back(buffer->data, buffer->data + buffer->size);
  }
}

bool ThreadRuntime::runGroup(oclgrind::Size3 id) {
  const oclgrind::Size3 size = launch_.invocation.getLocalSize();
  const oclgrind::Size3 total = launch_.invocation.getGlobalSize();
  const oclgrind::Size3 groups = launch_.invocation.getNumGroups();
  groupSize_ = oclgrind::Size3(std::min(size.x, total.x - id.x * size.x),
                               std::min(size.y, total.y - id.y * size.y),
                               std::min(size.z, total.z - id.z * size.z));
  items_ = static_cast<uint32_t>(groupSize_.x * groupSize_.y * groupSize_.z);
  set(state_.groupId, id);
  set(state_.localSize, groupSize_);
  for (size_t i = 1; i < local_.size(); ++i)
    std::memset(local_[i].data, 0, local_[i].readSize);
  copies_.clear();
  nextEvent_ = 1;
  trace_.beginGroup({id.x + groups.x * (id.y + groups.y * id.z), items_});
  if (!(launch_.kernel.code.synchronises ? runFibers() : runItems()))
    return false;
  if (!copies_.empty()) // the interpreter complains
    return giveUp(Failure::kCopies);
  trace_.endGroup();
  return true;
}

void ThreadRuntime::selectItem(uint32_t item) {
  item_ = item;
  const oclgrind::Size3 size = launch_.invocation.getLocalSize();
  const oclgrind::Size3 local(item, groupSize_);
  set(state_.localId, local);
  for (unsigned d = 0; d < 3; ++d)
    state_.globalId[d] = state_.localId[d] + state_.groupId[d] * size[d] + state_.globalOffset[d];
  private_[launch_.kernel.code.synchronises ? item : 0].expose(state_);
}

void ThreadRuntime::beginItem(uint32_t item) {
  private_[launch_.kernel.code.synchronises ? item : 0].begin(privateArguments_);
  selectItem(item);
}

bool ThreadRuntime::runItems() {
  private_.resize(1);
  if (setjmp(failure_)) // NOLINT: compiled frames have nothing to clean up
    return false;
  for (uint32_t item = 0; item < items_; ++item) {
    beginItem(item);
    trace_.beginRun(item);
    launch_.kernel.run(&state_);
    trace_.endRun(RunEnd::kFinished);
  }
  return true;
}

uint8_t *ThreadRuntime::stackTop(uint32_t item) {
  if (stackCount_ < items_) {
    if (stacks_)
      ::munmap(stacks_, stackCount_ * kStackBytes);
    stackCount_ = items_;
    void *memory = ::mmap(nullptr, stackCount_ * kStackBytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    stacks_ = memory == MAP_FAILED ? nullptr : static_cast<uint8_t *>(memory);
    if (!stacks_) {
      stackCount_ = 0;
      return nullptr;
    }
  }
  return stacks_ + (item + size_t{1}) * kStackBytes;
}

void ThreadRuntime::enterFiber(context::transfer_t transfer) {
  auto *runtime = static_cast<ThreadRuntime *>(transfer.data);
  runtime->scheduler_ = transfer.fctx;
  runtime->launch_.kernel.run(&runtime->state_);
  runtime->fibers_[runtime->item_].outcome = Outcome::kFinished;
  context::jump_fcontext(runtime->scheduler_, nullptr);
}

/// Lets a work-item run to its end or to a barrier. False where it failed.
bool ThreadRuntime::resume(uint32_t item) {
  selectItem(item);
  Fiber &fiber = fibers_[item];
  trace_.beginRun(item);
  fiber.context = context::jump_fcontext(fiber.context, this).fctx;
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
    fibers_[item].context = context::make_fcontext(stackTop(item), kStackBytes, enterFiber);
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

/// Every work-item is at the same barrier; copies that it waits for are made. False for a
/// divergence, which the interpreter reports.
bool ThreadRuntime::leaveBarrier() {
  const Fiber &first = fibers_[0];
  for (const Fiber &fiber : fibers_)
    if (fiber.outcome != Outcome::kBarrier || fiber.site != first.site ||
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
      performCopies(event);
    trace_.endRun(RunEnd::kBarrier);
    for (Fiber &fiber : fibers_)
      fiber.copies = copies_.size();
  }
  trace_.barrier();
  return true;
}

void ThreadRuntime::performCopies(uint64_t event) {
  for (const AsyncCopy &copy : copies_) {
    if (copy.event != event)
      continue;
    const auto size = static_cast<uint32_t>(copy.elementSize);
    const AddressSpace from = copy.toLocal ? AddressSpace::kGlobal : AddressSpace::kLocal;
    const AddressSpace to = copy.toLocal ? AddressSpace::kLocal : AddressSpace::kGlobal;
    uint64_t source = copy.source, destination = copy.destination;
    for (uint64_t i = 0; i < copy.count; ++i) {
      Access access;
      access.address = source;
      access.size = size;
      access.space = static_cast<uint32_t>(from);
      trace_.groupAccess(access);
      access.address = destination;
      access.space = static_cast<uint32_t>(to);
      access.write = 1;
      trace_.groupAccess(access);
      // Both were checked when the copy was asked for.
      std::memmove(bytes(index(to), destination, size, true),
                   bytes(index(from), source, size, false), size);
      source += size * (copy.toLocal ? copy.stride : 1);
      destination += size * (copy.toLocal ? 1 : copy.stride);
    }
  }
  std::erase_if(copies_, [event](const AsyncCopy &copy) { return copy.event == event; });
}

void ThreadRuntime::fail(Failure failure) {
  reason_ = failure;
  if (!launch_.kernel.code.synchronises)
    std::longjmp(failure_, 1); // NOLINT: see setjmp
  fibers_[item_].outcome = Outcome::kFailed;
  context::jump_fcontext(scheduler_, nullptr);
  __builtin_unreachable();
}

uint64_t ThreadRuntime::allocate(uint64_t size) {
  PrivateView &memory = private_[launch_.kernel.code.synchronises ? item_ : 0];
  const uint64_t address = memory.allocate(size);
  memory.expose(state_);
  return address;
}

void ThreadRuntime::release(uint64_t address) {
  private_[launch_.kernel.code.synchronises ? item_ : 0].release(address);
}

void ThreadRuntime::barrier(uint64_t site, uint64_t fence, const uint64_t *events,
                            uint64_t eventCount) {
  Fiber &fiber = fibers_[item_];
  fiber.outcome = Outcome::kBarrier;
  fiber.site = site;
  fiber.fence = fence;
  fiber.events.assign(events, events + eventCount);
  scheduler_ = context::jump_fcontext(scheduler_, nullptr).fctx;
}

uint64_t ThreadRuntime::asyncCopy(const void *site, bool toLocal, uint64_t destination,
                                  uint64_t source, uint64_t elementSize, uint64_t count,
                                  uint64_t stride, uint64_t event) {
  if (!launch_.kernel.code.synchronises) // nobody waits for it
    fail(Failure::kCopies);
  AsyncCopy copy{site, toLocal, destination, source, elementSize, count, stride, event};
  size_t &asked = fibers_[item_].copies;
  if (asked < copies_.size()) {
    copy.event = copies_[asked].event;
    if (!(copy == copies_[asked]))
      fail(Failure::kCopies);
  } else {
    // What is outside of its buffer is refused now, while the work-item can still fail.
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t there = i * elementSize;
      bytes(toLocal ? 1 : 3, source + there * (toLocal ? stride : 1), elementSize, false);
      bytes(toLocal ? 3 : 1, destination + there * (toLocal ? 1 : stride), elementSize, true);
    }
    if (copy.event == 0)
      copy.event = nextEvent_++;
    copies_.push_back(copy);
  }
  ++asked;
  return copy.event;
}

/// The checked native address of a piece of memory.
uint8_t *ThreadRuntime::bytes(uint64_t space, uint64_t address, uint64_t size, bool write) {
  const unsigned bits = space == 0 ? PrivateView::kOffsetBits : kGlobalBits;
  const uint64_t number = address >> bits;
  const uint64_t offset = address & ((uint64_t{1} << bits) - 1);
  const BufferEntry *table = space == 0   ? state_.privateMemory
                             : space == 3 ? state_.local
                                          : state_.global;
  if ((space == 0 && number >= state_.privateCount) || (space == 3 && number >= state_.localCount))
    fail(Failure::kAccess);
  const BufferEntry &entry = table[number];
  const uint64_t limit = write ? entry.writeSize : entry.readSize;
  if (size > limit || offset > limit - size)
    fail(Failure::kAccess);
  if (write && entry.dirty && size > 0)
    savePages(address, size);
  return entry.data + offset;
}

} // namespace aiwc::plugin::engine
