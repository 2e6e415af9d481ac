#include "json_reference.h"
#include "profile/json.h"
#include "random_profile.h"
#include "support/cases.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;

TEST_CASE("a profile is written byte for byte like its values one by one") {
  for (uint64_t seed = 0; seed < cases(2000); ++seed) {
    KernelProfile profile = randomProfile(seed);
    if (seed % 5 == 0)
      profile.provenance.scaledFrom = "64x64/8x8";
    if (seed % 7 == 0)
      profile.provenance.extrapolatedFrom = "4 samples of \"m.mtx\"";
    INFO("seed " << seed);
    REQUIRE(toJson(profile) == referenceJson(profile));
  }
}

TEST_CASE("an empty profile and one of extremes are written like their values one by one") {
  KernelProfile profile;
  CHECK(toJson(profile) == referenceJson(profile));
  profile.accesses.emplace();
  CHECK(toJson(profile) == referenceJson(profile));

  profile.reason =
      std::string(1, '\0') + "\x01\x1f \x7f\x80\xff\xed\xa0\x80\xf4\x90\x80\x80 \"\\/\r\n";
  profile.provenance.buildOptions = "-DNAME=\xe9 \xc3\xa9 \xe2\x80\xa8";
  profile.histograms.opcodes["a\"b\n"] = std::numeric_limits<uint64_t>::max();
  profile.accesses->resize(2);
  profile.accesses->front().laneStride = std::numeric_limits<int64_t>::min();
  profile.accesses->front().loopStride = std::numeric_limits<int64_t>::max();
  profile.histograms.loops.resize(1);
  profile.histograms.lines.resize(3);
  CHECK(toJson(profile) == referenceJson(profile));

  using Limits = std::numeric_limits<double>;
  for (const double value :
       {0.0, -0.0, 1.0, 0.1, 1e15, 1e16, 1e17, 123456789012345680.0, 1e-4, 1e-5, 5e-324,
        Limits::min(), Limits::max(), Limits::lowest(), Limits::quiet_NaN(), Limits::infinity(),
        9007199254740993.0, 1.7976931348623155e308, -2.2250738585072014e-308}) {
    INFO(value);
    for (const MetricInfo &metric : catalogue())
      if (metric.type == MetricType::kReal)
        profile.setReal(metric.metric, value);
    profile.provenance.totalGroups = 2;
    profile.provenance.sampledGroups = 1;
    if (value >= 0)
      for (const MetricInfo &metric : catalogue())
        profile.setStandardError(metric.metric, value);
    CHECK(toJson(profile) == referenceJson(profile));
  }
}
