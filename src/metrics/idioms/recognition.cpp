#include "metrics/idioms/recognition.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <utility>

namespace aiwc::metrics {

using namespace trace;
using profile::Idiom;

namespace {

/// Of the reads that a value depends on, so many at most are looked at as neighbours: unrolled
/// loops have hundreds.
constexpr size_t kMostNeighbours = 64;
/// A sum that is written out is taken for an unrolled loop from this number of terms on.
constexpr size_t kUnrolled = 3;

bool contains(const std::vector<uint32_t> &operations, uint32_t operation) {
  return std::ranges::find(operations, operation) != operations.end();
}

bool isShared(const Operation &operation) {
  return operation.accessesSharedMemory() && operation.memory != MemoryKind::kGroupCopy;
}

/// The reads of an array that the stored value of `store` depends on, per array.
std::map<ArrayId, std::vector<uint32_t>> readsByArray(const DataFlow &flow,
                                                      const std::vector<uint32_t> &sources) {
  std::map<ArrayId, std::vector<uint32_t>> reads;
  for (const uint32_t source : sources) {
    const Operation &operation = flow.operation(source);
    if (operation.memory == MemoryKind::kLoad && operation.array != ArrayId::kNone)
      reads[operation.array].push_back(source);
  }
  return reads;
}

bool isStore(const Operation &operation) {
  return isShared(operation) && operation.memory == MemoryKind::kStore &&
         operation.stored != ValueId::kNone;
}

} // namespace

std::vector<ComparedWith> comparisons(const DataFlow &flow) {
  const Program &program = flow.program();
  std::vector<ComparedWith> compared(program.operations.size());
  std::map<ArrayId, uint32_t> first;
  for (uint32_t op = 0; op < program.operations.size(); ++op) {
    if (!isStore(program.operations[op]))
      continue;
    for (const auto &[array, reads] :
         readsByArray(flow, flow.sources(program.operations[op].stored)))
      if (reads.size() > 1)
        for (const uint32_t read : reads) {
          const uint32_t with = first.try_emplace(array, read).first->second;
          compared[read].operation = with;
          compared[with].operation = with;
        }
  }
  return compared;
}

Recognition::Recognition(const DataFlow &flow, const AccessCollector &measured)
    : flow_(flow), measured_(measured), addressSources_(flow.program().operations.size()),
      storedSources_(addressSources_.size()), dataDependent_(addressSources_.size()),
      idioms_(addressSources_.size()) {
  for (uint32_t op = 0; op < addressSources_.size(); ++op) {
    if (!isShared(operation(op)) || !executed(op))
      continue;
    accesses_.push_back(op);
    addressSources_[op] = flow.addressSources(op);
    if (isStore(operation(op))) {
      stores_.push_back(op);
      storedSources_[op] = flow.sources(operation(op).stored);
    }
  }
  findDataDependent();
  findSums();
  findGathers();
  findStencils();
  joinLocalArrays();
  findProducts();
  joinLocalArrays();
  findTransposes();
  findReductions();
  joinGathers();
  joinLocalArrays();
  joinIndices();
  joinArrays();
  findStreams();
}

std::optional<int64_t> Recognition::laneStride(uint32_t op) const {
  const AccessStatistics *statistics = measured_.of(op);
  return statistics ? statistics->laneStride.value() : std::nullopt;
}

std::optional<int64_t> Recognition::loopStride(uint32_t op) const {
  const AccessStatistics *statistics = measured_.of(op);
  return statistics ? statistics->loopStride.value() : std::nullopt;
}

std::optional<int64_t> Recognition::mainStride(uint32_t op) const {
  const AccessStatistics *statistics = measured_.of(op);
  if (!statistics)
    return std::nullopt;
  return statistics->laneStride.seen() ? laneStride(op) : loopStride(op);
}

/// Bytes of one execution.
uint64_t Recognition::unit(uint32_t op) const {
  const AccessStatistics &statistics = *measured_.of(op);
  const uint64_t halves = operation(op).memory == MemoryKind::kAtomic ? 2 : 1;
  return std::max<uint64_t>(1, halves * statistics.bytes / statistics.accesses);
}

bool Recognition::isUnit(uint32_t op) const {
  const auto stride = mainStride(op);
  return stride && *stride != 0 && static_cast<uint64_t>(std::abs(*stride)) <= unit(op);
}

bool Recognition::isStrided(uint32_t op) const {
  const auto stride = mainStride(op);
  return stride && static_cast<uint64_t>(std::abs(*stride)) >= 2 * unit(op);
}

/// Whether the accesses leave no large gaps.
bool Recognition::isDense(uint32_t op) const {
  const AccessStatistics &statistics = *measured_.of(op);
  return 2 * statistics.bytes >= statistics.end - statistics.begin;
}

bool Recognition::isLocal(uint32_t op) const {
  return operation(op).space == AddressSpace::kLocal;
}

bool Recognition::claim(uint32_t op, Idiom idiom) {
  if (idioms_[op] || !executed(op))
    return false;
  idioms_[op] = idiom;
  return true;
}

/// The store of a result belongs to the idiom, and so do other accesses to its array.
void Recognition::claimResult(uint32_t store, Idiom idiom) {
  claim(store, idiom);
  const ArrayId array = operation(store).array;
  if (idioms_[store] == idiom && array != ArrayId::kNone && !isLocal(store))
    joining_.emplace_back(array, idiom);
}

void Recognition::claimResults(const std::vector<ValueId> &values, Idiom idiom) {
  for (const uint32_t store : stores_)
    if (!dataDependent_[store] && flow_.dependsOn(operation(store).stored, values))
      claimResult(store, idiom);
}

/// Whether neighbouring work-items (or iterations, of a single work-item) get different values.
bool Recognition::varies(uint32_t read) const {
  const AccessStatistics *statistics = measured_.of(read);
  if (!statistics)
    return false;
  if (statistics->laneStride.seen())
    return statistics->laneStride.value() != 0;
  return statistics->loopStride.seen() && statistics->loopStride.value() != 0;
}

/// The sum's reads and results; likewise what it is before the loop, if that is read from the same
/// arrays.
void Recognition::claimSum(const LoopSum &sum, Idiom idiom) {
  const auto isOfSum = [&](uint32_t read) {
    return std::ranges::any_of(
        sum.reads, [&](uint32_t other) { return operation(other).array == operation(read).array; });
  };
  for (const uint32_t read : sum.reads)
    claim(read, idiom);
  for (const ValueId start : sum.accumulation.start)
    for (const uint32_t read : flow_.sources(start))
      if (isOfSum(read))
        claim(read, idiom);
  if (sum.cell)
    claimResult(*sum.cell, idiom);
  claimResults(sum.accumulation.values, idiom);
}

void Recognition::findDataDependent() {
  for (const uint32_t op : accesses_)
    dataDependent_[op] =
        std::ranges::any_of(addressSources_[op], [&](uint32_t read) { return varies(read); });
}

void Recognition::findSums() {
  for (size_t id = 0; id < flow_.program().loops.size(); ++id) {
    const auto loop = static_cast<LoopId>(id);
    for (Accumulation &accumulation : flow_.accumulations(loop)) {
      LoopSum sum{std::move(accumulation), loop, std::nullopt, {}};
      for (const ValueId term : sum.accumulation.terms)
        for (const uint32_t read : flow_.termSources(term))
          if (executed(read) && flow_.isInside(flow_.loopOf(read), loop))
            sum.reads.push_back(read);
      if (!sum.reads.empty())
        sums_.push_back(std::move(sum));
    }
  }
  findCells();
  findWrittenOut();
}

/// Sums in memory: a store to an element that does not move in its loop, of what it had and values
/// of other arrays.
void Recognition::findCells() {
  for (const uint32_t store : stores_) {
    const LoopId loop = flow_.loopOf(store);
    const ArrayId array = operation(store).array;
    if (loop == LoopId::kNone || array == ArrayId::kNone || loopStride(store) != 0)
      continue;
    for (const uint32_t load : storedSources_[store]) {
      if (!executed(load) || operation(load).array != array || flow_.loopOf(load) != loop ||
          loopStride(load) != 0 || laneStride(load) != laneStride(store))
        continue;
      auto accumulation = flow_.accumulation(store, load, true);
      if (!accumulation)
        continue;
      LoopSum sum{std::move(*accumulation), loop, store, {}};
      bool others = false;
      for (const ValueId term : sum.accumulation.terms)
        for (const uint32_t read : flow_.termSources(term))
          if (executed(read) && flow_.loopOf(read) == loop) {
            sum.reads.push_back(read);
            others |= operation(read).array != array;
          }
      if (!others)
        continue;
      sum.reads.push_back(load);
      sums_.push_back(std::move(sum));
      break;
    }
  }
}

/// Sums of products without a loop: an unrolled one.
void Recognition::findWrittenOut() {
  for (const uint32_t store : stores_) {
    LoopSum sum;
    for (const ValueId term : flow_.addends(operation(store).stored))
      if (flow_.factors(term).size() > 1)
        sum.accumulation.terms.push_back(term);
    if (sum.accumulation.terms.size() < kUnrolled)
      continue;
    sum.accumulation.values = {operation(store).stored};
    for (const ValueId term : sum.accumulation.terms)
      for (const uint32_t read : flow_.factors(term))
        if (executed(read))
          sum.reads.push_back(read);
    sums_.push_back(std::move(sum));
  }
}

/// Whether two reads are at a constant distance that is a whole number of strides, and read partly
/// the same elements.
bool Recognition::areNeighbours(uint32_t a, uint32_t b) const {
  constexpr double kConstant = 0.9;
  constexpr double kOverlap = 0.25;
  const AccessStatistics &left = *measured_.of(a);
  const AccessStatistics &right = *measured_.of(b);
  const auto offsetA = left.offset.value(kConstant);
  const auto offsetB = right.offset.value(kConstant);
  if (!offsetA || !offsetB || *offsetA == *offsetB || flow_.loopOf(a) != flow_.loopOf(b))
    return false;
  const int64_t stride = std::gcd(laneStride(a).value_or(0), loopStride(a).value_or(0));
  return stride != 0 && (*offsetA - *offsetB) % stride == 0 &&
         left.addresses.overlap(right.addresses) >= kOverlap;
}

/// Whether the loop of a sum slides over elements that the next work-item reads as well.
bool Recognition::isWindow(uint32_t read, const LoopSum &sum) const {
  if (sum.loop == LoopId::kNone || dataDependent_[read])
    return false;
  const auto lane = laneStride(read);
  const auto loop = loopStride(read);
  const LoopStatistics &statistics = measured_.of(flow_.loopOf(read));
  if (!lane || !loop || *lane == 0 || *loop == 0 || *lane % *loop != 0 || statistics.entries == 0)
    return false;
  const auto steps = static_cast<uint64_t>(std::abs(*lane / *loop));
  return steps * statistics.entries < measured_.of(read)->executions;
}

void Recognition::findStencils() {
  for (const uint32_t store : stores_) {
    for (const auto &[array, all] : readsByArray(flow_, storedSources_[store])) {
      std::vector<uint32_t> reads;
      for (const uint32_t read : all)
        if (executed(read) && !dataDependent_[read] && reads.size() < kMostNeighbours)
          reads.push_back(read);
      bool found = false;
      for (size_t a = 0; a < reads.size() && !found; ++a)
        for (size_t b = a + 1; b < reads.size() && !found; ++b)
          found = areNeighbours(reads[a], reads[b]);
      if (!found)
        continue;
      for (const uint32_t read : reads)
        claim(read, Idiom::kStencil);
      claimResult(store, Idiom::kStencil);
      if (!isLocal(reads.front()))
        joining_.emplace_back(array, Idiom::kStencil);
    }
  }
  for (const LoopSum &sum : sums_) {
    if (std::ranges::none_of(sum.reads, [&](uint32_t read) {
          return idioms_[read] == Idiom::kStencil || isWindow(read, sum);
        }))
      continue;
    claimSum(sum, Idiom::kStencil);
  }
}

/// Whether the reads, one factor of the sum's products, are of a matrix: one walk of the loop reads
/// a part of it only, and every element is read at least twice.
bool Recognition::isMatrix(const std::vector<uint32_t> &reads, const LoopSum &sum) const {
  uint64_t bytes = 0;
  uint64_t begin = UINT64_MAX;
  uint64_t end = 0;
  uint64_t walk = 0; // bytes
  for (const uint32_t read : reads) {
    const AccessStatistics &statistics = *measured_.of(read);
    bytes += statistics.bytes;
    begin = std::min(begin, statistics.begin);
    end = std::max(end, statistics.end);
    const bool moves = sum.loop != LoopId::kNone && loopStride(read).value_or(0) != 0;
    if (!moves && reads.size() < kUnrolled)
      return false;
    const uint64_t entries = moves ? measured_.of(flow_.loopOf(read)).entries : 0;
    walk += unit(read) * (entries == 0 ? 1 : statistics.executions / entries);
  }
  const uint64_t footprint = std::min(bytes, end - begin);
  return footprint >= 2 * walk && bytes >= 2 * footprint;
}

bool Recognition::isProduct(const LoopSum &sum) const {
  if (sum.accumulation.fold != Fold::kSum)
    return false;
  // The k-th factors of all terms together, by array where their arrays differ.
  std::map<std::pair<ArrayId, ArrayId>, std::pair<std::set<uint32_t>, std::set<uint32_t>>> pairs;
  for (const ValueId term : sum.accumulation.terms) {
    std::vector<uint32_t> factors;
    for (const uint32_t read : flow_.factors(term))
      if (executed(read) && contains(sum.reads, read) && !dataDependent_[read])
        factors.push_back(read);
    for (size_t a = 0; a < factors.size(); ++a)
      for (size_t b = a + 1; b < factors.size(); ++b) {
        uint32_t left = factors[a];
        uint32_t right = factors[b];
        if (operation(left).array == operation(right).array) {
          if (left != right && isMatrix({left}, sum) && isMatrix({right}, sum))
            return true;
          continue;
        }
        if (operation(right).array < operation(left).array)
          std::swap(left, right);
        auto &[lefts, rights] = pairs[{operation(left).array, operation(right).array}];
        lefts.insert(left);
        rights.insert(right);
      }
  }
  return std::ranges::any_of(pairs, [&](const auto &pair) {
    const auto &[lefts, rights] = pair.second;
    return isMatrix({lefts.begin(), lefts.end()}, sum) &&
           isMatrix({rights.begin(), rights.end()}, sum);
  });
}

void Recognition::findProducts() {
  for (const LoopSum &sum : sums_) {
    if (isProduct(sum))
      claimSum(sum, Idiom::kMatrixMultiply);
  }
}

/// Whether one of the two goes along rows and the other one along columns, without gaps.
bool Recognition::isTransposed(uint32_t read, uint32_t store) const {
  return flow_.loopOf(read) == flow_.loopOf(store) &&
         ((isUnit(read) && isStrided(store) && isDense(store)) ||
          (isUnit(store) && isStrided(read) && isDense(read)));
}

/// Whether the global array is read and written along rows, but the local array through which
/// it goes along rows on one side and along columns on the other one.
bool Recognition::isTransposedLocally(uint32_t read, uint32_t store) const {
  if (!isUnit(store))
    return false;
  for (const uint32_t staging : stores_) {
    if (operation(staging).array != operation(read).array || !isLocal(staging) ||
        operation(staging).array == ArrayId::kNone || storedSources_[staging].size() != 1)
      continue;
    const uint32_t source = storedSources_[staging].front();
    const bool turned =
        (isUnit(staging) && isStrided(read)) || (isStrided(staging) && isUnit(read));
    if (turned && executed(source) && !isLocal(source) && isUnit(source))
      return true;
  }
  return false;
}

void Recognition::findTransposes() {
  for (const uint32_t store : stores_) {
    if (isLocal(store) || idioms_[store] || dataDependent_[store] ||
        storedSources_[store].size() != 1)
      continue;
    const uint32_t read = storedSources_[store].front();
    if (!executed(read) || idioms_[read] || dataDependent_[read] ||
        operation(read).memory != MemoryKind::kLoad)
      continue;
    if (isLocal(read) ? isTransposedLocally(read, store) : isTransposed(read, store)) {
      claim(read, Idiom::kTranspose);
      claim(store, Idiom::kTranspose);
    }
  }
}

/// The accesses whose addresses are data.
void Recognition::findGathers() {
  for (const uint32_t op : accesses_) {
    if (!dataDependent_[op])
      continue;
    Idiom idiom = Idiom::kGather;
    if (operation(op).memory == MemoryKind::kAtomic) {
      idiom = Idiom::kGatherScatter;
    } else if (operation(op).memory != MemoryKind::kLoad) {
      idiom = Idiom::kScatter;
      for (const uint32_t read : storedSources_[op])
        if (executed(read) && dataDependent_[read]) {
          idiom = Idiom::kGatherScatter;
          gathers_.emplace_back(read, idiom);
        }
    }
    gathers_.emplace_back(op, idiom);
  }
  std::ranges::stable_sort(gathers_, {}, [](const auto &entry) {
    return entry.second != Idiom::kGatherScatter; // first: the same read may also be a gather
  });
  for (const auto &[op, idiom] : gathers_)
    claim(op, idiom);
}

/// What gives the addresses of gathers and scatters, where gathered values go to, and where
/// scattered values come from.
void Recognition::joinGathers() {
  for (const auto &[op, idiom] : gathers_) {
    for (const uint32_t index : addressSources_[op])
      claim(index, idiom);
    for (const uint32_t read : storedSources_[op])
      if (operation(op).memory != MemoryKind::kAtomic)
        claim(read, idiom);
    for (const uint32_t store : stores_)
      if (!dataDependent_[store] && contains(storedSources_[store], op))
        claim(store, idiom);
  }
}

/// The iterations of the loops around or inside `loop` in which work-items wait for each other, of
/// those that have the most.
uint64_t Recognition::barrierSteps(LoopId loop) const {
  uint64_t steps = 0;
  for (size_t id = 0; id < flow_.program().loops.size(); ++id) {
    const auto other = static_cast<LoopId>(id);
    if (flow_.hasBarrier(other) && (flow_.isInside(loop, other) || flow_.isInside(other, loop)))
      steps = std::max(steps, measured_.of(other).iterations - measured_.of(other).entries);
  }
  return steps;
}

/// Whether a store joins elements of one array in steps that barriers separate, in which ever fewer
/// work-items take part.
bool Recognition::isTree(uint32_t store) const {
  const ArrayId array = operation(store).array;
  if (array == ArrayId::kNone)
    return false;
  for (const uint32_t load : storedSources_[store]) {
    if (!executed(load) || operation(load).array != array ||
        2 * measured_.of(load)->executions > barrierSteps(flow_.loopOf(load)))
      continue;
    if (const auto accumulation = flow_.accumulation(store, load, false))
      for (const ValueId term : accumulation->terms)
        for (const uint32_t read : flow_.termSources(term))
          if (read != load && operation(read).array == array)
            return true;
  }
  return false;
}

void Recognition::findReductions() {
  for (const LoopSum &sum : sums_) {
    if (sum.loop != LoopId::kNone)
      claimSum(sum, Idiom::kReduction);
  }
  for (const uint32_t store : stores_) {
    if (idioms_[store] || !isTree(store))
      continue;
    claim(store, Idiom::kReduction);
    for (const uint32_t read : storedSources_[store])
      if (operation(read).array == operation(store).array)
        claim(read, Idiom::kReduction);
  }
  for (const uint32_t op : accesses_)
    if (operation(op).memory == MemoryKind::kAtomic && !dataDependent_[op])
      claim(op, Idiom::kReduction);
}

/// What goes through a local array belongs to the idiom that the array belongs to.
void Recognition::joinLocalArrays() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const uint32_t known : accesses_) {
      const ArrayId array = operation(known).array;
      if (!idioms_[known] || !isLocal(known) || array == ArrayId::kNone)
        continue;
      for (const uint32_t op : accesses_)
        if (operation(op).array == array)
          changed |= claim(op, *idioms_[known]);
    }
    for (const uint32_t store : stores_) {
      if (isLocal(store) && idioms_[store])
        for (const uint32_t read : storedSources_[store])
          changed |= !dataDependent_[read] && claim(read, *idioms_[store]);
      if (!idioms_[store] && !dataDependent_[store])
        for (const uint32_t read : storedSources_[store])
          if (isLocal(read) && idioms_[read] && !idioms_[store]) {
            claimResult(store, *idioms_[read]);
            changed = true;
          }
    }
  }
}

/// What gives a part of an address belongs to the idiom of the access.
void Recognition::joinIndices() {
  for (const uint32_t op : accesses_)
    if (idioms_[op])
      for (const uint32_t index : addressSources_[op])
        claim(index, *idioms_[op]);
}

void Recognition::joinArrays() {
  for (const auto &[array, idiom] : joining_)
    for (const uint32_t op : accesses_)
      if (operation(op).array == array && !dataDependent_[op])
        claim(op, idiom);
}

void Recognition::findStreams() {
  for (const uint32_t op : accesses_)
    if (!isLocal(op) && !dataDependent_[op] &&
        (laneStride(op).value_or(0) != 0 || loopStride(op).value_or(0) != 0))
      claim(op, Idiom::kStream);
}

} // namespace aiwc::metrics
