/// SARIF as code scanning services take it: each result has a file.
#include "advice/report.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::advice;
using Json = nlohmann::json;

TEST_CASE("findings of the application are at the first kernel's file") {
  Advised application{.title = "application"};
  application.findings = {{.rule = Rule::kTransfers, .title = {}, .problem = "p", .remedy = "r"}};
  Advised unnamed{.title = "a", .kernel = "a"};
  unnamed.findings = {{.rule = Rule::kIdleLanes, .evidence = {{7, "why"}}}};
  Advised named{.title = "b", .kernel = "b", .source = {.file = "b.cl", .text = "1\n2\n3\n"}};
  named.findings = {{.rule = Rule::kIdleLanes, .evidence = {{3, "why"}}}};

  const auto placesOf = [](std::span<const Advised> kernels) {
    std::vector<std::pair<std::string, int>> places;
    const Json sarif = Json::parse(toSarif(kernels));
    for (const Json &result : sarif["runs"][0]["results"])
      for (const Json &location : result["locations"])
        if (location.contains("physicalLocation")) {
          const Json &place = location["physicalLocation"];
          places.emplace_back(place["artifactLocation"]["uri"], place["region"]["startLine"]);
        }
    return places;
  };
  using Places = std::vector<std::pair<std::string, int>>;
  CHECK(placesOf(std::vector{application, unnamed, named}) ==
        Places{{"b.cl", 1}, {"b.cl", 1}, {"b.cl", 3}});
  CHECK(placesOf(std::vector{application, unnamed}).empty());
}
