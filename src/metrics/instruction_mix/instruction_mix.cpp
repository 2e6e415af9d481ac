#include "metrics/shared/analysis.h"
#include "metrics/shared/repeats.h"
#include "metrics/shared/tally.h"
#include "trace/program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

namespace aiwc::metrics {
namespace {

struct LoadChains {
  /// Takes time in proportion to the code.
  explicit LoadChains(const trace::Program &program);

  /// By block of the program: loads of global, constant or local memory whose address depends on
  /// what the same one loaded before, as in a loop that follows a list. Parts of a vector are one.
  std::vector<uint64_t> loads;
  /// By block: the longest chain of loads of which each depends on the one before, in the block.
  std::vector<uint64_t> rounds;
};

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

using namespace trace;

LoadChains::LoadChains(const Program &program) {
  const Dependences dependences(program);
  const std::vector<bool> isChained = chainedLoads(program, dependences);
  for (const Block &block : program.blocks) {
    const auto first = isChained.begin() + index(block.firstOp);
    loads.push_back(static_cast<uint64_t>(std::count(first, first + block.opCount, true)));
    rounds.push_back(roundsOf(program, dependences, block));
  }
}

/// Counts executions per block, with one increment for all its instructions. All metrics are
/// computed from these counts and static properties at the end.
class InstructionMix final : public Analysis {
public:
  InstructionMix(const trace::Program &program, const LoadChains &chains)
      : program_(program), executions_(program.blocks.size()),
        partialExecutions_(program.operations.size()), chains_(chains) {}

  void beginGroup(const trace::Program &, const trace::Group &) override {}

  void consume(const MarkedChunk &chunk) override {
    forEachDistinct(chunk.runs, [&](std::span<const trace::Run> alike) {
      const trace::Run &run = alike.front();
      const uint64_t times = alike.size();
      for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e)
        executions_[index(chunk.events[e].block)] += times;
      if (run.partialBlock == trace::BlockId::kNone)
        return;
      const uint32_t first = index(program_.block(run.partialBlock).firstOp);
      for (uint32_t offset = 0; offset < run.partialOps; ++offset)
        ++partialExecutions_[first + offset];
    });
  }

  void endGroup() override {}

  void add(const Analysis &other, uint64_t times) override {
    const auto &from = static_cast<const InstructionMix &>(other);
    for (size_t i = 0; i < executions_.size(); ++i)
      executions_[i] += times * from.executions_[i];
    for (size_t i = 0; i < partialExecutions_.size(); ++i)
      partialExecutions_[i] += times * from.partialExecutions_[i];
  }

  void finish(profile::KernelProfile &profile) const override {
    const Sums all = forEachOperation(Sums());
    writeSums(all, profile);
    writeWaits(profile);
    profile.blockExecutions = executions_;
    // [AM], equation 1.
    const auto add = static_cast<double>(all.fpAdd);
    const auto mul = static_cast<double>(all.fpMul);
    const double most = std::max(add, mul);
    profile.setReal("instruction_mix_factor"_metric, most == 0 ? 1 : (add + mul) / (2 * most));
    const Distributions distributions = forEachOperation(Distributions());
    writeOpcodes(distributions, profile);
    writeSimdWidths(distributions, profile);
  }

  void sums(profile::KernelProfile &profile) const override {
    writeSums(forEachOperation(Sums()), profile);
    writeWaits(profile);
  }

private:
  struct Distributions {
    std::map<trace::OpcodeId, uint64_t> opcodes;
    std::map<uint64_t, uint64_t> widths;

    void add(const trace::Operation &operation, uint64_t times) {
      opcodes[operation.opcode] += times;
      widths[operation.width] += times;
    }
  };

  struct Sums {
    uint64_t instructions = 0, machineInstructions = 0, operands = 0;
    uint64_t fpAdd = 0, fpMul = 0, fpDiv = 0, fpSpecial = 0, intOps = 0;
    uint64_t specialInstructions = 0, specialInstructions64 = 0, fpDiv64 = 0;
    uint64_t products = 0, wideProducts = 0;
    uint64_t wideIntOps = 0, uniformDivisions = 0, conversions = 0, joinedAccesses = 0;
    uint64_t fp16 = 0, fp32 = 0, fp64 = 0;
    std::array<uint64_t, 5> matrix{}; // by trace::MatrixType

    void add(const trace::Operation &operation, uint64_t times) {
      instructions += times;
      machineInstructions += operation.isPseudo ? 0 : times;
      operands += times * operation.width;
      fpAdd += times * operation.fpAdd;
      fpMul += times * operation.fpMul;
      fpDiv += times * operation.fpDiv;
      fpSpecial += times * operation.fpSpecial;
      specialInstructions += times * operation.specialInstructions;
      if (operation.fpBits == 64) {
        specialInstructions64 += times * operation.specialInstructions;
        fpDiv64 += times * operation.fpDiv;
      }
      intOps += times * operation.intOps;
      wideIntOps += operation.wideInteger ? times * operation.intOps : 0;
      products += operation.isProduct ? times * operation.width : 0;
      wideProducts += operation.isWideProduct ? times * operation.width : 0;
      joinedAccesses +=
          operation.accessesSharedMemory() && operation.joinedTo != trace::Operation::kAlone ? times
                                                                                             : 0;
      uniformDivisions += operation.dividesByConstant ? times * operation.width : 0;
      conversions += operation.convertsWidth ? times * operation.width : 0;
      (operation.fpBits == 16   ? fp16
       : operation.fpBits == 64 ? fp64
                                : fp32) += times * operation.fpOps();
      matrix[static_cast<size_t>(operation.matrixType)] += times * operation.matrixOps;
    }
  };

  /// Calls to.add(operation, executions) for every operation that was executed.
  template <typename To> To forEachOperation(To to) const {
    for (size_t b = 0; b < program_.blocks.size(); ++b)
      if (executions_[b] > 0)
        for (const trace::Operation &operation : program_.operationsOf(program_.blocks[b]))
          to.add(operation, executions_[b]);
    for (size_t op = 0; op < program_.operations.size(); ++op)
      if (partialExecutions_[op] > 0)
        to.add(program_.operations[op], partialExecutions_[op]);
    return to;
  }

  void writeWaits(profile::KernelProfile &profile) const { // blocks that were aborted wait no more
    const auto sum = [&](const std::vector<uint64_t> &ofBlock) {
      return std::inner_product(executions_.begin(), executions_.end(), ofBlock.begin(),
                                uint64_t{0});
    };
    profile.setCount("chained_loads"_metric, sum(chains_.loads));
    profile.setCount("load_rounds"_metric, sum(chains_.rounds));
  }

  void writeOpcodes(const Distributions &all, profile::KernelProfile &profile) const {
    Tally occurrences;
    for (const auto &[opcode, count] : all.opcodes) {
      occurrences.add(count);
      profile.histograms.opcodes[program_.opcodeNames[index(opcode)]] += count;
    }
    profile.setCount("opcode_90"_metric, outcomesCovering90(occurrences.histogram()));
  }

  static void writeSums(const Sums &sums, profile::KernelProfile &profile) {
    profile.setCount("total_instruction_count"_metric, sums.instructions);
    profile.setCount("machine_instruction_count"_metric, sums.machineInstructions);
    profile.setCount("simd_operand_sum"_metric, sums.operands);
    profile.setCount("fp_add"_metric, sums.fpAdd);
    profile.setCount("fp_mul"_metric, sums.fpMul);
    profile.setCount("fp_div"_metric, sums.fpDiv);
    profile.setCount("fp_div_f64"_metric, sums.fpDiv64);
    profile.setCount("fp_special"_metric, sums.fpSpecial);
    profile.setCount("fp_special_instructions"_metric, sums.specialInstructions);
    profile.setCount("fp_special_instructions_f64"_metric, sums.specialInstructions64);
    profile.setCount("fp_ops"_metric, sums.fp16 + sums.fp32 + sums.fp64);
    profile.setCount("fp_ops_f16"_metric, sums.fp16);
    profile.setCount("fp_ops_f32"_metric, sums.fp32);
    profile.setCount("fp_ops_f64"_metric, sums.fp64);
    profile.setCount("int_ops"_metric, sums.intOps);
    profile.setCount("int_mul"_metric, sums.products);
    profile.setCount("int_mul_64"_metric, sums.wideProducts);
    profile.setCount("int_div_uniform"_metric, sums.uniformDivisions);
    profile.setCount("fp_conversions"_metric, sums.conversions);
    const auto matrixOps = [&](trace::MatrixType type) {
      return sums.matrix[static_cast<size_t>(type)];
    };
    profile.setCount("matrix_ops"_metric,
                     std::accumulate(sums.matrix.begin(), sums.matrix.end(), uint64_t{0}));
    profile.setCount("matrix_ops_f16"_metric, matrixOps(trace::MatrixType::k16Bits));
    profile.setCount("matrix_ops_tf32"_metric, matrixOps(trace::MatrixType::kTf32));
    profile.setCount("matrix_ops_i8"_metric, matrixOps(trace::MatrixType::kInt8));
    profile.setCount("matrix_ops_f64"_metric, matrixOps(trace::MatrixType::kDouble));
    profile.setCount("int_ops_64"_metric, sums.wideIntOps);
    profile.setCount("joined_accesses"_metric, sums.joinedAccesses);
  }

  static void writeSimdWidths(const Distributions &all, profile::KernelProfile &profile) {
    profile.histograms.simdWidths.assign(all.widths.begin(), all.widths.end());
    // The sums are exact integers: the variance is (N * sum(w^2) - sum(w)^2) / N^2.
    Wide n = 0;
    Wide sum = 0;
    Wide sumOfSquares = 0;
    for (const auto &[width, count] : all.widths) {
      n += count;
      sum += Wide{width} * count;
      sumOfSquares += Wide{width} * width * count;
    }
    if (!all.widths.empty())
      profile.setCount("simd_width_max"_metric, all.widths.rbegin()->first);
    profile.setRatio("simd_width_mean"_metric, static_cast<double>(sum), static_cast<double>(n));
    const auto spread = static_cast<long double>(n * sumOfSquares - sum * sum);
    profile.setRatio("simd_width_sd"_metric, static_cast<double>(std::sqrt(spread)),
                     static_cast<double>(n));
    profile.setRatio("instructions_per_operand"_metric, static_cast<double>(n),
                     static_cast<double>(sum));
  }

  const trace::Program &program_;
  std::vector<uint64_t> executions_;        ///< per block, complete executions
  std::vector<uint64_t> partialExecutions_; ///< per operation, in blocks that were aborted
  const LoadChains &chains_;
};

} // namespace

std::unique_ptr<Analysis> instruction_mix::make(const trace::Program &program,
                                                const Settings &settings) {
  return std::make_unique<InstructionMix>(program, settings.tables.get<LoadChains>());
}

} // namespace aiwc::metrics
