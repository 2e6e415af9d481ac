#include "collector.h"

#include <sstream>
#include <stdexcept>

namespace aiwc::test {

using namespace trace;

namespace {

void require(bool condition, const char *what) {
  if (!condition)
    throw std::logic_error(std::string("a chunk that no recorder may make: ") + what);
}

} // namespace

void Collector::beginGroup(const Program &, const Group &group) {
  require(!inGroup, "a group begins inside another");
  inGroup = true;
  execution.groups.push_back({group, {Interval{}}});
}

void Collector::endGroup() {
  require(inGroup && !continues_, "a group ends inside a run, or none began");
  require(chunks.back().end == ChunkEnd::kGroupEnd, "the last of a group does not end it");
  inGroup = false;
}

void Collector::consume(const Chunk &chunk) {
  require(inGroup, "outside of a group");
  chunks.push_back({chunk.end, chunk.events.size(), chunk.accesses.size(), chunk.runs.size()});
  auto &intervals = execution.groups.back().intervals;
  uint32_t events = 0, accesses = 0;
  for (const Run &run : chunk.runs) {
    require(run.eventBegin == events && run.accessBegin == accesses,
            "its runs do not cover it without gaps");
    events = run.eventEnd;
    accesses = run.accessEnd;
    auto &stretches = intervals.back().stretches;
    require(!continues_ || stretches.back().item == run.item,
            "it does not go on with the work-item that was cut off");
    if (!continues_)
      stretches.push_back({run.item, run.end, {}, {}});
    append(chunk, run, stretches.back());
    continues_ = run.end == RunEnd::kContinues;
  }
  require(events == chunk.events.size() && accesses == chunk.accesses.size(),
          "its runs do not cover it without gaps");
  require(!continues_ || chunk.end == ChunkEnd::kFull, "not a full buffer cuts a run in two");
  if (chunk.end == ChunkEnd::kBarrier)
    intervals.emplace_back();
}

void Collector::append(const Chunk &chunk, const Run &run, Stretch &stretch) {
  stretch.end = run.end;
  uint32_t access = run.accessBegin;
  const auto accessesUpTo = [&](uint32_t end) {
    std::vector<Access> accesses;
    for (; access < end; ++access)
      accesses.push_back(chunk.accesses[access]);
    return accesses;
  };
  for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
    const BlockEvent &event = chunk.events[e];
    const uint32_t operations = chunk.program.block(event.block).opCount;
    stretch.steps.push_back({event.block, operations, true, accessesUpTo(event.accessEnd)});
  }
  const std::vector<Access> rest = accessesUpTo(run.accessEnd);
  if (run.partialBlock != BlockId::kNone) {
    require(run.end == RunEnd::kAborted, "a run stops inside a block without being aborted");
    stretch.steps.push_back({run.partialBlock, run.partialOps, false, rest});
  } else if (run.item == Run::kWorkGroup) {
    stretch.groupAccesses.insert(stretch.groupAccesses.end(), rest.begin(), rest.end());
  } else {
    require(rest.empty(), "accesses behind the last block");
  }
}

std::string text(const Execution &execution) {
  std::ostringstream out;
  const auto accesses = [&](const std::vector<Access> &list) {
    for (const Access &access : list)
      out << ' ' << (access.write ? 'w' : 'r') << (access.atomic ? "a" : "") << access.space << ':'
          << std::hex << access.address << std::dec << '+' << access.size << '@' << access.opOffset;
    out << '\n';
  };
  for (const GroupTrace &group : execution.groups) {
    out << "group " << group.group.linearId << " of " << group.group.items << '\n';
    for (size_t i = 0; i < group.intervals.size(); ++i) {
      out << (i > 0 ? " barrier\n" : "");
      for (const Stretch &stretch : group.intervals[i].stretches) {
        out << " item " << stretch.item << " end " << static_cast<int>(stretch.end);
        accesses(stretch.groupAccesses);
        for (const Step &step : stretch.steps) {
          out << "  block " << index(step.block) << " operations " << step.operations
              << (step.complete ? "" : " incomplete");
          accesses(step.accesses);
        }
      }
    }
  }
  return out.str();
}

} // namespace aiwc::test
