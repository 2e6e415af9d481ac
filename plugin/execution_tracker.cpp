#include "plugin/execution_tracker.h"

#include "simulator/images.h"

namespace aiwc::plugin {

using namespace trace;

namespace {

/// `cursor_` points here while the next instruction is unknown.
constexpr const llvm::Instruction *kNowhere[] = {nullptr};

BlockId following(BlockId block) {
  return static_cast<BlockId>(index(block) + 1);
}

bool readsConstants(const Program &program) {
  return std::ranges::any_of(program.operations, [](const Operation &operation) {
    return operation.space == AddressSpace::kConstant;
  });
}

bool readsImages(const Program &program) {
  return std::ranges::any_of(program.operations, [](const Operation &operation) {
    return operation.memory == MemoryKind::kImage;
  });
}

} // namespace

ExecutionTracker::ExecutionTracker(const decoding::DecodedProgram &decoded, ChunkConsumer &trace,
                                   oclgrind::Size3 groups)
    : decoded_(decoded), program_(decoded.program()), groups_(groups),
      readsConstants_(readsConstants(program_)), readsImages_(readsImages(program_)),
      recorder_(trace), blockBegin_(kNowhere), cursor_(kNowhere) {}

void ExecutionTracker::beginGroup(const oclgrind::WorkGroup &group) {
  groupSize_ = group.getGroupSize();
  localMemory_ = group.getLocalMemory();
  const auto items = static_cast<uint32_t>(groupSize_.x * groupSize_.y * groupSize_.z);
  for (ItemState &item : items_) { // keeps the memory of the call stacks
    item.block = BlockId::kNone;
    item.returns.clear();
  }
  items_.resize(items);
  item_ = nullptr;
  inGroup_ = true;
  // getGroupIndex() is not usable: in two dimensions it returns x + y in Oclgrind 21.10, so several
  // groups share a number.
  const oclgrind::Size3 id = group.getGroupID();
  recorder_.beginGroup(program_, {id.x + groups_.x * (id.y + groups_.y * id.z), items});
}

void ExecutionTracker::endGroup() {
  if (!inGroup_)
    return;
  if (recorder_.inRun())
    recorder_.endRun(inGroupRun_ ? RunEnd::kFinished : RunEnd::kAborted);
  recorder_.endGroup();
  item_ = nullptr;
  inGroup_ = inGroupRun_ = false;
}

void ExecutionTracker::abortGroup() {
  if (!inGroup_)
    return;
  aborted_ = true;
  if (recorder_.inRun() && !inGroupRun_ && block_ != BlockId::kNone && cursor_ != blockBegin_)
    recorder_.abortRun(block_, static_cast<uint32_t>(cursor_ - blockBegin_));
  endGroup();
}

void ExecutionTracker::barrier() {
  if (!inGroup_)
    return;
  if (recorder_.inRun()) // the run of the work-group's copies
    recorder_.endRun(RunEnd::kBarrier);
  inGroupRun_ = false;
  item_ = nullptr;
  recorder_.barrier();
}

void ExecutionTracker::groupAccess(AddressSpace space, uint64_t address, size_t size, bool write) {
  if (!inGroup_)
    return;
  if (!inGroupRun_) {
    if (recorder_.inRun())
      stopItem(RunEnd::kContinues);
    recorder_.beginRun(Run::kWorkGroup);
    inGroupRun_ = true;
  }
  block_ = left_ = BlockId::kNone;
  blockBegin_ = cursor_ = kNowhere;
  recorder_.groupAccess(makeAccess(space, address, size, write, false));
}

bool ExecutionTracker::switchTo(const oclgrind::WorkItem *item) {
  if (!inGroup_)
    return false;
  if (recorder_.inRun()) {
    if (inGroupRun_)
      recorder_.endRun(RunEnd::kBarrier);
    else
      stopItem(RunEnd::kContinues); // a debugger changed the work-item
  }
  inGroupRun_ = false;
  const oclgrind::Size3 id = item->getLocalID();
  item_ = item;
  itemIndex_ = static_cast<uint32_t>(id.x + (id.y + id.z * groupSize_.y) * groupSize_.x);
  ItemState &state = items_[itemIndex_];
  returns_.swap(state.returns);
  expect(state.block == BlockId::kNone ? program_.function(program_.kernel).entry : state.block);
  recorder_.beginRun(itemIndex_);
  return true;
}

void ExecutionTracker::stopItem(RunEnd end) {
  items_[itemIndex_].block = block_;
  items_[itemIndex_].returns.swap(returns_);
  recorder_.endRun(end);
  item_ = nullptr;
}

void ExecutionTracker::expect(BlockId block) {
  block_ = block;
  blockBegin_ = cursor_ = decoded_.instructions(block);
}

void ExecutionTracker::unexpectedInstruction(const oclgrind::WorkItem *item,
                                             const llvm::Instruction *instruction) {
  if (item != item_ && !switchTo(item))
    return;
  if (*cursor_ != instruction && !enterBlock(instruction))
    return;
  if (*++cursor_ == nullptr)
    leaveBlock();
}

/// Handles an instruction that was not expected: either it is the first one after a branch and
/// determines the target, or the tracker has lost track.
bool ExecutionTracker::enterBlock(const llvm::Instruction *instruction) {
  if (block_ == BlockId::kNone && left_ != BlockId::kNone) {
    for (const BlockId successor : program_.successorsOf(program_.block(left_))) {
      if (decoded_.instructions(successor)[0] != instruction)
        continue;
      expect(successor);
      left_ = BlockId::kNone;
      completeFirstAccesses();
      return true;
    }
  }
  loseTrack();
  return false;
}

/// Completes the accesses of the first operation of a block, which came before the block was known.
void ExecutionTracker::completeFirstAccesses() {
  if (currentOperationIsConstant()) {
    for (Access &access : recorder_.pendingAccesses())
      if (access.addressSpace() == AddressSpace::kGlobal && !access.write)
        access.space = static_cast<uint32_t>(AddressSpace::kConstant);
  } else if (readsImages_ && currentOperationIs(MemoryKind::kImage)) {
    const std::span<Access> pending = recorder_.pendingAccesses();
    const std::vector<Access> channels(pending.begin(), pending.end());
    recorder_.dropPendingAccesses();
    for (const Access &channel : channels)
      if (channel.write)
        recorder_.access(channel);
      else
        imageRead(channel.address);
  }
}

/// Oclgrind reads a pixel channel by channel, and each of its corners again where a linear filter
/// interpolates. A pixel is recorded once, in ascending order of the addresses.
void ExecutionTracker::imageRead(uint64_t address) {
  const auto *call = llvm::cast<llvm::CallBase>(*cursor_);
  const oclgrind::Image *image =
      simulator::imageOf(item_->getOperand(call->getArgOperand(0)).getPointer());
  const uint32_t bytes = simulator::pixelBytes(image->format);
  if (bytes == 0) // Oclgrind ends the program next
    return;
  const Access pixel =
      makeAccess(AddressSpace::kGlobal, simulator::pixelAt(*image, address), bytes, false, false);
  const auto ofThisCall = [&](const Access &access) { return access.opOffset == pixel.opOffset; };
  for (const Access &access : recorder_.pendingAccesses())
    if (ofThisCall(access) && access.address == pixel.address)
      return;
  recorder_.access(pixel);
  const std::span<Access> pending = recorder_.pendingAccesses();
  for (size_t i = pending.size() - 1; i > 0 && ofThisCall(pending[i - 1]); --i) {
    if (pending[i - 1].address < pending[i].address)
      break;
    std::swap(pending[i - 1], pending[i]);
  }
}

void ExecutionTracker::leaveBlock() {
  const Block &block = program_.block(block_);
  if (block.end == BlockEnd::kCall)
    passByValue();
  recorder_.blockExecuted(block_);
  switch (block.end) {
  case BlockEnd::kFallThrough:
    expect(following(block_));
    break;
  case BlockEnd::kJump:
    expect(program_.successorsOf(block)[0]);
    break;
  case BlockEnd::kBranch:
  case BlockEnd::kSwitch:
    left_ = block_;
    block_ = BlockId::kNone;
    blockBegin_ = cursor_ = kNowhere;
    break;
  case BlockEnd::kCall:
    returns_.push_back(following(block_));
    expect(program_.function(block.callee).entry);
    break;
  case BlockEnd::kBarrier:
    expect(following(block_));
    stopItem(RunEnd::kBarrier);
    break;
  case BlockEnd::kMeeting:
    expect(following(block_));
    stopItem(RunEnd::kMeeting);
    break;
  case BlockEnd::kReturn:
    if (returns_.empty()) {
      stopItem(RunEnd::kFinished);
    } else {
      expect(returns_.back());
      returns_.pop_back();
    }
    break;
  }
}

/// Records the copies of arguments that are passed by value, because the simulator calls no
/// callback for them. The call has been executed, so the pointers of caller and callee are known.
void ExecutionTracker::passByValue() {
  const uint32_t call = program_.block(block_).opCount - 1;
  for (const decoding::ByValueArgument &argument : decoded_.byValueArguments(block_))
    for (const bool write : {false, true}) {
      const llvm::Value *pointer = write ? argument.parameter : argument.passed;
      Access access = makeAccess(AddressSpace::kPrivate, item_->getOperand(pointer).getPointer(),
                                 argument.bytes, write, false);
      access.opOffset = call;
      recorder_.access(access);
    }
}

void ExecutionTracker::loseTrack() {
  lost_ = true;
  block_ = left_ = BlockId::kNone;
  blockBegin_ = cursor_ = kNowhere;
  abortGroup();
}

} // namespace aiwc::plugin
