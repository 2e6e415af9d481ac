#include "metrics/families.h"
#include "metrics/lru_stack.h"
#include "metrics/reuse_sample.h"
#include "metrics/tally.h"
#include "profile/reuse.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace aiwc::metrics {
namespace {

using trace::AddressSpace;

/// What has to be known of a run of consecutive work-groups to place it behind others [PARDA]: the
/// reuse within it is counted already.
struct GroupRun {
  uint64_t first = 0, last = 0; ///< linear ids
  std::vector<uint64_t> lines;  ///< in the order of their first access
  std::vector<uint32_t> order;  ///< positions in `lines`, most recently accessed last
};

/// Follows the stack of lines across work-groups. A group that continues where the one before
/// it ended continues its stack; any other begins a new run, and runs are joined once all that lies
/// between them is known. Joining is exact, so nothing depends on which groups an instance saw.
class ReuseDistance final : public Analysis {
public:
  explicit ReuseDistance(const AnalysisOptions &options)
      : lineBytes_(options.lineBytes),
        lineShift_(static_cast<unsigned>(std::countr_zero(options.lineBytes))),
        sample_(options.reuseSampleRate) {}

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    if (running_ && group.linearId != last_ + 1)
      endRun();
    if (!running_)
      first_ = group.linearId;
    last_ = group.linearId;
    running_ = true;
  }

  void consume(const trace::Chunk &chunk) override {
    if (sample_.everything())
      follow<false>(chunk);
    else
      follow<true>(chunk);
  }

  void endGroup() override {}

  void merge(Analysis &other) override {
    auto &from = static_cast<ReuseDistance &>(other);
    distances_.merge(from.distances_);
    sample_.merge(from.sample_);
    accesses_ += from.accesses_;
    endRun();
    from.endRun();
    for (GroupRun &run : from.runs_)
      runs_.push_back(std::move(run));
    from.runs_.clear();
    joinNeighbours();
  }

  void finish(profile::KernelProfile &profile) const override {
    if (runs_.empty()) {
      write(stack_.lines().size(), distances_, profile);
      return;
    }
    // What is missing between two runs was never executed: an aborted kernel.
    std::vector<const GroupRun *> runs;
    for (const GroupRun &run : runs_)
      runs.push_back(&run);
    const GroupRun current = running_ ? currentRun() : GroupRun{};
    if (running_)
      runs.push_back(&current);
    std::ranges::stable_sort(runs, {}, [](const GroupRun *run) { return run->first; });
    LruStack stack;
    Tally distances = distances_;
    for (const GroupRun *run : runs)
      append(*run, stack, distances);
    write(stack.lines().size(), distances, profile);
  }

private:
  void write(uint64_t cold, const Tally &distances, profile::KernelProfile &profile) const {
    profile.reuse.lineBytes = lineBytes_;
    profile.reuse.sampleRate = sample_.rate();
    profile.reuse.errorBound = sample_.errorBound(accesses_);
    const ReuseCounts counts = sample_.scaled({distances.histogram(), cold}, accesses_);
    profile.reuse.coldAccesses = counts.cold;
    profile.histograms.reuseDistances = counts.distances;
  }

  template <bool Sampled> void follow(const trace::Chunk &chunk) {
    for (const trace::Access &access : chunk.accesses) {
      const AddressSpace space = access.addressSpace();
      if ((space != AddressSpace::kGlobal && space != AddressSpace::kConstant) || access.size == 0)
        continue;
      const uint64_t end = std::max(access.address, access.address + (access.size - 1));
      const uint64_t lastLine = lineOf(access.space, end);
      for (uint64_t line = lineOf(access.space, access.address); line <= lastLine; ++line) {
        ++accesses_;
        if constexpr (Sampled) {
          if (!sample_.takes(line))
            continue;
          sample_.count(line);
        }
        count(stack_.access(line), distances_);
      }
    }
  }

  /// Lines are those of an address space. Line numbers have at most 59 bits, so it fits above.
  uint64_t lineOf(uint32_t space, uint64_t address) const {
    return uint64_t{space} << 60 | address >> lineShift_;
  }

  /// First accesses are counted by the lines that there are in the end.
  void count(uint64_t distance, Tally &distances) const {
    if (distance != LruStack::kCold)
      distances.add(profile::reuseBin(sample_.scaledDistance(distance)));
  }

  GroupRun currentRun() const { return {first_, last_, stack_.lines(), stack_.order()}; }

  void endRun() {
    if (!running_)
      return;
    runs_.push_back(currentRun());
    pendingLines_ += runs_.back().lines.size() + 1;
    stack_.clear();
    running_ = false;
    // Joining looks at everything that is pending: worth it when that has doubled.
    if (pendingLines_ > 2 * joinedLines_ + 4096)
      joinNeighbours();
  }

  /// Accesses the lines of `run` behind everything that `stack` has seen.
  void append(const GroupRun &run, LruStack &stack, Tally &distances) const {
    for (const uint64_t line : run.lines)
      count(stack.access(line), distances);
    for (const uint32_t number : run.order)
      stack.access(run.lines[number]);
  }

  /// Makes one run of every two that follow each other.
  void joinNeighbours() {
    std::ranges::stable_sort(runs_, {}, &GroupRun::first);
    std::vector<GroupRun> joined;
    pendingLines_ = 0;
    for (size_t i = 0; i < runs_.size();) {
      size_t end = i + 1;
      while (end < runs_.size() && runs_[end].first == runs_[end - 1].last + 1)
        ++end;
      if (end == i + 1) {
        joined.push_back(std::move(runs_[i]));
      } else {
        LruStack stack;
        for (size_t k = i; k < end; ++k) {
          append(runs_[k], stack, distances_);
          runs_[k].lines = {};
          runs_[k].order = {};
        }
        joined.push_back({runs_[i].first, runs_[end - 1].last, stack.lines(), stack.order()});
      }
      pendingLines_ += joined.back().lines.size() + 1;
      i = end;
    }
    runs_ = std::move(joined);
    joinedLines_ = pendingLines_;
  }

  const uint32_t lineBytes_;
  const unsigned lineShift_;
  ReuseSample sample_;
  uint64_t accesses_ = 0; ///< of lines, followed or not
  Tally distances_;       ///< by bin, of all that is certain
  bool running_ = false;
  uint64_t first_ = 0, last_ = 0; ///< groups of the current run
  LruStack stack_;                ///< of the current run
  std::vector<GroupRun> runs_;    ///< that ended
  size_t pendingLines_ = 0;       ///< in `runs_`; a run counts as one more
  size_t joinedLines_ = 0;        ///< the same when they were joined last
};

} // namespace

std::unique_ptr<Analysis> makeReuseDistance(const AnalysisOptions &options) {
  return std::make_unique<ReuseDistance>(options);
}

} // namespace aiwc::metrics
