#include "metrics/brute_force_common.h"

#include <limits>
#include <optional>
#include <string>

namespace aiwc::test {

using namespace trace;
using profile::LoopRow;

namespace {

/// Where in the loops around it a block was executed: per loop, outermost first, which execution of
/// the loop and which iteration of that.
struct Position {
  uint32_t loop;
  uint64_t execution;
  uint64_t iteration;
};
using Positions = std::vector<Position>;

/// One execution of a function by a work-item.
struct Frame {
  size_t caller; ///< step of the call
  std::vector<size_t> steps;
};
constexpr size_t kNobody = std::numeric_limits<size_t>::max();

/// All that one work-item did.
struct ItemTrace {
  std::vector<Step> steps;
};

/// The loops that `block` is in.
std::set<uint32_t> loopsAround(const Program &program, BlockId block) {
  std::set<uint32_t> loops;
  for (LoopId id = program.block(block).loop; id != LoopId::kNone; id = program.loop(id).parent)
    loops.insert(index(id));
  return loops;
}

/// Whether control goes from the block to the next one of the same IR basic block.
bool goesOnBehind(const Block &block) {
  return block.end == BlockEnd::kFallThrough || block.end == BlockEnd::kCall ||
         block.end == BlockEnd::kBarrier;
}

/// Whether leaving the loop from `last` is no trip: it is the end of the header and no latch.
bool endsInHeader(const Program &program, const Loop &loop, BlockId last) {
  BlockId end = loop.header;
  while (goesOnBehind(program.block(end)))
    end = BlockId{index(end) + 1};
  if (end != last)
    return false;
  for (const BlockId successor : program.successorsOf(program.block(last)))
    if (successor == loop.header)
      return false;
  return true;
}

class Loops {
public:
  std::vector<LoopRow> rows;
  std::vector<std::set<uint32_t>> inside;                     ///< entered inside this one
  std::vector<std::set<std::pair<uint64_t, uint64_t>>> pairs; ///< dependences that it carries

  explicit Loops(const Program &program)
      : rows(program.loops.size()), inside(program.loops.size()), pairs(program.loops.size()),
        program_(program) {}

  /// The positions of every step of a work-item, while its loops are counted.
  std::vector<Positions> count(const ItemTrace &item) {
    std::vector<Frame> frames{{kNobody, {}}};
    std::vector<size_t> open{0};
    for (size_t s = 0; s < item.steps.size(); ++s) {
      frames[open.back()].steps.push_back(s);
      const BlockEnd end = program_.block(item.steps[s].block).end;
      if (end == BlockEnd::kCall) {
        open.push_back(frames.size());
        frames.push_back({s, {}});
      } else if (end == BlockEnd::kReturn && open.size() > 1) {
        open.pop_back();
      }
    }
    std::vector<Positions> positions(item.steps.size());
    for (const Frame &frame : frames) { // a caller before those it calls
      if (frame.caller != kNobody)
        for (const size_t s : frame.steps)
          positions[s] = positions[frame.caller];
      for (uint32_t loop = 0; loop < program_.loops.size(); ++loop)
        countIn(item, frame, loop, positions);
    }
    for (const Positions &around : positions)
      for (size_t outer = 0; outer < around.size(); ++outer)
        for (size_t inner = outer + 1; inner < around.size(); ++inner)
          inside[around[outer].loop].insert(around[inner].loop);
    return positions;
  }

private:
  void countIn(const ItemTrace &item, const Frame &frame, uint32_t loop,
               std::vector<Positions> &positions) {
    const auto isIn = [&](size_t i) {
      return loopsAround(program_, item.steps[frame.steps[i]].block).contains(loop);
    };
    for (size_t i = 0; i < frame.steps.size(); ++i) {
      if (item.steps[frame.steps[i]].block != program_.loops[loop].header)
        continue; // not in it, or a hand-written trace that did not come through its header
      ++executions_;
      uint64_t iterations = 0;
      for (; i < frame.steps.size() && isIn(i); ++i) {
        iterations += item.steps[frame.steps[i]].block == program_.loops[loop].header;
        positions[frame.steps[i]].push_back({loop, executions_, iterations});
      }
      const bool left = i < frame.steps.size();
      const BlockId last = item.steps[frame.steps[i - 1]].block;
      const uint64_t trips =
          iterations - (left && endsInHeader(program_, program_.loops[loop], last));
      LoopRow &row = rows[loop];
      row.minTrips = row.entries == 0 ? trips : std::min(row.minTrips, trips);
      row.maxTrips = std::max(row.maxTrips, trips);
      row.trips += trips;
      ++row.entries;
    }
  }

  const Program &program_;
  uint64_t executions_ = 0;
};

/// The loop that carries the value from `writer` to `reader`, if one does.
std::optional<uint32_t> carrier(const Positions &writer, const Positions &reader) {
  for (size_t i = 0; i < std::min(writer.size(), reader.size()); ++i) {
    if (writer[i].execution != reader[i].execution)
      return std::nullopt;
    if (writer[i].iteration != reader[i].iteration)
      return reader[i].loop;
  }
  return std::nullopt;
}

class Dependences {
public:
  explicit Dependences(Loops &loops) : loops_(loops) {}

  void access(const Access &access, const Positions &positions, uint32_t line) {
    if (access.addressSpace() == AddressSpace::kConstant)
      return;
    for (uint64_t byte = access.address; byte < access.address + access.size; ++byte) {
      const std::pair key(access.addressSpace(), byte);
      if (access.write) {
        writers_[key] = {positions, line};
      } else if (const auto found = writers_.find(key); found != writers_.end()) {
        const auto loop = carrier(found->second.first, positions);
        if (loop && access.addressSpace() == AddressSpace::kPrivate)
          loops_.rows[*loop].carriesValue = true;
        else if (loop)
          loops_.pairs[*loop].insert({found->second.second, line});
      }
    }
  }

private:
  Loops &loops_;
  std::map<std::pair<AddressSpace, uint64_t>, std::pair<Positions, uint32_t>> writers_;
};

void findDependences(const Program &program, const GroupTrace &group,
                     const std::vector<Positions> &positions, Loops &loops) {
  Dependences dependences(loops);
  size_t next = 0;
  bool finished = false;
  for (const Interval &interval : group.intervals)
    for (const Stretch &stretch : interval.stretches) {
      for (const Step &step : stretch.steps) {
        for (const Access &access : step.accesses)
          dependences.access(access, positions[next],
                             program.operationsOf(program.block(step.block))[access.opOffset].line);
        ++next;
      }
      if (stretch.item != Run::kWorkGroup)
        finished = stretch.end == RunEnd::kFinished;
      for (const Access &access : stretch.groupAccesses)
        dependences.access(access, next == 0 || finished ? Positions{} : positions[next - 1], 0);
    }
}

uint64_t syncPoints(const Loops &loops) {
  uint64_t sum = 0;
  for (size_t outer = 0; outer < loops.rows.size(); ++outer) {
    if (loops.pairs[outer].empty())
      continue;
    for (const uint32_t inner : loops.inside[outer])
      if (loops.pairs[inner].empty() && loops.rows[inner].trips > 0) {
        sum += loops.rows[outer].trips;
        break;
      }
  }
  return std::max<uint64_t>(sum, 1);
}

} // namespace

void loops::reference(const Traced &traced, BruteForce &result) {
  const Program &program = traced.program;
  const Execution &execution = traced.execution;
  Loops loops(program);
  uint64_t items = 0;
  for (const GroupTrace &group : execution.groups)
    items += group.group.items;
  for (const GroupTrace &group : execution.groups) {
    std::map<uint32_t, ItemTrace> perItem;
    for (const Interval &interval : group.intervals)
      for (const Stretch &stretch : interval.stretches)
        for (const Step &step : stretch.steps)
          perItem[stretch.item].steps.push_back(step);
    for (const auto &[item, trace] : perItem) {
      const std::vector<Positions> positions = loops.count(trace);
      if (items == 1)
        findDependences(program, group, positions, loops);
    }
  }
  result.values["sync_points"_metric] = items == 1 ? syncPoints(loops) : 1;
  for (size_t i = 0; i < program.loops.size(); ++i) {
    LoopRow row = loops.rows[i];
    if (row.entries == 0)
      continue;
    row.function = program.function(program.loops[i].function).name;
    row.line = program.loops[i].line;
    row.depth = program.loops[i].depth;
    if (items == 1) {
      row.carriesDependence = !loops.pairs[i].empty();
      row.dependences.assign(loops.pairs[i].begin(), loops.pairs[i].end());
      row.carriesValue = row.carriesValue || program.loops[i].carriesValue;
    }
    result.histograms.loops.push_back(row);
  }
}

} // namespace aiwc::test
