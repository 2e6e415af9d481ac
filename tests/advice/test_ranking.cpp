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

Gain gain(const std::string &device, double saved, std::optional<double> likely,
          predict::Interval error) {
  return {.device = device,
          .factor = 2, // of its kernel: not of the run
          .savedSeconds = saved,
          .likely = likely ? std::optional(1.5) : std::nullopt,
          .likelySavedSeconds = likely.value_or(0),
          .error = error};
}

} // namespace

TEST_CASE("what a finding saves of a run is a share, with the ends of its interval") {
  const std::vector<Finding> first = {
      saving(Rule::kMemorySums, {gain("gpu", 0.4, 0.2, {0.5, 2}), gain("cpu", 0.001, {}, {1, 1})})};
  const std::vector<Finding> second = {
      saving(Rule::kUntiledReads,
             {gain("gpu", 0.1, {}, {0.5, 1}), gain("cpu", 0.9, 0.8, {0.1, 1})}),
      saving(Rule::kUnpredictableBranches, {})};
  const std::vector<double> ofFirst = {0.8, 0.1};
  const std::vector<double> ofSecond = {0.2, 1.9};
  const std::vector<KernelFindings> all = {{first, ofFirst}, {second, ofSecond}};
  CHECK(secondsOfRun(all, 2) == std::vector<double>{1, 2});
  const std::vector<RankedFinding> rows = ranked(all, kDevices);
  REQUIRE(rows.size() == 3);
  // The expected shares are 0.8 of 2 s on the CPU, and 0.2 of 1 s on the GPU; then what has no
  // gain.
  CHECK(std::pair(rows[0].kernel, rows[0].finding) == std::pair<size_t, size_t>(1, 0));
  CHECK(std::pair(rows[1].kernel, rows[1].finding) == std::pair<size_t, size_t>(0, 0));
  CHECK(std::pair(rows[2].kernel, rows[2].finding) == std::pair<size_t, size_t>(1, 1));
  // 0.9 s of 1.1 + 0.9 s; a tenth of 0.8 s, beside 1.2 s, is 6 %, and all of it 40 %.
  CHECK(rows[0].saves ==
        ": saves at most 45 % of the run's 2.0 s on cpu (likely 6 to 40 %), 10 % on gpu");
  // Twice 0.4 s beside the other 0.6 s is 57 %; half of 0.2 s, and twice, beside 0.8 s.
  // Less than 1 % is not said.
  CHECK(rows[1].saves == ": saves at most 57 % of the run's 1.0 s on gpu (likely 11 to 33 %)");
  CHECK(rows[2].saves.empty());
  for (const RankedFinding &row : rows)
    CHECK(row.notable);
}

TEST_CASE("findings that save less than 1 % of the run are not notable") {
  const std::vector<Finding> little = {saving(Rule::kMemorySums, {gain("gpu", 0.009, {}, {1, 3})}),
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
  const auto text = [](double factor, std::optional<double> likely, predict::Interval error) {
    Finding finding = saving(Rule::kMemorySums, {gain("gpu", 0.5, likely, error)});
    finding.gains[0].factor = factor;
    finding.gains[0].likely = likely;
    return gainText(finding);
  };
  // A factor of 3 is 2 beside 1: half to one and a half times that, as an interval of 2 says.
  CHECK(text(3, 2, {0.5, 1.5}) == ": at most 4 times faster on gpu (likely 1.5 to 2.5)");
  CHECK(text(3, {}, {0.5, 1.5}) == ": at most 4 times faster on gpu");
  CHECK(text(3, 2, {1, 1}) == ": at most 3 times faster on gpu (likely 2)");
  CHECK(text(3, 1.01, {0.5, 2}) == ": at most 5 times faster on gpu (likely nothing)");
  CHECK(text(3, 1.06, {0.5, 2}) == ": at most 5 times faster on gpu (likely up to 1.1)");
  CHECK(text(9, 5, {0.5, 3}) == ": at most more than 10 times faster on gpu (likely 3 or more)");
  CHECK(text(1.04, {}, {1, 9}).empty());
}
