#include "metrics/asap_code.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace aiwc::metrics {

using namespace trace;

namespace {

// docs/metrics.md: these cost nothing and are no nodes.
constexpr std::array<std::string_view, 5> kFree = {"phi", "br", "bitcast", "addrspacecast", "ret"};

bool isPhi(const Program &program, const Operation &operation) {
  return program.opcodeNames[index(operation.opcode)] == "phi";
}

} // namespace

AsapCode::AsapCode(const Program &program)
    : zero(program.valueCount), sink(program.valueCount + 1), slots(program.valueCount + 2) {
  for (const std::string &name : program.opcodeNames)
    nodeOpcodes.push_back(std::ranges::find(kFree, name) == kFree.end());
  for (const trace::Block &source : program.blocks) {
    Block block;
    block.firstOp = static_cast<uint32_t>(ops.size());
    addPhis(program, source, block);
    uint32_t offset = 0;
    for (const Operation &operation : program.operationsOf(source))
      addOperation(program, operation, offset++, block);
    block.opCount = static_cast<uint32_t>(ops.size()) - block.firstOp;
    addEnd(program, source, block);
    blocks.push_back(block);
  }
}

uint32_t AsapCode::slotOf(ValueId value) const {
  return value == ValueId::kNone ? zero : index(value);
}

void AsapCode::addOperation(const Program &program, const Operation &operation, uint32_t offset,
                            Block &block) {
  using Kind = Op::Kind;
  if (isPhi(program, operation))
    return;
  const bool node = isNode(operation);
  block.nodes += node;
  const uint32_t fpOps =
      uint32_t{operation.fpAdd} + operation.fpMul + operation.fpDiv + operation.fpSpecial;
  // Without a latency nor a result it changes nothing: a branch.
  if (!node && operation.result == ValueId::kNone && fpOps == 0 &&
      operation.memory == MemoryKind::kNone)
    return;

  Op op;
  op.latency = node;
  op.offset = offset;
  op.fpOps = fpOps;
  op.result = operation.result == ValueId::kNone ? sink : index(operation.result);
  op.firstOperand = static_cast<uint32_t>(operands.size());
  for (const Operand &operand : program.operandsOf(operation))
    if (operand.value != ValueId::kNone)
      operands.push_back(index(operand.value));
  op.operandCount = static_cast<uint32_t>(operands.size()) - op.firstOperand;
  op.a = op.operandCount > 0 ? operands[op.firstOperand] : zero;
  op.b = op.operandCount > 1 ? operands[op.firstOperand + 1] : zero;

  if (operation.isFusedMultiplyAdd()) {
    const auto arguments = program.operandsOf(operation);
    op.kind = Kind::kFused;
    op.fpOps = operation.fpAdd;
    op.a = slotOf(arguments[0].value);
    op.b = slotOf(arguments[1].value);
    op.c = slotOf(arguments[2].value);
    block.fpLevels += 2;
  } else {
    const bool reads = operation.memory == MemoryKind::kLoad;
    const bool writes = operation.memory == MemoryKind::kStore;
    // A call that only waits may look at memory all the same: wait_group_events reads its events.
    const bool memory = operation.memory != MemoryKind::kNone ||
                        (fpOps == 0 && program.opcodeNames[index(operation.opcode)] == "call");
    block.fpLevels += fpOps > 0;
    if (op.operandCount > 2 || (memory && (fpOps > 0 || (!reads && !writes))))
      op.kind = Kind::kGeneral;
    else if (memory)
      op.kind = reads ? Kind::kLoad : Kind::kStore;
    else if (fpOps > 0)
      op.kind = Kind::kFloat;
  }
  ops.push_back(op);
}

/// Phis of a block read what was before any of them changed, so they are copies that happen at
/// once, apart from the other operations.
void AsapCode::addPhis(const Program &program, const trace::Block &source, Block &block) {
  std::vector<const Operation *> phis;
  std::vector<BlockId> from;
  for (const Operation &operation : program.operationsOf(source)) {
    if (!isPhi(program, operation) || operation.result == ValueId::kNone)
      continue;
    phis.push_back(&operation);
    for (const Operand &operand : program.operandsOf(operation))
      if (std::ranges::find(from, operand.incoming) == from.end())
        from.push_back(operand.incoming);
  }
  if (!phis.empty())
    from.push_back(BlockId::kNone);
  block.firstEdge = static_cast<uint32_t>(edges.size());
  block.edgeCount = static_cast<uint32_t>(from.size());
  for (const BlockId incoming : from) {
    Edge edge{incoming, static_cast<uint32_t>(copies.size()), 0};
    for (const Operation *phi : phis) {
      const auto incomings = program.operandsOf(*phi);
      const auto operand = std::ranges::find(incomings, incoming, &Operand::incoming);
      copies.push_back(
          {index(phi->result), operand == incomings.end() ? zero : slotOf(operand->value)});
    }
    edge.copyCount = static_cast<uint32_t>(copies.size()) - edge.firstCopy;
    edges.push_back(edge);
  }
}

void AsapCode::addEnd(const Program &program, const trace::Block &source, Block &block) {
  block.end = source.end;
  const Operation &last = program.operationsOf(source).back();
  const auto lastOperands = program.operandsOf(last);
  if (source.end == BlockEnd::kReturn)
    block.returned = lastOperands.empty() ? zero : slotOf(lastOperands[0].value);
  if (source.end != BlockEnd::kCall)
    return;
  const auto &arguments = program.function(source.callee).arguments;
  block.firstArgument = static_cast<uint32_t>(copies.size());
  for (size_t i = 0; i < arguments.size(); ++i)
    copies.push_back(
        {index(arguments[i]), i < lastOperands.size() ? slotOf(lastOperands[i].value) : zero});
  block.argumentCount = static_cast<uint32_t>(copies.size()) - block.firstArgument;
  if (block.opCount > 0)
    ops.back().result = sink; // the call's value is there when the callee has returned
  block.callResult = last.result == ValueId::kNone ? sink : index(last.result);
}

} // namespace aiwc::metrics
