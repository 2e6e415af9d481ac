#include "profile/csv.h"
#include "random_profile.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;

namespace {

/// No field of these profiles has quotes.
std::vector<std::string> fieldsOf(const std::string &line) {
  std::vector<std::string> fields(1);
  for (const char c : line)
    if (c == ',')
      fields.emplace_back();
    else if (c != '\n')
      fields.back() += c;
  return fields;
}

} // namespace

TEST_CASE("a column per metric, under its key, after those of the launch") {
  KernelProfile profile;
  profile.setCount("opcode_90"_metric, 6);
  profile.setReal("granularity"_metric, 1.0 / 3);
  const std::vector<std::string> header = fieldsOf(wideCsvHeader());
  const std::vector<std::string> row = fieldsOf(wideCsvRow("p.json", profile));
  REQUIRE(row.size() == header.size());
  CHECK(header.front() == "file");
  CHECK(row.front() == "p.json");
  const auto value = [&](const std::string &key) {
    for (size_t i = 0; i < header.size(); ++i)
      if (header[i] == key)
        return row[i];
    return std::string("no such column");
  };
  CHECK(value("opcode_90") == "6");
  CHECK(value("granularity") == "0.3333333333333333");
  CHECK(value("memory_footprint_90") == "NaN");
}

TEST_CASE("every value reads back exactly") {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    KernelProfile profile = randomProfile(seed);
    Provenance &from = profile.provenance;
    from.kernel = from.buildOptions = from.sourceHash = from.engine = "plain";
    const std::vector<std::string> row = fieldsOf(wideCsvRow("p.json", profile));
    const std::vector<std::string> header = fieldsOf(wideCsvHeader());
    REQUIRE(row.size() == header.size());
    size_t column = header.size() - catalogue().size();
    for (const MetricInfo &metric : catalogue()) {
      REQUIRE(header[column] == metric.key);
      const std::string &value = row[column++];
      const Value &expected = profile[metric.metric];
      if (const auto *count = std::get_if<uint64_t>(&expected))
        REQUIRE(std::stoull(value) == *count);
      else if (const auto *real = std::get_if<double>(&expected))
        REQUIRE(std::strtod(value.c_str(), nullptr) == *real);
      else
        REQUIRE(value == "NaN");
    }
  }
}
