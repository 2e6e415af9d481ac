#include "metrics/idioms/recognition.h"
#include "metrics/shared/analysis.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace aiwc::metrics {
namespace {

using profile::AccessKind;
using profile::AccessRow;
using profile::MemorySpace;

std::vector<trace::LoopId> loopsOf(const DataFlow &flow) {
  std::vector<trace::LoopId> loops;
  for (uint32_t op = 0; op < flow.program().operations.size(); ++op)
    loops.push_back(flow.loopOf(op));
  return loops;
}

MemorySpace spaceOf(trace::AddressSpace space) {
  return space == trace::AddressSpace::kLocal      ? MemorySpace::kLocal
         : space == trace::AddressSpace::kConstant ? MemorySpace::kConstant
                                                   : MemorySpace::kGlobal;
}

AccessKind kindOf(trace::MemoryKind kind) {
  return kind == trace::MemoryKind::kAtomic  ? AccessKind::kAtomic
         : kind == trace::MemoryKind::kStore ? AccessKind::kWrite
                                             : AccessKind::kRead;
}

/// Collects rows; those that differ in nothing but counts become one.
class Rows {
public:
  void add(AccessRow row, const AccessStatistics &statistics) {
    row.laneStride = statistics.laneStride.value();
    row.loopStride = statistics.loopStride.value();
    Range &range = ranges_[row]; // while it has no counts
    range.accesses += statistics.accesses;
    range.bytes += statistics.bytes;
    range.begin = std::min(range.begin, statistics.begin);
    range.end = std::max(range.end, statistics.end);
  }

  std::vector<AccessRow> rows() const {
    std::vector<AccessRow> rows;
    for (const auto &[key, range] : ranges_) {
      rows.push_back(key);
      rows.back().accesses = range.accesses;
      rows.back().bytes = range.bytes;
      rows.back().footprint = std::min(range.bytes, range.end - range.begin);
    }
    return rows;
  }

private:
  struct Range {
    uint64_t accesses = 0, bytes = 0, begin = UINT64_MAX, end = 0;
  };
  struct Before {
    static auto key(const AccessRow &row) {
      return std::tie(row.function, row.line, row.loop, row.array, row.space, row.kind,
                      row.laneStride, row.loopStride, row.dataDependent, row.idiom);
    }
    bool operator()(const AccessRow &a, const AccessRow &b) const { return key(a) < key(b); }
  };

  std::map<AccessRow, Range, Before> ranges_;
};

/// What the report needs of the program.
struct IdiomTables {
  explicit IdiomTables(const trace::Program &program)
      : flow(program), loops(loopsOf(flow)), compared(comparisons(flow)) {}

  DataFlow flow;
  std::vector<trace::LoopId> loops;   ///< per operation
  std::vector<ComparedWith> compared; ///< per operation
};

/// Measures the accesses of the groups, and finds the idioms at the end.
class IdiomReport final : public Analysis {
public:
  IdiomReport(const trace::Program &program, const IdiomTables &tables)
      : flow_(tables.flow), loops_(tables.loops), collector_(program, tables.compared, loops_) {}

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    collector_.beginGroup(group);
  }
  void consume(const MarkedChunk &chunk) override { collector_.consume(chunk); }
  void endGroup() override { collector_.endGroup(); }
  void add(const Analysis &other, uint64_t times) override {
    collector_.merge(static_cast<const IdiomReport &>(other).collector_, times);
  }

  void finish(profile::KernelProfile &profile) const override {
    const trace::Program &program = flow_.program();
    const Recognition recognition(flow_, collector_);
    Rows rows;
    for (uint32_t op = 0; op < program.operations.size(); ++op) {
      const AccessStatistics *statistics = collector_.of(op);
      const trace::Operation &operation = program.operations[op];
      if (!statistics || !operation.accessesSharedMemory() ||
          operation.joinedTo != trace::Operation::kAlone)
        continue;
      AccessRow row;
      row.function = program.function(program.block(flow_.blockOf(op)).function).name;
      row.line = operation.line;
      if (loops_[op] != trace::LoopId::kNone)
        row.loop = program.loop(loops_[op]).line;
      if (operation.array != trace::ArrayId::kNone)
        row.array = program.arrays[index(operation.array)].name;
      row.space = spaceOf(operation.space);
      row.kind = kindOf(operation.memory);
      row.dataDependent = recognition.isDataDependent(op);
      row.idiom = recognition.idiomOf(op);
      rows.add(std::move(row), withParts(op, *statistics));
    }
    for (const bool write : {false, true})
      if (const AccessStatistics &statistics = collector_.ofGroup(write); statistics.accesses > 0) {
        AccessRow row;
        row.kind = write ? AccessKind::kWrite : AccessKind::kRead;
        if (statistics.loopStride.value().value_or(0) != 0)
          row.idiom = profile::Idiom::kStream;
        rows.add(std::move(row), statistics);
      }
    profile.accesses = rows.rows();
  }

private:
  /// The statistics of a vector access: those of its first part, with the memory of all.
  AccessStatistics withParts(uint32_t op, const AccessStatistics &first) const {
    const trace::Block &block = flow_.program().block(flow_.blockOf(op));
    AccessStatistics all = first;
    for (uint32_t offset = op - index(block.firstOp) + 1; offset < block.opCount; ++offset) {
      const AccessStatistics *part = collector_.of(index(block.firstOp) + offset);
      if (!part || flow_.program().accessOf(block, offset) != op)
        continue;
      all.bytes += part->bytes;
      all.begin = std::min(all.begin, part->begin);
      all.end = std::max(all.end, part->end);
    }
    return all;
  }

  const DataFlow &flow_;
  const std::vector<trace::LoopId> &loops_; ///< per operation
  AccessCollector collector_;
};

} // namespace

std::unique_ptr<Analysis> idioms::make(const trace::Program &program, const Settings &settings) {
  return std::make_unique<IdiomReport>(program, settings.tables.get<IdiomTables>());
}

} // namespace aiwc::metrics
