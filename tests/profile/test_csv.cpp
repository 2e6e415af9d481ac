#include "profile/csv.h"
#include "random_profile.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;

TEST_CASE("a row per metric: the literature's name, the category, the value") {
  KernelProfile profile;
  profile.setCount("opcode_90"_metric, 6);
  profile.setReal("granularity"_metric, 1.0 / 3);
  const std::string text = toCsv(profile);
  CHECK(text.starts_with("metric,category,value\nOpcode,Compute,6\n"));
  CHECK(text.find("\nGranularity,Parallelism,0.3333333333333333\n") != std::string::npos);
  CHECK(text.find("\n90% Memory Footprint,Memory,NaN\n") != std::string::npos);
  CHECK(text.find("\nLMAE -- Skipped 3 LSBs,Memory,NaN\n") != std::string::npos);
  CHECK(text.ends_with("\nAverage Linear Branch Entropy,Control,NaN\n"));
}

TEST_CASE("every value reads back exactly") {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const KernelProfile profile = randomProfile(seed);
    std::istringstream lines(toCsv(profile));
    std::string line;
    std::getline(lines, line);
    REQUIRE(line == "metric,category,value");
    for (const MetricInfo &metric : catalogue()) {
      REQUIRE(std::getline(lines, line));
      // No name or category of the catalogue needs quotes.
      const size_t comma = line.rfind(',');
      REQUIRE(line.substr(0, comma) ==
              std::string(metric.name) + "," + std::string(toString(metric.category)));
      const std::string value = line.substr(comma + 1);
      const Value &expected = profile[metric.metric];
      if (const auto *count = std::get_if<uint64_t>(&expected))
        REQUIRE(std::stoull(value) == *count);
      else if (const auto *real = std::get_if<double>(&expected))
        REQUIRE(std::strtod(value.c_str(), nullptr) == *real);
      else
        REQUIRE(value == "NaN");
    }
    REQUIRE_FALSE(std::getline(lines, line));
  }
}
