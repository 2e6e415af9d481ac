#include "profile/random_profile.h"
#include "views/summary.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::views;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

KernelProfile sample() {
  KernelProfile profile;
  profile.provenance.kernel = "matmul";
  profile.provenance.invocation = 3;
  profile.provenance.workDim = 2;
  profile.provenance.globalSize = {1024, 16, 1};
  profile.provenance.localSize = {64, 2, 1};
  return profile;
}

} // namespace

TEST_CASE("the title says which invocation of what over which NDRange") {
  KernelProfile profile = sample();
  CHECK_THAT(toText(profile),
             StartsWith("matmul, invocation 3: 1024 x 16 work-items in groups of 64 x 2\nCompute"));
  profile.provenance.globalOffset = {0, 8, 0};
  CHECK_THAT(toText(profile), Contains("in groups of 64 x 2 from 0 x 8\n"));
}

TEST_CASE("what stays in memory on a device is said, nothing is not") {
  KernelProfile profile = sample();
  profile.targets = {PrivateTraffic{}, PrivateTraffic{968, 4096}, std::nullopt};
  CHECK_THAT(toText(profile), Contains("64 x 2\n  On gfx1030, 968 bytes per work-item stay in "
                                       "memory; 4,096 bytes are read and written there.\n"
                                       "Compute"));
}

TEST_CASE("an incomplete profile says so before anything else, and why") {
  KernelProfile profile = sample();
  profile.complete = false;
  profile.reason = "the simulator aborted the kernel";
  CHECK_THAT(toText(profile), Contains("64 x 2\n  INCOMPLETE: the simulator aborted the kernel\n"));
  profile.simulatorErrors = 1234;
  CHECK_THAT(toText(profile), Contains("\n  The simulator reported 1,234 errors in"));
  CHECK_THAT(toText(sample()), !Contains("INCOMPLETE") && !Contains("errors"));
}

TEST_CASE("a kernel that had to be interpreted says why") {
  KernelProfile profile = sample();
  CHECK_THAT(toText(profile), !Contains("Interpreted"));
  profile.provenance.engineReason = "it calls printf";
  CHECK_THAT(toText(profile), Contains("64 x 2\n  Interpreted: it calls printf\nCompute"));
}

TEST_CASE("values carry thousands and units, and a value of none is a dash") {
  KernelProfile profile = sample();
  profile.setCount("total_instruction_count"_metric, 1234567);
  profile.setCount("itb_min"_metric, 2);
  profile.setReal("itb_median"_metric, 2.5);
  profile.setCount("itb_max"_metric, 3000);
  profile.setReal("machine_itb_median"_metric, 1.5);
  profile.setCount("machine_ipt_min"_metric, 2);
  profile.setCount("machine_ipt_max"_metric, 2000);
  const std::string text = toText(profile);
  CHECK_THAT(text,
             Contains("Total Instruction Count                     1,234,567 instructions\n"));
  CHECK_THAT(text, Contains("Instructions To Barrier min / median / max  2 / 2.5 / 3,000 "
                            "instructions\n"));
  CHECK_THAT(text, Contains("machine_itb_median / ipt_min / ipt_max      1.5 / 2 / 2,000 "
                            "instructions\n"));
  CHECK_THAT(text, Contains("Opcode                                      -\n"));
}

TEST_CASE("one of a unit is in the singular") {
  KernelProfile profile = sample();
  profile.setCount("unique_branches_90"_metric, 1);
  profile.setCount("unique_reads"_metric, 1);
  profile.setCount("unique_writes"_metric, 2);
  profile.setCount("footprint_bytes"_metric, 1);
  profile.provenance.workDim = 1;
  profile.provenance.globalSize = profile.provenance.localSize = {1, 1, 1};
  const std::string text = toText(profile);
  CHECK_THAT(text, Contains(": 1 work-item in groups of 1\n"));
  CHECK_THAT(text, Contains("  1 branch\n") && Contains("  1 address\n") &&
                       Contains("  2 addresses\n") && Contains("  1 byte\n"));
}

TEST_CASE("metrics that share a line are called by the key of the first, or by words of its name") {
  const MetricInfo *before = nullptr;
  for (const MetricInfo &metric : catalogue()) {
    const std::string_view label = metric.summaryLine;
    const bool first = !before || before->summaryLine != label;
    before = &metric;
    if (label.empty() || !first)
      continue;
    INFO(metric.key << ": " << label);
    const std::string_view begin = label.substr(0, std::min(label.find('{'), label.find(" / ")));
    const std::string_view word = begin.substr(0, begin.find(' '));
    CHECK((metric.name == metric.key ? metric.key.starts_with(begin)
                                     : metric.name.find(word) != std::string_view::npos));
  }
}

TEST_CASE("every metric is in the summary once") {
  // A profile whose every value is a number of its own, found again in the text.
  KernelProfile profile = sample();
  uint64_t next = 100;
  for (const MetricInfo &metric : catalogue()) {
    if (metric.type == MetricType::kCount)
      profile.setCount(metric.metric, next);
    else
      profile.setReal(metric.metric, static_cast<double>(next));
    ++next;
  }
  std::string text = toText(profile);
  text.erase(0, text.find('\n')); // the title has numbers of its own
  std::istringstream words(text);
  std::vector<uint64_t> found;
  for (std::string word; words >> word;)
    if (word.size() == 3 && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; }))
      found.push_back(std::stoull(word));
  REQUIRE(found.size() == kMetricCount);
  for (size_t i = 0; i < found.size(); ++i)
    CHECK(found[i] == 100 + i);
}

TEST_CASE("the levels of the ASAP schedule are binned by powers of two, with bars") {
  KernelProfile profile = sample();
  profile.setCount("asap_fp_depth"_metric, 10);
  profile.setReal("asap_fp_parallelism"_metric, 52.5);
  profile.histograms.asapFpLevels = {{1, 2}, {2, 1}, {3, 1}, {200, 1}, {255, 5}};
  CHECK_THAT(toText(profile),
             Contains("  asap_fp_depth / parallelism                 10 / 52.5\n"
                      "    levels of width 1                         2 ####\n"
                      "    levels of width 2 to 3                    2 ####\n"
                      "    levels of width 128 to 255                6 ############\n"
                      "  asap_depth / parallelism                    -\n"));
  // More than eight powers of two share lines.
  profile.histograms.asapFpLevels.clear();
  for (int power = 0; power < 64; ++power)
    profile.histograms.asapFpLevels.emplace_back(uint64_t{1} << power, 1);
  const std::string text = toText(profile);
  CHECK_THAT(text, Contains("    levels of width 1 to 255                  8 ###\n"));
  CHECK_THAT(text, Contains("to 18,446,744,073,709,551,615  8 ###\n"));
}

TEST_CASE("a summary fits a terminal whatever the profile holds") {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    KernelProfile profile = randomProfile(seed);
    profile.provenance.kernel += std::string(10000, 'k');
    const std::string text = toText(profile);
    INFO(text);
    REQUIRE(std::ranges::count(text, '\n') <= 83);
    REQUIRE(text.ends_with('\n'));
    // Names hold control characters; only the line ends may come through.
    REQUIRE(std::ranges::none_of(
        text, [](char c) { return c != '\n' && static_cast<unsigned char>(c) < 0x20; }));
  }
}
