/// Each rule fires on a kernel with its fault, and not on a repaired kernel that does the same work
/// without it. The kernels run in the simulator.
#include "advice/ranking.h"
#include "advice/report.h"
#include "predict/device_library.h"
#include "processes/clang_tokens.h"
#include "support/files.h"
#include "support/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>

using namespace aiwc;
using namespace aiwc::advice;
using namespace aiwc::literals;
using namespace aiwc::test;
using predict::DeviceProfile;
using predict::FittedCostModel;
using predict::Parameter;
using profile::KernelProfile;
using profile::Metric;

namespace {

std::vector<DeviceProfile> devices() {
  const predict::DeviceLibrary library({AIWC_TEST_DEVICES});
  return {library["i7-6700k"], library["gtx1080"]};
}

const std::vector<DeviceProfile> &ofFourVendors() {
  static const std::vector<DeviceProfile> devices = [] {
    const predict::DeviceLibrary library({AIWC_TEST_DEVICES});
    return std::vector<DeviceProfile>{library["rtx5090"], library["rx9070xt"], library["arc-b580"],
                                      library["ryzen9-9950x"]};
  }();
  return devices;
}

/// The published model on devices that start kernels in no time, so that what small launches do
/// shows.
const FittedCostModel &instantLaunches() {
  static const FittedCostModel model = [] {
    predict::FittedModel fitted = predict::publishedModel().model();
    for (predict::ClassCoefficients &coefficients : fitted.classes)
      coefficients.values[static_cast<size_t>(predict::Coefficient::kLaunch)] = -50;
    return FittedCostModel("instant launches", std::move(fitted), predict::Clock::kQueued);
  }();
  return model;
}

/// A kernel of faults.cl, with an output and an input of `elements` floats (the input is not below
/// 1), and whatever else in `more`.
KernelProfile run(const std::string &kernel, const std::string &items, const std::string &group,
                  size_t elements = 4096, const std::string &more = "") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "fault.sim";
  const bool onlyOut = kernel.ends_with("coins");
  write(file,
        fmt::format("{}\n{}\n{}\n{}\n<size={} float fill=0>\n{}{}", AIWC_TEST_FAULTS, kernel, items,
                    group, 4 * elements,
                    onlyOut ? ""
                            : fmt::format("<size={} float range=1:1:{}>\n", 4 * elements, elements),
                    more));
  SimulationOptions options;
  options.compiled = true;
  const auto profiles = simulate(file, options);
  REQUIRE(profiles.size() == 1);
  return profiles.front();
}

KernelProfile run(const std::string &kernel, size_t items, size_t group, size_t elements = 4096,
                  const std::string &more = "") {
  return run(kernel, fmt::format("{} 1 1", items), fmt::format("{} 1 1", group), elements, more);
}

std::optional<Finding> found(Rule rule, const KernelProfile &profile,
                             const std::vector<DeviceProfile> &on = devices(),
                             const FittedCostModel &model = instantLaunches()) {
  for (Finding &finding : findingsOf(profile, on, model))
    if (finding.rule == rule)
      return finding;
  return std::nullopt;
}

double seconds(const KernelProfile &profile, size_t device,
               const std::vector<DeviceProfile> &on = devices()) {
  return instantLaunches().cost(predict::demandOf(profile), on[device]).seconds;
}

std::vector<Edit> editsOfFaults(const Change &change, const std::string &kernel) {
  const std::string source = contents(AIWC_TEST_FAULTS);
  return editsOf(change, kernel, SourceCode(source, processes::clangTokens(source)));
}

/// The rule fires on the first kernel only, and its gain contains what the second is predicted to
/// gain, on devices of four vendors.
void check(Rule rule, const KernelProfile &faulty, const KernelProfile &repaired,
           const std::vector<DeviceProfile> &on = devices(),
           const std::vector<DeviceProfile> &vendors = ofFourVendors()) {
  INFO(info(rule).key << "\n" << toText(findingsOf(faulty, on, instantLaunches()), {}));
  const auto finding = found(rule, faulty, on);
  REQUIRE(finding);
  CHECK_FALSE(finding->problem.empty());
  CHECK_FALSE(finding->remedy.empty());
  for (size_t i = 0; i < finding->gains.size(); ++i) {
    INFO(finding->gains[i].device);
    // The repaired kernel executes a few instructions less or more.
    constexpr double kOther = 1.2;
    CHECK(seconds(faulty, i, on) / seconds(repaired, i, on) <= finding->gains[i].factor * kOther);
  }
  // What the change is said to gain is what `aiwc diff` then says.
  for (const FittedCostModel *model : {&instantLaunches(), &predict::publishedModel()})
    for (const Finding &other : findingsOf(faulty, vendors, *model)) {
      if (other.rule != rule || !other.isCosted)
        continue;
      for (size_t i = 0; i < vendors.size(); ++i) {
        const DeviceProfile &device = vendors[i];
        const double predicted = model->cost(predict::demandOf(faulty), device).seconds /
                                 model->cost(predict::demandOf(repaired), device).seconds;
        INFO(model->name() << " on " << device.id << ": " << gainText(other));
        constexpr double kRounding = 1.02;
        if (other.gains.empty()) {
          CHECK(predicted < kLeastGain * kRounding);
          continue;
        }
        const predict::Interval range = other.gains[i].range();
        if (other.gains[i].factor == 1) { // nothing is promised on this device
          CHECK(predicted < kLeastGain * kRounding);
          continue;
        }
        CHECK(predicted >= range.low / kRounding);
        CHECK(predicted <= range.high * kRounding);
      }
    }
  INFO("repaired: " << toText(findingsOf(repaired, on, instantLaunches()), {}));
  CHECK_FALSE(found(rule, repaired, on));
}

/// The source line of the first evidence that has one, without blanks at its ends.
std::string firstLine(const Finding &finding) {
  const std::string source = contents(AIWC_TEST_FAULTS);
  for (const Evidence &evidence : finding.evidence) {
    if (evidence.line == 0)
      continue;
    size_t begin = 0;
    for (uint64_t line = 1; line < evidence.line; ++line)
      begin = source.find('\n', begin) + 1;
    const std::string line = source.substr(begin, source.find('\n', begin) - begin);
    return line.substr(line.find_first_not_of(' '));
  }
  return {};
}

} // namespace

TEST_CASE("uncoalesced access") {
  const KernelProfile rows = run("rows", 1024, 64, 65536);
  check(Rule::kUncoalescedAccess, rows, run("columns", 1024, 64, 65536));
  const auto finding = found(Rule::kUncoalescedAccess, rows);
  REQUIRE(finding);
  CHECK(firstLine(*finding) == "sum += in[i * 64 + k];");
  CHECK_THAT(finding->evidence.front().text,
             Catch::Matchers::Contains("read of in") &&
                 Catch::Matchers::Contains("neighbours are 256 bytes apart"));
}

TEST_CASE("scattered writes gain what writes take, and scattered reads what reads take") {
  const KernelProfile written = run("written_rows", 1024, 64, 65536);
  check(Rule::kUncoalescedAccess, written, run("written_columns", 1024, 64, 65536));
  CHECK_THAT(found(Rule::kUncoalescedAccess, written)->evidence.front().text,
             Catch::Matchers::Contains("write of out"));
  const size_t items = 16384;
  const KernelProfile copied = run("copied", items, 64, 64 * items);
  for (const char *kernel : {"read_firsts", "written_firsts"}) {
    INFO(kernel);
    check(Rule::kUncoalescedAccess, run(kernel, items, 64, 64 * items), copied);
  }
}

TEST_CASE("vectors side by side are coalesced and have no bank conflicts") {
  const KernelProfile vectors = run("vectors", 1024, 64, 4096);
  CHECK(vectors.real("coalescing_32"_metric) == 1);
  CHECK_FALSE(found(Rule::kUncoalescedAccess, vectors));
  CHECK_FALSE(found(Rule::kBankConflicts, vectors));
  // Elements of vectors that are loaded for one of them only are apart.
  const KernelProfile one = run("first_elements", 1024, 64, 4096);
  CHECK(one.real("coalescing_32"_metric) < 0.5);
  CHECK(found(Rule::kUncoalescedAccess, one));
}

TEST_CASE("lines of which a launch uses a part") {
  // 4 of each 64 bytes that are fetched: the gain is that of memory, too.
  const KernelProfile firsts = run("firsts_of_rows", 16384, 64, 1U << 20);
  check(Rule::kUncoalescedAccess, firsts, run("firsts_of_array", 16384, 64, 1U << 20));
  CHECK_THAT(found(Rule::kUncoalescedAccess, firsts)->remedy,
             Catch::Matchers::StartsWith("Store side by side"));
  // The footprint of a sample is less than that of the launch.
  KernelProfile sampled = firsts;
  sampled.provenance.sampledGroups = 8;
  sampled.provenance.totalGroups = 256;
  const auto ofSample = found(Rule::kUncoalescedAccess, sampled);
  CHECK((ofSample ? ofSample->largestGain() : 1) <
        found(Rule::kUncoalescedAccess, firsts)->largestGain());
}

TEST_CASE("accesses of less than a word") {
  const KernelProfile bytes = run("by_bytes", 65536, 64, 16384);
  check(Rule::kNarrowAccesses, bytes, run("by_words", 16384, 64, 16384));
  const auto finding = found(Rule::kNarrowAccesses, bytes);
  REQUIRE(finding);
  CHECK(firstLine(*finding) == "out[i] = in[i] / 2;");
}

TEST_CASE("to exchange indices is no advice where that only moves the stride") {
  const auto remedy = [](const std::string &kernel) {
    const auto finding = found(Rule::kUncoalescedAccess, run(kernel, "64 64 1", "16 16 1"));
    REQUIRE(finding);
    return std::pair(finding->remedy, finding->change.kind);
  };
  const auto [tile, none] = remedy("transposed");
  CHECK_THAT(tile, Catch::Matchers::StartsWith("Copy a tile into local memory"));
  CHECK(none == Change::Kind::kNone);
  const auto [exchange, edit] = remedy("copied_by_columns");
  CHECK_THAT(exchange, Catch::Matchers::StartsWith("Exchange the indices"));
  CHECK(edit == Change::Kind::kExchangeIds);
}

TEST_CASE("structures in an array") {
  const KernelProfile structures = run("of_structures", 65536, 64, 524288);
  check(Rule::kUncoalescedAccess, structures, run("of_arrays", 65536, 64, 524288));
  CHECK_THAT(found(Rule::kUncoalescedAccess, structures)->remedy,
             Catch::Matchers::Contains("structure of arrays"));
  CHECK_THAT(found(Rule::kUncoalescedAccess, run("fields_on_lines", 16384, 64, 81920))->remedy,
             Catch::Matchers::Contains("structure of arrays"));
}

TEST_CASE("idle lanes") {
  const KernelProfile uneven = run("some_long", 4096, 64);
  check(Rule::kIdleLanes, uneven, run("all_alike", 4096, 64));
  CHECK(firstLine(*found(Rule::kIdleLanes, uneven)).starts_with("for (uint k"));
}

TEST_CASE("lanes that take two ways execute them one after another") {
  // One group of lanes: what it takes is the length of the ways.
  const KernelProfile ways = run("two_ways", 32, 32);
  const auto finding = found(Rule::kIdleLanes, ways);
  REQUIRE(finding);
  const double chain = instantLaunches()
                           .cost(predict::demandOf(ways), devices()[1])
                           .parts[static_cast<size_t>(predict::TimeTerm::kSerialChain)];
  const double one = ways.real("ipt_max"_metric);
  const double both =
      ways.real("total_instruction_count"_metric) / 32 / ways.real("lane_utilization_32"_metric);
  CHECK(both > 1.5 * one);
  // The longest way is in the predicted time, the other one comes on top.
  CHECK(finding->gains[1].factor >= 1 + (both / one - 1) * chain / seconds(ways, 1));
}

TEST_CASE("work-groups that fill no lane group") {
  check(Rule::kPartialLaneGroups, run("all_alike", 4096, 8), run("all_alike", 4096, 64));
}

TEST_CASE("remedies for an application that gives no local size do not ask for another") {
  struct Case {
    Rule rule;
    KernelProfile profile;
    std::string given, leftOpen; ///< what the remedy says
  };
  std::vector<Case> cases;
  cases.push_back({Rule::kPartialLaneGroups, run("all_alike", 4096, 8), "or let the driver choose",
                   "Round the global size up"});
  cases.push_back({Rule::kFewWorkItems, run("shares", 64, 64, 65536), "use smaller work-groups",
                   "give a small local size"});
  // As a launch in two dimensions would leave it, whose groups are 8 wide.
  cases.push_back({Rule::kUncoalescedAccess, run("rows", 1024, 64, 65536),
                   "make work-groups 32 wide", "round its rows up to a multiple of 32"});
  KernelProfile &narrow = cases.back().profile;
  narrow.provenance.workDim = 2;
  narrow.provenance.localSize = {8, 8, 1};
  narrow.provenance.globalSize = {8, 128, 1};
  narrow.accesses.reset();
  for (Case &is : cases) {
    INFO(info(is.rule).key);
    const auto given = found(is.rule, is.profile);
    REQUIRE(given);
    CHECK_THAT(given->remedy,
               Catch::Matchers::Contains(is.given) && !Catch::Matchers::Contains(is.leftOpen));
    is.profile.provenance.localSizeLeftOpen = true;
    const auto leftOpen = found(is.rule, is.profile);
    REQUIRE(leftOpen);
    CHECK_THAT(leftOpen->remedy,
               Catch::Matchers::Contains(is.leftOpen) && !Catch::Matchers::Contains(is.given));
  }
}

TEST_CASE("too few work-items") {
  check(Rule::kFewWorkItems, run("shares", 64, 64, 65536), run("shares", 4096, 64, 65536));
}

TEST_CASE("a serial loop without dependence") {
  const KernelProfile serial = run("serial", 1, 1, 65536);
  check(Rule::kSerialLoop, serial, run("shares", 65536, 64, 65536));
  CHECK(firstLine(*found(Rule::kSerialLoop, serial)).starts_with("for (size_t i = 0"));
  CHECK_FALSE(found(Rule::kFewWorkItems, serial)); // says the same
  CHECK(found(Rule::kSerialLoop, run("one_sum", 1, 1, 65536)));
  for (const char *kernel :
       {"random_numbers", "running_sums", "merged", "alternating_sum", "last_seen"}) {
    INFO(kernel);
    CHECK_FALSE(found(Rule::kSerialLoop, run(kernel, 1, 1, 65536)));
  }
}

TEST_CASE("uneven work-groups") {
  check(Rule::kUnevenWorkGroups, run("one_group_long", 4096, 64), run("groups_alike", 4096, 64));
}

TEST_CASE("columns whose rows are a multiple of 4 KiB") {
  const auto columns = [](size_t width) { // the first half of them, 64 rows
    return run("columns_in_64", 512, 16, 66560, fmt::format("<size=8 ulong fill={}>\n", width));
  };
  check(Rule::kPowerOfTwoStrides, columns(1024), columns(1040));
  const auto finding = found(Rule::kPowerOfTwoStrides, columns(1024));
  REQUIRE(finding);
  CHECK(firstLine(*finding) == "sum += in[k * width + i];");
  CHECK_THAT(finding->evidence.front().text,
             Catch::Matchers::Contains("iterations are 4,096 bytes apart"));
  // All work-items together step through one dimension.
  CHECK_FALSE(found(Rule::kPowerOfTwoStrides, run("columns", 1024, 16, 66560)));
  // Nor has it columns if each work-group steps through a part of it, and waits in each step.
  CHECK_FALSE(found(Rule::kPowerOfTwoStrides, run("chunks", 1024, 256, 1U << 18)));
  // A transposition writes columns.
  CHECK(found(Rule::kPowerOfTwoStrides, run("transposed_wide", "1024 64 1", "16 16 1", 1U << 20)));
  // Each work-item goes through a row of its own: it uses all of a line before it is lost.
  CHECK_FALSE(found(Rule::kPowerOfTwoStrides, run("rows", 1024, 64, 65536)));
  // GPUs spread addresses over their channels.
  CHECK_FALSE(found(Rule::kPowerOfTwoStrides, columns(1024), {devices()[1]}));
}

TEST_CASE("compute units that local memory or large work-groups leave empty") {
  // 24 KiB for 64 work-items: four work-groups on a unit of the gtx1080, which holds 64 groups of
  // 32 lanes.
  const KernelProfile large = run("large_tile", 16384, 64, 16384);
  check(Rule::kOccupancy, large, run("small_tile", 16384, 64, 16384));
  const auto local = found(Rule::kOccupancy, large);
  REQUIRE(local);
  CHECK(firstLine(*local) == "tile[k * 64 + l] = in[k * 64 + l];");
  CHECK_THAT(local->evidence.front().text, Catch::Matchers::StartsWith("tile: 24 KiB of local"));
  CHECK_THAT(local->evidence.back().text,
             Catch::Matchers::Contains("96 KiB") && Catch::Matchers::Contains("4 work-groups"));
  CHECK_THAT(local->remedy, Catch::Matchers::Contains("Make tile smaller"));
  CHECK(local->gains[0].factor == 1); // the CPU
  // Not where all of it is resident at once anyway.
  CHECK_FALSE(found(Rule::kOccupancy, run("large_tile", 4096, 64, 16384)));
  // Four work-groups for 20 units, and as many work-items in 64.
  const KernelProfile four = run("all_alike", 4096, 1024);
  check(Rule::kOccupancy, four, run("all_alike", 4096, 64));
  CHECK_THAT(found(Rule::kOccupancy, four)->evidence.back().text,
             Catch::Matchers::Contains("gtx1080 has 20 compute units for 4 work-groups"));
}

TEST_CASE("a nearly empty last wave") {
  // A unit of the gtx1080 holds 32 work-groups, 20 units hold 640.
  const KernelProfile rest = run("all_alike", 641 * 32, 32, 641 * 32);
  check(Rule::kTailEffect, rest, run("all_alike", 640 * 32, 32, 641 * 32));
  CHECK_THAT(
      found(Rule::kTailEffect, rest)->evidence.front().text,
      Catch::Matchers::Contains("gtx1080 runs 640 of the 641 work-groups at a time: the last "
                                "wave has 1"));
  for (const size_t groups : {639, 960, 1280}) { // less than a wave, a half, and two
    INFO(groups);
    CHECK_FALSE(found(Rule::kTailEffect, run("all_alike", groups * 32, 32, groups * 32)));
  }
  CHECK_FALSE(found(Rule::kTailEffect, rest, {devices()[0]})); // a CPU
}

TEST_CASE("idle lanes that sorting the work would fill") {
  const KernelProfile anywhere = run("rows_anywhere", 4096, 64);
  const auto finding = found(Rule::kIdleLanes, anywhere);
  REQUIRE(finding);
  CHECK_THAT(finding->remedy, Catch::Matchers::Contains("Sort the work by the iterations") &&
                                  Catch::Matchers::Contains("which are 1 to 64"));
  REQUIRE(finding->gains[1].likely);
  // What is likely is what the sorted launch is predicted to take.
  const KernelProfile sorted = run("rows_sorted", 4096, 64);
  CHECK_FALSE(found(Rule::kIdleLanes, sorted));
  CHECK(*finding->gains[1].likely ==
        Approx(seconds(anywhere, 1) / seconds(sorted, 1)).epsilon(0.15));
  const auto ways = found(Rule::kIdleLanes, run("two_ways", 4096, 64));
  REQUIRE(ways);
  CHECK_THAT(ways->remedy, !Catch::Matchers::Contains("Sort the work by the iterations"));
  CHECK_FALSE(ways->gains[1].likely);
}

TEST_CASE("idle lanes between barriers are for neighbours to work in") {
  const KernelProfile every = run("reduce_by_every", 4096, 256);
  const auto finding = found(Rule::kIdleLanes, every);
  REQUIRE(finding);
  // All work-items have the same iterations of the source's only loop.
  CHECK_THAT(finding->remedy, !Catch::Matchers::Contains("Sort the work by the iterations") &&
                                  Catch::Matchers::Contains("let the first ones do so"));
  CHECK_FALSE(found(Rule::kIdleLanes, run("reduce_by_first", 4096, 256)));
  CHECK_THAT(found(Rule::kIdleLanes, run("two_ways", 4096, 64))->remedy,
             !Catch::Matchers::Contains("barrier"));
}

TEST_CASE("what is likely is the predicted time of the launch as it is repaired") {
  struct Case {
    Rule rule;
    KernelProfile faulty, repaired;
  };
  const std::vector<Case> cases = {
      {Rule::kUncoalescedAccess, run("rows", 1024, 64, 65536), run("columns", 1024, 64, 65536)},
      {Rule::kUncoalescedAccess, run("firsts_of_rows", 16384, 64, 1U << 20),
       run("firsts_of_array", 16384, 64, 1U << 20)},
      {Rule::kUncoalescedAccess, run("of_structures", 65536, 64, 524288),
       run("of_arrays", 65536, 64, 524288)},
      {Rule::kAccidentalDouble, run("softened", 1024, 64), run("softened_floats", 1024, 64)},
      {Rule::kDoublePrecision, run("doubles", 1024, 64), run("floats", 1024, 64)},
  };
  for (const Case &one : cases) {
    INFO(info(one.rule).key);
    std::vector<DeviceProfile> on = devices();
    if (one.rule == Rule::kUntiledReads)
      on[1].set(Parameter::kDramBandwidth, 1, "by hand"); // so that there is a gain
    const auto finding = found(one.rule, one.faulty, on);
    REQUIRE(finding);
    const Gain &gpu = finding->gains.at(1);
    REQUIRE(gpu.likely);
    CHECK(*gpu.likely <= gpu.factor);
    const double real = seconds(one.faulty, 1, on) / seconds(one.repaired, 1, on);
    CHECK(*gpu.likely == Approx(real).epsilon(0.2));
  }
  // A transposition stays a transposition: it goes through local memory, which takes time.
  const auto tile = found(Rule::kUncoalescedAccess, run("transposed", "64 64 1", "16 16 1"));
  REQUIRE(tile);
  REQUIRE(tile->gains[1].likely);
  CHECK(*tile->gains[1].likely < tile->gains[1].factor);
  // Rows of a work-group that are 16 wide: after the exchange, 32 work-items access two rows.
  const auto narrow =
      found(Rule::kUncoalescedAccess, run("copied_by_columns", "64 64 1", "16 16 1"));
  REQUIRE(narrow);
  REQUIRE(narrow->gains[1].likely);
  const double exchanged = seconds(run("copied_by_columns", "64 64 1", "16 16 1"), 1) /
                           seconds(run("copied_by_rows", "64 64 1", "16 16 1"), 1);
  CHECK(*narrow->gains[1].likely == Approx(exchanged).epsilon(0.05));
  CHECK(*narrow->gains[1].likely < narrow->gains[1].factor);
  // Addresses that are data stay what they are.
  CHECK_FALSE(found(Rule::kUncoalescedAccess, run("rows", 1024, 64, 65536))->gains[0].likely);
}

TEST_CASE("contended atomics") {
  const KernelProfile contended = run("count_each", 4096, 128);
  check(Rule::kContendedAtomics, contended, run("count_groups", 4096, 128));
  CHECK(firstLine(*found(Rule::kContendedAtomics, contended)) == "atomic_inc(count);");
  // Where the work-items of a group have different addresses, no work-item can add for all.
  const auto remedyOf = [&](const KernelProfile &profile) {
    return found(Rule::kContendedAtomics, profile).value().remedy;
  };
  CHECK_THAT(remedyOf(contended), Catch::Contains("let work-item 0 make one atomic"));
  CHECK_THAT(remedyOf(run("count_per_group", 4096, 128)), Catch::Contains("let work-item 0 make"));
  for (const char *kernel : {"count_bins", "count_remainders"})
    CHECK_THAT(remedyOf(run(kernel, 4096, 128)), Catch::StartsWith("Count in a table in local"));
}

TEST_CASE("accidental double precision") {
  const KernelProfile softened = run("softened", 1024, 64);
  check(Rule::kAccidentalDouble, softened, run("softened_floats", 1024, 64));
  CHECK(firstLine(*found(Rule::kAccidentalDouble, softened)) == "sum += d / sqrt(d * d + 1e-4);");
  CHECK_FALSE(found(Rule::kDoublePrecision, softened)); // says the same
  // A vector of a CPU holds twice as many floats as doubles.
  CHECK(found(Rule::kAccidentalDouble, softened)->gains[0].factor > 1.1);
  // Its edits are the repaired kernel's lines.
  const std::vector<Edit> edits =
      editsOfFaults(found(Rule::kAccidentalDouble, softened)->change, "softened");
  REQUIRE(edits.size() == 2);
  CHECK_THAT(edits[0].after, Catch::Matchers::EndsWith("sum += d / sqrt(d * d + 1e-4f);"));
  CHECK_THAT(edits[1].after, Catch::Matchers::EndsWith("out[i] = sum - 0.7f * in[i];"));
  // A sum that is kept in double precision on purpose.
  CHECK_FALSE(found(Rule::kAccidentalDouble, run("doubles", 1024, 64)));
  // The sum, the root and the quotient, each 64 times, and their conversions.
  const auto sumOf = [&](uint64_t profile::LineRow::*count) {
    uint64_t sum = 0;
    for (const profile::LineRow &row : softened.histograms.lines)
      sum += row.*count;
    return sum;
  };
  CHECK(softened.count("fp_ops_f64"_metric) > 0);
  CHECK(sumOf(&profile::LineRow::accidentalDoubles) == softened.count("fp_ops_f64"_metric));
}

TEST_CASE("work repeated by every work-item") {
  const KernelProfile same = run("same_weights", 1024, 64);
  check(Rule::kRepeatedWork, same, run("table_of_weights", 1024, 64));
  CHECK(firstLine(*found(Rule::kRepeatedWork, same)).starts_with("sum += exp("));
  CHECK_FALSE(found(Rule::kRepeatedWork, run("own_roots", 1024, 64)));
}

TEST_CASE("data that neighbours read again") {
  const KernelProfile all = run("all_pairs", 1024, 64);
  check(Rule::kUntiledReads, all, run("pairs_by_tiles", 1024, 64));
  CHECK(firstLine(*found(Rule::kUntiledReads, all)) == "sum += fabs(mine - in[k]);");
  // A stencil, with a tile that the model sees no gain in: only the kernel without one is named.
  const auto grid = [](const std::string &kernel) { return run(kernel, "64 64 1", "32 8 1"); };
  const std::vector<DeviceProfile> slowCache = [] {
    std::vector<DeviceProfile> devices = ::devices();
    devices[1].set(Parameter::kDramBandwidth, 1, "by hand");
    return devices;
  }();
  CHECK(found(Rule::kUntiledReads, grid("five_points"), slowCache));
  CHECK_FALSE(found(Rule::kUntiledReads, grid("five_points_by_tiles"), slowCache));
  for (const std::string other : {"rows", "columns", "butterflies"}) // each element once
    CHECK_FALSE(found(Rule::kUntiledReads, run(other, 1024, 64, 65536)));
}

TEST_CASE("sums kept in memory") {
  const KernelProfile memory = run("sum_in_memory", 1024, 64, 65536);
  check(Rule::kMemorySums, memory, run("columns", 1024, 64, 65536));
  CHECK(firstLine(*found(Rule::kMemorySums, memory)) ==
        "out[i] += in[k * get_global_size(0) + i];");
}

TEST_CASE("loads that each iteration repeats") {
  const std::string trips = "<size=4 uint fill=32>\n";
  const KernelProfile again = run("read_again", 128, 64, 4096, trips);
  check(Rule::kRepeatedLoads, again, run("read_once", 128, 64, 4096, trips));
  CHECK_FALSE(found(Rule::kRepeatedLoads, run("read_and_written", 128, 64, 4096, trips)));
  const auto finding = found(Rule::kRepeatedLoads, again);
  CHECK(firstLine(*finding) == "out[k * get_global_size(0) + i] = in[i] * k;");
  CHECK(finding->change.kind == Change::Kind::kHoistLoads);
  // What takes their place is a register.
  for (const Gain &gain : finding->gains)
    CHECK(gain.likely == Approx(gain.factor));
}

TEST_CASE("what a finding saves has a range, which the model's intervals give") {
  const std::string trips = "<size=4 uint fill=32>\n";
  const KernelProfile again = run("read_again", 128, 64, 4096, trips);
  const std::vector<DeviceProfile> on = devices();
  const auto one = found(Rule::kRepeatedLoads, again);
  REQUIRE(one);
  for (const Gain &gain : one->gains) {
    // Nothing takes the place of the loads: what is likely is the most.
    CHECK(gain.range().low == Approx(gain.factorRange.low));
    CHECK(gain.range().high == Approx(gain.factorRange.high));
    CHECK(gain.range().low < gain.factor);
    CHECK(gain.range().high > gain.factor);
  }
  // A launch that the nearest one represents is off by that error as well, which is independent.
  const LaunchKind estimated = {.profile = &again, .launches = 1, .errorFactor = 2};
  for (const Finding &finding : findingsOf(std::span(&estimated, 1), on, instantLaunches()))
    if (finding.rule == Rule::kRepeatedLoads)
      for (size_t i = 0; i < on.size(); ++i)
        CHECK(std::log(finding.gains[i].factorRange.high / finding.gains[i].factor) ==
              Approx(std::hypot(std::log(one->gains[i].factorRange.high / one->gains[i].factor),
                                std::log(2))));
}

TEST_CASE("more work-items than work") {
  check(Rule::kIdleWorkItems, run("every_eighth", 4096, 64), run("all_of_them", 512, 64));
  // Without them, nobody reads what tells that they have no work.
  const size_t many = 1 << 18;
  const KernelProfile flagged = run("every_256th", many, 64, many);
  check(Rule::kIdleWorkItems, flagged, run("all_of_them", many / 256, 64, many));
}

TEST_CASE("powers that are products") {
  const KernelProfile powers = run("powers", 1024, 64);
  const predict::DeviceLibrary library({AIWC_TEST_DEVICES});
  check(Rule::kConstantPowers, powers, run("products", 1024, 64), devices(),
        {library["rtx5090"], library["gtx1080"], library["arc-b580"], library["ryzen9-9950x"]});
  const auto finding = found(Rule::kConstantPowers, powers);
  CHECK_THAT(finding->problem, Catch::Contains("calls pow 48 times with a small exponent"));
  CHECK(finding->evidence.size() == 2);
  // Its edits are the repaired kernel's lines.
  const std::vector<Edit> edits = editsOfFaults(finding->change, "powers");
  REQUIRE(edits.size() == 2);
  CHECK_THAT(edits[0].after,
             Catch::Matchers::EndsWith(
                 "sum += ((in[i] - in[i + k]) * (in[i] - in[i + k])) + (d * d * d);"));
  CHECK_THAT(edits[1].after, Catch::Matchers::EndsWith("sum += sqrt(d);"));
  CHECK_FALSE(found(Rule::kConstantPowers, run("other_powers", 1024, 64)));
  // AMD's compiler replaces squares.
  CHECK_FALSE(found(Rule::kConstantPowers, powers, {library["rx9070xt"]}));
}

TEST_CASE("integer division by a constant of the launch") {
  const KernelProfile apart = run("taken_apart", 4096, 64, 4096, "<size=4 uint fill=64>\n");
  check(Rule::kIntegerDivision, apart, run("taken_apart_at_64", 4096, 64));
  CHECK(firstLine(*found(Rule::kIntegerDivision, apart)).starts_with("out[i] = in[i % width"));
}

TEST_CASE("indices of 64 bits") {
  const std::string width = "<size=4 int fill=64>\n", wide = "<size=8 ulong fill=64>\n";
  const std::string rows = "<size=256 int range=0:1:63>\n";
  const auto counted = [](const KernelProfile &profile, uint64_t profile::LineRow::*count) {
    uint64_t sum = 0;
    for (const profile::LineRow &row : profile.histograms.lines)
      sum += row.*count;
    return sum;
  };
  const auto divisions = [&](const KernelProfile &profile) {
    return counted(profile, &profile::LineRow::wideIndexDivisions);
  };
  const auto products = [&](const KernelProfile &profile) {
    return counted(profile, &profile::LineRow::wideIndexProducts);
  };
  const KernelProfile apart = run("apart_in_64", 1024, 64, 4096, width);
  check(Rule::kWideIndices, apart, run("apart_in_32", 1024, 64, 4096, width));
  const auto finding = found(Rule::kWideIndices, apart);
  REQUIRE(finding);
  CHECK(firstLine(*finding) == "out[i % width * 64 + i / width] = in[i];");
  CHECK_FALSE(finding->isCosted);
  CHECK_FALSE(found(Rule::kWideIndices, apart, {devices()[0]})); // a CPU
  // The compiler makes the remainder of the quotient: a division and a product for each element.
  CHECK(divisions(apart) == 4096);
  CHECK(products(apart) == 4096);
  // Its edits are the repaired kernel's lines.
  const std::vector<Edit> edits = editsOfFaults(finding->change, "apart_in_64");
  REQUIRE(edits.size() == 2);
  CHECK(edits[0].after == "  const int items = get_global_size(0);");
  CHECK(edits[1].after == "  for (int i = get_global_id(0); i < 4096; i += items)");
  // get_global_id returns a size_t.
  CHECK(divisions(run("id_apart_in_64", 4096, 64, 4096, width)) == 4096);
  const KernelProfile table = run("rows_by_table_in_64", 1024, 64, 64 * 1024,
                                  rows + "<size=8 ulong fill=1024>\n"); // rows apart
  CHECK(products(table) == 64 * 1024);
  // The products of one read are computed while others wait for memory.
  CHECK_FALSE(found(Rule::kWideIndices, table));
  struct Other {
    std::string kernel, more;
  };
  for (const Other &other :
       {Other{"columns_in_64", wide}, Other{"random_in_64", ""}, Other{"hashed_in_64", ""},
        Other{"rows_of_any_size", rows + "<size=4 uint fill=64>\n"}, Other{"columns", ""},
        Other{"transposed", ""}}) {
    INFO(other.kernel);
    const KernelProfile profile = run(other.kernel, 64, 64, 65536, other.more);
    CHECK(divisions(profile) == 0);
    CHECK(products(profile) == 0);
  }
}

TEST_CASE("a cost that the start of a small launch hides is a finding without a gain") {
  const auto in = [](const FittedCostModel &model) {
    return found(Rule::kUncoalescedAccess, run("firsts_of_rows", 64, 64, 65536), devices(), model);
  };
  REQUIRE(in(instantLaunches()));
  CHECK_FALSE(in(instantLaunches())->gains.empty());
  const FittedCostModel waitedFor("waited for",
                                  predict::FittedModel(predict::publishedModel().model()),
                                  predict::Clock::kQueued);
  const auto hidden = in(waitedFor);
  REQUIRE(hidden);
  CHECK(hidden->gains.empty());
  CHECK_THAT(hidden->problem, Catch::Matchers::Contains("starting the kernel takes so long"));
  // What is a matter of the launch's size is none of a larger one.
  CHECK_FALSE(found(Rule::kOccupancy, run("all_alike", 4096, 1024), devices(), waitedFor));
}

TEST_CASE("launch takes longer than the work") {
  const auto findings = [](size_t steps, size_t launches) {
    KernelProfile profile =
        run("steps", 4096, 64, 4096, fmt::format("<size=4 uint fill={}>\n", steps));
    for (const Metric metric :
         {"host_to_device_transfers"_metric, "device_to_host_transfers"_metric,
          "host_to_device_bytes"_metric, "device_to_host_bytes"_metric})
      profile.setCount(metric, 0);
    const std::vector<const KernelProfile *> all(launches, &profile);
    return applicationFindings(all, devices(), predict::publishedModel());
  };
  CHECK(findings(4000, 8).empty());
  CHECK_THAT(findings(2, 1).at(0).problem,
             Catch::Matchers::StartsWith("Starting the kernel takes "));
  const std::vector<Finding> several = findings(2, 8);
  REQUIRE(several.size() == 1);
  CHECK(several[0].rule == Rule::kLaunchBound);
  CHECK(several[0].gains[1].factor >= 2);
  REQUIRE(several[0].evidence.size() == 1);
  CHECK_THAT(several[0].evidence[0].text,
             Catch::Matchers::StartsWith("steps: 8 launches, up to 8 in a row"));
}

TEST_CASE("round trips to the host") {
  KernelProfile launch = run("steps", 4096, 64, 4096, "<size=4 uint fill=2>\n");
  const auto is = [&](uint64_t bytes, uint64_t reads, size_t launches) {
    launch.setCount("device_to_host_bytes"_metric, bytes);
    launch.setCount("device_to_host_transfers"_metric, reads);
    const std::vector<const KernelProfile *> all(launches, &launch);
    for (const Finding &finding : applicationFindings(all, devices(), predict::publishedModel()))
      if (finding.rule == Rule::kRoundTrips)
        return finding.problem;
    return std::string();
  };
  CHECK_THAT(is(4, 1, 5), Catch::Matchers::StartsWith("4 times, the host reads a few bytes and"));
  CHECK(is(4, 1, 3).empty());       // the last read is no round trip
  CHECK(is(0, 0, 5).empty());       // nothing is read
  CHECK(is(1 << 20, 1, 5).empty()); // results
}

TEST_CASE("transfers") {
  KernelProfile launch = run("steps", 4096, 64, 4096, "<size=4 uint fill=64>\n");
  const auto transferring = [&](uint64_t bytes) {
    launch.setCount("host_to_device_bytes"_metric, bytes);
    launch.setCount("host_to_device_transfers"_metric, bytes > 0 ? 1 : 0);
    launch.setCount("device_to_host_bytes"_metric, 0);
    launch.setCount("device_to_host_transfers"_metric, 0);
    const KernelProfile *const all[] = {&launch, &launch};
    std::vector<Finding> findings = applicationFindings(all, devices(), predict::publishedModel());
    std::erase_if(findings, [](const Finding &is) { return is.rule != Rule::kTransfers; });
    return findings;
  };
  CHECK(transferring(0).empty());
  const auto findings = transferring(100'000'000);
  REQUIRE(findings.size() == 1);
  CHECK_THAT(
      findings.front().problem,
      Catch::Matchers::Contains("The host writes 190.7 MiB in 2 transfers. Compared with the "
                                "predicted time of 2 launches, that takes "));
  for (const Gain &gain : findings.front().gains)
    CHECK(gain.factor > 2);
}

TEST_CASE("a working set just above a cache") {
  std::vector<DeviceProfile> small = {devices()[0]}; // a CPU; a GPU's units have as much themselves
  small.front().set(Parameter::kCacheCapacity, 16384, "by hand");
  const KernelProfile all = run("all_lines", 256, 64, 8192);
  check(Rule::kCacheTooSmall, all, run("blocks_of_lines", 256, 64, 8192), small);
  CHECK_FALSE(found(Rule::kCacheTooSmall, all)); // the devices as they are have larger caches
}

TEST_CASE("slow double precision") {
  check(Rule::kDoublePrecision, run("doubles", 4096, 64), run("floats", 4096, 64));
}

TEST_CASE("unpredictable branches") {
  const KernelProfile coins = run("coins", 1024, 64);
  check(Rule::kUnpredictableBranches, coins, run("selected_coins", 1024, 64));
  CHECK(firstLine(*found(Rule::kUnpredictableBranches, coins)) == "if (x & 0x40000000u)");
}

TEST_CASE("private arrays in memory") {
  check(Rule::kPrivateArrays, run("private_array", 4096, 64), run("no_array", 4096, 64));
}

TEST_CASE("bank conflicts") {
  const KernelProfile conflicts = run("local_columns", 4096, 32);
  check(Rule::kBankConflicts, conflicts, run("padded_columns", 4096, 32));
  CHECK(firstLine(*found(Rule::kBankConflicts, conflicts)) == "sum += tile[l * 32 + k];");
  CHECK_THAT(found(Rule::kBankConflicts, conflicts)->evidence.front().text,
             Catch::Matchers::Contains("neighbours are 128 bytes apart, 32 of them in one bank"));
  // Elements 16 words apart are in two of the 32 banks, those of a smaller group as well.
  const auto stride = [](size_t group) {
    return found(Rule::kBankConflicts, run("local_stride", 4096, group));
  };
  CHECK_THAT(stride(32)->evidence.front().text,
             Catch::Matchers::Contains("16 of them in one bank"));
  CHECK_THAT(stride(16)->evidence.front().text, Catch::Matchers::Contains("8 of them in one bank"));
  // Of a group of lanes in two rows, those of one row are so far apart.
  CHECK_THAT(found(Rule::kBankConflicts, run("local_stride", "256 16 1", "16 16 1"))
                 ->evidence.front()
                 .text,
             Catch::Matchers::Contains("8 of them in one bank"));
  CHECK_FALSE(stride(4));
  // 128 elements are stored by 4 groups of 32 lanes, without conflicts. A tree of them makes three
  // accesses in each step: 2 + 1 + 1 + 1 + 1 + 1 + 1 groups of lanes without conflicts, 2 x 2 + 4 +
  // 4
  // + 4 + 4 + 2 + 1 turns where the lanes are 2, 4, ... elements apart. One lane reads the result.
  const KernelProfile doubling = run("sums_by_doubling", 4096, 128);
  const KernelProfile halving = run("sums_by_halving", 4096, 128);
  CHECK(doubling.real("bank_efficiency"_metric) == Approx((4 + 3 * 8 + 1) / (4.0 + 3 * 23 + 1)));
  CHECK(halving.real("bank_efficiency"_metric) == 1);
  CHECK_FALSE(found(Rule::kBankConflicts, halving));
  KernelProfile apart = conflicts; // as where a row of lanes wraps around
  apart.setReal("bank_efficiency"_metric, 1);
  CHECK_FALSE(found(Rule::kBankConflicts, apart));
  REQUIRE(found(Rule::kBankConflicts, doubling));
  CHECK(firstLine(*found(Rule::kBankConflicts, doubling)).starts_with("sums["));
}

TEST_CASE("local memory that is read for each operation") {
  const KernelProfile tiles = run("product_by_tiles", "128 128 1", "16 16 1", 16384);
  check(Rule::kRegisterTiles, tiles, run("product_by_register_tiles", "64 64 1", "16 16 1", 16384));
  CHECK(firstLine(*found(Rule::kRegisterTiles, tiles)) == "sum += a[y][k] * b[k][x];");
  const auto ofIntegers =
      found(Rule::kRegisterTiles, run("integer_product_by_tiles", "128 128 1", "16 16 1", 16384));
  REQUIRE(ofIntegers);
  // 256 values for 128 products and sums, and the few operations of indices.
  CHECK_THAT(ofIntegers->problem,
             Catch::Matchers::Contains("reads 0.8") &&
                 Catch::Matchers::Contains(" of local memory for each integer operation:"));
  CHECK_FALSE(found(Rule::kRegisterTiles, run("hashes_by_tiles", "128 128 1", "16 16 1", 16384)));
  KernelProfile fragments = tiles; // which are tiles in registers
  fragments.setCount("matrix_ops_f16"_metric, 1 << 20);
  CHECK_FALSE(found(Rule::kRegisterTiles, fragments));
  CHECK(
      found(Rule::kRegisterTiles, run("product_by_unrolled_tiles", "128 128 1", "16 16 1", 16384)));
  for (const char *other : {"pairs_by_tiles", "padded_columns", "columns"})
    CHECK_FALSE(found(Rule::kRegisterTiles, run(other, 1024, 64, 65536)));
}

TEST_CASE("barriers that order nothing") {
  check(Rule::kRedundantBarriers, run("idle_barrier", 4096, 64), run("no_barrier", 4096, 64));
  CHECK_FALSE(found(Rule::kRedundantBarriers, run("exchange", 4096, 64)));
}

TEST_CASE("findings come by gain, and say so") {
  const auto findings = findingsOf(run("rows", 64, 8, 65536), devices(), instantLaunches());
  REQUIRE(findings.size() >= 2);
  double before = 1e300;
  for (const Finding &finding : findings) {
    CHECK(finding.largestGain() <= before);
    CHECK((finding.gains.empty() || finding.largestGain() >= kLeastGain));
    before = finding.largestGain();
  }
}
