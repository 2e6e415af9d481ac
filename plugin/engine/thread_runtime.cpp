#include "plugin/engine/thread_runtime.h"

#include "decoding/source_text.h"
#include "engine_passes/value_types.h"
#include "simulator/images.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace aiwc::engine {

using namespace trace;

namespace {

/// After so many instructions, some milliseconds, a group that runs at the same time as others
/// looks whether it may go on.
constexpr uint64_t kCheckedWork = uint64_t{1} << 22;

void set(uint64_t (&target)[3], const oclgrind::Size3 &size) {
  target[0] = size.x;
  target[1] = size.y;
  target[2] = size.z;
}

} // namespace

ThreadRuntime::ThreadRuntime(const EngineLaunch &launch, ChunkConsumer &consumer,
                             Recorder::Memory &memory, ThreadView *view)
    : launch_(launch), view_(view),
      isCuda_(decoding::isCuda(*launch.invocation.getKernel()->getFunction()->getParent())),
      trace_(consumer, state_.trace, launch.kernel.code.blockAccesses, memory) {
  const oclgrind::KernelInvocation &invocation = launch.invocation;
  set(state_.globalSize, invocation.getGlobalSize());
  set(state_.globalOffset, invocation.getGlobalOffset());
  set(state_.enqueuedLocalSize, invocation.getLocalSize());
  set(state_.numGroups, invocation.getNumGroups());
  state_.workDim = invocation.getWorkDim();
  state_.global = view ? view->table() : launch.global.table();
  state_.runtime = this;
  prepareScratch();
  prepareLocalMemory();
  preparePrivateMemory();
}

/// Creates a work-group of one work-item that never runs. It supplies the values that Oclgrind
/// gives to arguments and variables, and the numbers of their buffers.
void ThreadRuntime::prepareScratch() {
  makeScratch();
  values_.resize(launch_.kernel.code.valueBytes);
  for (const ValueSlot &slot : launch_.kernel.code.slots)
    std::memcpy(values_.data() + slot.offset, scratchItem_->getOperand(slot.value).data, slot.size);
  state_.values = values_.data();
}

void ThreadRuntime::prepareLocalMemory() {
  const oclgrind::Memory &memory = *scratchGroup_->getLocalMemory();
  const auto isValid = [&](uint64_t number) {
    return memory.isAddressValid(number << GlobalView::kOffsetBits); // not if it has no bytes
  };
  uint64_t last = 0; // of the variables and arguments, which code relies on having entries
  for (const ValueSlot &slot : launch_.kernel.code.slots) {
    const llvm::Type *type = slot.value->getType();
    if (!type->isPointerTy() || type->getPointerAddressSpace() != oclgrind::AddrSpaceLocal)
      continue;
    uint64_t address = 0;
    std::memcpy(&address, values_.data() + slot.offset, sizeof address);
    last = std::max(last, address >> GlobalView::kOffsetBits);
  }
  local_.assign(1, BufferEntry());
  for (uint64_t number = 1; number <= last || isValid(number); ++number) {
    if (!isValid(number)) {
      local_.emplace_back();
      continue;
    }
    const size_t size = memory.getBuffer(number << GlobalView::kOffsetBits)->size;
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
  usesPrivateMemory_ = !privateArguments_.empty();
}

std::vector<GlobalPointer> ThreadRuntime::globalPointers() const {
  std::vector<GlobalPointer> pointers;
  for (const ValueSlot &slot : launch_.kernel.code.slots) {
    const llvm::Type *type = slot.value->getType();
    if (!type->isPointerTy() || (type->getPointerAddressSpace() != oclgrind::AddrSpaceGlobal &&
                                 type->getPointerAddressSpace() != oclgrind::AddrSpaceConstant))
      continue;
    uint64_t address = 0;
    std::memcpy(&address, values_.data() + slot.offset, sizeof address);
    if (!imageTypeName(*type).empty()) {
      const oclgrind::Image *image = simulator::imageOf(address);
      address = image ? image->address : 0;
    }
    pointers.push_back({slot.value, address});
  }
  return pointers;
}

/// Gives code the ids and the size of the group.
void ThreadRuntime::placeGroup(uint64_t linearId) {
  std::array<uint64_t, 3> size{};
  for (unsigned d = 0; d < 3; ++d) {
    state_.groupId[d] = linearId % state_.numGroups[d];
    linearId /= state_.numGroups[d];
    const uint64_t first = state_.groupId[d] * state_.enqueuedLocalSize[d];
    state_.groupOrigin[d] = first + state_.globalOffset[d];
    size[d] = std::min(state_.enqueuedLocalSize[d], state_.globalSize[d] - first);
  }
  items_ = static_cast<uint32_t>(size[0] * size[1] * size[2]);
  if (!std::ranges::equal(size, state_.localSize)) {
    numberItems(size); // first: without memory for the numbers, the next group has to ask again
    std::ranges::copy(size, state_.localSize);
  }
}

bool ThreadRuntime::runGroup(uint64_t linearId, bool traced) {
  traced_ = traced;
  placeGroup(linearId);
  for (size_t i = 1; i < local_.size(); ++i)
    std::memset(local_[i].data, 0, local_[i].readSize);
  copies_.clear();
  nextEvent_ = 1;
  untraced_ += std::exchange(state_.executed, {}).instructions;
  if (view_)
    state_.workLimit = kCheckedWork;
  const trace::Executed before = executedUntraced();
  itemInstructions_.assign(traced || !launch_.countsItems ? 0 : items_, 0);
  trace_.beginGroup(launch_.program, {linearId, items_}, traced);
  if (!runItems())
    return false;
  if (!copies_.empty()) // the interpreter reports copies that were not waited for
    return giveUp(Failure::kCopies);
  trace_.endGroup();
  if (!traced)
    takeWork(before);
  return true;
}

/// What groups that are not traced have executed: code that writes a trace tells the recorder.
trace::Executed ThreadRuntime::executedUntraced() const {
  const trace::Executed &recorded = trace_.untraced();
  return {state_.executed.instructions + recorded.instructions,
          state_.executed.marks + recorded.marks};
}

/// Call it after a work-item ended or reached a barrier, with the instructions before it began or
/// went on.
void ThreadRuntime::countItem(uint32_t item, uint64_t before) {
  if (!traced_ && launch_.countsItems)
    itemInstructions_[item] += executedUntraced().instructions - before;
}

void ThreadRuntime::takeWork(const trace::Executed &before) {
  const trace::Executed now = executedUntraced();
  work_ = {{now.instructions - before.instructions, now.marks - before.marks}};
  if (!launch_.countsItems)
    return;
  const auto [least, most] = std::ranges::minmax(itemInstructions_);
  work_.leastOfItem = least;
  work_.mostOfItem = most;
}

/// Computes the local ids of the work-items, in order of their linear ids. Most groups of a launch
/// have the same.
void ThreadRuntime::numberItems(const std::array<uint64_t, 3> &size) {
  localIds_.clear();
  for (uint64_t z = 0; z < size[2]; ++z)
    for (uint64_t y = 0; y < size[1]; ++y)
      for (uint64_t x = 0; x < size[0]; ++x)
        localIds_.push_back({x, y, z});
}

void ThreadRuntime::selectItem(uint32_t item) {
  item_ = item;
  for (unsigned d = 0; d < 3; ++d) {
    state_.localId[d] = localIds_[item][d];
    state_.globalId[d] = state_.localId[d] + state_.groupOrigin[d];
  }
  if (usesPrivateMemory_)
    private_[slotOf(item)].expose(state_);
}

void ThreadRuntime::beginItem(uint32_t item) {
  if (usesPrivateMemory_)
    private_[slotOf(item)].begin(privateArguments_);
  selectItem(item);
}

AIWC_LEAVES_BY_JUMP void ThreadRuntime::fail(Failure failure) {
  reason_ = failure;
  leaveFiber(Outcome::kFailed);
}

uint64_t ThreadRuntime::allocate(uint64_t size) {
  if (!usesPrivateMemory_)
    for (PrivateView &memory : private_)
      memory.begin(privateArguments_);
  usesPrivateMemory_ = true;
  PrivateView &memory = private_[slotOf(item_)];
  const uint64_t address = memory.allocate(size);
  memory.expose(state_);
  return address;
}

void ThreadRuntime::release(uint64_t address) {
  private_[slotOf(item_)].release(address);
}

void ThreadRuntime::saveGranules(uint64_t address, uint64_t size) {
  if (!view_)
    launch_.global.saveGranules(address, size);
  else if (!view_->claimGranules(address, size))
    fail(Failure::kOrder);
}

void ThreadRuntime::readGranules(uint64_t address, uint64_t size) {
  if (!view_)
    launch_.global.readGranules(address, size);
  else if (!view_->readGranules(address, size))
    fail(Failure::kOrder);
}

void ThreadRuntime::checkWork() {
  if (!view_->mayGoOn(state_.executed.instructions))
    fail(Failure::kOrder);
  state_.workLimit = state_.executed.instructions + kCheckedWork;
}

/// The checked native address of a piece of memory.
uint8_t *ThreadRuntime::bytes(uint64_t space, uint64_t address, uint64_t size, bool write) {
  const unsigned bits = space == 0 ? PrivateView::kOffsetBits : GlobalView::kOffsetBits;
  if (space != 0 && space != 3) {
    uint8_t *native = launch_.global.find(address, size);
    if (!native)
      fail(Failure::kAccess);
    if (size > 0)
      write ? saveGranules(address, size) : readGranules(address, size);
    return native;
  }
  const uint64_t number = address >> bits;
  const uint64_t offset = address & ((uint64_t{1} << bits) - 1);
  if (number >= (space == 0 ? state_.privateCount : state_.localCount))
    fail(Failure::kAccess);
  const BufferEntry &entry = (space == 0 ? state_.privateMemory : state_.local)[number];
  const uint64_t limit = write ? entry.writeSize : entry.readSize;
  if (!entry.data || size > limit || offset > limit - size)
    fail(Failure::kAccess);
  return entry.data + offset;
}

} // namespace aiwc::engine
