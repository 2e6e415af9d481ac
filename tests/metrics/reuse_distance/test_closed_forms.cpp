/// Reuse distances: known answers, the stack against a plain list, joining of work-groups,
/// sampling.
#include "metrics/hand_trace.h"
#include "metrics/reuse_distance/distance_counts.h"
#include "metrics/reuse_distance/lru_stack.h"
#include "metrics/reuse_distance/reuse_order.h"
#include "metrics/shared/analysis.h"
#include "profile/reuse.h"
#include "support/random.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <list>
#include <numeric>

using namespace aiwc;
using namespace aiwc::test;
using metrics::AnalysisOptions;
using metrics::AnalysisSet;
using metrics::LruStack;
using metrics::ReuseOrder;
using profile::Histogram;
using profile::KernelProfile;
using trace::Access;
using trace::AddressSpace;

namespace {

constexpr uint64_t kInfinite = LruStack::kCold;

/// Operation 0, of which accesses are unless they say otherwise, is at line 4, the others behind.
trace::Program anyProgram() {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("load", {.line = 4}), builder.op("load", {.line = 5}),
                 builder.op("load", {.line = 6}), builder.op("ret")},
                trace::BlockEnd::kReturn);
  return builder.build();
}

Access readOf(uint64_t address, uint32_t size = 4) {
  return read(AddressSpace::kGlobal, 1, address, size);
}

/// The reuse of one work-item's accesses; the brute-force reference has to agree.
KernelProfile measured(const std::vector<Access> &accesses) {
  const trace::Program program = anyProgram();
  HandTrace trace(program);
  trace.group(1).item(0).block(0, accesses);
  return measure(trace);
}

/// One work-group of one work-item that makes these accesses.
void give(AnalysisSet &set, const trace::Program &program, uint64_t group,
          const std::vector<Access> &accesses) {
  set.beginGroup(program, {group, 1});
  const auto end = static_cast<uint32_t>(accesses.size());
  const std::vector<trace::BlockEvent> events = {{trace::BlockId{0}, end}};
  const std::vector<trace::Run> runs = {
      {0, trace::RunEnd::kFinished, 0, 1, 0, end, trace::BlockId::kNone, 0}};
  set.consume({program, events, accesses, runs, trace::ChunkEnd::kGroupEnd});
  set.endGroup();
}

KernelProfile finished(const AnalysisSet &set) {
  KernelProfile profile;
  set.finish(profile);
  return profile;
}

bool sameReuse(const KernelProfile &a, const KernelProfile &b) {
  return a.histograms.reuseDistances == b.histograms.reuseDistances &&
         a.histograms.lines == b.histograms.lines && a.reuse.coldAccesses == b.reuse.coldAccesses;
}

/// Some lines often, most seldom, streams in between.
std::vector<Access> mixedAccesses(Random &random, uint64_t lines, uint64_t count) {
  std::vector<Access> accesses;
  uint64_t stream = 0;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t line = random.below(lines);
    if (random.oneIn(2))
      line = line * line / lines;
    else if (random.oneIn(2))
      line = stream++ % lines;
    accesses.push_back(readOf(line * 64));
    accesses.back().opOffset = line * 2 > lines ? 1 + i % 2 : 0;
  }
  return accesses;
}

} // namespace

TEST_CASE("the example of the definition", "[reuse]") {
  LruStack stack;
  std::vector<uint64_t> distances;
  for (const char line : std::string("acdbcegedd"))
    distances.push_back(stack.access(static_cast<uint64_t>(line)));
  CHECK(distances == std::vector<uint64_t>{kInfinite, kInfinite, kInfinite, kInfinite, 2, kInfinite,
                                           kInfinite, 1, 4, 0});
}

TEST_CASE("the stack agrees with a list that is searched", "[reuse]") {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    LruStack stack;
    const uint64_t rounds = random.between(1, 3); // the stack is cleared between them
    for (uint64_t round = 0; round < rounds; ++round) {
      const uint64_t lines = random.oneOf<uint64_t>({3, 8, 9, 70, 300, 2000});
      const uint64_t spread = random.oneOf<uint64_t>({1, 7, 1000, uint64_t{1} << 40});
      std::list<uint64_t> plain;
      std::vector<uint64_t> first;
      for (uint64_t i = 0; i < 4 * lines + 50; ++i) {
        uint64_t line = random.below(lines);
        if (random.oneIn(2))
          line = line * line / lines;
        line *= spread;
        const auto found = std::find(plain.begin(), plain.end(), line);
        uint64_t depth = kInfinite;
        if (found == plain.end()) {
          first.push_back(line);
        } else {
          depth = static_cast<uint64_t>(std::distance(plain.begin(), found));
          plain.erase(found);
        }
        plain.push_front(line);
        REQUIRE(stack.access(line) == depth);
      }
      REQUIRE(stack.lines() == first);
      std::vector<uint64_t> order;
      for (const uint32_t number : stack.order())
        order.insert(order.begin(), stack.lines()[number]);
      REQUIRE(order == std::vector<uint64_t>(plain.begin(), plain.end()));
      stack.clear();
    }
  }
}

TEST_CASE("a cyclic sweep over N lines has N - 1 others between any two accesses", "[reuse]") {
  const uint64_t lines = GENERATE(as<uint64_t>(), 1, 2, 8, 9, 10, 64, 65, 500);
  const uint64_t sweeps = 5;
  std::vector<Access> accesses;
  for (uint64_t i = 0; i < sweeps * lines; ++i)
    accesses.push_back(readOf(i % lines * 64));
  const KernelProfile profile = measured(accesses);
  CHECK(profile.reuse.coldAccesses == lines);
  CHECK(profile.histograms.reuseDistances ==
        Histogram{{profile::reuseBin(lines - 1), (sweeps - 1) * lines}});
}

TEST_CASE("a matrix by rows and by columns", "[reuse]") {
  constexpr uint64_t n = 128; // a row has 8 lines of 16 floats
  std::vector<Access> rows, columns;
  for (uint64_t i = 0; i < n; ++i)
    for (uint64_t j = 0; j < n; ++j) {
      rows.push_back(readOf(4 * (i * n + j)));
      columns.push_back(readOf(4 * (j * n + i)));
    }
  const KernelProfile byRows = measured(rows);
  CHECK(byRows.reuse.coldAccesses == n * n / 16);
  CHECK(byRows.histograms.reuseDistances == Histogram{{0, n * n / 16 * 15}});
  // The neighbour in the same line comes a column later: n - 1 = 127, in the bin from 120 to 127.
  const KernelProfile byColumns = measured(columns);
  CHECK(byColumns.reuse.coldAccesses == n * n / 16);
  CHECK(byColumns.histograms.reuseDistances == Histogram{{120, n * n / 16 * 15}});
  CHECK(*profile::hitRatio(byColumns, 64 * n) == 15.0 / 16);
  CHECK(*profile::hitRatio(byColumns, 64 * 120) == 0);
}

TEST_CASE("accesses count for the source line that makes them", "[reuse][lines]") {
  // Line 5 goes round three lines of memory which line 4 has touched; line 6 is between.
  std::vector<Access> accesses;
  for (uint64_t i = 0; i < 3; ++i)
    accesses.push_back(readOf(i * 64));
  for (uint64_t i = 0; i < 6; ++i) {
    accesses.push_back(readOf(i % 3 * 64));
    accesses.back().opOffset = 1;
  }
  accesses.push_back(readOf(3 * 64));
  accesses.back().opOffset = 2;
  accesses.push_back(readOf(0));
  accesses.back().opOffset = 1;
  const KernelProfile profile = measured(accesses);
  const std::vector<profile::LineRow> &rows = profile.histograms.lines;
  REQUIRE(rows.size() == 4); // and the return's
  CHECK(rows[1].coldAccesses == 3);
  CHECK(rows[1].reuseDistances.empty());
  CHECK(rows[2].coldAccesses == 0);
  CHECK(rows[2].reuseDistances == Histogram{{2, 6}, {3, 1}});
  CHECK(rows[3].coldAccesses == 1);
  CHECK(profile::cacheMisses(profile, rows[2], 3 * 64) == 1);
}

TEST_CASE("a gather at random hits as often as the cache holds of the data", "[reuse]") {
  constexpr uint64_t lines = 1024, count = 200000;
  Random random(7);
  std::vector<Access> accesses;
  for (uint64_t i = 0; i < count; ++i)
    accesses.push_back(readOf(random.below(lines) * 64));
  const trace::Program program = anyProgram();
  AnalysisSet set(program);
  give(set, program, 0, accesses);
  const KernelProfile profile = finished(set);
  CHECK(profile.reuse.coldAccesses == lines);
  for (const uint64_t held : {64, 256, 512})
    CHECK(*profile::hitRatio(profile, 64 * held) ==
          Approx(static_cast<double>(held) / lines).margin(0.01));
  CHECK(profile::cacheMisses(profile, 64 * lines) == lines);
}

TEST_CASE("an access that spans lines counts once per line, lowest first", "[reuse]") {
  // Lines 0 1, then 1 2 (1 was last), then 0 (behind 1 and 2).
  const KernelProfile profile = measured({readOf(60, 8), readOf(64, 65), readOf(0)});
  CHECK(profile.reuse.coldAccesses == 3);
  CHECK(profile.histograms.reuseDistances == Histogram{{0, 1}, {2, 1}});
}

TEST_CASE("address spaces are kept apart, local and private memory take no part", "[reuse]") {
  const KernelProfile profile =
      measured({read(AddressSpace::kGlobal, 1, 0), read(AddressSpace::kConstant, 1, 0),
                read(AddressSpace::kLocal, 1, 0), read(AddressSpace::kPrivate, 1, 0),
                write(AddressSpace::kGlobal, 1, 4)});
  CHECK(profile.reuse.coldAccesses == 2);
  CHECK(profile.histograms.reuseDistances == Histogram{{1, 1}});
}

TEST_CASE("work-groups are followed in order, in whatever order and by whomever they come",
          "[reuse]") {
  // Enough lines and groups that runs are joined on the way.
  const trace::Program program = anyProgram();
  Random random(11);
  std::vector<std::vector<Access>> groups;
  for (int i = 0; i < 400; ++i)
    groups.push_back(mixedAccesses(random, 300, random.between(0, 90)));
  const AnalysisOptions options;
  AnalysisSet inOrder(program, options);
  for (size_t i = 0; i < groups.size(); ++i)
    give(inOrder, program, i, groups[i]);
  const KernelProfile expected = finished(inOrder);
  std::vector<size_t> order(groups.size());
  std::iota(order.begin(), order.end(), size_t{0});
  for (int round = 0; round < 12; ++round) {
    CAPTURE(round);
    if (round == 0)
      std::ranges::reverse(order);
    else if (round > 1)
      random.shuffle(order);
    const auto shared = round % 2 == 0 ? nullptr : std::make_shared<ReuseOrder>(program);
    std::deque<AnalysisSet> sets;
    for (int i = 0; i <= round % 4; ++i)
      sets.emplace_back(program, options, shared);
    for (const size_t group : order)
      give(sets[random.below(sets.size())], program, group, groups[group]);
    for (size_t i = 1; i < sets.size(); ++i)
      sets[0].merge(sets[i]);
    REQUIRE(sameReuse(finished(sets[0]), expected));
  }
}

TEST_CASE("what waits for other work-groups does not grow with their number", "[reuse]") {
  // Threads take the next group as they get free, one of them far more slowly than the others. The
  // lines of a group are its own and some that all share.
  const trace::Program program = anyProgram();
  constexpr uint64_t threads = 4, linesOfGroup = 40, lines = 400;
  Random random(17);
  for (const uint64_t count : {500, 8000}) {
    CAPTURE(count);
    const auto order = std::make_shared<ReuseOrder>(program);
    AnalysisSet inOrder(program);
    std::deque<AnalysisSet> sets;
    std::vector<uint64_t> ready; // when the thread is free
    for (uint64_t i = 0; i < threads; ++i) {
      sets.emplace_back(program, AnalysisOptions{}, order);
      ready.push_back(0);
    }
    size_t most = 0;
    for (uint64_t group = 0; group < count; ++group) {
      std::vector<Access> accesses;
      for (uint64_t i = 0; i < linesOfGroup; ++i)
        accesses.push_back(readOf(random.below(lines) * 64));
      give(inOrder, program, group, accesses);
      const auto thread = std::ranges::min_element(ready) - ready.begin();
      ready[thread] += thread == 0 ? 200 + random.below(200) : 1 + random.below(5);
      give(sets[thread], program, group, accesses);
      most = std::max(most, order->waitingLines());
    }
    // Joined runs between the groups that threads are at, again as much, and what is not worth
    // joining.
    CHECK(most <= 2 * threads * (lines + 1) + 4096 + linesOfGroup);
    for (uint64_t i = 1; i < threads; ++i)
      sets[0].merge(sets[i]);
    CHECK(sameReuse(finished(sets[0]), finished(inOrder)));
  }
}

TEST_CASE("distances are counted by the bins of their histogram", "[reuse]") {
  Random random(3);
  for (unsigned bits = 0; bits <= 64; ++bits)
    for (int i = 0; i < 50; ++i) {
      const uint64_t distance =
          bits == 0 ? 0 : random.between(uint64_t{1} << (bits - 1), UINT64_MAX >> (64 - bits));
      CAPTURE(distance);
      metrics::DistanceCounts counts(2);
      counts.add(1, distance);
      REQUIRE(counts.histogram(0).empty());
      REQUIRE(counts.histogram(1) == Histogram{{profile::reuseBin(distance), 1}});
      const metrics::DistanceCounts same = counts;
      counts.merge(same);
      REQUIRE(counts.histogram() == Histogram{{profile::reuseBin(distance), 2}});
    }
}

TEST_CASE("lines twice as long see addresses twice as far apart alike", "[reuse]") {
  const trace::Program program = anyProgram();
  Random random(5);
  std::vector<Access> accesses;
  for (int i = 0; i < 3000; ++i)
    accesses.push_back(readOf(random.below(20000), 1));
  AnalysisSet at32(program, {32});
  give(at32, program, 0, accesses);
  const KernelProfile expected = finished(at32);
  CHECK(expected.reuse.lineBytes == 32);
  for (const uint32_t lineBytes : {64u, 128u, 256u}) {
    for (Access &access : accesses)
      access.address = access.address >> 48 << 48 | (access.address << 16 >> 15);
    AnalysisSet set(program, {lineBytes});
    give(set, program, 0, accesses);
    const KernelProfile profile = finished(set);
    CHECK(profile.reuse.lineBytes == lineBytes);
    CHECK(sameReuse(profile, expected));
  }
}
