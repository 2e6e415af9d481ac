/// Which runs repeat the previous run.
#include "metrics/shared/repeats.h"
#include "support/random.h"

#include <catch2/catch.hpp>
#include <functional>

using namespace aiwc;
using trace::Access;
using trace::BlockId;
using trace::Chunk;
using trace::Run;
using trace::RunEnd;

namespace {

/// Runs of three blocks with an access each, by work-items one after another.
struct RunSample {
  std::vector<trace::BlockEvent> events;
  std::vector<Access> accesses;
  std::vector<Run> runs;

  void add(uint32_t item, uint64_t address) {
    Run run;
    run.item = item;
    run.end = RunEnd::kBarrier;
    run.eventBegin = static_cast<uint32_t>(events.size());
    run.accessBegin = static_cast<uint32_t>(accesses.size());
    for (uint32_t block = 0; block < 3; ++block) {
      Access access;
      access.address = address + 4 * block;
      access.size = 4;
      access.opOffset = block;
      access.space = 1;
      accesses.push_back(access);
      events.push_back({BlockId{block}, static_cast<uint32_t>(accesses.size())});
    }
    run.eventEnd = static_cast<uint32_t>(events.size());
    run.accessEnd = static_cast<uint32_t>(accesses.size());
    runs.push_back(run);
  }

  /// By run.
  std::vector<bool> repeats(bool Run::*likeness = &Run::repeats) const {
    const trace::Program program;
    metrics::Repeats repeats;
    std::vector<bool> result;
    for (const Run &run : repeats.mark(Chunk{program, events, accesses, runs}).runs)
      result.push_back(run.*likeness);
    return result;
  }
};

RunSample three() {
  RunSample sample;
  sample.add(0, 100);
  sample.add(1, 200);
  sample.add(2, 7);
  return sample;
}

} // namespace

TEST_CASE("runs that differ in nothing but item and addresses repeat", "[repeats]") {
  REQUIRE(three().repeats() == std::vector<bool>{false, true, true});
}

TEST_CASE("whatever else differs, a run repeats neither the one before nor is it repeated",
          "[repeats]") {
  const std::vector<std::pair<const char *, std::function<void(RunSample &)>>> changes = {
      {"block", [](RunSample &s) { s.events[4].block = BlockId{9}; }},
      {"last block", [](RunSample &s) { s.events[5].block = BlockId{9}; }},
      {"whose access", [](RunSample &s) { --s.events[4].accessEnd; }},
      {"size", [](RunSample &s) { s.accesses[5].size = 8; }},
      {"operation", [](RunSample &s) { s.accesses[3].opOffset = 5; }},
      {"space", [](RunSample &s) { s.accesses[4].space = 3; }},
      {"write", [](RunSample &s) { s.accesses[4].write = 1; }},
      {"atomic", [](RunSample &s) { s.accesses[4].atomic = 1; }},
      {"end", [](RunSample &s) { s.runs[1].end = RunEnd::kFinished; }},
      {"block that was given up", [](RunSample &s) { s.runs[1].partialBlock = BlockId{1}; }},
      {"work-group", [](RunSample &s) { s.runs[1].item = Run::kWorkGroup; }},
      {"fewer events", [](RunSample &s) { --s.runs[1].eventEnd; }},
      {"fewer accesses", [](RunSample &s) { --s.runs[1].accessEnd; }},
  };
  for (const auto &[name, change] : changes) {
    CAPTURE(name);
    RunSample sample = three();
    change(sample);
    REQUIRE(sample.repeats() == std::vector<bool>{false, false, false});
  }
}

TEST_CASE("a run that was cut or given up is not repeated, even if it looks the same",
          "[repeats]") {
  for (const RunEnd end : {RunEnd::kContinues, RunEnd::kAborted}) {
    RunSample sample = three();
    for (Run &run : sample.runs)
      run.end = end;
    REQUIRE(sample.repeats() == std::vector<bool>{false, false, false});
  }
}

TEST_CASE("a work-item repeats another one, not itself", "[repeats]") {
  RunSample sample = three();
  sample.runs[1].item = 0; // the rest of a run that was cut, by chance the same
  REQUIRE(sample.repeats() == std::vector<bool>{false, false, true});
}

TEST_CASE("long runs are compared to their end", "[repeats]") {
  for (const size_t blocks : {31, 32, 33, 64, 100})
    for (size_t different = 0; different <= blocks; ++different) {
      RunSample sample;
      for (uint32_t item = 0; item < 2; ++item) {
        Run run;
        run.item = item;
        run.end = RunEnd::kFinished;
        run.eventBegin = static_cast<uint32_t>(sample.events.size());
        for (size_t block = 0; block < blocks; ++block)
          sample.events.push_back({BlockId{block == different ? item : 7}, 0});
        run.eventEnd = static_cast<uint32_t>(sample.events.size());
        sample.runs.push_back(run);
      }
      CAPTURE(blocks, different);
      REQUIRE(sample.repeats() == std::vector<bool>{false, different == blocks});
    }
}

TEST_CASE("a run is at the same addresses if it repeats and all of them are", "[repeats]") {
  REQUIRE(three().repeats(&Run::atSameAddresses) == std::vector<bool>{false, false, false});
  RunSample sample;
  for (uint32_t item = 0; item < 3; ++item)
    sample.add(item, 100);
  REQUIRE(sample.repeats(&Run::atSameAddresses) == std::vector<bool>{false, true, true});
  RunSample other = sample;
  other.accesses[8].address = 7; // the last of the third run
  REQUIRE(other.repeats(&Run::atSameAddresses) == std::vector<bool>{false, true, false});
  REQUIRE(other.repeats() == std::vector<bool>{false, true, true});
  other = sample;
  other.accesses[6].address = 7; // the first of the third run
  REQUIRE(other.repeats(&Run::atSameAddresses) == std::vector<bool>{false, true, false});
  other = sample;
  other.accesses[5].size = 8; // what another run does there is something else
  REQUIRE(other.repeats(&Run::atSameAddresses) == std::vector<bool>{false, false, false});

  const trace::Program program;
  metrics::Repeats repeats;
  std::vector<std::pair<uint32_t, uint64_t>> seen;
  sample.add(3, 8);
  metrics::forEachDistinct(
      repeats.mark(Chunk{program, sample.events, sample.accesses, sample.runs}).runs,
      [&](std::span<const Run> alike) {
        for (const Run &run : alike) {
          if (!run.atSameAddresses)
            seen.emplace_back(run.item, 0);
          ++seen.back().second;
        }
      });
  REQUIRE(seen == std::vector<std::pair<uint32_t, uint64_t>>{{0, 3}, {3, 1}});
}

TEST_CASE("runs and how often they occur, one after another", "[repeats]") {
  RunSample sample = three();
  sample.add(3, 8);
  sample.accesses.back().write = 1;
  const trace::Program program;
  metrics::Repeats repeats;
  std::vector<std::pair<uint32_t, uint64_t>> seen;
  metrics::forEachDistinct(
      repeats.mark(Chunk{program, sample.events, sample.accesses, sample.runs}).runs,
      [&](std::span<const Run> alike) { seen.emplace_back(alike.front().item, alike.size()); });
  REQUIRE(seen == std::vector<std::pair<uint32_t, uint64_t>>{{0, 3}, {3, 1}});
}

TEST_CASE("lane blocks have the addresses of their runs by column", "[repeats]") {
  metrics::Repeats repeats;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    test::Random random(seed);
    RunSample sample;
    uint32_t item = random.oneOf<uint32_t>({0, 0, 5, 60});
    const auto rows = random.oneOf<uint32_t>({1, 16, 64});
    const auto stride = random.oneOf<uint64_t>({0, 4, 64, uint64_t{1} << 50});
    for (uint64_t n = random.below(200); n > 0; --n) {
      const bool other = random.oneIn(40); // a run that repeats none
      sample.add(item, 1000 + item * stride + item / rows * 5000 + (random.oneIn(50) ? 1 : 0));
      if (other)
        sample.accesses.back().write = 1;
      if (random.oneIn(60))
        sample.runs.back().end = RunEnd::kContinues;
      item += random.oneIn(30) ? 2 : 1;
    }
    const trace::Program program;
    const metrics::MarkedChunk marked =
        repeats.mark(Chunk{program, sample.events, sample.accesses, sample.runs});
    size_t next = 0; // the first run of the next block
    for (const metrics::LaneBlock &block : marked.blocks) {
      REQUIRE(block.runs.data() == marked.runs.data() + next);
      next += block.runs.size();
      // As long as it may be
      REQUIRE((next == marked.runs.size() || !marked.runs[next].repeats ||
               marked.runs[next].item != marked.runs[next - 1].item + 1 ||
               marked.runs[next].item % 64 == 0));
      for (size_t lane = 1; lane < block.runs.size(); ++lane) {
        REQUIRE(block.runs[lane].repeats);
        REQUIRE(block.runs[lane].item == block.firstItem() + lane);
        REQUIRE(block.runs[lane].item % 64 != 0);
      }
      REQUIRE(block.columns.size() == (block.runs.size() > 1 ? 3 : 0));
      for (size_t a = 0; a < block.columns.size(); ++a) {
        const auto addressOf = [&](size_t lane) {
          return sample.accesses[block.runs[lane].accessBegin + a].address;
        };
        const metrics::Column &column = block.columns[a];
        size_t lane = 0;
        column.forEachPart(addressOf(0), block.runs.size(), [&](uint64_t first, size_t lanes) {
          REQUIRE((lane == 0 || (column.breaks >> lane & 1) != 0));
          for (size_t i = 0; i < lanes; ++i, ++lane) {
            REQUIRE(addressOf(lane) == first + i * column.stride);
            REQUIRE((column.equallySpaced() || column.addresses[lane] == addressOf(lane)));
          }
        });
        REQUIRE(lane == block.runs.size());
        REQUIRE(column.stride + metrics::Column::kFarthest < 2 * metrics::Column::kFarthest);
      }
    }
    REQUIRE(next == marked.runs.size());
  }
}
