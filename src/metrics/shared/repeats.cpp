#include "metrics/shared/repeats.h"

#include <algorithm>
#include <array>
#include <bit>

namespace aiwc::metrics {

using trace::Access;
using trace::BlockEvent;
using trace::Chunk;
using trace::Run;

namespace {

/// Elements compared before the result is tested; a block of this size is a loop without branches.
constexpr size_t kStride = 32;

/// All members of an access after the address, as one integer.
uint64_t kindOf(const Access &access) {
  return std::bit_cast<std::array<uint64_t, 2>>(access)[1];
}
static_assert(offsetof(Access, address) == 0 && sizeof(Access) == 16);

template <typename Differ> bool anyOf(size_t count, Differ differ) {
  for (size_t begin = 0; begin < count; begin += kStride) {
    uint64_t difference = 0;
    for (size_t i = begin, end = std::min(count, begin + kStride); i < end; ++i)
      difference |= differ(i);
    if (difference != 0)
      return true;
  }
  return false;
}

bool canRepeat(const Run &run) {
  return run.item != Run::kWorkGroup && run.partialBlock == trace::BlockId::kNone &&
         (run.end == trace::RunEnd::kBarrier || run.end == trace::RunEnd::kMeeting ||
          run.end == trace::RunEnd::kFinished);
}

enum class Likeness : uint8_t { kNone, kRepeats, kAtSameAddresses };

Likeness likeness(const Chunk &chunk, const Run &before, const Run &run) {
  const size_t events = run.eventEnd - run.eventBegin;
  const size_t accesses = run.accessEnd - run.accessBegin;
  if (!canRepeat(before) || !canRepeat(run) || run.end != before.end || run.item == before.item ||
      events != before.eventEnd - before.eventBegin ||
      accesses != before.accessEnd - before.accessBegin)
    return Likeness::kNone;
  const BlockEvent *const event = chunk.events.data() + run.eventBegin;
  const BlockEvent *const eventBefore = chunk.events.data() + before.eventBegin;
  const uint32_t further = run.accessBegin - before.accessBegin;
  if (anyOf(events, [&](size_t i) {
        return (index(event[i].block) ^ index(eventBefore[i].block)) |
               (event[i].accessEnd - eventBefore[i].accessEnd - further);
      }))
    return Likeness::kNone;
  const Access *const access = chunk.accesses.data() + run.accessBegin;
  const Access *const accessBefore = chunk.accesses.data() + before.accessBegin;
  uint64_t elsewhere = 0;
  if (anyOf(accesses, [&](size_t i) {
        elsewhere |= access[i].address ^ accessBefore[i].address;
        return kindOf(access[i]) ^ kindOf(accessBefore[i]);
      }))
    return Likeness::kNone;
  return elsewhere == 0 ? Likeness::kAtSameAddresses : Likeness::kRepeats;
}

} // namespace

/// Compares the distances between the accesses of lane `lane` of the open block and those of the
/// lane before it with the distances between the first two lanes.
void Repeats::compareWithNeighbour(const Chunk &chunk, const Run &before, const Run &run,
                                   size_t lane) {
  const size_t accesses = run.accessEnd - run.accessBegin;
  const Access *const access = chunk.accesses.data() + run.accessBegin;
  const Access *const accessBefore = chunk.accesses.data() + before.accessBegin;
  const auto distance = [&](size_t a) { return access[a].address - accessBefore[a].address; };
  if (lane == 1) {
    strides_.resize(std::max(strides_.size(), accesses));
    breaks_.resize(strides_.size());
    std::fill_n(breaks_.begin(), accesses, 0);
    for (size_t a = 0; a < accesses; ++a)
      strides_[a] = distance(a);
    return;
  }
  const uint64_t *const stride = strides_.data();
  if (anyOf(accesses, [&](size_t a) { return distance(a) ^ stride[a]; }))
    for (size_t a = 0; a < accesses; ++a)
      breaks_[a] |= uint64_t{distance(a) != stride[a]} << lane;
}

void Repeats::closeBlock(const Chunk &chunk, size_t firstRun, size_t end) {
  const std::span<const Run> runs = std::span(runs_).subspan(firstRun, end - firstRun);
  if (runs.size() == 1) {
    blocks_.push_back({runs, {}});
    return;
  }
  const size_t firstColumn = columns_.size();
  const size_t accesses = runs.front().accessEnd - runs.front().accessBegin;
  const uint64_t everyLane = (uint64_t{2} << (runs.size() - 1)) - 2;
  for (size_t a = 0; a < accesses; ++a) {
    Column column{strides_[a], breaks_[a]};
    if (column.stride + Column::kFarthest >= 2 * Column::kFarthest)
      column = {0, everyLane};
    if (!column.equallySpaced()) {
      column.addresses = addresses_.data() + addresses_.size();
      for (const Run &run : runs)
        addresses_.push_back(chunk.accesses[run.accessBegin + a].address);
    }
    columns_.push_back(column);
  }
  blocks_.push_back({runs, std::span(columns_).subspan(firstColumn)});
}

MarkedChunk Repeats::mark(const Chunk &chunk) {
  runs_.assign(chunk.runs.begin(), chunk.runs.end());
  blocks_.clear();
  columns_.clear();
  columns_.reserve(chunk.accesses.size());
  addresses_.clear();
  addresses_.reserve(chunk.accesses.size());
  size_t first = 0;
  for (size_t i = 1; i < runs_.size(); ++i) {
    const Likeness like = likeness(chunk, runs_[i - 1], runs_[i]);
    runs_[i].repeats = like != Likeness::kNone;
    runs_[i].atSameAddresses = like == Likeness::kAtSameAddresses;
    if (runs_[i].repeats && runs_[i].item == runs_[i - 1].item + 1 &&
        runs_[i].item % LaneBlock::kLanes != 0) {
      compareWithNeighbour(chunk, runs_[i - 1], runs_[i], i - first);
    } else {
      closeBlock(chunk, first, i);
      first = i;
    }
  }
  if (!runs_.empty())
    closeBlock(chunk, first, runs_.size());
  return {{chunk.program, chunk.events, chunk.accesses, runs_, chunk.end}, blocks_};
}

} // namespace aiwc::metrics
