#include "metrics/shared/analysis.h"
#include "metrics/shared/repeats.h"

#include <algorithm>

namespace aiwc::metrics {
namespace {

/// Counts executions per block and bytes per operation; sums them per source line at the end.
class LineReport final : public Analysis {
public:
  explicit LineReport(const trace::Program &program)
      : program_(program), executions_(program.blocks.size()),
        partialExecutions_(program.operations.size()), bytes_(program.operations.size()) {}

  void beginGroup(const trace::Program &, const trace::Group &) override {}

  void consume(const MarkedChunk &chunk) override {
    forEachDistinct(chunk.runs, [&](std::span<const trace::Run> alike) {
      const trace::Run &run = alike.front();
      const uint64_t times = alike.size();
      uint32_t a = run.accessBegin;
      for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
        const trace::BlockEvent &event = chunk.events[e];
        executions_[index(event.block)] += times;
        if (a < event.accessEnd) {
          uint64_t *bytes = bytes_.data() + index(program_.block(event.block).firstOp);
          for (; a < event.accessEnd; ++a)
            bytes[chunk.accesses[a].opOffset] += times * sharedBytes(chunk.accesses[a]);
        }
      }
      if (run.partialBlock != trace::BlockId::kNone) {
        const uint32_t first = index(program_.block(run.partialBlock).firstOp);
        for (uint32_t offset = 0; offset < run.partialOps; ++offset)
          ++partialExecutions_[first + offset];
        for (; a < run.accessEnd; ++a)
          bytes_[first + chunk.accesses[a].opOffset] += sharedBytes(chunk.accesses[a]);
      }
      for (; a < run.accessEnd; ++a) // accesses of the work-group, or of a block that was aborted
        bytesWithoutLine_ += times * sharedBytes(chunk.accesses[a]);
    });
  }

  void endGroup() override {}

  void add(const Analysis &other, uint64_t times) override {
    const auto &from = static_cast<const LineReport &>(other);
    for (size_t i = 0; i < executions_.size(); ++i)
      executions_[i] += times * from.executions_[i];
    for (size_t i = 0; i < bytes_.size(); ++i) {
      partialExecutions_[i] += times * from.partialExecutions_[i];
      bytes_[i] += times * from.bytes_[i];
    }
    bytesWithoutLine_ += times * from.bytesWithoutLine_;
  }

  void finish(profile::KernelProfile &profile) const override {
    for (size_t b = 0; b < program_.blocks.size(); ++b) {
      const trace::Block &block = program_.blocks[b];
      for (uint32_t op = index(block.firstOp); op < index(block.firstOp) + block.opCount; ++op)
        addTo(profile.histograms, program_.operations[op], executions_[b] + partialExecutions_[op],
              bytes_[op]);
    }
    if (bytesWithoutLine_ > 0)
      profile.histograms.lineRow(0).bytes += bytesWithoutLine_;
  }

private:
  static uint64_t sharedBytes(const trace::Access &access) {
    return access.addressSpace() == trace::AddressSpace::kPrivate ? 0 : access.size;
  }

  static void addTo(profile::Histograms &histograms, const trace::Operation &operation,
                    uint64_t executions, uint64_t bytes) {
    if (executions == 0 && bytes == 0)
      return;
    profile::LineRow &row = histograms.lineRow(operation.line);
    row.instructions += executions;
    row.pseudoInstructions += operation.isPseudo ? executions : 0;
    const uint64_t fpOps = operation.fpOps();
    row.fpOps += executions * fpOps;
    row.bytes += bytes;
    if (operation.accidentalDouble) // a comparison is no operation of `fpOps`
      row.accidentalDoubles += executions * std::max<uint64_t>(fpOps, operation.lanes);
    row.accidentalConversions +=
        executions * (operation.accidentalConversion ? operation.width : 0);
    row.repeatedOps +=
        executions *
        (operation.repeated ? uint64_t{operation.fpDiv} + operation.fpSpecial : uint64_t{0});
    row.constantPowers += executions * (operation.constantPower ? operation.fpSpecial : 0);
    row.divisionsByConstants += executions * (operation.dividesByConstant ? operation.width : 0);
    row.wideIndexProducts += executions * (operation.wideIndexProduct ? 1 : 0);
    row.wideIndexDivisions += executions * (operation.wideIndexDivision ? 1 : 0);
  }

  const trace::Program &program_;
  std::vector<uint64_t> executions_;        ///< per block
  std::vector<uint64_t> partialExecutions_; ///< per operation, in blocks that were aborted
  std::vector<uint64_t> bytes_;             ///< per operation
  uint64_t bytesWithoutLine_ = 0;
};

} // namespace

std::unique_ptr<Analysis> lines::make(const trace::Program &program, const Settings &) {
  return std::make_unique<LineReport>(program);
}

} // namespace aiwc::metrics
