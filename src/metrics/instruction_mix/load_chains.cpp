#include "metrics/instruction_mix/load_chains.h"

#include <algorithm>
#include <limits>

namespace aiwc::metrics {

using namespace trace;

namespace {

/// The further parts of a vector are loaded with the first.
bool isLoad(const Operation &operation) {
  return operation.accessesSharedMemory() && operation.memory == MemoryKind::kLoad &&
         operation.joinedTo == Operation::kAlone;
}

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

/// What operations depend on, without what goes through memory.
class Dependences {
public:
  explicit Dependences(const Program &program)
      : program_(program), definitions_(program.valueCount, kNone) {
    for (uint32_t op = 0; op < program.operations.size(); ++op)
      if (const ValueId result = program.operations[op].result; result != ValueId::kNone)
        definitions_[index(result)] = op;
  }

  size_t count(uint32_t operation) const { return program_.operations[operation].operandCount; }
  /// The operation that makes this operand of another one; kNone for arguments and stored values.
  uint32_t at(uint32_t operation, size_t operand) const {
    const Operation &user = program_.operations[operation];
    const ValueId value = program_.operandsOf(user)[operand].value;
    return value == ValueId::kNone || value == user.stored ? kNone : definitions_[index(value)];
  }

private:
  const Program &program_;
  std::vector<uint32_t> definitions_; ///< by value
};

/// Which operations are loads in a cycle of dependences: in one of the strongly connected
/// components (Tarjan, Depth-first search and linear graph algorithms, 1972), without recursion.
std::vector<bool> chainedLoads(const Program &program, const Dependences &dependences) {
  const size_t count = program.operations.size();
  struct Visit {
    uint32_t operation, nextOperand;
  };
  std::vector<uint32_t> order(count, kNone), lowest(count); // kNone: not visited
  std::vector<bool> isOpen(count), needsItself(count), chained(count);
  std::vector<uint32_t> open;
  std::vector<Visit> path;
  uint32_t visited = 0;
  const auto enter = [&](uint32_t operation) {
    order[operation] = lowest[operation] = visited++;
    open.push_back(operation);
    isOpen[operation] = true;
    path.push_back({operation, 0});
  };
  const auto leave = [&](uint32_t operation) {
    path.pop_back();
    if (!path.empty())
      lowest[path.back().operation] = std::min(lowest[path.back().operation], lowest[operation]);
    if (lowest[operation] != order[operation])
      return;
    const bool isCycle = open.back() != operation || needsItself[operation];
    for (uint32_t member = kNone; member != operation;) {
      member = open.back();
      open.pop_back();
      isOpen[member] = false;
      chained[member] = isCycle && isLoad(program.operations[member]);
    }
  };
  for (uint32_t root = 0; root < count; ++root) {
    if (order[root] == kNone)
      enter(root);
    while (!path.empty()) {
      Visit &visit = path.back();
      const uint32_t operation = visit.operation;
      if (visit.nextOperand == dependences.count(operation)) {
        leave(operation);
        continue;
      }
      const uint32_t needed = dependences.at(operation, visit.nextOperand++);
      if (needed == kNone)
        continue;
      if (needed == operation)
        needsItself[operation] = true;
      if (order[needed] == kNone)
        enter(needed);
      else if (isOpen[needed])
        lowest[operation] = std::min(lowest[operation], order[needed]);
    }
  }
  return chained;
}

/// The longest chain of loads of which each depends on the one before, in one execution of a block.
uint64_t roundsOf(const Program &program, const Dependences &dependences, const Block &block) {
  const uint32_t first = index(block.firstOp);
  std::vector<uint64_t> rounds(block.opCount); // until the operation's result is there
  for (uint32_t i = 0; i < block.opCount; ++i) {
    for (size_t operand = 0; operand < dependences.count(first + i); ++operand)
      if (const uint32_t needed = dependences.at(first + i, operand);
          needed >= first && needed < first + i) // else it is of an earlier execution, or none
        rounds[i] = std::max(rounds[i], rounds[needed - first]);
    rounds[i] += isLoad(program.operations[first + i]) ? 1 : 0;
  }
  return rounds.empty() ? 0 : std::ranges::max(rounds);
}

} // namespace

LoadChains::LoadChains(const Program &program) {
  const Dependences dependences(program);
  const std::vector<bool> isChained = chainedLoads(program, dependences);
  for (const Block &block : program.blocks) {
    const auto first = isChained.begin() + index(block.firstOp);
    loads.push_back(static_cast<uint64_t>(std::count(first, first + block.opCount, true)));
    rounds.push_back(roundsOf(program, dependences, block));
  }
}

} // namespace aiwc::metrics
