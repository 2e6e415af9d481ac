/// SARIF as code scanning services take it: each result has a file.
#include "advice/report.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::advice;
using Json = nlohmann::json;

TEST_CASE("findings of the application are at the first kernel's file") {
  const auto advised = [](const std::string &kernel, uint64_t line) {
    Advised result;
    result.kernel = kernel;
    result.findings.emplace_back();
    result.findings[0].evidence = {{line, "why"}};
    return result;
  };
  const Advised application = advised("", 0);
  const Advised unnamed = advised("a", 7);
  Advised named = advised("b", 3);
  named.source.file = "b.cl";
  named.source.text = "1\n2\n3\n";

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
