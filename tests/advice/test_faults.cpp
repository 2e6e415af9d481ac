/// Each rule fires on a kernel with its fault, and not on a twin that does the same work without
/// it. The kernels run in the simulator.
#include "advice/report.h"
#include "predict/device_library.h"
#include "support/files.h"
#include "support/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>

using namespace aiwc;
using namespace aiwc::advice;
using namespace aiwc::literals;
using namespace aiwc::test;
using predict::DeviceProfile;
using predict::FittedCostModel;
using predict::Parameter;
using profile::KernelProfile;

namespace {

std::vector<DeviceProfile> devices() {
  const predict::DeviceLibrary library({AIWC_TEST_DEVICES});
  return {library["i7-6700k"], library["gtx1080"]};
}

/// The published model on devices that start kernels in no time, so that what small launches do
/// shows.
const FittedCostModel &instantLaunches() {
  static const FittedCostModel model = [] {
    predict::FittedModel fitted = predict::publishedModel().model();
    for (predict::ClassCoefficients &coefficients : fitted.classes)
      coefficients.values[static_cast<size_t>(predict::TimeTerm::kLaunch)] = -50;
    return FittedCostModel("instant launches", std::move(fitted));
  }();
  return model;
}

/// A kernel of faults.cl, with an output and an input of `elements` floats (the input is not below
/// 1), and whatever else in `more`.
KernelProfile run(const std::string &kernel, size_t items, size_t group, size_t elements = 4096,
                  const std::string &more = "") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "fault.sim";
  const bool onlyOut = kernel.ends_with("coins");
  write(file,
        fmt::format("{}\n{}\n{} 1 1\n{} 1 1\n<size={} float fill=0>\n{}{}", AIWC_TEST_FAULTS,
                    kernel, items, group, 4 * elements,
                    onlyOut ? ""
                            : fmt::format("<size={} float range=1:1:{}>\n", 4 * elements, elements),
                    more));
  SimulationOptions options;
  options.compiled = true;
  const auto profiles = simulate(file, options);
  REQUIRE(profiles.size() == 1);
  return profiles.front();
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

/// The rule fires on the first kernel only, and the second is not faster than the gain promises.
void check(Rule rule, const KernelProfile &faulty, const KernelProfile &repaired,
           const std::vector<DeviceProfile> &on = devices()) {
  INFO(info(rule).key << "\n" << toText(findingsOf(faulty, on, instantLaunches()), {}));
  const auto finding = found(rule, faulty, on);
  REQUIRE(finding);
  CHECK_FALSE(finding->problem.empty());
  CHECK_FALSE(finding->remedy.empty());
  for (size_t i = 0; i < finding->gains.size(); ++i) {
    INFO(finding->gains[i].device);
    // The twin executes a few instructions less or more.
    constexpr double kOther = 1.2;
    CHECK(seconds(faulty, i, on) / seconds(repaired, i, on) <= finding->gains[i].factor * kOther);
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

TEST_CASE("idle lanes") {
  const KernelProfile uneven = run("some_long", 4096, 64);
  check(Rule::kIdleLanes, uneven, run("all_alike", 4096, 64));
  CHECK(firstLine(*found(Rule::kIdleLanes, uneven)).starts_with("for (uint k"));
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
}

TEST_CASE("uneven work-groups") {
  check(Rule::kUnevenWorkGroups, run("one_group_long", 4096, 64), run("groups_alike", 4096, 64));
}

TEST_CASE("contended atomics") {
  const KernelProfile contended = run("count_each", 4096, 128);
  check(Rule::kContendedAtomics, contended, run("count_groups", 4096, 128));
  CHECK(firstLine(*found(Rule::kContendedAtomics, contended)) == "atomic_inc(count);");
}

TEST_CASE("launch takes longer than the work") {
  const auto is = [](size_t steps) {
    return found(Rule::kLaunchBound,
                 run("steps", 4096, 64, 4096, fmt::format("<size=4 uint fill={}>\n", steps)),
                 devices(), predict::publishedModel());
  };
  CHECK(is(2));
  CHECK_FALSE(is(4000));
}

TEST_CASE("transfers") {
  KernelProfile launch = run("steps", 4096, 64, 4096, "<size=4 uint fill=64>\n");
  const auto transferring = [&](uint64_t bytes) {
    launch.setCount("host_to_device_bytes"_metric, bytes);
    launch.setCount("host_to_device_transfers"_metric, bytes > 0 ? 1 : 0);
    launch.setCount("device_to_host_bytes"_metric, 0);
    launch.setCount("device_to_host_transfers"_metric, 0);
    const KernelProfile *const all[] = {&launch, &launch};
    return applicationFindings(all, devices(), predict::publishedModel());
  };
  CHECK(transferring(0).empty());
  const auto findings = transferring(100'000'000);
  REQUIRE(findings.size() == 1);
  CHECK_THAT(
      findings.front().problem,
      Catch::Matchers::Contains("The host writes 190.7 MiB in 2 transfers and reads 0 B in 0 "
                                "transfers. Compared with the predicted time of 2 launches, that "
                                "takes "));
  for (const Gain &gain : findings.front().gains)
    CHECK(gain.factor > 2);
}

TEST_CASE("a working set just above a cache") {
  std::vector<DeviceProfile> small = devices();
  for (DeviceProfile &device : small)
    device.set(Parameter::kCacheCapacity, 16384, "by hand");
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
