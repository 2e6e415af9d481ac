#include "trace/program.h"

#include "common/error.h"

namespace aiwc::trace {
namespace {

void require(bool condition, const char *what) {
  if (!condition)
    throw Error(std::string("decoded program is inconsistent: ") + what);
}

/// Whether `value` is kNone or an id of the program.
bool isValueOf(const Program &program, ValueId value) {
  return value == ValueId::kNone || index(value) < program.valueCount;
}

/// Requires that the loops inside a loop directly follow it in the table, and that its header is
/// one of its blocks.
void requireLoops(const Program &program) {
  std::vector<LoopId> open; // the last loop checked and the loops around it
  for (size_t i = 0; i < program.loops.size(); ++i) {
    const Loop &loop = program.loops[i];
    while (!open.empty() && open.back() != loop.parent)
      open.pop_back();
    require(loop.parent == LoopId::kNone || !open.empty(), "a loop stands outside of its parent");
    require(loop.depth == open.size() + 1, "a loop's depth is not that of its nest");
    open.push_back(static_cast<LoopId>(i));
    require(index(loop.function) < program.functions.size(), "a loop has no function");
    require(index(loop.header) < program.blocks.size() &&
                program.block(loop.header).loop == open.back(),
            "a loop's header is not in it");
  }
  for (const Block &block : program.blocks)
    require(block.loop == LoopId::kNone || index(block.loop) < program.loops.size(),
            "a block's loop is out of range");
}

} // namespace

void Program::finalize() {
  require(index(kernel) < functions.size(), "the kernel is no function of it");
  for (const Function &function : functions) {
    require(index(function.entry) < blocks.size(), "a function's entry block is out of range");
    for (ValueId argument : function.arguments)
      require(index(argument) < valueCount, "an argument is no value of it");
  }
  for (BlockId successor : successors)
    require(index(successor) < blocks.size(), "a successor block is out of range");
  for (const Operation &operation : operations) {
    require(index(operation.opcode) < opcodeNames.size(), "an opcode has no name");
    require(size_t{operation.firstOperand} + operation.operandCount <= operands.size(),
            "an operand is out of range");
    require(isValueOf(*this, operation.result), "a result is no value of it");
    require(isValueOf(*this, operation.stored), "a stored value is no value of it");
    require(operation.array == ArrayId::kNone || index(operation.array) < arrays.size(),
            "an array is out of range");
  }
  for (const Operand &operand : operands)
    require(isValueOf(*this, operand.value), "an operand is no value of it");
  for (Block &block : blocks) {
    require(block.opCount > 0 && size_t{index(block.firstOp)} + block.opCount <= operations.size(),
            "a block's operations are out of range");
    require(size_t{block.firstSuccessor} + block.successorCount <= successors.size(),
            "a block's successors are out of range");
    require(block.end != BlockEnd::kCall || index(block.callee) < functions.size(),
            "a call leads nowhere");
    block.memoryOps = 0;
    const auto operationsOfBlock = operationsOf(block);
    for (uint32_t offset = 0; offset < block.opCount; ++offset) {
      if (const uint32_t first = operationsOfBlock[offset].joinedTo; first != Operation::kAlone)
        require(first < offset && operationsOfBlock[first].joinedTo == Operation::kAlone &&
                    operationsOfBlock[first].memory == operationsOfBlock[offset].memory &&
                    operationsOfBlock[first].space == operationsOfBlock[offset].space,
                "a part of a vector access has no first part");
      if (!operationsOfBlock[offset].accessesSharedMemory())
        continue;
      if (block.memoryOps++ == 0)
        block.firstMemoryOp = offset;
      block.lastMemoryOp = offset;
    }
  }
  requireLoops(*this);
}

} // namespace aiwc::trace
