/// The findings of a run of several kernels: their order, and what they save in words.
#include "advice/ranking.h"
#include "advice/report.h"

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::advice;
using Catch::Matchers::Contains;

namespace {

const std::vector<std::string> kDevices = {"gpu", "cpu"};

Finding saving(Rule rule, std::vector<Gain> gains) {
  Finding finding;
  finding.rule = rule;
  finding.gains = std::move(gains);
  return finding;
}

/// Of a kernel that takes `kernel` seconds; `ends`: what the factors are over and under by.
Gain gain(const std::string &device, double kernel, double saved, std::optional<double> likely,
          predict::Interval ends) {
  Gain gain = {.device = device, .factor = factorOf(kernel, saved), .savedSeconds = saved};
  gain.factorRange = {gain.factor * ends.low, gain.factor * ends.high};
  if (likely) {
    gain.likely = factorOf(kernel, *likely);
    gain.likelySavedSeconds = *likely;
    gain.likelyRange = {*gain.likely * ends.low, *gain.likely * ends.high};
  }
  return gain;
}

} // namespace

TEST_CASE("what a finding saves of a run is a share, with the ends of its interval") {
  const std::vector<Finding> first = {
      saving(Rule::kMemorySums,
             {gain("gpu", 0.8, 0.4, 0.2, {0.9, 1.25}), gain("cpu", 0.1, 0.001, {}, {1, 1})})};
  const std::vector<Finding> second = {
      saving(Rule::kUntiledReads,
             {gain("gpu", 0.2, 0.1, {}, {0.5, 1}), gain("cpu", 1.9, 0.95, 0.9, {0.9, 1.25})}),
      saving(Rule::kUnpredictableBranches, {})};
  const std::vector<double> ofFirst = {0.8, 0.1};
  const std::vector<double> ofSecond = {0.2, 1.9};
  const std::vector<KernelFindings> all = {{first, ofFirst}, {second, ofSecond}};
  CHECK(secondsOfRun(all, 2) == std::vector<double>{1, 2});
  // The run is fastest on the GPU, of whose 1 s the expected savings are 0.2 and 0.1 s.
  const std::vector<RankedFinding> rows = ranked(all, kDevices);
  REQUIRE(rows.size() == 3);
  const auto place = [](const RankedFinding &row) { return std::pair(row.kernel, row.finding); };
  CHECK(place(rows[0]) == std::pair<size_t, size_t>(0, 0));
  CHECK(place(rows[1]) == std::pair<size_t, size_t>(1, 0));
  CHECK(place(rows[2]) == std::pair<size_t, size_t>(1, 1)); // has no gain
  // Likely 4/3 times faster, 1.2 at the low end: a sixth of 0.8 s. At most twice, 2.5 at the high
  // end: 0.6 of it.
  CHECK(rows[0].saves == ": saves 13 to 48 % of the run's 1.0 s on gpu");
  CHECK(rows[0].byDevice == std::vector<std::string>{"13 to 48 %", "-"});
  // Likely 1.9 times, 1.71 at the low end: 0.415 of 1.9 s.
  CHECK(rows[1].saves == ": saves up to 10 % of the run's 1.0 s on gpu");
  CHECK(rows[1].byDevice == std::vector<std::string>{"up to 10 %", "39 to 57 %"});
  CHECK(rows[2].saves == ": saves less than 5 % here");
  CHECK(rows[2].byDevice.empty());
  // The CPU is the one that is asked about: 0.8 of its 2 s.
  const std::vector<RankedFinding> onCpu = ranked(all, kDevices, 1);
  CHECK(place(onCpu[0]) == std::pair<size_t, size_t>(1, 0));
  CHECK(onCpu[0].saves == ": saves 39 to 57 % of the run's 2.0 s on cpu");
  CHECK(onCpu[1].saves == ": saves 13 to 48 % of the run's 1.0 s on gpu"); // less than 1 % there
  for (const RankedFinding &row : rows)
    CHECK(row.notable);
}

TEST_CASE("findings that save less than 1 % of the run are not notable") {
  const std::vector<Finding> little = {
      saving(Rule::kMemorySums, {gain("gpu", 0.009, 0.0085, {}, {1, 3})}),
      saving(Rule::kUnpredictableBranches, {})};
  const std::vector<Finding> none;
  const std::vector<double> ofLittle = {0.009};
  const std::vector<double> ofOther = {0.991};
  const std::vector<RankedFinding> rows =
      ranked(std::vector<KernelFindings>{{little, ofLittle}, {none, ofOther}}, kDevices);
  REQUIRE(rows.size() == 2);
  for (const RankedFinding &row : rows)
    CHECK(!row.notable);
}

TEST_CASE("the gains of a kernel alone are factors, at the ends of their intervals") {
  const auto text = [](double factor, std::optional<double> likely, predict::Interval ends) {
    const double least = likely.value_or(1);
    return gainText(saving(Rule::kMemorySums,
                           {gain("gpu", 1, 1 - 1 / factor,
                                 likely ? std::optional(1 - 1 / least) : std::nullopt, ends)}));
  };
  CHECK(text(3, 2, {0.5, 1.5}) == ": up to 4.5 times faster on gpu");
  CHECK(text(3, 2, {0.75, 1.5}) == ": 1.5 to 4.5 times faster on gpu");
  CHECK(text(3, {}, {0.5, 1.5}) == ": up to 4.5 times faster on gpu");
  CHECK(text(3, 3, {1, 1}) == ": 3 times faster on gpu");
  CHECK(text(9, 6, {0.5, 3}) == ": 3 to more than 10 times faster on gpu");
  CHECK(text(90, 80, {0.5, 3}) == ": more than 10 times faster on gpu");
  CHECK(text(20, {}, {1, 1}) == ": up to more than 10 times faster on gpu");
  CHECK(text(1.04, {}, {1, 9}).empty());
}

TEST_CASE("no change saves more than the time of its kernel, and one may cost time") {
  const std::vector<Finding> most = {
      saving(Rule::kMemorySums, {gain("gpu", 0.13, 0.1, 0.1, {1, 1000})})};
  const std::vector<Finding> slower = {
      saving(Rule::kUntiledReads,
             {gain("gpu", 0.87, -0.5, -0.5, {0.5, 1.2}), gain("cpu", 2, 1, {}, {1, 1})})};
  const std::vector<double> ofMost = {0.13, 0};
  const std::vector<double> ofSlower = {0.87, 2};
  const std::vector<RankedFinding> rows =
      ranked(std::vector<KernelFindings>{{most, ofMost}, {slower, ofSlower}}, kDevices);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].saves == ": saves 10 to 13 % of the run's 1.0 s on gpu");
  CHECK(rows[1].byDevice == std::vector<std::string>{"slower", "up to 50 %"});
  CHECK(rows[1].saves == ": saves up to 50 % of the run's 2.0 s on cpu");
}
