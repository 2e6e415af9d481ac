#pragma once

#include "decoding/decoder.h"
#include "simulator/compat.h"
#include "trace/recorder.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace aiwc::plugin {

/// Follows the work-items that one simulator thread executes and writes their trace. Oclgrind calls
/// back per instruction; the tracker records per block. In the common case a callback costs two
/// comparisons: with the expected instruction and with the end of the block.
///
/// Oclgrind reports an instruction's memory accesses before the instruction itself.
class ExecutionTracker {
public:
  /// `trace` receives the recorded trace. `trace` and `decoded` must outlive the tracker. `groups`:
  /// number of work-groups of the invocation, per dimension.
  ExecutionTracker(const decoding::DecodedProgram &decoded, trace::ChunkConsumer &trace,
                   oclgrind::Size3 groups);

  void beginGroup(const oclgrind::WorkGroup &group);
  void endGroup();
  /// Ends a group that the simulator has given up before its end. Does nothing between groups.
  void abortGroup();
  void barrier();

  void instruction(const oclgrind::WorkItem *item, const llvm::Instruction *instruction) {
    if (item == item_ && *cursor_ == instruction) [[likely]] {
      if (*++cursor_ == nullptr)
        leaveBlock();
      return;
    }
    unexpectedInstruction(item, instruction);
  }

  /// `space`: address space of the memory object; Oclgrind keeps constant memory in global memory.
  void access(const oclgrind::WorkItem *item, trace::AddressSpace space, uint64_t address,
              size_t size, bool write, bool atomic) {
    if (item != item_ && !switchTo(item)) [[unlikely]]
      return;
    if (space == trace::AddressSpace::kGlobal && !write && currentOperationIsConstant())
      space = trace::AddressSpace::kConstant;
    if (readsImages_ && !write && currentOperationIs(trace::MemoryKind::kImage)) [[unlikely]]
      return imageRead(address);
    recorder_.access(makeAccess(space, address, size, write, atomic));
  }
  void groupAccess(trace::AddressSpace space, uint64_t address, size_t size, bool write);

  const oclgrind::Memory *localMemory() const { return localMemory_; }
  bool inGroup() const { return inGroup_; }
  /// Whether the simulator executed an instruction that the decoded program does not allow. The
  /// trace of the group ends there.
  bool lost() const { return lost_; }
  bool aborted() const { return aborted_; }

private:
  using Instructions = const llvm::Instruction *const *;

  /// The place where a suspended work-item continues.
  struct ItemState {
    trace::BlockId block = trace::BlockId::kNone; ///< the next one; kNone: not started
    std::vector<trace::BlockId> returns;          ///< innermost call last
  };

  trace::Access makeAccess(trace::AddressSpace space, uint64_t address, size_t size, bool write,
                           bool atomic) const {
    trace::Access access;
    access.address = address;
    access.size =
        static_cast<uint32_t>(std::min<size_t>(size, std::numeric_limits<uint32_t>::max()));
    access.opOffset = static_cast<uint32_t>(cursor_ - blockBegin_);
    access.space = static_cast<uint32_t>(space);
    access.write = write;
    access.atomic = atomic;
    return access;
  }
  /// The operation that is being executed; null if the block is unknown, which enterBlock decides
  /// later.
  const trace::Operation *currentOperation() const {
    if (block_ == trace::BlockId::kNone)
      return nullptr;
    const trace::Block &block = program_.block(block_);
    const auto offset = static_cast<uint32_t>(cursor_ - blockBegin_);
    return &program_.operations[index(block.firstOp) + offset];
  }
  bool currentOperationIsConstant() const {
    const trace::Operation *operation = readsConstants_ ? currentOperation() : nullptr;
    return operation && operation->space == trace::AddressSpace::kConstant;
  }
  bool currentOperationIs(trace::MemoryKind kind) const {
    const trace::Operation *operation = currentOperation();
    return operation && operation->memory == kind;
  }
  /// Records that the current operation reads the pixel with a channel at `address`.
  void imageRead(uint64_t address);
  void completeFirstAccesses();

  /// Makes `item` the current work-item. Returns false if the group is no longer recorded because
  /// the tracker lost track.
  bool switchTo(const oclgrind::WorkItem *item);
  void stopItem(trace::RunEnd end);
  void expect(trace::BlockId block);
  /// Separate from `instruction`, so that the common case saves no registers.
  void unexpectedInstruction(const oclgrind::WorkItem *item, const llvm::Instruction *instruction);
  bool enterBlock(const llvm::Instruction *instruction);
  void leaveBlock();
  void passByValue();
  void loseTrack();

  const decoding::DecodedProgram &decoded_;
  const trace::Program &program_;
  const oclgrind::Size3 groups_;
  const bool readsConstants_; ///< some operation of the program reads constant memory
  const bool readsImages_;    ///< some operation reads or writes an image
  trace::Recorder recorder_;

  const oclgrind::WorkItem *item_ = nullptr;     ///< the current one
  uint32_t itemIndex_ = 0;                       ///< its local linear id
  trace::BlockId block_ = trace::BlockId::kNone; ///< kNone: after a branch, target unknown
  trace::BlockId left_ = trace::BlockId::kNone;  ///< the block with that branch
  Instructions blockBegin_;
  Instructions cursor_; ///< the next instruction of the block, or kNowhere
  std::vector<trace::BlockId> returns_;
  std::vector<ItemState> items_; ///< by local linear id

  const oclgrind::Memory *localMemory_ = nullptr;
  oclgrind::Size3 groupSize_;
  bool inGroup_ = false;
  bool inGroupRun_ = false; ///< the recorder's run belongs to the whole work-group
  bool lost_ = false;
  bool aborted_ = false;
};

} // namespace aiwc::plugin
