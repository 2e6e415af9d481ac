#include "process.h"
#include "profile/json.h"
#include "support/ndrange.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// a.json, and b.json with half the work-items and more instructions, built differently.
void writePair(const TemporaryFolder &folder) {
  write(folder / "a.json", toJson(sample("saxpy")));
  KernelProfile changed = sample("saxpy");
  changed.provenance.buildOptions = "-DN=\x1b[1m";
  setNdrange(changed, 1, {32, 1, 1}, {8, 1, 1});
  changed.setCount("total_instruction_count"_metric, 7040);
  changed.setCount("fp_add"_metric, 5);
  changed.histograms.opcodes = {{"load", 65}};
  write(folder / "b.json", toJson(changed));
}

} // namespace

TEST_CASE("aiwc diff lists what changed, the largest relative change first") {
  const TemporaryFolder folder;
  writePair(folder);
  const Outcome outcome = runAiwc({"diff", "a.json", "b.json"}, {.folder = folder.path()});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  CHECK_THAT(outcome.out, StartsWith("a.json -> b.json\n  global_size: [64, 1, 1] -> [32, 1, 1]\n"
                                     "  build_options:  -> -DN=\\x1b[1m\n"));
  const size_t fpAdd = outcome.out.find("fp_add ");
  const size_t workItems = outcome.out.find("Work-items ");
  const size_t instructions = outcome.out.find("Total Instruction Count ");
  CHECK(fpAdd < workItems); // from no value: not to be put in percent
  CHECK(workItems < instructions);
  CHECK(instructions != std::string::npos);
  CHECK_THAT(outcome.out, Contains("-50 %\n") && Contains("+10 %\n") && Contains("7,040"));
  CHECK_THAT(outcome.out, !Contains("Granularity"));
  CHECK_THAT(outcome.out, Contains("histograms that differ: opcodes\n"));
}

TEST_CASE("aiwc diff --json says the same to programs") {
  const TemporaryFolder folder;
  writePair(folder);
  const Outcome outcome =
      runAiwc({"diff", "--json", "a.json", "b.json"}, {.folder = folder.path()});
  CHECK(outcome.status == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["before"] == "a.json");
  CHECK(json["after"] == "b.json");
  REQUIRE(json["fields"].size() == 2);
  CHECK(json["fields"][0]["key"] == "global_size");
  CHECK(json["fields"][1]["key"] == "build_options");
  CHECK(json["fields"][1]["after"] == "-DN=\x1b[1m");
  REQUIRE(json["metrics"].size() == 3);
  CHECK(json["metrics"][0]["key"] == "fp_add");
  CHECK(json["metrics"][0]["before"].is_null());
  CHECK(json["metrics"][0]["relative_change"].is_null());
  CHECK(json["metrics"][1]["key"] == "work_items");
  CHECK(json["metrics"][1]["before"] == 64);
  CHECK(json["metrics"][1]["after"] == 32);
  CHECK(json["metrics"][1]["relative_change"] == -0.5);
  CHECK(json["metrics"][2]["relative_change"] == 0.1);
  CHECK(json["histograms"] == std::vector<std::string>{"opcodes"});
}

TEST_CASE("aiwc diff of equal profiles says that nothing differs") {
  const TemporaryFolder folder;
  writePair(folder);
  const Outcome outcome = runAiwc({"diff", "a.json", "a.json"}, {.folder = folder.path()});
  CHECK(outcome.status == 0);
  CHECK(outcome.out == "a.json -> a.json\n  no difference\n");
}

TEST_CASE("aiwc diff refuses what is no profile") {
  const TemporaryFolder folder;
  writePair(folder);
  write(folder / "bad.json", "[");
  const Setting here{.folder = folder.path()};
  CHECK_THAT(refusal({"diff", "a.json", "bad.json"}, here), StartsWith("bad.json:1:2: "));
  CHECK_THAT(refusal({"diff", ".", "a.json"}, here), StartsWith(".: is a folder"));
  CHECK(refusal({"diff", "a.json"}, here) == "aiwc diff: B is required: see aiwc diff --help");
  CHECK_THAT(refusal({"diff", "a.json", "b.json", "c.json"}, here), Contains("c.json"));
}
