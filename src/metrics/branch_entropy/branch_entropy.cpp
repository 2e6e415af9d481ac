#include "metrics/shared/analysis.h"
#include "metrics/shared/repeats.h"
#include "metrics/shared/tally.h"

#include <algorithm>
#include <utility>

namespace aiwc::metrics {
namespace {

/// The history length m of docs/metrics.md.
constexpr uint32_t kHistoryLength = 16;

/// The last outcomes of a branch as bits below a leading 1 bit, the newest in the lowest bit. The
/// leading bit makes patterns of different lengths different numbers.
class History {
public:
  bool operator==(const History &) const = default;
  uint32_t pattern() const { return pattern_; }
  void push(bool taken) {
    pattern_ = pattern_ << 1 | static_cast<uint32_t>(taken);
    if (pattern_ >= 2U << kHistoryLength)
      pattern_ = (pattern_ & ((1U << kHistoryLength) - 1)) | 1U << kHistoryLength;
  }

private:
  uint32_t pattern_ = 1;
};

/// Outcomes per history pattern of one branch. It starts as a small table with open addressing,
/// since most branches have only a few patterns, and grows up to an array of all 2^17 patterns. A
/// sample of the work-groups has tens of these tables, so counts have 32 bits, 1 MiB in all; the
/// upper halves exist once a count exceeds that.
class PatternTable {
public:
  /// Either half of the counts of a pattern.
  struct Counts {
    uint32_t taken = 0, notTaken = 0;

    uint32_t &of(bool isTaken) { return isTaken ? taken : notTaken; }
  };

  PatternTable() : patterns_(16), lower_(16) {}

  /// The lower halves of the counts of a pattern. Valid until another pattern is asked for.
  Counts &operator[](uint32_t pattern) {
    if (dense())
      return lower_[pattern];
    for (size_t slot = slotOf(pattern);; slot = (slot + 1) & (patterns_.size() - 1)) {
      if (patterns_[slot] == pattern)
        return lower_[slot];
      if (patterns_[slot] == 0) {
        if (2 * (used_ + 1) > patterns_.size()) {
          grow();
          return (*this)[pattern];
        }
        ++used_;
        patterns_[slot] = pattern;
        return lower_[slot];
      }
    }
  }

  /// Adds outcomes to counts that `operator[]` returned.
  void add(Counts &counts, bool taken, uint64_t times = 1) {
    uint32_t &count = counts.of(taken);
    times += count;
    count = static_cast<uint32_t>(times);
    if (times >> 32 != 0) [[unlikely]]
      carry(counts, taken, static_cast<uint32_t>(times >> 32));
  }

  /// Loads the counts of a pattern that is needed soon into the cache: an array of all patterns has
  /// 1 MiB, and unpredictable branches use it in no order.
  void prefetch(uint32_t pattern) const {
    if (dense())
      __builtin_prefetch(&lower_[pattern], 1);
  }

  /// Calls visit(pattern, times taken, times not taken) for each pattern that occurred.
  template <typename Visit> void forEach(Visit visit) const {
    for (size_t slot = 0; slot < lower_.size(); ++slot) {
      const Counts upper = upper_.empty() ? Counts{} : upper_[slot];
      const uint64_t taken = uint64_t{upper.taken} << 32 | lower_[slot].taken;
      const uint64_t notTaken = uint64_t{upper.notTaken} << 32 | lower_[slot].notTaken;
      if ((taken | notTaken) != 0)
        visit(dense() ? static_cast<uint32_t>(slot) : patterns_[slot], taken, notTaken);
    }
  }

private:
  static constexpr size_t kDense = size_t{2} << kHistoryLength;

  bool dense() const { return lower_.size() == kDense; }
  size_t slotOf(uint32_t pattern) const {
    return (pattern * 0x9E3779B1U >> 12) & (patterns_.size() - 1);
  }
  void carry(const Counts &lower, bool taken, uint32_t times) {
    upper_.resize(lower_.size());
    upper_[static_cast<size_t>(&lower - lower_.data())].of(taken) += times;
  }
  void grow() {
    const PatternTable old = std::exchange(*this, PatternTable());
    lower_.resize(old.lower_.size() >= kDense / 8 ? kDense : 4 * old.lower_.size());
    patterns_.resize(dense() ? 0 : lower_.size());
    old.forEach([this](uint32_t pattern, uint64_t taken, uint64_t notTaken) {
      Counts &counts = (*this)[pattern];
      add(counts, true, taken);
      add(counts, false, notTaken);
    });
  }

  // By slot. A slot is free if its pattern is 0, which no history has. The array of all patterns
  // has the pattern as its slot, and no `patterns_`.
  std::vector<uint32_t> patterns_;
  std::vector<Counts> lower_;
  std::vector<Counts> upper_; ///< like `lower_`; empty if no count needs it
  size_t used_ = 0;
};

class BranchEntropy final : public Analysis {
public:
  explicit BranchEntropy(const trace::Program &program)
      : program_(program), histories_(program.branches.size()), patterns_(program.branches.size()),
        last_(program.branches.size()) {
    for (const trace::Block &block : program.blocks) {
      BranchEnd &end = ends_.emplace_back();
      if (block.branch == trace::BranchId::kNone)
        continue;
      end.branch = index(block.branch);
      end.first = program.successorsOf(block).front();
      end.takenIfFirst = program.taken(block, end.first);
    }
  }

  void beginGroup(const trace::Program &, const trace::Group &) override {
    std::fill(histories_.begin(), histories_.end(), History{});
  }

  void consume(const MarkedChunk &chunk) override {
    for (size_t r = 0; r < chunk.runs.size(); ++r) {
      const trace::Run &run = chunk.runs[r];
      if (run.item == trace::Run::kWorkGroup)
        continue;
      if (run.repeats && steady_) {
        ++times_;
        continue;
      }
      beginRun(isRepeated(chunk.runs, r));
      for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e)
        enter(chunk.events[e].block);
      if (run.partialBlock != trace::BlockId::kNone)
        enter(run.partialBlock);
      if (run.end != trace::RunEnd::kContinues)
        pending_ = nullptr;
      steady_ = recording_ && !pending_ && histories_ == before_;
    }
    beginRun(false);
  }

  void endGroup() override {}

  void add(const Analysis &other, uint64_t times) override {
    const auto &from = static_cast<const BranchEntropy &>(other);
    std::ranges::fill(last_, Last{}); // growing tables move their counts
    for (size_t branch = 0; branch < patterns_.size(); ++branch) {
      PatternTable &mine = patterns_[branch];
      from.patterns_[branch].forEach([&](uint32_t pattern, uint64_t taken, uint64_t notTaken) {
        PatternTable::Counts &counts = mine[pattern];
        mine.add(counts, true, times * taken);
        mine.add(counts, false, times * notTaken);
      });
    }
  }

  void finish(profile::KernelProfile &profile) const override {
    Tally executionsPerBranch;
    uint64_t executions = 0;
    uint64_t mispredicted = 0; // by the best constant guess per pattern
    long double weightedEntropy = 0;
    for (size_t branch = 0; branch < patterns_.size(); ++branch) {
      const PatternTable &patterns = patterns_[branch];
      Tally occurrences;
      uint64_t executionsOfBranch = 0;
      uint64_t mispredictedOfBranch = 0;
      patterns.forEach([&](uint32_t, uint64_t taken, uint64_t notTaken) {
        occurrences.add(taken + notTaken);
        executionsOfBranch += taken + notTaken;
        mispredictedOfBranch += std::min(taken, notTaken);
      });
      if (executionsOfBranch == 0)
        continue;
      executionsPerBranch.add(executionsOfBranch);
      executions += executionsOfBranch;
      mispredicted += mispredictedOfBranch;
      const trace::Block &block = program_.block(program_.branches[branch]);
      profile::LineRow &row = profile.histograms.lineRow(program_.operationsOf(block).back().line);
      row.branches += executionsOfBranch;
      row.mispredictions += mispredictedOfBranch;
      weightedEntropy += static_cast<long double>(executionsOfBranch) *
                         entropyOfOccurrences(occurrences.histogram());
    }
    const profile::Histogram histogram = executionsPerBranch.histogram();
    profile.setCount("unique_branches"_metric, population(histogram));
    profile.setCount("unique_branches_90"_metric, outcomesCovering90(histogram));
    profile.histograms.branchExecutions = histogram;
    // Without branches, the entropies are 0.
    const long double n = executions == 0 ? 1 : static_cast<long double>(executions);
    // The shorter patterns at the start of a group exist besides the 2^m full ones, so the quotient
    // can exceed 1 by a few parts in ten thousand.
    profile.setReal("yokota_branch_entropy"_metric,
                    std::min(1.0, static_cast<double>(weightedEntropy / n / kHistoryLength)));
    profile.setReal("linear_branch_entropy"_metric,
                    static_cast<double>(2 * static_cast<long double>(mispredicted) / n));
  }

private:
  /// One execution of a branch in a run.
  struct Outcome {
    uint32_t branch = 0;
    uint32_t pattern = 0;
    bool taken = false;
  };

  /// Counts the runs that repeated the last recorded run, then begins a run. `recording`: whether
  /// to record it, because other runs repeat it.
  void beginRun(bool recording) {
    if (times_ > 0)
      for (const Outcome &outcome : outcomes_)
        count(outcome, times_);
    times_ = 0;
    steady_ = false;
    recording_ = recording && !pending_;
    if (!recording_)
      return;
    outcomes_.clear();
    before_ = histories_;
  }

  /// The last pattern of a branch, and its counts, which only the branch's table moves.
  struct Last {
    uint32_t pattern = 0; ///< 0: none
    PatternTable::Counts *counts = nullptr;
  };

  /// The branch at the end of a block, with the data to evaluate `Program::taken`.
  struct BranchEnd {
    uint32_t branch = index(trace::BranchId::kNone);
    trace::BlockId first = trace::BlockId::kNone; ///< successor 0
    bool takenIfFirst = false;                    ///< else taken if the next block is another one
  };

  /// The work-item of the current run enters `next`; this determines the outcome of the branch
  /// before it.
  void enter(trace::BlockId next) {
    if (pending_)
      record(pending_->branch, (next == pending_->first) == pending_->takenIfFirst);
    const BranchEnd &end = ends_[index(next)];
    pending_ = end.branch != index(trace::BranchId::kNone) ? &end : nullptr;
  }

  void record(uint32_t branch, bool taken) {
    History &history = histories_[branch];
    const uint32_t pattern = history.pattern();
    PatternTable &patterns = patterns_[branch];
    Last &last = last_[branch]; // because loops have the same pattern repeatedly
    if (last.pattern != pattern)
      last = {pattern, &patterns[pattern]};
    patterns.add(*last.counts, taken);
    if (recording_)
      outcomes_.push_back({branch, pattern, taken});
    history.push(taken);
    patterns.prefetch(history.pattern());
  }

  void count(const Outcome &outcome, uint64_t times) {
    PatternTable &patterns = patterns_[outcome.branch];
    patterns.add(patterns[outcome.pattern], outcome.taken, times);
  }

  const trace::Program &program_;
  std::vector<BranchEnd> ends_;        ///< per block
  const BranchEnd *pending_ = nullptr; ///< the branch of the previous block, not counted yet
  std::vector<History> histories_;     ///< per branch, of the current group
  std::vector<PatternTable> patterns_; ///< per branch
  std::vector<Last> last_;             ///< per branch
  // If a run does not change the histories, its repetitions have the same outcomes.
  bool recording_ = false, steady_ = false;
  std::vector<Outcome> outcomes_; ///< of the last recorded run
  std::vector<History> before_;   ///< the histories before it
  uint64_t times_ = 0;            ///< its repetitions that were not counted yet
};

} // namespace

std::unique_ptr<Analysis> branch_entropy::make(const trace::Program &program, const Settings &) {
  return std::make_unique<BranchEntropy>(program);
}

} // namespace aiwc::metrics
