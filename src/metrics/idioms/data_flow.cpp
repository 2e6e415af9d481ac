#include "metrics/idioms/data_flow.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace aiwc::metrics {

using namespace trace;

namespace {

constexpr uint32_t kUndefined = UINT32_MAX;
/// The longest chain of operations that is followed: bounds the depth of the recursion.
constexpr size_t kLongestChain = 2000;

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

std::optional<Fold> foldNamed(std::string_view opcode) {
  if (isOneOf(opcode, {"fadd", "fsub", "add", "sub"}))
    return Fold::kSum;
  if (isOneOf(opcode, {"fmul", "mul"}))
    return Fold::kProduct;
  if (isOneOf(opcode, {"and", "or", "xor"}))
    return Fold::kBits;
  return std::nullopt;
}

} // namespace

DataFlow::DataFlow(const Program &program)
    : program_(program), blocks_(program.operations.size()),
      definitions_(program.valueCount, kUndefined), inputs_(program.valueCount),
      callers_(program.functions.size(), LoopId::kNone), barriers_(program.loops.size()) {
  for (const std::string &name : program.opcodeNames) {
    folds_.push_back(foldNamed(name));
    kinds_.push_back(
        name == "phi"                     ? Kind::kPhi
        : name == "select"                ? Kind::kSelect
        : folds_.back()                   ? Kind::kFold
        : isOneOf(name, {"icmp", "fcmp"}) ? Kind::kCompare
        : isOneOf(name, {"zext", "sext", "trunc", "fpext", "fptrunc", "bitcast", "sitofp", "uitofp",
                         "fptosi", "fptoui", "freeze", "insertelement", "extractelement",
                         "shufflevector", "insertvalue", "extractvalue", "fneg"})
            ? Kind::kMove
            : Kind::kOther);
  }
  std::vector<std::vector<BlockId>> calls(program.functions.size());
  for (uint32_t b = 0; b < program.blocks.size(); ++b) {
    const Block &block = program.blocks[b];
    for (uint32_t op = index(block.firstOp); op < index(block.firstOp) + block.opCount; ++op) {
      blocks_[op] = BlockId{b};
      const Operation &operation = program.operations[op];
      if (operation.result != ValueId::kNone)
        definitions_[index(operation.result)] = op;
    }
    if (block.end == BlockEnd::kCall)
      calls[index(block.callee)].push_back(BlockId{b});
    if (block.end == BlockEnd::kBarrier)
      for (LoopId loop = block.loop; loop != LoopId::kNone; loop = program.loop(loop).parent)
        barriers_[index(loop)] = true;
  }
  for (size_t f = 0; f < calls.size(); ++f)
    if (calls[f].size() == 1)
      callers_[f] = program.block(calls[f].front()).loop;

  std::vector<std::vector<ValueId>> returned(program.functions.size());
  for (const Block &block : program.blocks)
    if (block.end == BlockEnd::kReturn)
      for (const Operand &operand : program.operandsOf(program.operationsOf(block).back()))
        if (operand.value != ValueId::kNone)
          returned[index(block.function)].push_back(operand.value);
  for (uint32_t op = 0; op < program.operations.size(); ++op) {
    const Operation &operation = program.operations[op];
    const Block &block = program.block(blocks_[op]);
    const bool isCall =
        block.end == BlockEnd::kCall && op + 1 == index(block.firstOp) + block.opCount;
    if (isCall) {
      const Function &callee = program.function(block.callee);
      for (size_t a = 0; a < std::min<size_t>(callee.arguments.size(), operation.operandCount); ++a)
        if (const ValueId passed = program.operandsOf(operation)[a].value; passed != ValueId::kNone)
          inputs_[index(callee.arguments[a])].push_back({passed, false});
    }
    if (operation.result == ValueId::kNone)
      continue;
    std::vector<Input> &inputs = inputs_[index(operation.result)];
    if (isCall) {
      for (const ValueId value : returned[index(block.callee)])
        inputs.push_back({value, false});
      continue;
    }
    if (operation.memory == MemoryKind::kLoad && operation.space == AddressSpace::kPrivate)
      continue;
    const bool header = kindOf(operation) == Kind::kPhi && isHeader(blocks_[op]);
    for (const Operand &operand : program.operandsOf(operation))
      if (operand.value != ValueId::kNone)
        inputs.push_back({operand.value, header && !comesFrom(operand, block.loop)});
  }
}

LoopId DataFlow::loopAround(BlockId block) const {
  const Block &of = program_.block(block);
  return of.loop != LoopId::kNone ? of.loop : callers_[index(of.function)];
}

bool DataFlow::isInside(LoopId inner, LoopId outer) const {
  // A chain of functions, each of which is called in one place, has no more loops than there are.
  for (size_t steps = 0; inner != LoopId::kNone && steps <= program_.loops.size(); ++steps) {
    if (inner == outer)
      return true;
    const Loop &loop = program_.loop(inner);
    inner = loop.parent != LoopId::kNone ? loop.parent : callers_[index(loop.function)];
  }
  return false;
}

bool DataFlow::comesFrom(const Operand &operand, LoopId loop) const {
  return index(operand.incoming) < program_.blocks.size() &&
         isInside(program_.block(operand.incoming).loop, loop);
}

bool DataFlow::isHeader(BlockId block) const {
  const LoopId loop = program_.block(block).loop;
  return loop != LoopId::kNone && program_.loop(loop).header == block;
}

DataFlow::Kind DataFlow::kindOf(const Operation &operation) const {
  return kinds_[index(operation.opcode)];
}

std::optional<Fold> DataFlow::foldOf(const Operation &operation) const {
  if (operation.isFusedMultiplyAdd())
    return Fold::kSum;
  if (operation.extremum)
    return Fold::kExtreme;
  return folds_[index(operation.opcode)];
}

std::span<const Operand> DataFlow::operandsOf(uint32_t op) const {
  return program_.operandsOf(operation(op));
}

bool DataFlow::isRead(uint32_t op) const {
  const Operation &of = operation(op);
  return of.accessesSharedMemory() && of.memory != MemoryKind::kStore &&
         of.memory != MemoryKind::kGroupCopy;
}

/// Calls visit(value) for each value that `from` depends on, themselves included, until it returns
/// false. Reads are visited, what their addresses depend on is not.
void DataFlow::walk(std::vector<ValueId> from, bool throughEntries,
                    const std::function<bool(ValueId)> &visit) const {
  std::vector<bool> seen(program_.valueCount);
  while (!from.empty()) {
    const ValueId value = from.back();
    from.pop_back();
    if (value == ValueId::kNone || seen[index(value)])
      continue;
    seen[index(value)] = true;
    if (!visit(value))
      return;
    if (const uint32_t op = definition(value); op != kUndefined && isRead(op))
      continue;
    for (const Input &input : inputs_[index(value)])
      if (throughEntries || !input.entersLoop)
        from.push_back(input.value);
  }
}

std::vector<uint32_t> DataFlow::readsBehind(std::vector<ValueId> from, bool throughEntries) const {
  std::vector<uint32_t> reads;
  walk(std::move(from), throughEntries, [&](ValueId value) {
    if (const uint32_t source = definition(value); source != kUndefined && isRead(source))
      reads.push_back(source);
    return true;
  });
  std::ranges::sort(reads);
  return reads;
}

std::vector<uint32_t> DataFlow::addressSources(uint32_t op) const {
  const Operation &of = operation(op);
  std::vector<ValueId> address;
  for (const Operand &operand : program_.operandsOf(of))
    if (operand.value != of.stored)
      address.push_back(operand.value);
  return readsBehind(std::move(address), false);
}

std::vector<uint32_t> DataFlow::sources(ValueId value) const {
  return readsBehind({value}, true);
}

std::vector<uint32_t> DataFlow::termSources(ValueId term) const {
  const uint32_t op = definition(term);
  if (op == kUndefined || !operation(op).isFusedMultiplyAdd())
    return sources(term);
  std::vector<uint32_t> reads;
  for (const Operand &factor : operandsOf(op).first(2))
    if (factor.value != ValueId::kNone)
      for (const uint32_t read : sources(factor.value))
        reads.push_back(read);
  return reads;
}

bool DataFlow::dependsOn(ValueId value, const std::vector<ValueId> &on) const {
  bool found = false;
  walk({value}, true, [&](ValueId visited) {
    found = std::ranges::find(on, visited) != on.end();
    return !found;
  });
  return found;
}

/// A search for the ways from one value back to another.
struct DataFlow::Search {
  ValueId to = ValueId::kNone;
  std::map<ValueId, bool> reached; ///< values that were looked at, and whether they lead to `to`
  std::vector<Fold> folds;
  std::vector<ValueId> terms;        ///< other operands of the operations on the way
  std::vector<ValueId> alternatives; ///< that replace it: other operands of a phi or a select
  bool constantReplaces = false;     ///< likewise a constant
  size_t depth = 0;
};

/// Whether the old value goes into `value` by moves and operations that join it with others.
bool DataFlow::reaches(Search &search, ValueId value) const {
  if (value == search.to)
    return true;
  if (value == ValueId::kNone || search.depth > kLongestChain)
    return false;
  // A value that is being looked at is in a loop inside: assume that it leads there.
  const auto [entry, isNew] = search.reached.try_emplace(value, true);
  if (!isNew)
    return entry->second;
  const uint32_t op = definition(value);
  ++search.depth;
  const bool result = op != kUndefined && joins(search, op);
  --search.depth;
  search.reached[value] = result;
  return result;
}

bool DataFlow::joins(Search &search, uint32_t op) const {
  const Operation &of = operation(op);
  std::span<const Operand> operands = program_.operandsOf(of);
  if (const auto fold = foldOf(of)) {
    // Of a fused multiplication and addition, the sum goes through the addend.
    const size_t first = of.isFusedMultiplyAdd() ? 2 : 0;
    std::vector<ValueId> others;
    bool any = false;
    for (const Operand &operand : operands.subspan(first))
      if (reaches(search, operand.value))
        any = true;
      else if (operand.value != ValueId::kNone)
        others.push_back(operand.value);
    if (!any)
      return false;
    if (first > 0)
      others.push_back(of.result); // stands for its product
    search.terms.insert(search.terms.end(), others.begin(), others.end());
    search.folds.push_back(*fold);
    return true;
  }
  switch (kindOf(of)) {
  case Kind::kSelect:
    operands = operands.subspan(std::min<size_t>(1, operands.size())); // the condition
    search.constantReplaces |= operands.size() < 2;
    [[fallthrough]];
  case Kind::kPhi: {
    bool any = false;
    std::vector<ValueId> others;
    for (const Operand &operand : operands)
      if (reaches(search, operand.value))
        any = true;
      else if (operand.value == ValueId::kNone)
        search.constantReplaces = true;
      else
        others.push_back(operand.value);
    if (any)
      search.alternatives.insert(search.alternatives.end(), others.begin(), others.end());
    return any;
  }
  case Kind::kMove: {
    bool any = false;
    for (const Operand &operand : operands)
      any |= reaches(search, operand.value);
    return any;
  }
  default:
    return false;
  }
}

/// Whether the old value is compared with a value that replaces it.
bool DataFlow::chooses(const Search &search, const Accumulation &found, LoopId loop) const {
  for (uint32_t op = 0; op < program_.operations.size(); ++op) {
    if (kindOf(operation(op)) != Kind::kCompare ||
        (loop != LoopId::kNone && !isInside(loopOf(op), loop)))
      continue;
    const auto operands = operandsOf(op);
    if (operands.size() != 2)
      continue;
    for (size_t i = 0; i < 2; ++i)
      if (std::ranges::find(found.values, operands[i].value) != found.values.end() &&
          std::ranges::find(search.alternatives, operands[1 - i].value) !=
              search.alternatives.end())
        return true;
  }
  return false;
}

/// How `from` joins further values with `to`.
std::optional<Accumulation> DataFlow::joined(ValueId from, ValueId to, LoopId loop,
                                             bool always) const {
  Search search;
  search.to = to;
  if (from == to || !reaches(search, from))
    return std::nullopt;
  Accumulation found;
  found.values.push_back(to);
  for (const auto &[value, leads] : search.reached)
    if (leads)
      found.values.push_back(value);
  if (search.folds.empty()) {
    if (!chooses(search, found, loop))
      return std::nullopt;
    found.fold = Fold::kExtreme;
    found.terms = search.alternatives;
    return found;
  }
  found.fold = search.folds.front();
  if ((always && (!search.alternatives.empty() || search.constantReplaces)) ||
      !std::ranges::all_of(search.folds, [&](Fold fold) { return fold == found.fold; }))
    return std::nullopt;
  found.terms = search.terms;
  return found;
}

std::vector<Accumulation> DataFlow::accumulations(LoopId loop) const {
  std::vector<Accumulation> result;
  const Block &header = program_.block(program_.loop(loop).header);
  for (const Operation &phi : program_.operationsOf(header)) {
    if (kindOf(phi) != Kind::kPhi || phi.result == ValueId::kNone)
      continue;
    std::optional<Accumulation> found;
    std::vector<ValueId> start;
    bool all = true;
    for (const Operand &operand : program_.operandsOf(phi)) {
      if (!comesFrom(operand, loop)) {
        if (operand.value != ValueId::kNone)
          start.push_back(operand.value);
        continue;
      }
      if (operand.value == phi.result) // an iteration that is skipped
        continue;
      auto next = joined(operand.value, phi.result, loop, true);
      all = all && next && (!found || found->fold == next->fold);
      if (!all)
        break;
      if (!found) {
        found = std::move(next);
      } else {
        found->terms.insert(found->terms.end(), next->terms.begin(), next->terms.end());
        found->values.insert(found->values.end(), next->values.begin(), next->values.end());
      }
    }
    if (all && found) {
      found->start = std::move(start);
      result.push_back(std::move(*found));
    }
  }
  return result;
}

std::optional<Accumulation> DataFlow::accumulation(uint32_t op, uint32_t load, bool always) const {
  return joined(operation(op).stored, operation(load).result, LoopId::kNone, always);
}

std::vector<ValueId> DataFlow::addends(ValueId value) const {
  std::vector<ValueId> terms;
  std::vector<ValueId> open{value};
  std::set<ValueId> seen; // a value that is added twice is one term
  while (!open.empty()) {
    const ValueId next = open.back();
    open.pop_back();
    if (next == ValueId::kNone || !seen.insert(next).second)
      continue;
    const uint32_t op = definition(next);
    if (op != kUndefined && operation(op).isFusedMultiplyAdd()) {
      terms.push_back(next); // its product
      open.push_back(operandsOf(op)[2].value);
    } else if (op != kUndefined && foldOf(operation(op)) == Fold::kSum) {
      for (const Operand &operand : operandsOf(op))
        open.push_back(operand.value);
    } else {
      terms.push_back(next);
    }
  }
  return terms;
}

std::vector<uint32_t> DataFlow::factors(ValueId value) const {
  std::vector<uint32_t> reads;
  std::vector<ValueId> open{value};
  std::set<ValueId> seen;
  while (!open.empty()) {
    const ValueId next = open.back();
    open.pop_back();
    if (next == ValueId::kNone || !seen.insert(next).second)
      continue;
    const uint32_t op = definition(next);
    if (op == kUndefined) // an argument: a scalar
      continue;
    if (isRead(op)) {
      reads.push_back(op);
      continue;
    }
    const Operation &of = operation(op);
    std::span<const Operand> operands = program_.operandsOf(of);
    const bool divides = of.fpDiv > 0 && of.memory == MemoryKind::kNone;
    if (of.isFusedMultiplyAdd())
      operands = operands.first(2);
    else if (foldOf(of) != Fold::kProduct && !divides && kindOf(of) != Kind::kMove) {
      if (!sources(next).empty())
        return {}; // what is multiplied is computed from reads
      continue;
    }
    for (const Operand &operand : operands)
      open.push_back(operand.value);
  }
  std::ranges::sort(reads);
  return reads;
}

} // namespace aiwc::metrics
