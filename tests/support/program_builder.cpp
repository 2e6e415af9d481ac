#include "program_builder.h"

#include "natural_loops.h"

#include <algorithm>

namespace aiwc::test {

using namespace trace;

FunctionId ProgramBuilder::function(const std::string &name) {
  Function function;
  function.name = name;
  function.entry = BlockId{static_cast<uint32_t>(program_.blocks.size())};
  program_.functions.push_back(function);
  return FunctionId{static_cast<uint32_t>(program_.functions.size() - 1)};
}

Operation ProgramBuilder::op(const std::string &opcode, Operation operation) {
  const auto next = OpcodeId{static_cast<uint16_t>(program_.opcodeNames.size())};
  const auto [entry, isNew] = opcodes_.try_emplace(opcode, next);
  if (isNew)
    program_.opcodeNames.push_back(opcode);
  operation.opcode = entry->second;
  return operation;
}

Operation ProgramBuilder::reading(Operation operation, const std::vector<Operand> &operands,
                                  ValueId result) {
  operation.firstOperand = static_cast<uint32_t>(program_.operands.size());
  operation.operandCount = static_cast<uint32_t>(operands.size());
  operation.result = result;
  use(result);
  for (const Operand &operand : operands) {
    use(operand.value);
    program_.operands.push_back(operand);
  }
  return operation;
}

ArrayId ProgramBuilder::array(const std::string &name) {
  program_.arrays.push_back({name});
  return ArrayId{static_cast<uint32_t>(program_.arrays.size() - 1)};
}

void ProgramBuilder::arguments(const std::vector<ValueId> &values) {
  program_.functions.back().arguments = values;
  for (const ValueId value : values)
    use(value);
}

void ProgramBuilder::use(ValueId value) {
  if (value != ValueId::kNone)
    program_.valueCount = std::max(program_.valueCount, index(value) + 1);
}

BlockId ProgramBuilder::block(const std::vector<Operation> &operations, BlockEnd end,
                              const std::vector<BlockId> &successors, FunctionId callee) {
  const BlockId id{static_cast<uint32_t>(program_.blocks.size())};
  Block block;
  block.function = FunctionId{static_cast<uint32_t>(program_.functions.size() - 1)};
  block.firstOp = OpId{static_cast<uint32_t>(program_.operations.size())};
  block.opCount = static_cast<uint32_t>(operations.size());
  block.end = end;
  block.callee = callee;
  block.firstSuccessor = static_cast<uint32_t>(program_.successors.size());
  block.successorCount = static_cast<uint32_t>(successors.size());
  if (end == BlockEnd::kBranch || end == BlockEnd::kSwitch) {
    block.branch = BranchId{static_cast<uint32_t>(program_.branches.size())};
    program_.branches.push_back(id);
  }
  program_.operations.insert(program_.operations.end(), operations.begin(), operations.end());
  program_.successors.insert(program_.successors.end(), successors.begin(), successors.end());
  program_.blocks.push_back(block);
  return id;
}

Program ProgramBuilder::build() const {
  Program program = program_;
  const bool sound = std::ranges::all_of(program.successors, [&](BlockId successor) {
    return index(successor) < program.blocks.size();
  });
  if (sound && !program.functions.empty()) // finalize tells what is wrong with another
    findNaturalLoops(program);
  program.finalize();
  return program;
}

} // namespace aiwc::test
