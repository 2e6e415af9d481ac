#include "../predict/machines.h"
#include "embed/opencl_c.h"
#include "process.h"
#include "profile/json.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

constexpr const char *kSource = "kernel void k(global float *a) {\n  a[get_global_id(0)] = 1;\n}\n";

KernelProfile profileOf(const std::string &source) {
  KernelProfile profile = kernelOf(triad());
  profile.provenance.kernel = "k";
  profile.provenance.sourceHash = aiwc::embed::bareHash(source);
  profile.histograms.lineRow(2).instructions = 5;
  return profile;
}

/// The data in a page.
json dataIn(const std::string &page) {
  const std::string begin = "id=\"data\">";
  const size_t from = page.find(begin) + begin.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

} // namespace

TEST_CASE("aiwc report writes a page into a file, or to standard output") {
  const TemporaryFolder folder;
  write(folder / "aiwc_k_0.json", toJson(profileOf(kSource)));
  const auto here = Setting{.folder = folder.path()};
  const Outcome printed = runAiwc({"report", ".", "-o", "-"}, here);
  INFO(printed.err);
  REQUIRE(printed.status == 0);
  CHECK(dataIn(printed.out)["kernels"][0]["name"] == "k");
  CHECK(dataIn(printed.out)["chosen"].size() == 4);

  const Outcome written = runAiwc({"report", ".", "--output", "page.html"}, here);
  CHECK(written.status == 0);
  CHECK(written.out.empty());
  CHECK(written.err.empty());
  std::ifstream file(folder / "page.html", std::ios::binary);
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == printed.out);
}

TEST_CASE("aiwc report takes the sources that are named") {
  const TemporaryFolder folder;
  write(folder / "p.json", toJson(profileOf(kSource)));
  write(folder / "app.cl", kSource);
  const auto here = Setting{.folder = folder.path()};
  const json data =
      dataIn(runAiwc({"report", "p.json", "-o", "-", "--source", "app.cl"}, here).out);
  CHECK(data["kernels"][0]["sourceName"] == "app.cl");
  REQUIRE(data["kernels"][0]["source"] == 0);
  CHECK(data["sources"] == json::parse(R"([[[1, "kernel void k(global float *a) {",
                                              "  a[get_global_id(0)] = 1;", "}"]]])"));
}

TEST_CASE("aiwc report --what-if adds changed devices to those of every page") {
  const TemporaryFolder folder;
  write(folder / "p.json", toJson(profileOf(kSource)));
  const auto here = Setting{.folder = folder.path()};
  const json data =
      dataIn(runAiwc({"report", "p.json", "-o", "-", "--devices", "gtx1080", "--what-if",
                      "cores=128,dram_bandwidth=3x", "--what-if", "clock=2x", "--what-if", "l3=2x"},
                     here)
                 .out);
  std::vector<std::string> texts;
  for (const json &one : data["whatIfs"])
    texts.push_back(one["text"]);
  // Those of every page, of which clock=2x is one.
  REQUIRE(texts.size() == 12 + 2);
  CHECK(texts[0] == "cores=0.5x");
  CHECK(std::ranges::count(texts, "clock=2x") == 1);
  CHECK(texts[12] == "cores=128,dram_bandwidth=3x");
  CHECK(data["whatIfs"][12]["devices"][0]["cores"] == 128);
  CHECK(texts[13] == "l3=2x");
  for (const char *wrong : {"", "cores", "cores=0", "clock=100x"})
    CHECK_THAT(refusal({"report", "p.json", "--devices", "gtx1080", "--what-if", wrong}, here),
               Contains("clock") || Contains("aiwc report: --what-if"));
}

TEST_CASE("aiwc report refuses what it cannot use, in a line, and writes nothing") {
  const TemporaryFolder folder;
  write(folder / "p.json", toJson(profileOf(kSource)));
  write(folder / "other.cl", "kernel void other() {}\n");
  KernelProfile cut = profileOf(kSource);
  cut.complete = false;
  cut.reason = "it was killed";
  write(folder / "cut.json", toJson(cut));
  const auto here = Setting{.folder = folder.path()};
  CHECK_THAT(refusal({"report", "p.json", "--devices", "nosuch"}, here), Contains("nosuch"));
  CHECK_THAT(refusal({"report", "p.json", "--source", "other.cl"}, here),
             Contains("other.cl: is not the source of any of these kernels"));
  CHECK_THAT(refusal({"report", "p.json", "--model", "automatch"}, here),
             Contains("--model automatch: expected published, or a file"));
  CHECK_THAT(refusal({"report", "cut.json"}, here),
             Contains("cut.json: cannot be reported: kernel k: complete is false (it was killed)"));
  CHECK_THAT(refusal({"report", "p.json", "-o", "nosuch/page.html"}, here),
             Contains("nosuch/page.html"));
  CHECK_FALSE(std::filesystem::exists(folder / "report.html"));
}

TEST_CASE("aiwc report lists its charts, and refuses those that it cannot draw") {
  const TemporaryFolder folder;
  write(folder / "p.json", toJson(profileOf(kSource)));
  const auto here = Setting{.folder = folder.path()};
  const Outcome listed = runAiwc({"report", "p.json", "--chart", "list"}, here);
  CHECK(listed.status == 0);
  CHECK_THAT(listed.out, Contains("\nroofline "));
  CHECK_THAT(listed.out, !Contains("findings")); // which has no picture
  CHECK_THAT(runAiwc({"report", "--many", ".", "--chart", "list"}, here).out, Contains("\nmap "));
  CHECK_THAT(refusal({"report", "p.json", "-o", "x.svg", "--chart", "findings"}, here),
             Contains("--chart findings: expected one of ranking, kernels, why, "));
  CHECK_THAT(refusal({"report", "p.json", "--chart", "roofline"}, here),
             Contains("--chart roofline: expected also -o FILE, whose name ends in .svg"));
  CHECK_THAT(refusal({"report", "p.json", "-o", "x.gif"}, here),
             Contains("x.gif: expected a name that ends in .html, .svg, .png or .pdf"));
  CHECK_THAT(refusal({"PATH=/nowhere", AIWC_COMMAND, "report", "p.json", "-o", "x.svg"},
                     {"/usr/bin/env", folder.path()}),
             Contains("as of the Debian package chromium"));
  CHECK_FALSE(std::filesystem::exists(folder / "x.svg"));
  CHECK_FALSE(std::filesystem::exists(folder / "report.html"));
}

TEST_CASE("aiwc report --many takes each folder with profiles for a program") {
  const TemporaryFolder folder;
  const auto here = Setting{.folder = folder.path()};
  const auto add = [&](const std::string &program, const std::string &kernel, uint64_t count) {
    KernelProfile profile = profileOf(kSource);
    using namespace aiwc::literals;
    profile.provenance.kernel = kernel;
    profile.setCount("total_instruction_count"_metric, count);
    std::filesystem::create_directories(folder / program);
    write(folder / (program + "/aiwc_" + kernel + "_0.json"), toJson(profile));
  };
  add("suite/one", "k", 1000);
  add("suite/two", "k", 2000);
  add("suite/two", "a", 3000);
  add("other/one", "k", 4000);
  const auto programsOf = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"report", "--many", "-o", "-"});
    const Outcome outcome = runAiwc(arguments, here);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    json data = dataIn(outcome.out);
    data.erase("run");
    return data;
  };
  const json data = programsOf({"suite", "other"});
  CHECK(
      data["programs"] ==
      json::parse(R"([{"name": "other/one", "isNew": false}, {"name": "suite/one", "isNew": false},
                        {"name": "two", "isNew": false}])"));
  REQUIRE(data["kernels"].size() == 4);
  CHECK(data["kernels"][2]["name"] == "a");
  CHECK(data["kernels"][2]["program"] == 2);
  // Neither the order of the arguments nor naming one twice changes anything.
  CHECK(programsOf({"other/one", "suite/two", "./suite/one"}) == data);
  CHECK(programsOf({"suite", "other", "suite/two/", "other/one/aiwc_k_0.json"}) == data);

  SECTION("a profile that is named is a program of its own") {
    const json files = programsOf({"suite/one/aiwc_k_0.json", "suite/two"});
    CHECK(files["programs"][0]["name"] == "aiwc_k_0");
    CHECK(files["programs"][1]["name"] == "two");
  }
  SECTION("a new program is not compared with itself") {
    const json like = programsOf({"suite", "other", "--like", "other"});
    CHECK(like["programs"] ==
          json::parse(R"([{"name": "suite/one", "isNew": false}, {"name": "two", "isNew": false},
                          {"name": "other/one", "isNew": true}])"));
    CHECK(like["kernels"][3]["program"] == 2);
  }
  SECTION("what cannot be compared is refused") {
    CHECK_THAT(refusal({"report", "--many", "suite/two"}, here),
               Contains("two: has 2 kernels that can be compared: expected at least 3"));
    CHECK_THAT(refusal({"report", "--many", "suite", "--like", "suite/one"}, here),
               Contains("suite: has 2 kernels that can be compared"));
    CHECK_THAT(refusal({"report", "suite", "--like", "other"}, here), Contains("--many"));
    CHECK_THAT(refusal({"report", "--many", "suite", "--source", "app.cl"}, here),
               Contains("--source"));
    CHECK_THAT(refusal({"report", "--many", "suite", "nosuch"}, here), Contains("nosuch"));
    CHECK_THAT(refusal({"report", "--many", "suite", "--like", "nosuch"}, here),
               Contains("nosuch"));
    CHECK_FALSE(std::filesystem::exists(folder / "report.html"));
  }
}
