#include "collector.h"

#include <catch2/catch.hpp>
#include <sstream>

namespace aiwc::test {

using namespace trace;

void Collector::beginGroup(const Program &, const Group &group) {
  REQUIRE_FALSE(inGroup);
  inGroup = true;
  execution.groups.push_back({group, {Interval{}}});
}

void Collector::endGroup() {
  REQUIRE(inGroup);
  REQUIRE_FALSE(continues_);
  REQUIRE(chunks.back().end == ChunkEnd::kGroupEnd);
  inGroup = false;
}

void Collector::consume(const Chunk &chunk) {
  REQUIRE(inGroup);
  chunks.push_back({chunk.end, chunk.events.size(), chunk.accesses.size(), chunk.runs.size()});
  auto &intervals = execution.groups.back().intervals;
  uint32_t events = 0, accesses = 0;
  for (const Run &run : chunk.runs) {
    // Runs cover the chunk without gaps.
    REQUIRE(run.eventBegin == events);
    REQUIRE(run.accessBegin == accesses);
    events = run.eventEnd;
    accesses = run.accessEnd;
    auto &stretches = intervals.back().stretches;
    if (continues_) {
      REQUIRE(stretches.back().item == run.item);
    } else {
      stretches.push_back({run.item, run.end, {}, {}});
    }
    append(chunk, run, stretches.back());
    continues_ = run.end == RunEnd::kContinues;
  }
  REQUIRE(events == chunk.events.size());
  REQUIRE(accesses == chunk.accesses.size());
  // Only a full buffer cuts a run in two.
  REQUIRE(continues_ == (chunk.end == ChunkEnd::kFull));
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
    REQUIRE(run.end == RunEnd::kAborted);
    stretch.steps.push_back({run.partialBlock, run.partialOps, false, rest});
  } else if (run.item == Run::kWorkGroup) {
    stretch.groupAccesses.insert(stretch.groupAccesses.end(), rest.begin(), rest.end());
  } else {
    REQUIRE(rest.empty());
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
