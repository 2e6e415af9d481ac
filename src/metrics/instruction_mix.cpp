#include "metrics/families.h"
#include "metrics/repeats.h"
#include "metrics/tally.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace aiwc::metrics {
namespace {

using profile::Metric;

/// Executions are counted per block, one increment for all its instructions; everything else is
/// static and joins at the end.
class InstructionMix final : public Analysis {
public:
  explicit InstructionMix(const trace::Program &program)
      : program_(program), executions_(program.blocks.size()),
        partialExecutions_(program.operations.size()) {}

  void beginGroup(const trace::Program &, const trace::Group &) override {}

  void consume(const trace::Chunk &chunk) override {
    forEachDistinct(chunk.runs, [&](const trace::Run &run, uint64_t times) {
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

  void merge(Analysis &other) override {
    const auto &from = static_cast<InstructionMix &>(other);
    for (size_t i = 0; i < executions_.size(); ++i)
      executions_[i] += from.executions_[i];
    for (size_t i = 0; i < partialExecutions_.size(); ++i)
      partialExecutions_[i] += from.partialExecutions_[i];
  }

  void finish(profile::KernelProfile &profile) const override {
    Sums sums;
    for (size_t b = 0; b < program_.blocks.size(); ++b)
      for (const trace::Operation &operation : program_.operationsOf(program_.blocks[b]))
        sums.add(operation, executions_[b]);
    for (size_t op = 0; op < program_.operations.size(); ++op)
      sums.add(program_.operations[op], partialExecutions_[op]);
    writeOpcodes(sums, profile);
    writeOperations(sums, profile);
    writeSimdWidths(sums, profile);
  }

private:
  struct Sums {
    std::map<trace::OpcodeId, uint64_t> opcodes;
    std::map<uint64_t, uint64_t> widths;
    uint64_t instructions = 0;
    uint64_t fpAdd = 0, fpMul = 0, fpDiv = 0, fpSpecial = 0, intOps = 0;
    uint64_t fp16 = 0, fp32 = 0, fp64 = 0;

    void add(const trace::Operation &operation, uint64_t times) {
      if (times == 0)
        return;
      instructions += times;
      opcodes[operation.opcode] += times;
      widths[operation.width] += times;
      fpAdd += times * operation.fpAdd;
      fpMul += times * operation.fpMul;
      fpDiv += times * operation.fpDiv;
      fpSpecial += times * operation.fpSpecial;
      intOps += times * operation.intOps;
      const uint64_t fp = times * (uint64_t{operation.fpAdd} + operation.fpMul + operation.fpDiv +
                                   operation.fpSpecial);
      (operation.fpBits == 16 ? fp16 : operation.fpBits == 64 ? fp64 : fp32) += fp;
    }
  };

  void writeOpcodes(const Sums &sums, profile::KernelProfile &profile) const {
    Tally occurrences;
    for (const auto &[opcode, count] : sums.opcodes) {
      occurrences.add(count);
      profile.histograms.opcodes[program_.opcodeNames[index(opcode)]] += count;
    }
    profile.setCount(Metric::kOpcode90, outcomesCovering90(occurrences.histogram()));
    profile.setCount(Metric::kTotalInstructionCount, sums.instructions);
  }

  static void writeOperations(const Sums &sums, profile::KernelProfile &profile) {
    profile.setCount(Metric::kFpAdd, sums.fpAdd);
    profile.setCount(Metric::kFpMul, sums.fpMul);
    profile.setCount(Metric::kFpDiv, sums.fpDiv);
    profile.setCount(Metric::kFpSpecial, sums.fpSpecial);
    profile.setCount(Metric::kFpOps, sums.fp16 + sums.fp32 + sums.fp64);
    profile.setCount(Metric::kFpOpsF16, sums.fp16);
    profile.setCount(Metric::kFpOpsF32, sums.fp32);
    profile.setCount(Metric::kFpOpsF64, sums.fp64);
    profile.setCount(Metric::kIntOps, sums.intOps);
    // AutoMatch, equation 1.
    const auto add = static_cast<double>(sums.fpAdd);
    const auto mul = static_cast<double>(sums.fpMul);
    const double most = std::max(add, mul);
    profile.setReal(Metric::kInstructionMixFactor, most == 0 ? 1 : (add + mul) / (2 * most));
  }

  static void writeSimdWidths(const Sums &sums, profile::KernelProfile &profile) {
    profile.histograms.simdWidths.assign(sums.widths.begin(), sums.widths.end());
    // Integers up to here: the variance is N * sum(w^2) - sum(w)^2, over N^2.
    Wide sum = 0;
    Wide sumOfSquares = 0;
    for (const auto &[width, count] : sums.widths) {
      sum += Wide{width} * count;
      sumOfSquares += Wide{width} * width * count;
    }
    const Wide n = sums.instructions;
    if (!sums.widths.empty())
      profile.setCount(Metric::kSimdWidthMax, sums.widths.rbegin()->first);
    profile.setRatio(Metric::kSimdWidthMean, static_cast<double>(sum), static_cast<double>(n));
    const auto spread = static_cast<long double>(n * sumOfSquares - sum * sum);
    profile.setRatio(Metric::kSimdWidthSd, static_cast<double>(std::sqrt(spread)),
                     static_cast<double>(n));
    profile.setCount(Metric::kSimdOperandSum, static_cast<uint64_t>(sum));
    profile.setRatio(Metric::kInstructionsPerOperand, static_cast<double>(n),
                     static_cast<double>(sum));
  }

  const trace::Program &program_;
  std::vector<uint64_t> executions_;        ///< per block, to its end
  std::vector<uint64_t> partialExecutions_; ///< per operation, in blocks that were not ended
};

} // namespace

std::unique_ptr<Analysis> makeInstructionMix(const trace::Program &program) {
  return std::make_unique<InstructionMix>(program);
}

} // namespace aiwc::metrics
