#include "metrics/idioms/access_statistics.h"

#include "common/hash.h"

#include <algorithm>
#include <bit>

namespace aiwc::metrics {

using namespace trace;

void AccessStatistics::merge(const AccessStatistics &other, uint64_t times) {
  accesses += times * other.accesses;
  bytes += times * other.bytes;
  begin = std::min(begin, other.begin);
  end = std::max(end, other.end);
  addresses.merge(other.addresses);
  executions += other.executions;
  laneStride.merge(other.laneStride);
  loopStride.merge(other.loopStride);
  offset.merge(other.offset);
}

uint64_t AccessStatistics::footprint() const {
  return accesses == 0 ? 0 : std::min(bytes, end - begin);
}

AccessCollector::AccessCollector(const Program &program, const std::vector<ComparedWith> &compared,
                                 const std::vector<LoopId> &loops)
    : program_(program), compared_(compared), around_(loops),
      slots_(program.operations.size(), kNoSlot), headers_(program.blocks.size()),
      loops_(program.loops.size()) {
  uint32_t slots = 0;
  for (size_t op = 0; op < slots_.size(); ++op)
    if (program.operations[op].memory != MemoryKind::kNone)
      slots_[op] = slots++;
  statistics_.resize(slots);
  lockstep_.resize(slots);
  for (const Loop &loop : program.loops)
    headers_[index(loop.header)] = 1;
}

bool AccessCollector::looksAt(uint64_t linearId) {
  constexpr uint64_t kAll = 16;
  if (linearId < kAll)
    return true;
  // One of 2^n, where there are 8 * 2^n ids in this doubling.
  const auto skipped = static_cast<unsigned>(std::bit_width(linearId / kAll));
  uint64_t hash = fibonacciHash(linearId);
  hash ^= hash >> 32U;
  return (hash & ((uint64_t{1} << skipped) - 1)) == 0;
}

void AccessCollector::beginGroup(const Group &group) {
  looking_ = looksAt(group.linearId);
  if (!looking_)
    return;
  previousOfGroup_ = {};
  items_ = group.items;
  const size_t items = std::min(items_, 2 * kAtEachEnd);
  last_.assign(items * statistics_.size(), {});
  entries_.assign(items * loops_.size(), 0);
  previous_.assign(items, BlockId::kNone);
  for (Lockstep &lockstep : lockstep_)
    lockstep = {};
}

void AccessCollector::countGroup(const Chunk &chunk, const Run &run) {
  for (const Access &access : chunk.accessesOf(run)) {
    if (access.addressSpace() != AddressSpace::kGlobal)
      continue;
    AccessStatistics &statistics = ofGroup_[access.write];
    ++statistics.accesses;
    statistics.bytes += access.size;
    statistics.begin = std::min(statistics.begin, access.address);
    statistics.end = std::max(statistics.end, access.address + access.size);
    if (!looking_)
      continue;
    ++statistics.executions;
    std::optional<uint64_t> &previous = previousOfGroup_[access.write];
    if (previous)
      statistics.loopStride.add(static_cast<int64_t>(access.address - *previous));
    previous = access.address;
  }
  if (run.end != RunEnd::kContinues)
    previousOfGroup_ = {};
}

void AccessCollector::findOperations(const Chunk &chunk, const Run &run) {
  operations_.clear();
  uint32_t a = run.accessBegin;
  const auto add = [&](BlockId block, uint32_t end) {
    const uint32_t first = index(program_.block(block).firstOp);
    for (; a < end; ++a)
      operations_.push_back(first + chunk.accesses[a].opOffset);
  };
  for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e)
    add(chunk.events[e].block, chunk.events[e].accessEnd);
  if (run.partialBlock != BlockId::kNone)
    add(run.partialBlock, run.accessEnd);
}

void AccessCollector::count(const Chunk &chunk, const LaneBlock &block) {
  const Run &first = block.runs.front();
  const size_t lanes = block.runs.size();
  for (size_t a = 0; a < operations_.size(); ++a) {
    const Access &access = chunk.accesses[first.accessBegin + a];
    const uint32_t slot = slots_[operations_[a]];
    if (access.addressSpace() == AddressSpace::kPrivate || slot == kNoSlot)
      continue;
    AccessStatistics &statistics = statistics_[slot];
    uint64_t least = access.address;
    uint64_t most = access.address;
    const Column column = lanes > 1 ? block.columns[a] : Column{};
    column.forEachPart(access.address, lanes, [&](uint64_t from, size_t count) {
      const uint64_t to = from + (count - 1) * column.stride;
      least = std::min({least, from, to});
      most = std::max({most, from, to});
    });
    if (compared_[operations_[a]].operation != ComparedWith::kNothing)
      for (size_t lane = 0; lane < (least == most ? 1 : lanes); ++lane)
        statistics.addresses.add(column.equallySpaced() ? access.address + lane * column.stride
                                                        : column.addresses[lane]);
    statistics.accesses += lanes;
    statistics.bytes += access.size * lanes;
    if (access.addressSpace() != program_.operations[operations_[a]].space)
      continue; // the other side of a copy
    statistics.begin = std::min(statistics.begin, least);
    statistics.end = std::max(statistics.end, most + access.size);
  }
}

void AccessCollector::consume(const MarkedChunk &chunk) {
  for (const LaneBlock &block : chunk.blocks) {
    const Run &first = block.runs.front();
    if (first.item == Run::kWorkGroup) {
      countGroup(chunk, first);
      continue;
    }
    if (!first.repeats)
      findOperations(chunk, first);
    count(chunk, block);
    if (looking_)
      for (const Run &run : block.runs)
        if (looksAtItem(run.item))
          look(chunk, run);
  }
  if (looking_ && chunk.end != ChunkEnd::kFull)
    for (Lockstep &lockstep : lockstep_)
      lockstep = {};
}

void AccessCollector::look(const Chunk &chunk, const Run &run) {
  uint32_t a = run.accessBegin;
  for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
    const auto [block, end] = chunk.events[e];
    enter(run.item, block);
    if (a < end)
      lookAt(run.item, block, chunk.accesses.subspan(a, end - a));
    a = end;
  }
  if (run.partialBlock != BlockId::kNone) {
    enter(run.item, run.partialBlock);
    lookAt(run.item, run.partialBlock, chunk.accesses.subspan(a, run.accessEnd - a));
  }
}

/// A loop is entered where its header follows a block of its function that is outside of it. After
/// a return from another function, control is where it was.
void AccessCollector::enter(uint32_t item, BlockId block) {
  if (headers_[index(block)]) {
    const LoopId loop = program_.block(block).loop;
    const size_t position = positionOf(item);
    const BlockId previous = previous_[position];
    bool entered = previous == BlockId::kNone;
    if (!entered && program_.block(previous).function == program_.block(block).function) {
      LoopId inner = program_.block(previous).loop;
      while (inner != LoopId::kNone && inner != loop)
        inner = program_.loop(inner).parent;
      entered = inner == LoopId::kNone;
    }
    LoopStatistics &statistics = loops_[index(loop)];
    ++statistics.iterations;
    if (entered) {
      ++statistics.entries;
      ++entries_[position * loops_.size() + index(loop)];
    }
  }
  previous_[positionOf(item)] = block;
}

void AccessCollector::lookAt(uint32_t item, BlockId block, std::span<const Access> accesses) {
  const uint32_t first = index(program_.block(block).firstOp);
  uint32_t previous = UINT32_MAX;
  for (const Access &access : accesses) {
    const uint32_t operation = first + access.opOffset;
    if (access.addressSpace() == AddressSpace::kPrivate || slots_[operation] == kNoSlot ||
        operation == previous) // of an execution that makes several accesses, the first counts
      continue;
    previous = operation;
    lookAt(item, operation, access.address);
  }
}

void AccessCollector::lookAt(uint32_t item, uint32_t operation, uint64_t address) {
  const uint32_t slot = slots_[operation];
  AccessStatistics &statistics = statistics_[slot];
  ++statistics.executions;

  Lockstep &lockstep = lockstep_[slot];
  if (lockstep.items[1] != item) {
    std::ranges::swap(lockstep.addresses[0], lockstep.addresses[1]);
    lockstep.items[0] = lockstep.items[1];
    lockstep.counts[0] = lockstep.counts[1];
    lockstep.items[1] = item;
    lockstep.counts[1] = 0;
  }
  if (const uint32_t k = lockstep.counts[1]; k < kLockstep) {
    lockstep.addresses[1][k] = address;
    ++lockstep.counts[1];
    if (lockstep.items[0] + 1 == item && k < lockstep.counts[0])
      statistics.laneStride.add(static_cast<int64_t>(address - lockstep.addresses[0][k]));
  }

  const size_t position = positionOf(item);
  Last *const ofItem = last_.data() + position * statistics_.size();
  const LoopId loop = around_[operation];
  Last &last = ofItem[slot];
  const uint64_t entry =
      loop == LoopId::kNone ? 1 : 1 + entries_[position * loops_.size() + index(loop)];
  if (loop != LoopId::kNone && last.entry == entry && last.distances < kPerItem) {
    statistics.loopStride.add(static_cast<int64_t>(address - last.address));
    ++last.distances;
  }
  if (const uint32_t other = compared_[operation].operation;
      other != ComparedWith::kNothing && last.offsets < kPerItem) {
    const Last &with = ofItem[slots_[other]];
    if (other == operation || with.entry != 0) {
      statistics.offset.add(other == operation ? 0 : static_cast<int64_t>(address - with.address));
      ++last.offsets;
    }
  }
  last.address = address;
  last.entry = entry;
}

void AccessCollector::endGroup() {
  if (!looking_)
    return;
  for (AccessStatistics &statistics : statistics_) {
    statistics.laneStride.endGroup();
    statistics.loopStride.endGroup();
    statistics.offset.endGroup();
  }
  for (AccessStatistics &statistics : ofGroup_)
    statistics.loopStride.endGroup();
}

void AccessCollector::merge(const AccessCollector &other, uint64_t times) {
  for (size_t slot = 0; slot < statistics_.size(); ++slot)
    statistics_[slot].merge(other.statistics_[slot], times);
  for (size_t loop = 0; loop < loops_.size(); ++loop) {
    loops_[loop].entries += other.loops_[loop].entries;
    loops_[loop].iterations += other.loops_[loop].iterations;
  }
  for (size_t write = 0; write < 2; ++write)
    ofGroup_[write].merge(other.ofGroup_[write], times);
}

} // namespace aiwc::metrics
