#include "metrics/brute_force_common.h"

#include <fmt/format.h>

#include <bit>
#include <optional>
#include <string>
#include <utility>

namespace aiwc::test {

using namespace trace;

namespace {

/// Where an access is in the program; numbers of operations, SIZE_MAX - 1 and SIZE_MAX for reads
/// and writes of the work-group.
using Place = size_t;
using Distances = std::vector<int64_t>;

/// What is usual in the groups: each names its most frequent distance of the first 4096, of equal
/// ones the smallest.
class Usual {
public:
  void addGroup(Distances distances) {
    if (distances.empty())
      return;
    if (distances.size() > 4096)
      distances.resize(4096);
    std::map<int64_t, uint64_t> counts;
    for (const int64_t distance : distances)
      ++counts[distance];
    uint64_t most = 0;
    int64_t usual = 0;
    for (const auto &[distance, count] : counts)
      if (count > most) {
        most = count;
        usual = distance;
      }
    counts_[usual] += most;
    all_ += distances.size();
  }
  std::string text() const {
    uint64_t most = 0;
    int64_t usual = 0;
    for (const auto &[distance, count] : counts_)
      if (count > most) {
        most = count;
        usual = distance;
      }
    if (all_ == 0 || 2 * most < all_ || usual >= int64_t{1} << 47 || usual <= -(int64_t{1} << 47))
      return "-";
    return fmt::format("{}", usual);
  }

private:
  std::map<int64_t, uint64_t> counts_;
  uint64_t all_ = 0;
};

struct Measured {
  uint64_t accesses = 0, bytes = 0;
  Usual lane, loop;
};

bool isLookedAt(uint64_t group) {
  if (group < 16)
    return true;
  unsigned doublings = 0; // of 16
  while (group >> (4 + doublings) != 0)
    ++doublings;
  uint64_t hash = group * 0x9e3779b97f4a7c15;
  hash ^= hash >> 32;
  return hash % (uint64_t{1} << doublings) == 0;
}

/// The only block that calls `function`.
std::optional<BlockId> onlyCallOf(const Program &program, FunctionId function) {
  std::optional<BlockId> found;
  for (size_t b = 0; b < program.blocks.size(); ++b)
    if (program.blocks[b].end == BlockEnd::kCall && program.blocks[b].callee == function) {
      if (found)
        return std::nullopt;
      found = BlockId(b);
    }
  return found;
}

LoopId loopAround(const Program &program, BlockId block) {
  const Block &of = program.block(block);
  if (of.loop != LoopId::kNone)
    return of.loop;
  const auto call = onlyCallOf(program, of.function);
  return call ? program.block(*call).loop : LoopId::kNone;
}

bool contains(const Program &program, LoopId outer, LoopId inner) {
  while (inner != LoopId::kNone && inner != outer)
    inner = program.loop(inner).parent;
  return inner == outer;
}

/// The first access of each operation in a step, in the order of the accesses.
std::vector<std::pair<Place, uint64_t>> firstAccesses(const Program &program, const Step &step) {
  std::vector<std::pair<Place, uint64_t>> result;
  for (const Access &access : step.accesses) {
    const Place place = index(program.block(step.block).firstOp) + access.opOffset;
    if (access.addressSpace() != AddressSpace::kPrivate &&
        (result.empty() || result.back().first != place))
      result.emplace_back(place, access.address);
  }
  return result;
}

int64_t between(uint64_t from, uint64_t to) {
  return static_cast<int64_t>(to - from);
}

/// Strides are those of the work-items at both ends of a group.
bool isLookedAt(const GroupTrace &group, uint32_t item) {
  return item < 64 || item + 64 >= group.group.items;
}

/// From each work-item to the next in a barrier interval, each at its k-th execution, k < 8.
void addLaneDistances(const Program &program, const GroupTrace &group, const Interval &interval,
                      std::map<Place, Distances> &distances) {
  std::map<uint32_t, std::map<Place, std::vector<uint64_t>>> executed; // per work-item
  for (const Stretch &stretch : interval.stretches)
    if (isLookedAt(group, stretch.item))
      for (const Step &step : stretch.steps)
        for (const auto &[place, address] : firstAccesses(program, step))
          executed[stretch.item][place].push_back(address);
  for (const auto &[item, places] : executed)
    for (const auto &[place, addresses] : places) {
      const auto neighbour = executed.find(item + 1);
      if (neighbour == executed.end() || !neighbour->second.contains(place))
        continue;
      const std::vector<uint64_t> &next = neighbour->second.at(place);
      for (size_t k = 0; k < std::min<size_t>({8, addresses.size(), next.size()}); ++k)
        distances[place].push_back(between(addresses[k], next[k]));
    }
}

/// From each execution by a work-item to its next one in the same entry of the innermost loop, 16
/// distances of a work-item.
void addLoopDistances(const Program &program, const GroupTrace &group,
                      std::map<Place, Distances> &distances) {
  struct Last {
    uint64_t address, entry, distances;
  };
  struct Item {
    std::map<LoopId, uint64_t> entries;
    std::map<Place, Last> last;
    std::optional<BlockId> previous;
  };
  std::map<uint32_t, Item> items;
  for (const Interval &interval : group.intervals)
    for (const Stretch &stretch : interval.stretches) {
      if (!isLookedAt(group, stretch.item))
        continue;
      Item &item = items[stretch.item];
      for (const Step &step : stretch.steps) {
        const Block &block = program.block(step.block);
        if (block.loop != LoopId::kNone && program.loop(block.loop).header == step.block &&
            (!item.previous ||
             (program.block(*item.previous).function == block.function &&
              !contains(program, block.loop, program.block(*item.previous).loop))))
          ++item.entries[block.loop];
        item.previous = step.block;
        const LoopId loop = loopAround(program, step.block);
        for (const auto &[place, address] : firstAccesses(program, step)) {
          const uint64_t entry = loop == LoopId::kNone ? 0 : item.entries[loop];
          const auto before = item.last.find(place);
          uint64_t made = before == item.last.end() ? 0 : before->second.distances;
          if (loop != LoopId::kNone && before != item.last.end() && before->second.entry == entry &&
              made < 16) {
            distances[place].push_back(between(before->second.address, address));
            ++made;
          }
          item.last[place] = {address, entry, made};
        }
      }
    }
}

void addGroupCopies(const GroupTrace &group, std::map<Place, Distances> &distances) {
  for (const Interval &interval : group.intervals)
    for (const Stretch &stretch : interval.stretches)
      for (const bool write : {false, true}) {
        std::optional<uint64_t> previous;
        for (const Access &access : stretch.groupAccesses)
          if (access.addressSpace() == AddressSpace::kGlobal && access.write == write) {
            if (previous)
              distances[SIZE_MAX - !write].push_back(between(*previous, access.address));
            previous = access.address;
          }
      }
}

std::string keyOf(const Program &program, Place place, const Measured &measured) {
  if (place >= SIZE_MAX - 1)
    return accessKey("", 0, 0, "", "global", place == SIZE_MAX ? "write" : "read",
                     measured.lane.text(), measured.loop.text());
  const Operation &operation = program.operations[place];
  BlockId block{};
  for (size_t b = 0; b < program.blocks.size(); ++b)
    if (place >= index(program.blocks[b].firstOp) &&
        place < index(program.blocks[b].firstOp) + program.blocks[b].opCount)
      block = BlockId(b);
  const LoopId loop = loopAround(program, block);
  const char *space = operation.space == AddressSpace::kLocal      ? "local"
                      : operation.space == AddressSpace::kConstant ? "constant"
                                                                   : "global";
  const char *kind = operation.memory == MemoryKind::kAtomic  ? "atomic"
                     : operation.memory == MemoryKind::kStore ? "write"
                                                              : "read";
  const std::string array =
      operation.array == ArrayId::kNone ? "" : program.arrays[index(operation.array)].name;
  return accessKey(program.function(program.block(block).function).name, operation.line,
                   loop == LoopId::kNone ? 0 : program.loop(loop).line, array, space, kind,
                   measured.lane.text(), measured.loop.text());
}

} // namespace

void idioms::reference(const Traced &traced, BruteForce &result) {
  const Program &program = traced.program;
  std::map<Place, Measured> measured;
  for (const GroupTrace &group : traced.execution.groups) {
    std::map<Place, Distances> lanes, loops;
    for (const Interval &interval : group.intervals) {
      addLaneDistances(program, group, interval, lanes);
      for (const Stretch &stretch : interval.stretches) {
        for (const Step &step : stretch.steps)
          for (const Access &access : step.accesses)
            if (access.addressSpace() != AddressSpace::kPrivate) {
              const Place place = index(program.block(step.block).firstOp) + access.opOffset;
              const Place stands = program.accessOf(program.block(step.block), access.opOffset);
              Measured &of = measured[stands];
              of.accesses += place == stands;
              of.bytes += access.size;
            }
        for (const Access &access : stretch.groupAccesses)
          if (access.addressSpace() == AddressSpace::kGlobal) {
            Measured &of = measured[SIZE_MAX - !access.write];
            ++of.accesses;
            of.bytes += access.size;
          }
      }
    }
    addLoopDistances(program, group, loops);
    addGroupCopies(group, loops);
    if (!isLookedAt(group.group.linearId))
      continue;
    for (const auto &[place, distances] : lanes)
      measured[place].lane.addGroup(distances);
    for (const auto &[place, distances] : loops)
      measured[place].loop.addGroup(distances);
  }
  for (const auto &[place, of] : measured) {
    if (place < SIZE_MAX - 1 && (!program.operations[place].accessesSharedMemory() ||
                                 program.operations[place].joinedTo != Operation::kAlone))
      continue;
    auto &[accesses, bytes] = result.accesses[keyOf(program, place, of)];
    accesses += of.accesses;
    bytes += of.bytes;
  }
}

} // namespace aiwc::test
