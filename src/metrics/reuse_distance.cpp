#include "metrics/distance_counts.h"
#include "metrics/families.h"
#include "metrics/lru_stack.h"
#include "metrics/reuse_sample.h"
#include "metrics/source_lines.h"

#include <algorithm>
#include <bit>
#include <numeric>
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
  std::vector<uint32_t> firsts; ///< for each of them the source line of that access, by number
  std::vector<uint32_t> order;  ///< positions in `lines`, most recently accessed last
};

/// Follows the stack of lines across work-groups. A group that continues where the one before
/// it ended continues its stack; any other begins a new run, and runs are joined once all that lies
/// between them is known. Joining is exact, so nothing depends on which groups an instance saw.
///
/// An access counts for the source line that makes it: with the access where its distance is known
/// at once, else (4 bytes per line that a run touched) when the runs are joined.
class ReuseDistance final : public Analysis {
public:
  ReuseDistance(const trace::Program &program, const AnalysisOptions &options)
      : program_(program), sources_(program), lineBytes_(options.lineBytes),
        lineShift_(static_cast<unsigned>(std::countr_zero(options.lineBytes))),
        sample_(options.reuseSampleRate), accesses_(sources_.count()),
        distances_(sources_.count()) {}

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
    for (size_t source = 0; source < accesses_.size(); ++source)
      accesses_[source] += from.accesses_[source];
    endRun();
    from.endRun();
    for (GroupRun &run : from.runs_)
      runs_.push_back(std::move(run));
    from.runs_.clear();
    joinNeighbours();
  }

  void finish(profile::KernelProfile &profile) const override {
    if (runs_.empty()) {
      write(firsts_, distances_, profile);
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
    std::vector<uint32_t> firsts;
    DistanceCounts distances = distances_;
    for (const GroupRun *run : runs)
      append(*run, stack, firsts, distances);
    write(firsts, distances, profile);
  }

private:
  void write(const std::vector<uint32_t> &firsts, const DistanceCounts &distances,
             profile::KernelProfile &profile) const {
    const uint64_t accesses = std::accumulate(accesses_.begin(), accesses_.end(), uint64_t{0});
    profile.reuse.lineBytes = lineBytes_;
    profile.reuse.sampleRate = sample_.rate();
    profile.reuse.errorBound = sample_.errorBound(accesses);
    const ReuseCounts all = sample_.scaled({distances.histogram(), firsts.size()}, accesses);
    profile.reuse.coldAccesses = all.cold;
    profile.histograms.reuseDistances = all.distances;

    std::vector<uint64_t> cold(sources_.count());
    for (const uint32_t source : firsts)
      ++cold[source];
    for (size_t source = 0; source < cold.size(); ++source) {
      const ReuseCounts counts =
          sample_.scaled({distances.histogram(source), cold[source]}, accesses_[source]);
      if (counts.cold == 0 && counts.distances.empty())
        continue;
      profile::LineRow &row = profile.histograms.lineRow(sources_.line(source));
      row.coldAccesses = counts.cold;
      row.reuseDistances = counts.distances;
    }
  }

  template <bool Sampled> void follow(const trace::Chunk &chunk) {
    for (const trace::Run &run : chunk.runs) {
      uint32_t a = run.accessBegin;
      for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
        const trace::BlockEvent &event = chunk.events[e];
        if (a == event.accessEnd)
          continue;
        const uint32_t *sources = sources_.numbersOf(program_.block(event.block));
        for (; a < event.accessEnd; ++a)
          follow<Sampled>(chunk.accesses[a], sources[chunk.accesses[a].opOffset]);
      }
      if (run.partialBlock != trace::BlockId::kNone) {
        const uint32_t *sources = sources_.numbersOf(program_.block(run.partialBlock));
        for (; a < run.accessEnd; ++a)
          follow<Sampled>(chunk.accesses[a], sources[chunk.accesses[a].opOffset]);
      }
      for (; a < run.accessEnd; ++a) // the work-group's, or of a block that was never entered
        follow<Sampled>(chunk.accesses[a], 0);
    }
  }

  template <bool Sampled> void follow(const trace::Access &access, uint32_t source) {
    const AddressSpace space = access.addressSpace();
    if ((space != AddressSpace::kGlobal && space != AddressSpace::kConstant) || access.size == 0)
      return;
    const uint64_t end = std::max(access.address, access.address + (access.size - 1));
    const uint64_t lastLine = lineOf(access.space, end);
    for (uint64_t line = lineOf(access.space, access.address); line <= lastLine; ++line) {
      if constexpr (Sampled) {
        ++accesses_[source];
        if (!sample_.takes(line))
          continue;
        sample_.count(line);
      }
      count(stack_.access(line), source, firsts_, distances_);
    }
  }

  /// Lines are those of an address space. Line numbers have at most 59 bits, so it fits above.
  uint64_t lineOf(uint32_t space, uint64_t address) const {
    return uint64_t{space} << 60 | address >> lineShift_;
  }

  /// A first access stays one until it is known what the groups before made.
  void count(uint64_t distance, uint32_t source, std::vector<uint32_t> &firsts,
             DistanceCounts &distances) const {
    if (distance == LruStack::kCold)
      firsts.push_back(source);
    else
      distances.add(source, sample_.scaledDistance(distance));
  }

  GroupRun currentRun() const { return {first_, last_, stack_.lines(), firsts_, stack_.order()}; }

  void endRun() {
    if (!running_)
      return;
    runs_.push_back(currentRun());
    pendingLines_ += runs_.back().lines.size() + 1;
    stack_.clear();
    firsts_.clear();
    running_ = false;
    // Joining looks at everything that is pending: worth it when that has doubled.
    if (pendingLines_ > 2 * joinedLines_ + 4096)
      joinNeighbours();
  }

  /// Accesses the lines of `run` behind everything that `stack` has seen.
  void append(const GroupRun &run, LruStack &stack, std::vector<uint32_t> &firsts,
              DistanceCounts &distances) const {
    for (size_t i = 0; i < run.lines.size(); ++i)
      count(stack.access(run.lines[i]), run.firsts[i], firsts, distances);
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
        std::vector<uint32_t> firsts;
        for (size_t k = i; k < end; ++k) {
          append(runs_[k], stack, firsts, distances_);
          runs_[k].lines = {};
          runs_[k].firsts = {};
          runs_[k].order = {};
        }
        joined.push_back(
            {runs_[i].first, runs_[end - 1].last, stack.lines(), std::move(firsts), stack.order()});
      }
      pendingLines_ += joined.back().lines.size() + 1;
      i = end;
    }
    runs_ = std::move(joined);
    joinedLines_ = pendingLines_;
  }

  const trace::Program &program_;
  const SourceLines sources_;
  const uint32_t lineBytes_;
  const unsigned lineShift_;
  ReuseSample sample_;
  /// Of a sample, per source line: accesses of lines, followed or not.
  std::vector<uint64_t> accesses_;
  DistanceCounts distances_; ///< of all that is certain
  bool running_ = false;
  uint64_t first_ = 0, last_ = 0; ///< groups of the current run
  LruStack stack_;                ///< of the current run
  std::vector<uint32_t> firsts_;  ///< of the current run, as GroupRun::firsts
  std::vector<GroupRun> runs_;    ///< that ended
  size_t pendingLines_ = 0;       ///< in `runs_`; a run counts as one more
  size_t joinedLines_ = 0;        ///< the same when they were joined last
};

} // namespace

std::unique_ptr<Analysis> makeReuseDistance(const trace::Program &program,
                                            const AnalysisOptions &options) {
  return std::make_unique<ReuseDistance>(program, options);
}

} // namespace aiwc::metrics
