#include "metrics/asap/values.h"

#include "metrics/asap/dominators.h"

#include <algorithm>

namespace aiwc::metrics {

using namespace trace;

bool isPhi(const Program &program, const Operation &operation) {
  return program.opcodeNames[index(operation.opcode)] == "phi";
}

AsapValues::AsapValues(const Program &program, const std::vector<bool> &nodes)
    : definitions_(program.valueCount), forms_(program.valueCount) {
  const Dominators dominators(program);
  findDefinitions(program);
  findUses(program, dominators);
  findForms(program, dominators, nodes);
}

bool AsapValues::isSimple(const Program &program, const Block &block, uint32_t offset) {
  const Operation &operation = program.operationsOf(block)[offset];
  // A call at a block's end can access memory itself: structures passed by value, and the events of
  // a wait.
  const bool leaves = offset + 1 == block.opCount &&
                      (block.end == BlockEnd::kCall || block.end == BlockEnd::kBarrier);
  return operation.memory == MemoryKind::kNone && !leaves && operation.fpAdd == 0 &&
         operation.fpMul == 0 && operation.fpDiv == 0 && operation.fpSpecial == 0 &&
         !isPhi(program, operation);
}

void AsapValues::define(ValueId value, BlockId block, uint32_t position) {
  if (value == ValueId::kNone)
    return;
  Definition &definition = definitions_[index(value)];
  definition.block = block;
  definition.position = position;
  ++definition.count;
}

/// A kernel's arguments have level 0, like values that are never defined, unless other functions
/// call the kernel.
void AsapValues::findDefinitions(const Program &program) {
  std::vector<bool> called(program.functions.size());
  for (size_t b = 0; b < program.blocks.size(); ++b) {
    const Block &block = program.blocks[b];
    const auto id = static_cast<BlockId>(b);
    if (block.end == BlockEnd::kCall)
      called[index(block.callee)] = true;
    uint32_t offset = 0;
    for (const Operation &operation : program.operationsOf(block)) {
      const bool returned = ++offset == block.opCount && block.end == BlockEnd::kCall;
      define(operation.result, id, isPhi(program, operation) ? 0 : offset + returned);
    }
  }
  for (size_t f = 0; f < program.functions.size(); ++f)
    if (called[f])
      for (const ValueId argument : program.functions[f].arguments)
        define(argument, program.functions[f].entry, 0);
}

void AsapValues::use(ValueId value, const Dominators &dominators, BlockId block,
                     uint32_t position) {
  if (value == ValueId::kNone)
    return;
  Definition &definition = definitions_[index(value)];
  if (definition.count != 1 || block == BlockId::kNone)
    definition.dominatesUses = false;
  else if (definition.block == block)
    definition.dominatesUses &= definition.position < position;
  else
    definition.dominatesUses &= dominators.dominates(definition.block, block);
}

void AsapValues::findUses(const Program &program, const Dominators &dominators) {
  for (size_t b = 0; b < program.blocks.size(); ++b) {
    uint32_t offset = 0;
    for (const Operation &operation : program.operationsOf(program.blocks[b])) {
      ++offset;
      const bool phi = isPhi(program, operation);
      for (const Operand &operand : program.operandsOf(operation))
        if (!phi)
          use(operand.value, dominators, static_cast<BlockId>(b), offset);
        else if (operand.incoming == BlockId::kNone)
          use(operand.value, dominators, BlockId::kNone, 0);
        else if (index(operand.incoming) < program.blocks.size())
          use(operand.value, dominators, operand.incoming,
              program.block(operand.incoming).opCount + 1);
    }
  }
}

std::optional<LevelForm> AsapValues::joined(const Program &program,
                                            const Operation &operation) const {
  LevelForm result;
  for (const Operand &operand : program.operandsOf(operation)) {
    if (operand.value == ValueId::kNone)
      continue;
    const LevelForm &one = form(operand.value);
    result.least = std::max(result.least, one.least);
    if (one.root == LevelForm::kNoRoot)
      continue;
    if (result.root != LevelForm::kNoRoot && result.root != one.root)
      return std::nullopt;
    result.root = one.root;
    result.add = std::max(result.add, one.add);
  }
  if (result.root != LevelForm::kNoRoot && !definitions_[result.root].isSingleAssignment())
    return std::nullopt;
  return result;
}

void AsapValues::findForms(const Program &program, const Dominators &dominators,
                           const std::vector<bool> &nodes) {
  for (uint32_t value = 0; value < program.valueCount; ++value)
    if (definitions_[value].count > 0)
      forms_[value].root = value;
  for (const BlockId id : dominators.order()) {
    const Block &block = program.block(id);
    uint32_t offset = 0;
    for (const Operation &operation : program.operationsOf(block)) {
      if (!isSimple(program, block, offset++) || operation.result == ValueId::kNone ||
          !definitions_[index(operation.result)].isSingleAssignment())
        continue;
      auto form = joined(program, operation);
      if (!form)
        continue;
      const uint32_t latency = nodes[index(operation.opcode)] ? 1 : 0;
      form->add += form->root == LevelForm::kNoRoot ? 0 : latency;
      form->least += latency;
      forms_[index(operation.result)] = *form;
    }
  }
}

} // namespace aiwc::metrics
