#include "eod/common/opencl.h"
#include "eod/process/temporary_folder.h"
#include "eod/runner/results.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

using namespace aiwc::eod;
namespace fs = std::filesystem;

namespace {

/// What an application writes: two samples, kernel a launched twice and b once.
std::string resultText(const std::string &device, const std::string &size) {
  const std::string sample =
      R"({"runs": 3, "energy_per_run_j": null, "launches": [
        {"kernel": "a", "invocation": 0, "global_size": "64", "local_size": "8",
         "kernel_time_us": 1.0},
        {"kernel": "b", "invocation": 0, "global_size": "64", "local_size": "8",
         "kernel_time_us": 20.0},
        {"kernel": "a", "invocation": 1, "global_size": "32", "local_size": "8",
         "kernel_time_us": 4.0}]})";
  return R"({"application": "x", "size": ")" + size +
         R"(", "parameter": "64", "platform": "P", "device": ")" + device +
         R"(", "source_hash": "h", "build_options": "", "samples_wanted": 2, "min_seconds": 0.5,
         "seed": 7, "tuned": false, "verified": true, "samples": [)" +
         sample + "," + sample + "]}";
}

void write(const fs::path &file, const std::string &text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

} // namespace

TEST_CASE("a result is read back: protocol, samples, launches") {
  const aiwc::process::TemporaryFolder folder("eod-results");
  write(folder.path() / "x-tiny.json", resultText("D", "tiny"));
  const Result result = readResult(folder.path() / "x-tiny.json");
  CHECK(result.application == "x");
  CHECK(result.protocol == Protocol{.samples = 2, .minSeconds = 0.5, .seed = 7, .tune = false});
  CHECK(result.verified);
  REQUIRE(result.samples.size() == 2);
  CHECK_FALSE(result.samples[0].joules);
  CHECK(result.samples[1].launches[2].globalSize == "32");
}

TEST_CASE("times are sums over the launches of a run, or those of each launch") {
  const aiwc::process::TemporaryFolder folder("eod-results");
  write(folder.path() / "D" / "x-tiny.json", resultText("D", "tiny"));
  const auto results = readResults({folder.path()});
  const Times sums = timesOf(results, false);
  REQUIRE(sums.size() == 2);
  CHECK(sums.at({"D", "x", "tiny", "a", {}}) == std::vector<double>{5, 5});
  CHECK(sums.at({"D", "x", "tiny", "b", {}}) == std::vector<double>{20, 20});
  const Times single = timesOf(results, true);
  REQUIRE(single.size() == 3);
  CHECK(single.at({"D", "x", "tiny", "a", 1}) == std::vector<double>{4, 4});
}

TEST_CASE("series are sorted by device, application and the order of sizes, not of their names") {
  const aiwc::process::TemporaryFolder folder("eod-results");
  for (const char *size : {"large", "medium", "small", "tiny"})
    write(folder.path() / "D" / (std::string("x-") + size + ".json"), resultText("D", size));
  std::vector<std::string> sizes;
  for (const auto &[series, times] : timesOf(readResults({folder.path()}), false))
    if (series.kernel == "a")
      sizes.push_back(series.size);
  CHECK(sizes == std::vector<std::string>{"tiny", "small", "medium", "large"});
}

TEST_CASE("what is no result is an error that names the file") {
  const aiwc::process::TemporaryFolder folder("eod-results");
  const fs::path file = folder.path() / "x-tiny.json";
  const std::string whole = resultText("D", "tiny");
  for (const std::string &text :
       {std::string(), std::string("[]"), std::string("{}"), whole.substr(0, whole.size() / 2),
        std::string(R"({"application": 3})")}) {
    write(file, text);
    INFO(text);
    CHECK_THROWS_WITH(readResult(file), Catch::StartsWith(file.string() + ": "));
  }
  CHECK_THROWS_AS(readResults({folder.path() / "missing"}), UsageError);
  fs::remove(file);
  CHECK_THROWS_AS(readResults({folder.path()}), UsageError);
}
