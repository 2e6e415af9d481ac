#include "workload.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace aiwc::bench {

using namespace trace;

namespace {

/// Blocks of the kernel.
constexpr BlockId kEntry{0}, kLoop{1}, kExit{2};
/// Offsets of the accesses' operations in their blocks.
constexpr uint32_t kLoadOffset = 3, kStoreOffset = 1;

/// Appends blocks and operations to a program.
class Builder {
public:
  Operation &add(std::string_view opcode, std::initializer_list<Operand> operands, bool result) {
    auto &names = program.opcodeNames;
    auto name = std::find(names.begin(), names.end(), opcode);
    if (name == names.end())
      name = names.insert(name, std::string(opcode));
    Operation operation;
    operation.opcode = static_cast<OpcodeId>(name - names.begin());
    operation.line = static_cast<uint32_t>(program.operations.size()) + 1;
    operation.firstOperand = static_cast<uint32_t>(program.operands.size());
    operation.operandCount = static_cast<uint32_t>(operands.size());
    program.operands.insert(program.operands.end(), operands);
    if (result)
      operation.result = static_cast<ValueId>(program.valueCount++);
    return program.operations.emplace_back(operation);
  }

  Block &endBlock(BlockEnd end, std::initializer_list<BlockId> successors) {
    Block block;
    block.function = FunctionId{0};
    block.firstOp = static_cast<OpId>(first_);
    block.opCount = static_cast<uint32_t>(program.operations.size()) - first_;
    block.end = end;
    block.firstSuccessor = static_cast<uint32_t>(program.successors.size());
    block.successorCount = static_cast<uint32_t>(successors.size());
    program.successors.insert(program.successors.end(), successors);
    first_ = static_cast<uint32_t>(program.operations.size());
    return program.blocks.emplace_back(block);
  }

  Program program;

private:
  uint32_t first_ = 0; ///< operation of the block that is being built
};

Access accessOf(uint64_t address, uint32_t opOffset, bool write) {
  Access access;
  access.address = uint64_t{1} << 48U | address; // buffer 1
  access.size = 4;
  access.opOffset = opOffset & 0x1FFFFFFU;
  access.space = static_cast<uint32_t>(AddressSpace::kGlobal) & 3U;
  access.write = write ? 1 : 0;
  return access;
}

/// The addresses of the loads of one work-item, of which there are `count`.
class Addresses {
public:
  Addresses(const Workload &workload, uint64_t item, uint64_t count)
      : random_(workload.pattern == "random"), streams_(workload.pattern == "streams"),
        words_(workload.bytes / 4), next_(item * count), state_(item * 0x9E3779B97F4A7C15U) {}

  uint64_t next() {
    if (random_) {
      state_ = state_ * 6364136223846793005U + 1442695040888963407U;
      return 4 * ((state_ >> 33U) % words_);
    }
    const uint64_t i = next_++;
    if (streams_) // three at a time, as a[i] = b[i] + c[i]
      return 4 * ((i % 3 * (words_ / 3) + i / 3) % words_);
    return i * 64 % (4 * words_); // a line after the other, round and round
  }

private:
  bool random_, streams_;
  uint64_t words_, next_, state_;
};

} // namespace

Program loopProgram() {
  Builder builder;
  constexpr ValueId kItem{0}, kIndex{1}, kSum{2}, kPlace{3}, kLoaded{4}, kNewSum{5}, kNewIndex{6},
      kMore{7}, kOut{8};
  builder.program.valueCount = 0;
  builder.add("call", {}, true); // get_global_id: kItem
  builder.add("br", {}, false);
  builder.endBlock(BlockEnd::kJump, {kLoop});

  builder.add("phi", {{ValueId::kNone, kEntry}, {kNewIndex, kLoop}}, true); // kIndex
  builder.add("phi", {{ValueId::kNone, kEntry}, {kNewSum, kLoop}}, true);   // kSum
  builder.add("getelementptr", {{kItem, {}}, {kIndex, {}}}, true);          // kPlace
  Operation &load = builder.add("load", {{kPlace, {}}}, true);              // kLoaded
  load.memory = MemoryKind::kLoad;
  load.space = AddressSpace::kGlobal;
  Operation &sum = builder.add("fadd", {{kSum, {}}, {kLoaded, {}}}, true); // kNewSum
  sum.fpAdd = 1;
  sum.fpBits = 32;
  builder.add("add", {{kIndex, {}}}, true).intOps = 1;     // kNewIndex
  builder.add("icmp", {{kNewIndex, {}}}, true).intOps = 1; // kMore
  builder.add("br", {{kMore, {}}}, false);
  Block &loop = builder.endBlock(BlockEnd::kBranch, {kLoop, kExit});
  loop.branch = BranchId{0};
  loop.loop = LoopId{0};

  builder.add("getelementptr", {{kItem, {}}}, true); // kOut
  Operation &store = builder.add("store", {{kNewSum, {}}, {kOut, {}}}, false);
  store.memory = MemoryKind::kStore;
  store.space = AddressSpace::kGlobal;
  builder.add("ret", {}, false);
  builder.endBlock(BlockEnd::kReturn, {});

  builder.program.kernel = FunctionId{0};
  builder.program.functions.push_back({"sum", kEntry, {}});
  builder.program.branches.push_back(kLoop);
  Loop entry;
  entry.function = FunctionId{0};
  entry.header = kLoop;
  builder.program.loops.push_back(entry);
  builder.program.finalize();
  return std::move(builder.program);
}

void simulateGroup(const Workload &workload, const Program &program, uint64_t group,
                   Recorder &recorder) {
  const uint64_t perItem =
      std::max<uint64_t>(1, workload.accesses / workload.groups / workload.items);
  recorder.beginGroup(program, {group, workload.items});
  for (uint32_t item = 0; item < workload.items; ++item) {
    const uint64_t id = group * workload.items + item;
    Addresses addresses(workload, id, perItem);
    recorder.beginRun(item);
    recorder.blockExecuted(kEntry);
    for (uint64_t i = 0; i < perItem; ++i) {
      recorder.access(accessOf(addresses.next(), kLoadOffset, false));
      recorder.blockExecuted(kLoop);
    }
    recorder.access(accessOf(id * 4 % workload.bytes, kStoreOffset, true));
    recorder.blockExecuted(kExit);
    recorder.endRun(RunEnd::kFinished);
  }
  recorder.endGroup();
}

} // namespace aiwc::bench
