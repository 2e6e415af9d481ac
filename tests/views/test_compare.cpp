#include "profile/random_profile.h"
#include "views/compare.h"
#include "views/condition.h"

#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::views;
using namespace aiwc::test;

TEST_CASE("a profile does not differ from itself") {
  for (uint64_t seed = 0; seed < 100; ++seed)
    CHECK(compare(randomProfile(seed), randomProfile(seed)).same());
}

TEST_CASE("metrics that differ come with their relative change, the largest first") {
  KernelProfile before;
  KernelProfile after;
  const auto set = [&](Metric metric, uint64_t a, uint64_t b) {
    before.setCount(metric, a);
    after.setCount(metric, b);
  };
  set("fp_add"_metric, 100, 110);             // +10 %
  set("fp_mul"_metric, 100, 40);              // -60 %
  set("fp_div"_metric, 7, 7);                 // the same
  set("work_items"_metric, 100, 150);         // +50 %
  set("total_reads"_metric, 0, 3);            // from nothing: no percentage
  before.setReal("reread_ratio"_metric, 0.5); // to no value

  const Comparison comparison = compare(before, after);
  std::vector<Metric> order;
  for (const MetricChange &change : comparison.metrics)
    order.push_back(change.metric);
  CHECK(order == std::vector{"total_reads"_metric, "reread_ratio"_metric, "fp_mul"_metric,
                             "work_items"_metric, "fp_add"_metric});
  CHECK_FALSE(comparison.metrics[0].relative);
  CHECK_FALSE(comparison.metrics[1].relative);
  CHECK(*comparison.metrics[2].relative == Approx(-0.6));
  CHECK(*comparison.metrics[3].relative == Approx(0.5));
  CHECK(*comparison.metrics[4].relative == Approx(0.1));
  CHECK(comparison.fields.empty());
}

TEST_CASE("counts that differ by one differ, however large they are") {
  KernelProfile before;
  KernelProfile after;
  before.setCount("total_reads"_metric, (uint64_t{1} << 63) + 1);
  after.setCount("total_reads"_metric, uint64_t{1} << 63);
  const Comparison comparison = compare(before, after);
  REQUIRE(comparison.metrics.size() == 1);
  CHECK(*comparison.metrics[0].relative < 0);
}

TEST_CASE("what the profiles are of is compared field by field") {
  KernelProfile before = randomProfile(5);
  KernelProfile after = before;
  before.complete = true;
  after.complete = false;
  after.simulatorErrors = before.simulatorErrors + 1;
  before.provenance.buildOptions = "";
  after.provenance.buildOptions = "-DN=4";
  before.provenance.globalSize = {64, 1, 1};
  after.provenance.globalSize = {128, 1, 1};
  const Comparison comparison = compare(before, after);
  REQUIRE(comparison.fields.size() == 4);
  CHECK(comparison.fields[0].key == "complete");
  CHECK(comparison.fields[0].before == "true");
  CHECK(comparison.fields[0].after == "false");
  CHECK(comparison.fields[1].key == "simulator_errors");
  CHECK(comparison.fields[2].key == "global_size");
  CHECK(comparison.fields[2].before == "[64, 1, 1]");
  CHECK(comparison.fields[3].key == "build_options");
  CHECK(comparison.fields[3].after == "-DN=4");
  CHECK(comparison.metrics.empty());
}

TEST_CASE("histograms that differ are named") {
  KernelProfile before;
  KernelProfile after;
  after.histograms.simdWidths = {{1, 2}};
  after.histograms.opcodes = {{"load", 1}};
  after.histograms.loops.emplace_back();
  after.histograms.lines.emplace_back();
  CHECK(compare(before, after).histograms ==
        std::vector<std::string_view>{"opcodes", "simd_widths", "loops", "lines"});
  after = before;
  after.accesses.emplace().emplace_back();
  CHECK(compare(before, after).histograms.empty()); // `before` is of an older version
  before.accesses.emplace();
  CHECK(compare(before, after).histograms == std::vector<std::string_view>{"accesses"});
}

namespace {

/// The launch `invocation` of kernel "k" from source `source`, with this many instructions.
KernelProfile launch(uint64_t invocation, uint64_t size, uint64_t instructions,
                     const std::string &source = "s", const std::string &name = "k") {
  KernelProfile profile;
  profile.provenance.kernel = name;
  profile.provenance.sourceHash = source;
  profile.provenance.invocation = invocation;
  profile.provenance.workDim = 1;
  profile.provenance.globalSize = {size, 1, 1};
  profile.provenance.localSize = {8, 1, 1};
  profile.setCount("total_instruction_count"_metric, instructions);
  profile.setReal("reread_ratio"_metric, 0.5);
  return profile;
}

const QuantityChange *changeOf(const KernelComparison &kernel, const std::string &key) {
  for (const QuantityChange &change : kernel.metrics)
    if (change.key == key)
      return &change;
  return nullptr;
}

} // namespace

TEST_CASE("launches match by NDRange and order, whatever their numbers") {
  // In the second run a launch of 64 came first, which moved the numbers of all others.
  const KernelProfile a[] = {launch(0, 128, 100), launch(1, 64, 50), launch(2, 128, 200)};
  const KernelProfile b[] = {launch(0, 64, 50), launch(1, 128, 100), launch(2, 256, 9),
                             launch(3, 128, 210)};
  const Launches before[] = {{&a[0], &a[1], &a[2]}};
  const Launches after[] = {{&b[0], &b[1], &b[2], &b[3]}};
  const auto kernels = compareRuns(before, after);
  REQUIRE(kernels.size() == 1);
  const KernelComparison &kernel = kernels.front();
  REQUIRE(kernel.pairs.size() == 3);
  CHECK(kernel.pairs[0].after == &b[1]);
  CHECK(kernel.pairs[1].after == &b[0]);
  CHECK(kernel.pairs[2].after == &b[3]);
  CHECK(kernel.onlyBefore.empty());
  CHECK(kernel.onlyAfter == Launches{&b[2]});
  CHECK(kernel.changed == 1);
  CHECK(kernel.fields.empty());
  CHECK_FALSE(kernel.sourceChanged);
  // The sum is that of all launches: 350 before, 369 after.
  const QuantityChange *instructions = changeOf(kernel, "total_instruction_count");
  REQUIRE(instructions);
  CHECK(instructions->before == Value(uint64_t{350}));
  CHECK(instructions->after == Value(uint64_t{369}));
  CHECK(instructions->launches == 1);
  CHECK(instructions->launch == nullptr);
}

TEST_CASE("launches whose local size changed match by global size") {
  const KernelProfile a[] = {launch(0, 64, 50), launch(1, 64, 60)};
  KernelProfile b[] = {a[0], a[1]};
  for (KernelProfile &profile : b)
    profile.provenance.localSize = {16, 1, 1};
  const Launches before[] = {{&a[0], &a[1]}};
  const Launches after[] = {{&b[0], &b[1]}};
  const auto kernels = compareRuns(before, after);
  REQUIRE(kernels.front().pairs.size() == 2);
  CHECK(kernels.front().pairs[1].after == &b[1]);
  REQUIRE(kernels.front().fields.size() == 1);
  CHECK(kernels.front().fields[0].key == "local_size");
  CHECK(kernels.front().fields[0].launches == 2);
}

TEST_CASE("kernels of one name match by source, then by order; others are new or gone") {
  const KernelProfile first = launch(0, 64, 1, "first");
  const KernelProfile second = launch(0, 64, 2, "second");
  const KernelProfile edited = launch(0, 64, 3, "first, edited");
  const KernelProfile gone = launch(0, 64, 4, "s", "gone");
  const KernelProfile fresh = launch(0, 64, 5, "s", "fresh");
  const Launches before[] = {{&first}, {&gone}, {&second}};
  const Launches after[] = {{&fresh}, {&second}, {&edited}};
  const auto kernels = compareRuns(before, after);
  REQUIRE(kernels.size() == 4);
  CHECK(kernels[0].after == Launches{&edited});
  CHECK(kernels[0].sourceChanged);
  CHECK(kernels[1].name() == "gone");
  CHECK(kernels[1].after.empty());
  CHECK(kernels[1].onlyBefore.size() == 1);
  CHECK(kernels[2].after == Launches{&second});
  CHECK(kernels[2].same());
  CHECK(kernels[3].name() == "fresh");
  CHECK(kernels[3].before.empty());
}

TEST_CASE("kernels with the same code are the same, whatever their source is") {
  // A source with another kernel and a comment: lines have moved, too.
  KernelProfile first = launch(0, 64, 1, "first");
  KernelProfile second = launch(0, 64, 2, "second");
  first.provenance.codeHash = "one";
  second.provenance.codeHash = "two";
  KernelProfile again = first;
  again.provenance.sourceHash = "first, with a comment";
  again.provenance.sourceKind = "bitcode";
  again.histograms.lineRow(9).instructions = 1;
  KernelProfile changed = second;
  changed.provenance.codeHash = "three"; // by a header that it includes
  const Launches before[] = {{&first}, {&second}};
  const Launches after[] = {{&changed}, {&again}};
  const auto kernels = compareRuns(before, after);
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].after == Launches{&again});
  CHECK(kernels[0].same());
  CHECK_FALSE(kernels[0].sourceChanged);
  CHECK(kernels[1].after == Launches{&changed});
  CHECK(kernels[1].sourceChanged);
  // A profile that does not tell its code is known by its source.
  KernelProfile older = first;
  older.provenance.codeHash.clear();
  const Launches old[] = {{&second}, {&older}};
  const Launches recent[] = {{&first}, {&second}};
  const auto mixed = compareRuns(old, recent);
  REQUIRE(mixed.size() == 2);
  CHECK(mixed[1].after == Launches{&first});
  CHECK_FALSE(mixed[1].sourceChanged);
}

TEST_CASE("what does not add up is that of the launch that changed most") {
  const KernelProfile a[] = {launch(0, 64, 50), launch(1, 64, 50), launch(2, 64, 50)};
  KernelProfile b[] = {a[0], a[1], a[2]};
  b[1].setReal("reread_ratio"_metric, 0.25); // -50 %
  b[2].setReal("reread_ratio"_metric, 0.6);  // +20 %
  const Launches before[] = {{&a[0], &a[1], &a[2]}};
  const Launches after[] = {{&b[0], &b[1], &b[2]}};
  const auto kernels = compareRuns(before, after);
  CHECK(kernels.front().changed == 2);
  REQUIRE(kernels.front().metrics.size() == 1);
  const QuantityChange &change = kernels.front().metrics.front();
  CHECK(change.launch == &b[1]);
  CHECK(*change.relative == Approx(-0.5));
  CHECK(change.launches == 2);
  // A condition about growth is about the launch that grew most.
  const Condition grew = parseConditions("reread_ratio>10%", "").front();
  const auto found = violation(kernels.front(), quantityOf("reread_ratio", ""), grew);
  REQUIRE(found);
  CHECK(found->launch == &b[2]);
  CHECK_FALSE(violation(kernels.front(), quantityOf("reread_ratio", ""),
                        parseConditions("reread_ratio>30%", "").front()));
}

TEST_CASE("a run does not differ from itself, and differences turn around with the runs") {
  std::vector<KernelProfile> a;
  std::vector<KernelProfile> b;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    a.push_back(randomProfile(seed));
    b.push_back(randomProfile(seed + 20));
    a.back().provenance.kernel = b.back().provenance.kernel = "k" + std::to_string(seed % 7);
  }
  const auto kernelsOf = [](const std::vector<KernelProfile> &profiles) {
    std::vector<Launches> kernels(7);
    for (size_t i = 0; i < profiles.size(); ++i)
      kernels[i % 7].push_back(&profiles[i]);
    return kernels;
  };
  const auto before = kernelsOf(a);
  const auto after = kernelsOf(b);
  for (const KernelComparison &kernel : compareRuns(before, before)) {
    CHECK(kernel.same());
    CHECK(kernel.metrics.empty());
  }
  const auto there = compareRuns(before, after);
  const auto back = compareRuns(after, before);
  REQUIRE(there.size() == back.size());
  for (size_t i = 0; i < there.size(); ++i) {
    CHECK(there[i].pairs.size() == back[i].pairs.size());
    CHECK(there[i].onlyBefore == back[i].onlyAfter);
    CHECK(there[i].onlyAfter == back[i].onlyBefore);
    CHECK(there[i].metrics.size() == back[i].metrics.size());
    for (const QuantityChange &change : there[i].metrics)
      if (const QuantityChange *other = changeOf(back[i], change.key); !change.launch) {
        REQUIRE(other);
        CHECK(change.before == other->after);
        CHECK(change.after == other->before);
      }
  }
}
