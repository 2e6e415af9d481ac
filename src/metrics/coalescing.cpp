#include "metrics/families.h"
#include "metrics/lockstep_sampling.h"

#include <algorithm>
#include <array>
#include <span>

namespace aiwc::metrics {
namespace {

using profile::Metric;
using trace::AddressSpace;

constexpr uint32_t kWidths = 3; ///< lane groups of 16, 32, 64
constexpr uint32_t kNarrowest = 16;
constexpr uint32_t kWidest = 64;
constexpr uint32_t kSegmentBits = 7; ///< 128 bytes

/// Bytes that a lane accesses; none, where it accesses nothing.
struct Piece {
  uint64_t address = 0;
  uint64_t size = 0;

  uint64_t end() const { return address + size; }
  bool operator<(const Piece &other) const { return address < other.address; }
};

/// Segments of global memory.
struct Segments {
  uint64_t needed = 0;
  uint64_t touched = 0;

  void add(const Segments &more, uint64_t times = 1) {
    needed += more.needed * times;
    touched += more.touched * times;
  }
};

/// What lanes need and touch that access these pieces, in increasing order of address.
template <typename Pieces> Segments segmentsOf(const Pieces &sorted) {
  uint64_t bytes = 0, coveredEnd = 0, nextSegment = 0;
  Segments segments;
  for (const Piece &piece : sorted) {
    const uint64_t from = std::max(piece.address, coveredEnd);
    if (piece.end() <= from)
      continue;
    bytes += piece.end() - from;
    coveredEnd = piece.end();
    const uint64_t first = std::max(from >> kSegmentBits, nextSegment);
    nextSegment = ((coveredEnd - 1) >> kSegmentBits) + 1;
    segments.touched += nextSegment - first;
  }
  segments.needed = (bytes + (uint64_t{1} << kSegmentBits) - 1) >> kSegmentBits;
  return segments;
}

/// The pieces that the lanes of a lane group access together, by lane.
struct Together {
  std::vector<Piece> storage;
  std::span<Piece> pieces; ///< of `storage`
  /// Where those of the lanes from 16 l on begin.
  std::array<size_t, kWidest / kNarrowest + 1> begin{};

  std::span<Piece> ofLanes(size_t first, size_t end) {
    return pieces.subspan(begin[first], begin[end] - begin[first]);
  }
};

/// What the executions of one memory instruction by the 64 lanes at hand access. A cache line holds
/// consecutive executions by one lane, and the next line those by the next lane: it is written in
/// one go, and read when those of all lanes are put side by side.
class Executions {
public:
  /// Of how many lanes there will be executions, before the first of them.
  void begin(uint32_t lanes) { lanes_ = lanes; }
  /// `slot`: which execution by this lane it is; not less than at the previous call.
  void add(uint32_t lane, uint32_t slot, uint64_t address, uint64_t size) {
    uint32_t &made = made_[lane];
    if (slot < made) [[unlikely]]
      return addMore(lane, slot, address, size);
    const size_t at = placeOf(slot, lane);
    if (at >= pieces_.size()) [[unlikely]]
      grow(slot);
    if (made == 0)
      lanesUsed_ = std::max(lanesUsed_, lane + 1);
    for (; made < slot; ++made) // executions that access no global memory
      pieces_[placeOf(made, lane)] = {};
    pieces_[at] = {address, size};
    if (++made > slots_)
      slots_ = made;
  }
  uint32_t slots() const { return slots_; }

  /// Slots have to be asked for in increasing order.
  void read(uint32_t slot, Together &together) {
    if (slot == 0)
      std::stable_sort(more_.begin(), more_.end(), [](const More &a, const More &b) {
        return a.slot != b.slot ? a.slot < b.slot : a.lane < b.lane;
      });
    if (together.storage.size() < kWidest + more_.size())
      together.storage.resize(kWidest + more_.size());
    Piece *const pieces = together.storage.data();
    const Piece *next = pieces_.data() + placeOf(slot, 0);
    size_t n = 0;
    for (uint32_t lane = 0; lane < lanesUsed_; ++lane, next += kLine) {
      if (lane % kNarrowest == 0)
        together.begin[lane / kNarrowest] = n;
      if (made_[lane] <= slot)
        continue;
      pieces[n] = *next;
      n += next->size > 0;
      if (nextMore_ < more_.size()) [[unlikely]]
        n = readMore(slot, lane, pieces, n);
    }
    for (size_t l = (lanesUsed_ + kNarrowest - 1) / kNarrowest; l < together.begin.size(); ++l)
      together.begin[l] = n;
    together.pieces = {pieces, n};
  }

  void clear() {
    made_.fill(0);
    more_.clear();
    slots_ = lanesUsed_ = 0;
    nextMore_ = 0;
  }

private:
  static constexpr uint32_t kLine = 4;

  /// What an execution accesses beyond its first piece.
  struct More {
    uint32_t slot = 0, lane = 0;
    Piece piece;
  };

  size_t placeOf(uint32_t slot, uint32_t lane) const {
    return (size_t{slot / kLine} * lanes_ + lane) * kLine + slot % kLine;
  }
  size_t readMore(uint32_t slot, uint32_t lane, Piece *pieces, size_t n) {
    for (;
         nextMore_ < more_.size() && more_[nextMore_].slot == slot && more_[nextMore_].lane == lane;
         ++nextMore_)
      pieces[n++] = more_[nextMore_].piece;
    return n;
  }
  void grow(uint32_t slot) {
    pieces_.resize(std::max(placeOf(slot, lanes_ - 1) + 1, pieces_.size() * 3 / 2));
  }
  void addMore(uint32_t lane, uint32_t slot, uint64_t address, uint64_t size) {
    // The write of an atomic is where the read was, and the channels of a pixel are neighbours.
    Piece &first = pieces_[placeOf(slot, lane)];
    if (address >= first.address && address <= first.end())
      first.size = std::max(first.end(), address + size) - first.address;
    else
      more_.push_back({slot, lane, {address, size}});
  }

  std::vector<Piece> pieces_;            ///< the first of each execution
  std::array<uint32_t, kWidest> made_{}; ///< executions, by lane
  std::vector<More> more_;
  size_t nextMore_ = 0; ///< to read
  uint32_t slots_ = 0, lanes_ = 0, lanesUsed_ = 0;
};

using SegmentsPerWidth = std::array<Segments, kWidths>;

/// Counts segments, and remembers them for some equally spaced pieces: these are what most
/// instructions access, and it depends on the first address modulo 128 alone.
class SegmentCounter {
public:
  SegmentCounter() : known_(kKnown) {}

  SegmentsPerWidth count(Together &together) {
    Key key;
    if (!equallySpaced(together, key))
      return countAnew(together);
    Known &known = known_[key.hash() % kKnown];
    if (known.key != key)
      known = {key, countAnew(together)};
    return known.segments;
  }

private:
  static constexpr size_t kKnown = 256;

  struct Key {
    uint64_t pieces = 0, stride = 0, first = 0, size = 0;
    bool operator==(const Key &) const = default;
    uint64_t hash() const {
      return ((pieces << 32 | size) * 0x9E3779B97F4A7C15U ^ stride * 0xBF58476D1CE4E5B9U ^
              first * 0x94D049BB133111EBU) >>
             40;
    }
  };
  struct Known {
    Key key;
    SegmentsPerWidth segments;
  };

  /// Whether the pieces are equally long and equally far apart, and 16 lanes have 16 of them.
  static bool equallySpaced(const Together &together, Key &key) {
    const std::span<const Piece> pieces = together.pieces;
    const size_t n = pieces.size();
    for (size_t l = 0; l < together.begin.size(); ++l)
      if (together.begin[l] != std::min(n, l * kNarrowest))
        return false;
    key = {n, n > 1 ? pieces[1].address - pieces[0].address : 0,
           pieces[0].address & ((uint64_t{1} << kSegmentBits) - 1), pieces[0].size};
    uint64_t deviation = 0;
    for (size_t i = 1; i < n; ++i)
      deviation |= ((pieces[i].address - pieces[i - 1].address) ^ key.stride) |
                   (pieces[i].size ^ pieces[0].size);
    return deviation == 0;
  }

  /// Leaves the pieces sorted.
  SegmentsPerWidth countAnew(Together &together) {
    SegmentsPerWidth result;
    const bool sorted = std::is_sorted(together.pieces.begin(), together.pieces.end());
    size_t lanes = 1; // in units of 16
    for (uint32_t width = 0; width < kWidths; ++width, lanes *= 2)
      for (size_t l = 0; l + 1 < together.begin.size(); l += lanes) {
        const std::span<Piece> pieces = together.ofLanes(l, l + lanes);
        if (!sorted && lanes == 1)
          std::sort(pieces.begin(), pieces.end());
        else if (!sorted)
          merge(pieces, together.ofLanes(l, l + lanes / 2).size());
        result[width].add(segmentsOf(pieces));
      }
    return result;
  }

  /// Sorts two sorted halves.
  void merge(std::span<Piece> pieces, size_t middle) {
    if (middle == 0 || middle == pieces.size())
      return;
    merged_.resize(pieces.size());
    const auto half = pieces.begin() + static_cast<std::ptrdiff_t>(middle);
    std::merge(pieces.begin(), half, half, pieces.end(), merged_.begin());
    std::copy(merged_.begin(), merged_.end(), pieces.begin());
  }

  std::vector<Known> known_;
  std::vector<Piece> merged_;
};

/// Work-items execute one after another, so the accesses of 64 lanes are kept until the last of
/// them has reached the barrier. Memory: 16 bytes per memory instruction, lane of 64 and execution
/// that is looked at (LockstepSampling).
class Coalescing final : public Analysis {
public:
  explicit Coalescing(const trace::Program &program)
      : program_(program), executed_(program.blocks.size()),
        instructions_(program.operations.size()) {}

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    lanes_ = std::min(group.items, kWidest);
    item_ = kNoItem;
  }

  void consume(const trace::Chunk &chunk) override {
    for (const trace::Run &run : chunk.runs) {
      if (run.item == trace::Run::kWorkGroup)
        continue;
      if (run.item != item_)
        switchTo(run.item);
      uint32_t access = run.accessBegin;
      for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
        const auto [block, accessEnd] = chunk.events[e];
        const uint32_t slot = count(block);
        if (access < accessEnd) {
          add(block, slot, chunk.accesses.subspan(access, accessEnd - access));
          access = accessEnd;
        }
      }
      if (run.partialBlock != trace::BlockId::kNone)
        add(run.partialBlock, count(run.partialBlock),
            chunk.accesses.subspan(access, run.accessEnd - access));
    }
    if (chunk.end != trace::ChunkEnd::kFull) {
      leaveItem();
      closeLaneGroup();
      item_ = kNoItem;
    }
  }

  void endGroup() override {}

  void merge(Analysis &other) override {
    const auto &from = static_cast<Coalescing &>(other);
    for (uint32_t width = 0; width < kWidths; ++width)
      segments_[width].add(from.segments_[width]);
    made_ += from.made_;
    measured_ += from.measured_;
  }

  void finish(profile::KernelProfile &profile) const override {
    for (uint32_t width = 0; width < kWidths; ++width)
      profile.setRatio(static_cast<Metric>(static_cast<uint32_t>(Metric::kCoalescing16) + width),
                       static_cast<double>(segments_[width].needed),
                       static_cast<double>(segments_[width].touched));
    profile.setRatio(Metric::kCoalescingMeasured, static_cast<double>(measured_),
                     static_cast<double>(made_));
  }

private:
  static constexpr uint32_t kNoItem = trace::Run::kWorkGroup;

  void switchTo(uint32_t item) {
    leaveItem();
    if (item / kWidest != item_ / kWidest)
      closeLaneGroup();
    item_ = item;
  }

  /// The work-item executes the block once more. Returns which time it is.
  uint32_t count(trace::BlockId block) {
    LockstepCounter &counter = executed_[index(block)];
    if (counter.counted() == 0)
      touched_.push_back(index(block));
    return counter.count();
  }

  void leaveItem() {
    for (const uint32_t block : touched_)
      executed_[block] = {};
    touched_.clear();
  }

  /// The work-item made these accesses in an execution of the block.
  void add(trace::BlockId block, uint32_t slot, std::span<const trace::Access> accesses) {
    for (const trace::Access &access : accesses) {
      if (access.addressSpace() != AddressSpace::kGlobal || access.size == 0)
        continue;
      ++made_;
      if (slot == LockstepSampling::kNone)
        continue;
      ++measured_;
      Executions &executions = executionsOf(index(program_.block(block).firstOp) + access.opOffset);
      executions.add(item_ % kWidest, slot, access.address, access.size);
    }
  }

  Executions &executionsOf(uint32_t operation) {
    std::unique_ptr<Executions> &executions = instructions_[operation];
    if (!executions)
      executions = std::make_unique<Executions>();
    if (executions->slots() == 0) {
      executions->begin(lanes_);
      active_.push_back(executions.get());
    }
    return *executions;
  }

  void closeLaneGroup() {
    for (Executions *executions : active_) {
      for (uint32_t slot = 0; slot < executions->slots(); ++slot) {
        executions->read(slot, together_);
        if (together_.pieces.empty())
          continue;
        const SegmentsPerWidth segments = counter_.count(together_);
        for (uint32_t width = 0; width < kWidths; ++width)
          segments_[width].add(segments[width], LockstepSampling::weightOf(slot));
      }
      executions->clear();
    }
    active_.clear();
  }

  const trace::Program &program_;
  uint32_t lanes_ = 0;                    ///< 64, or the group's work-items where it has less
  uint32_t item_ = kNoItem;               ///< whose run it is
  std::vector<LockstepCounter> executed_; ///< per block, by this work-item in this barrier interval
  std::vector<uint32_t> touched_;         ///< blocks that are not 0 there
  std::vector<std::unique_ptr<Executions>> instructions_; ///< per operation, where it has any
  std::vector<Executions *> active_;                      ///< of the 64 lanes at hand
  Together together_;
  SegmentCounter counter_;
  SegmentsPerWidth segments_;
  uint64_t made_ = 0, measured_ = 0; ///< accesses
};

} // namespace

std::unique_ptr<Analysis> makeCoalescing(const trace::Program &program) {
  return std::make_unique<Coalescing>(program);
}

} // namespace aiwc::metrics
