#include "metrics/asap/code.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace aiwc::metrics {

using namespace trace;

namespace {

// These opcodes cost nothing and are not nodes of the schedule (docs/metrics.md).
constexpr std::array<std::string_view, 5> kFree = {"phi", "br", "bitcast", "addrspacecast", "ret"};

std::vector<bool> nodesOf(const Program &program) {
  std::vector<bool> nodes;
  for (const std::string &name : program.opcodeNames)
    nodes.push_back(std::ranges::find(kFree, name) == kFree.end());
  return nodes;
}

} // namespace

AsapCode::AsapCode(const Program &program)
    : nodeOpcodes(nodesOf(program)), values(program, nodeOpcodes),
      slotOfValue(program.valueCount, kSink) {
  for (uint32_t value = 0; value < program.valueCount; ++value)
    if (values.isRoot(value))
      slotOfValue[value] = slots++;
  for (const trace::Block &source : program.blocks) {
    Block block;
    block.firstOp = static_cast<uint32_t>(ops.size());
    block.firstGone = static_cast<uint32_t>(gone.size());
    addPhis(program, source, block);
    for (uint32_t offset = 0; offset < source.opCount; ++offset)
      addOperation(program, source, offset, block);
    block.opCount = static_cast<uint32_t>(ops.size()) - block.firstOp;
    block.goneCount = static_cast<uint32_t>(gone.size()) - block.firstGone;
    addDepths(block);
    addEnd(program, source, block);
    blocks.push_back(block);
  }
  sortSlots();
}

/// The slot and offsets from which the level of a value is computed.
AsapCode::Copy AsapCode::valueOf(ValueId value) const {
  if (value == ValueId::kNone)
    return {};
  const LevelForm &form = values.form(value);
  if (form.root == LevelForm::kNoRoot)
    return {kSink, {}, form.least};
  return {kSink, {slotOfValue[form.root], form.add}, form.least};
}

uint32_t AsapCode::slotOf(ValueId result) const {
  return result == ValueId::kNone ? kSink : slotOfValue[index(result)];
}

void AsapCode::Inputs::add(const Copy &value) {
  least = std::max(least, value.least);
  if (value.from.slot == kZero)
    return;
  const auto known = std::ranges::find(terms, value.from.slot, &Term::slot);
  if (known == terms.end())
    terms.push_back(value.from);
  else
    known->add = std::max(known->add, value.from.add);
}

AsapCode::Inputs AsapCode::inputsOf(std::span<const Operand> operands) const {
  Inputs inputs;
  for (const Operand &operand : operands)
    inputs.add(valueOf(operand.value));
  return inputs;
}

/// Whether the operation is removed, because readers of its result can read its root instead. Adds
/// removed nodes to `gone`.
bool AsapCode::leaveOut(const Program &program, const trace::Block &source, uint32_t offset) {
  const Operation &operation = program.operationsOf(source)[offset];
  if (!AsapValues::isSimple(program, source, offset))
    return false;
  const bool node = isNode(operation);
  if (!node && operation.result == ValueId::kNone)
    return true; // no latency and no result, like a branch: it changes nothing
  if (operation.result != ValueId::kNone && values.isRoot(index(operation.result)))
    return false;
  const auto form = values.joined(program, operation);
  if (!form)
    return false;
  if (node && form->root == LevelForm::kNoRoot)
    gone.push_back({{}, form->least + 1, offset});
  else if (node)
    gone.push_back({{slotOfValue[form->root], form->add + 1}, form->least + 1, offset});
  return true;
}

void AsapCode::addOperation(const Program &program, const trace::Block &source, uint32_t offset,
                            Block &block) {
  using Kind = Op::Kind;
  const Operation &operation = program.operationsOf(source)[offset];
  if (isPhi(program, operation))
    return;
  const bool node = isNode(operation);
  block.nodes += node;
  if (leaveOut(program, source, offset))
    return;

  Op op;
  op.latency = node;
  op.offset = offset;
  op.fpOps = static_cast<uint32_t>(operation.fpOps());
  op.result = slotOf(operation.result);
  const bool returns = offset + 1 == source.opCount && source.end == BlockEnd::kCall;
  if (returns)
    op.result = kSink; // the result is written when the callee returns
  const auto operands = program.operandsOf(operation);
  if (operation.isFusedMultiplyAdd()) {
    addFused(operands, op);
    block.fpLevels += 2;
    ops.push_back(op);
    return;
  }
  const Inputs inputs = inputsOf(operands);
  op.least = inputs.least;
  op.firstTerm = static_cast<uint32_t>(terms.size());
  op.termCount = static_cast<uint32_t>(inputs.terms.size());
  op.a = op.termCount > 0 ? inputs.terms[0] : Term{};
  op.b = op.termCount > 1 ? inputs.terms[1] : Term{};
  const bool reads = operation.memory == MemoryKind::kLoad;
  const bool writes = operation.memory == MemoryKind::kStore;
  const bool memory = operation.memory != MemoryKind::kNone ||
                      (op.fpOps == 0 && !AsapValues::isSimple(program, source, offset));
  block.fpLevels += op.fpOps > 0;
  if (op.termCount > 2 || (memory && (op.fpOps > 0 || (!reads && !writes)))) {
    op.kind = Kind::kGeneral;
    terms.insert(terms.end(), inputs.terms.begin(), inputs.terms.end());
  } else if (memory) {
    op.kind = reads ? Kind::kLoad : Kind::kStore;
  } else if (op.fpOps > 0) {
    op.kind = Kind::kFloat;
  }
  ops.push_back(op);
}

/// The factors are joined at the multiplication, the addend at the addition.
void AsapCode::addFused(std::span<const Operand> operands, Op &op) const {
  op.kind = Op::Kind::kFused;
  op.fpOps /= 2;
  const Copy factors[] = {valueOf(operands[0].value), valueOf(operands[1].value)};
  const Copy addend = valueOf(operands[2].value);
  op.a = factors[0].from;
  op.b = factors[1].from;
  op.c = addend.from;
  op.least = std::max({factors[0].least, factors[1].least, addend.least});
}

/// Computes `depths`: for each slot the deepest removed instruction, unless an operation of the
/// block that reads the slot is at least as deep. `reach` holds the deepest per slot; it is all 0
/// before and after.
void AsapCode::addDepths(Block &block) {
  reach.resize(slots);
  const std::span<const Op> executed = std::span(ops).subspan(block.firstOp, block.opCount);
  for (const Op &op : executed)
    forEachTerm(op, [&](const Term &term) {
      reach[term.slot] = std::max(reach[term.slot], term.add + op.latency);
    });
  block.firstDepth = static_cast<uint32_t>(depths.size());
  const std::span<const Depth> instructions =
      std::span(gone).subspan(block.firstGone, block.goneCount);
  for (const Depth &instruction : instructions) {
    block.least = std::max(block.least, instruction.least);
    const Term &term = instruction.term;
    if (term.slot == kZero || term.add <= reach[term.slot])
      continue;
    const auto known = std::find_if(depths.begin() + block.firstDepth, depths.end(),
                                    [&](const Term &other) { return other.slot == term.slot; });
    if (known == depths.end())
      depths.push_back(term);
    else
      known->add = term.add;
    reach[term.slot] = term.add;
  }
  block.depthCount = static_cast<uint32_t>(depths.size()) - block.firstDepth;
  for (const Op &op : executed)
    forEachTerm(op, [&](const Term &term) { reach[term.slot] = 0; });
  for (const Depth &instruction : instructions)
    reach[instruction.term.slot] = 0;
}

AsapCode::Copies AsapCode::endCopies(uint32_t first) const {
  Copies result{first, static_cast<uint32_t>(copies.size()) - first, true};
  for (size_t i = first; i < copies.size(); ++i)
    for (size_t earlier = first; earlier < i; ++earlier)
      result.inTurn = result.inTurn && copies[i].from.slot != copies[earlier].to;
  return result;
}

/// All phis of a block read their operands before any phi is written, so they become simultaneous
/// copies, separate from the other operations.
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
    const auto first = static_cast<uint32_t>(copies.size());
    for (const Operation *phi : phis) {
      const auto incomings = program.operandsOf(*phi);
      const auto operand = std::ranges::find(incomings, incoming, &Operand::incoming);
      Copy copy = operand == incomings.end() ? Copy{} : valueOf(operand->value);
      copy.to = slotOf(phi->result);
      copies.push_back(copy);
    }
    edges.push_back({incoming, endCopies(first)});
  }
}

void AsapCode::addEnd(const Program &program, const trace::Block &source, Block &block) {
  block.end = source.end;
  const Operation &last = program.operationsOf(source).back();
  const auto lastOperands = program.operandsOf(last);
  if (source.end == BlockEnd::kReturn && !lastOperands.empty())
    block.returned = valueOf(lastOperands[0].value);
  if (source.end != BlockEnd::kCall)
    return;
  const auto &arguments = program.function(source.callee).arguments;
  const auto first = static_cast<uint32_t>(copies.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    Copy copy = i < lastOperands.size() ? valueOf(lastOperands[i].value) : Copy{};
    copy.to = slotOf(arguments[i]);
    copies.push_back(copy);
  }
  block.arguments = endCopies(first);
  block.callResult = slotOf(last.result);
}

} // namespace aiwc::metrics
