#include "metrics/brute_force_common.h"

#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace aiwc::test {

using namespace trace;

namespace {

using NodeId = size_t;
constexpr NodeId kNothing = 0; ///< what is there at the start of a group; depends on nothing

/// One thing that happened.
struct Node {
  std::vector<NodeId> dependsOn;
  uint64_t fpLatency = 0, latency = 0;
  uint64_t fpOps = 0; ///< floating-point operations that happen in it
};

/// Everything that one work-group did and what depended on what, written down while walking through
/// its trace; the schedule is worked out afterwards, as the longest way to every node.
class DependenceGraph {
public:
  DependenceGraph(const Program &program, const GroupTrace &trace) : program_(program) {
    nodes_.emplace_back();
    for (const Interval &interval : trace.intervals)
      for (const Stretch &stretch : interval.stretches) {
        groupCopies(stretch);
        for (const Step &step : stretch.steps)
          executeBlock(step, stretch.item);
      }
  }

  uint64_t instructions = 0; ///< that are nodes of the schedule of instructions

  uint64_t depth() const {
    const std::vector<uint64_t> levels = longestWays(&Node::latency);
    return *std::max_element(levels.begin(), levels.end());
  }

  /// Adds the floating-point operations of each level, and returns the number of levels.
  uint64_t addFpLevels(std::map<uint64_t, uint64_t> &operations) const {
    const std::vector<uint64_t> levels = longestWays(&Node::fpLatency);
    for (NodeId id = 0; id < nodes_.size(); ++id)
      if (nodes_[id].fpOps > 0)
        operations[levels[id]] += nodes_[id].fpOps;
    return *std::max_element(levels.begin(), levels.end());
  }

private:
  /// Per node, the latencies on the longest way that ends in it. Nodes depend on earlier ones.
  std::vector<uint64_t> longestWays(uint64_t Node::*latency) const {
    std::vector<uint64_t> ways;
    for (const Node &node : nodes_) {
      uint64_t longest = 0;
      for (const NodeId other : node.dependsOn)
        longest = std::max(longest, ways[other]);
      ways.push_back(longest + node.*latency);
    }
    return ways;
  }

  NodeId add(const Node &node) {
    nodes_.push_back(node);
    return nodes_.size() - 1;
  }

  /// A work-item, or the work-group.
  struct Item {
    BlockId previous = BlockId::kNone;
    std::map<ValueId, NodeId> values;
    std::vector<const Operation *> calls;
  };

  NodeId valueOf(Item &item, ValueId value) {
    return value == ValueId::kNone ? kNothing : item.values[value];
  }

  /// A byte of one memory: each work-item has a private one; constant memory is global memory.
  using Byte = std::tuple<int, uint32_t, uint64_t>;
  struct HashOfByte {
    size_t operator()(const Byte &byte) const {
      return std::get<2>(byte) * 31 + std::get<1>(byte) * 1000003 +
             static_cast<size_t>(std::get<0>(byte));
    }
  };

  static Byte byteOf(const Access &access, uint32_t item, uint64_t offset) {
    const uint64_t address = access.address + offset;
    if (access.addressSpace() == AddressSpace::kPrivate)
      return {0, item, address};
    return {access.addressSpace() == AddressSpace::kLocal ? 1 : 2, 0, address};
  }
  void addWriters(const Access &access, uint32_t item, std::vector<NodeId> &dependsOn) {
    for (uint64_t offset = 0; offset < access.size; ++offset)
      if (const auto writer = writers_.find(byteOf(access, item, offset)); writer != writers_.end())
        if (dependsOn.empty() || dependsOn.back() != writer->second)
          dependsOn.push_back(writer->second);
  }
  void setWriter(const Access &access, uint32_t item, NodeId node) {
    for (uint64_t offset = 0; offset < access.size; ++offset)
      writers_[byteOf(access, item, offset)] = node;
  }

  void groupCopies(const Stretch &stretch) {
    for (const Access &access : stretch.groupAccesses) {
      if (!access.write) {
        addWriters(access, stretch.item, groupHasRead_);
        continue;
      }
      setWriter(access, stretch.item, add({groupHasRead_, 0, 0, 0}));
      groupHasRead_.clear();
    }
  }

  bool hasOpcode(const Operation &operation, const std::string &opcode) const {
    return program_.opcodeNames[index(operation.opcode)] == opcode;
  }

  void executeBlock(const Step &step, uint32_t itemId) {
    Item &item = items_[itemId];
    const Block &block = program_.block(step.block);
    const auto operations = program_.operationsOf(block).first(step.operations);

    std::map<ValueId, NodeId> phis; // they all read before the first of them changes
    for (const Operation &operation : operations)
      if (hasOpcode(operation, "phi") && operation.result != ValueId::kNone) {
        NodeId incoming = kNothing;
        for (const Operand &operand : program_.operandsOf(operation))
          if (operand.incoming == item.previous)
            incoming = valueOf(item, operand.value);
        phis[operation.result] = incoming;
      }
    for (const auto &[value, node] : phis)
      item.values[value] = node;

    for (uint32_t i = 0; i < operations.size(); ++i) {
      std::vector<Access> accesses;
      for (const Access &access : step.accesses)
        if (access.opOffset == i)
          accesses.push_back(access);
      if (!hasOpcode(operations[i], "phi"))
        execute(operations[i], accesses, item, itemId,
                step.complete && i + 1 == block.opCount ? &block : nullptr);
    }
    item.previous = step.block;
  }

  /// `ended`: the block whose last operation it is.
  void execute(const Operation &operation, const std::vector<Access> &accesses, Item &item,
               uint32_t itemId, const Block *ended) {
    const auto operands = program_.operandsOf(operation);
    Node node;
    for (const Operand &operand : operands)
      node.dependsOn.push_back(valueOf(item, operand.value));
    for (const Access &access : accesses)
      if (!access.write)
        addWriters(access, itemId, node.dependsOn);
    bool free = false;
    for (const char *opcode : {"phi", "br", "bitcast", "addrspacecast", "ret"})
      free = free || hasOpcode(operation, opcode);
    node.latency = free ? 0 : 1;
    instructions += node.latency;
    node.fpOps = operation.fpAdd + operation.fpMul + operation.fpDiv + operation.fpSpecial;
    node.fpLatency = node.fpOps > 0 ? 1 : 0;

    if (node.fpOps > 0 && operation.fpAdd == operation.fpMul &&
        node.fpOps == 2u * operation.fpMul && operands.size() == 3) {
      // A multiplication of the first two, then an addition of the third: two floating-point
      // operations, one instruction.
      const NodeId product =
          add({{valueOf(item, operands[0].value), valueOf(item, operands[1].value)},
               1,
               0,
               operation.fpMul});
      node.dependsOn.push_back(product);
      node.fpOps = operation.fpAdd;
    }
    const NodeId id = add(node);
    for (const Access &access : accesses)
      if (access.write)
        setWriter(access, itemId, id);

    if (ended && ended->end == BlockEnd::kCall)
      call(operation, *ended, item);
    else if (operation.result != ValueId::kNone)
      item.values[operation.result] = id;
    if (ended && ended->end == BlockEnd::kReturn && !item.calls.empty())
      comeBack(operands, item);
  }

  /// The callee's arguments are what is passed.
  void call(const Operation &operation, const Block &block, Item &item) {
    const auto operands = program_.operandsOf(operation);
    const auto &arguments = program_.function(block.callee).arguments;
    std::vector<NodeId> passed;
    for (size_t i = 0; i < arguments.size(); ++i)
      passed.push_back(i < operands.size() ? valueOf(item, operands[i].value) : kNothing);
    for (size_t i = 0; i < arguments.size(); ++i)
      item.values[arguments[i]] = passed[i];
    item.calls.push_back(&operation);
  }

  /// The call's value is what is returned, one instruction further.
  void comeBack(std::span<const Operand> operands, Item &item) {
    const Operation &operation = *item.calls.back();
    item.calls.pop_back();
    const NodeId returned = operands.empty() ? kNothing : valueOf(item, operands[0].value);
    const NodeId id = add({{returned}, 0, 1, 0});
    if (operation.result != ValueId::kNone)
      item.values[operation.result] = id;
  }

  const Program &program_;
  std::vector<Node> nodes_;
  std::map<uint32_t, Item> items_;
  std::unordered_map<Byte, NodeId, HashOfByte> writers_; ///< who wrote the byte last
  std::vector<NodeId> groupHasRead_;
};

} // namespace

void asap::reference(const Traced &traced, BruteForce &result) {
  const Program &program = traced.program;
  const Execution &execution = traced.execution;
  std::map<uint64_t, uint64_t> operationsPerLevel;
  uint64_t depth = 0, fpDepth = 0, instructions = 0, operations = 0;
  for (const GroupTrace &group : execution.groups) {
    const DependenceGraph graph(program, group);
    depth = std::max(depth, graph.depth());
    fpDepth = std::max(fpDepth, graph.addFpLevels(operationsPerLevel));
    instructions += graph.instructions;
  }
  for (const auto &[level, count] : operationsPerLevel)
    operations += count;
  result.values["asap_fp_depth"_metric] = fpDepth;
  result.values["asap_fp_parallelism"_metric] = ratio(operations, fpDepth);
  result.values["asap_depth"_metric] = depth;
  result.values["asap_parallelism"_metric] = ratio(instructions, depth);
  result.histograms.asapFpLevels = histogramOf(countsOf(operationsPerLevel));
}

} // namespace aiwc::test
