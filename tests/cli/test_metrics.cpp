#include "catalogue/definitions.h"
#include "process.h"
#include "profile/metric.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;

TEST_CASE("aiwc show --metrics prints every metric with its definition, in 80 columns") {
  const Outcome outcome = runAiwc({"show", "--metrics"});
  CHECK(outcome.status == 0);
  std::string flat;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 80);
    flat += line.substr(std::min(line.find_first_not_of(' '), line.size())) + " ";
  }
  size_t position = 0;
  for (const MetricInfo &metric : catalogue()) {
    INFO(metric.key);
    position = flat.find(metric.key, position);
    REQUIRE(position != std::string::npos);
    position = flat.find(aiwc::metrics::definitionOf(metric.metric), position);
    REQUIRE(position != std::string::npos);
  }
}

TEST_CASE("aiwc show --metrics --json holds the catalogue") {
  const auto json = nlohmann::json::parse(runAiwc({"show", "--metrics", "--json"}).out);
  REQUIRE(json.size() == kMetricCount);
  for (size_t i = 0; i < kMetricCount; ++i) {
    const MetricInfo &metric = catalogue()[i];
    CHECK(json[i]["key"] == metric.key);
    CHECK(json[i]["name"] == metric.name);
    CHECK(json[i]["category"] == toString(metric.category));
    CHECK(json[i]["type"] == (metric.type == MetricType::kCount ? "count" : "real"));
    CHECK(json[i]["unit"] == metric.unit);
    CHECK(json[i]["definition"] == aiwc::metrics::definitionOf(metric.metric));
    CHECK(json[i]["scaling"] == toString(metric.scaling));
    CHECK(json[i]["sampled"] == toString(metric.estimate));
    CHECK(json[i].contains("examples") == !aiwc::metrics::examplesOf(metric.metric).empty());
  }
}

TEST_CASE("aiwc show --metrics --csv has a row per metric") {
  const Outcome outcome = runAiwc({"show", "--metrics", "--csv"});
  CHECK(static_cast<size_t>(std::ranges::count(outcome.out, '\n')) == 1 + kMetricCount);
  CHECK_THAT(outcome.out, Contains("\nwork_items,Work-items,Parallelism,count,work-items,"
                                   "Work-items executed.,launch,exact\n"));
}

TEST_CASE("docs/metrics.md has the tables that aiwc-describe makes") {
  std::ifstream file(AIWC_TEST_SOURCES "/docs/metrics.md");
  const std::string document(std::istreambuf_iterator<char>(file), {});
  const TemporaryFolder folder;
  REQUIRE(runAiwc({folder / "tables", "metrics"}, {.command = AIWC_DESCRIBE}).status == 0);
  const std::string tables = contents(folder / "tables");
  const std::string end = "<!-- end -->\n";
  size_t found = 0;
  for (size_t at = 0, next = 0; at < tables.size(); at = next, ++found) {
    next = tables.find(end, at) + end.size();
    INFO("scripts/metric-tables writes them");
    CHECK_THAT(document, Contains(tables.substr(at, next - at)));
  }
  CHECK(found == 4); // Compute, Parallelism, Memory, Control
  for (const MetricInfo &metric : catalogue())
    if (metric.parameters.empty())
      CHECK_THAT(tables, Contains(fmt::format("| `{}` |", metric.key)));
  CHECK_THAT(tables, Contains("| `coalescing_{16,32,64}` |") &&
                         Contains("| `local_memory_address_entropy_{1..10}` | "
                                  "**LMAE -- Skipped k LSBs** | real, bits |"));
}

TEST_CASE("aiwc show --metrics reads no run, and the old name says the new one") {
  CHECK_THAT(refusal({"show", "--metrics", "p.json"}), Contains("RUN excludes --metrics"));
  CHECK_THAT(refusal({"show", "--metrics", "--lines"}), Contains("--lines excludes --metrics"));
  for (const std::vector<std::string> &words :
       {std::vector<std::string>{"metrics"}, {"metrics", "--json"}, {"metrics", "--help"}})
    CHECK(refusal(words) == "aiwc: metrics: is now aiwc show --metrics");
}
