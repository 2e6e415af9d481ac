#include "common/hash.h"
#include "metrics/reuse_distance/distance_counts.h"
#include "metrics/reuse_distance/lru_stack.h"
#include "metrics/reuse_distance/reuse_order.h"
#include "metrics/reuse_distance/source_lines.h"
#include "metrics/shared/analysis.h"
#include "metrics/shared/marked_chunk.h"
#include "metrics/shared/reuse_lines.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace aiwc::metrics {
namespace {

/// Finds the lanes of a lane block that touch other lines of memory than the lane before. Most
/// lanes touch the same ones: 16 neighbours read a line of 4-byte elements.
class LineChanges {
public:
  explicit LineChanges(unsigned lineShift) : lineShift_(lineShift) {}

  /// Bit l: lane l touches other lines with this access than lane l - 1. `access` is that of lane
  /// 0, in global or constant memory, of one byte or more.
  uint64_t of(const trace::Access &access, const Column &column, size_t lanes) {
    if (!column.equallySpaced())
      return among(column.addresses, access.size, lanes);
    if (column.stride == 0)
      return 0;
    const uint64_t offset = access.address & ((uint64_t{1} << lineShift_) - 1);
    if (known_.empty()) [[unlikely]] // a small launch has no use for them
      known_.resize(kKnown);
    const Key key{offset, column.stride, access.size};
    Known &known = known_[key.hash() % kKnown];
    if (known.key != key) {
      std::array<uint64_t, LaneBlock::kLanes> addresses;
      // Above 2^63, so that the distances may be negative.
      const uint64_t first = uint64_t{1} << 63 | offset;
      for (size_t lane = 0; lane < addresses.size(); ++lane)
        addresses[lane] = first + lane * column.stride;
      known = {key, among(addresses.data(), access.size, addresses.size())};
    }
    return known.changes & (~uint64_t{0} >> (LaneBlock::kLanes - lanes));
  }

private:
  static constexpr size_t kKnown = 256;

  struct Key {
    uint64_t offset = 0, stride = 0, size = 0;
    bool operator==(const Key &) const = default;
    uint64_t hash() const {
      return (fibonacciHash(offset) ^ stride * 0xBF58476D1CE4E5B9U ^ size * 0x94D049BB133111EBU) >>
             40;
    }
  };
  struct Known {
    Key key;
    uint64_t changes = 0; ///< for the most lanes that there can be
  };

  uint64_t among(const uint64_t *addresses, uint64_t size, size_t lanes) const {
    uint64_t changes = 0;
    for (size_t lane = 1; lane < lanes; ++lane) {
      const uint64_t first = addresses[lane] ^ addresses[lane - 1];
      const uint64_t last = (addresses[lane] + size - 1) ^ (addresses[lane - 1] + size - 1);
      changes |= uint64_t{((first | last) >> lineShift_) != 0} << lane;
    }
    return changes;
  }

  const unsigned lineShift_;
  std::vector<Known> known_;
};

/// Keeps an LRU stack of lines across work-groups. A group that directly follows the previous one
/// continues its stack. Any other group begins a new run, and the previous run is passed to the
/// ReuseOrder, which instances of other threads may share.
///
/// An access counts for the source line that makes it. It is counted at once if its distance is
/// known then; otherwise it is counted when the run is joined with others (4 bytes per line that a
/// run touches).
class ReuseDistance final : public Analysis {
public:
  ReuseDistance(const trace::Program &program, const SourceLines &sources,
                const AnalysisOptions &options, std::shared_ptr<ReuseOrder> order)
      : program_(program), sources_(sources), lineBytes_(options.lineBytes),
        lineShift_(static_cast<unsigned>(std::countr_zero(options.lineBytes))),
        changes_(lineShift_), distances_(sources_.count()), groupLines_(sources_.count()),
        order_(std::move(order)) {}

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    if (running_ && group.linearId != last_ + 1)
      endRun();
    if (!running_)
      first_ = group.linearId;
    last_ = group.linearId;
    running_ = true;
    linesOfGroup_ = 0;
  }

  void consume(const MarkedChunk &chunk) override {
    for (const LaneBlock &block : chunk.blocks) {
      uint64_t changes = changesIn(chunk, block);
      size_t begin = 0;
      for (; changes != 0; changes &= changes - 1) {
        const auto end = static_cast<size_t>(std::countr_zero(changes));
        followAlike(chunk, block.runs.subspan(begin, end - begin));
        begin = end;
      }
      followAlike(chunk, block.runs.subspan(begin));
    }
  }

  void endGroup() override {}

  void merge(Analysis &other) override {
    auto &from = static_cast<ReuseDistance &>(other);
    distances_.merge(from.distances_);
    for (size_t source = 0; source < groupLines_.size(); ++source)
      groupLines_[source] += from.groupLines_[source];
    endRun();
    from.endRun();
    if (order_ != from.order_)
      order_->merge(*from.order_);
  }

  void finish(profile::KernelProfile &profile) const override {
    if (order_->empty()) { // all groups are in the current run
      std::vector<uint64_t> firsts(sources_.count());
      for (const uint32_t source : firsts_)
        ++firsts[source];
      write(firsts, distances_, profile);
      return;
    }
    if (running_)
      order_->add(currentRun());
    DistanceCounts distances = distances_;
    const std::vector<uint64_t> firsts = order_->finish(distances);
    write(firsts, distances, profile);
  }

private:
  void write(const std::vector<uint64_t> &firsts, const DistanceCounts &distances,
             profile::KernelProfile &profile) const {
    profile.reuse.lineBytes = lineBytes_;
    profile.reuse.coldAccesses = std::reduce(firsts.begin(), firsts.end());
    profile.histograms.reuseDistances = distances.histogram();

    for (size_t source = 0; source < firsts.size(); ++source) {
      profile::Histogram reused = distances.histogram(source);
      if (firsts[source] == 0 && reused.empty())
        continue;
      profile::LineRow &row = profile.histograms.lineRow(sources_.line(source));
      row.coldAccesses = firsts[source];
      row.groupLines = groupLines_[source];
      row.reuseDistances = std::move(reused);
    }
  }

  /// Bit l, from 1: work-item l of the block touches other lines than the one before it.
  uint64_t changesIn(const trace::Chunk &chunk, const LaneBlock &block) {
    const size_t lanes = block.runs.size();
    const uint64_t all = (uint64_t{2} << (lanes - 1)) - 2;
    uint64_t changes = lanes < 3 ? all : 0; // two are not worth the search
    const auto accesses = chunk.accessesOf(block.runs.front());
    for (size_t a = 0; a < accesses.size() && changes != all; ++a)
      if (measuresReuse(accesses[a]))
        changes |= changes_.of(accesses[a], block.columns[a], lanes);
    return changes;
  }

  /// Follows runs that touch the same lines in the same order. The second finds what the first has
  /// left, and leaves the same for the third. So all from the second on have the same distances.
  void followAlike(const trace::Chunk &chunk, std::span<const trace::Run> runs) {
    follow<false>(chunk, runs[0]);
    if (runs.size() == 2)
      follow<false>(chunk, runs[1]);
    if (runs.size() < 3)
      return;
    recorded_.clear();
    follow<true>(chunk, runs[1]);
    for (const auto &[source, distance] : recorded_)
      distances_.add(source, distance, runs.size() - 2);
  }

  template <bool kRecord> void follow(const trace::Chunk &chunk, const trace::Run &run) {
    uint32_t a = run.accessBegin;
    for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
      const trace::BlockEvent &event = chunk.events[e];
      if (a == event.accessEnd)
        continue;
      const uint32_t *sources = sources_.numbersOf(program_.block(event.block));
      for (; a < event.accessEnd; ++a)
        follow<kRecord>(chunk.accesses[a], sources[chunk.accesses[a].opOffset]);
    }
    if (run.partialBlock != trace::BlockId::kNone) {
      const uint32_t *sources = sources_.numbersOf(program_.block(run.partialBlock));
      for (; a < run.accessEnd; ++a)
        follow<kRecord>(chunk.accesses[a], sources[chunk.accesses[a].opOffset]);
    }
    for (; a < run.accessEnd; ++a) // accesses of the work-group, or of a block that was aborted
      follow<kRecord>(chunk.accesses[a], 0);
  }

  template <bool kRecord> void follow(const trace::Access &access, uint32_t source) {
    forEachReuseLine(access, lineShift_, [this, source](uint64_t line) {
      // A first access in this run may turn out to be a reuse when earlier groups are known.
      const uint64_t distance = stack_.access(line);
      if (distance == LruStack::kCold)
        firsts_.push_back(source);
      else
        distances_.add(source, distance);
      // A line that the group has accessed has at most its other lines above it in the stack.
      if (distance >= linesOfGroup_) {
        ++linesOfGroup_;
        ++groupLines_[source];
      }
      if constexpr (kRecord)
        recorded_.emplace_back(source, distance);
    });
  }

  GroupRun currentRun() const { return {first_, last_, stack_.lines(), firsts_, stack_.order()}; }

  void endRun() {
    if (!running_)
      return;
    order_->add(currentRun());
    stack_.clear();
    firsts_.clear();
    running_ = false;
  }

  const trace::Program &program_;
  const SourceLines &sources_;
  const uint32_t lineBytes_;
  const unsigned lineShift_;
  LineChanges changes_;
  std::vector<std::pair<uint32_t, uint64_t>> recorded_; ///< source lines and distances of a run
  DistanceCounts distances_;                            ///< within runs
  bool running_ = false;
  uint64_t first_ = 0, last_ = 0;    ///< groups of the current run
  LruStack stack_;                   ///< of the current run
  std::vector<uint32_t> firsts_;     ///< of the current run, as GroupRun::firsts
  uint64_t linesOfGroup_ = 0;        ///< that the current group has accessed
  std::vector<uint64_t> groupLines_; ///< first accesses of a line in a group, per source line
  std::shared_ptr<ReuseOrder> order_;
};

} // namespace

std::unique_ptr<Analysis> reuse_distance::make(const trace::Program &program,
                                               const Settings &settings) {
  const AnalysisOptions &options = settings.options;
  const auto &sources = settings.tables.get<SourceLines>();
  auto order = settings.order;
  if (!order)
    order = std::make_shared<ReuseOrder>(sources);
  return std::make_unique<ReuseDistance>(program, sources, options, std::move(order));
}

} // namespace aiwc::metrics
