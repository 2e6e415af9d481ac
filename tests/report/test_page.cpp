// The page's data and its HTML, from profiles that a program, a file or an attacker has made.
#include "advice/source_code.h"
#include "common/error.h"
#include "processes/clang_tokens.h"
#include "profile/reuse.h"
#include "report/fixtures.h"
#include "report/page.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace aiwc;
using namespace aiwc::literals;
using namespace aiwc::report;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using nlohmann::json;
using profile::KernelProfile;

namespace {

struct Made {
  std::deque<KernelProfile> profiles;
  Page page;

  Made() {
    page.run.name = "run";
    page.devices = {gpu("a"), gpu("b")};
    page.chosen = {"a", "b"};
    page.model = &predict::publishedModel();
  }
  ReportedKernel &add(KernelProfile profile) {
    profiles.push_back(std::move(profile));
    return page.run.kernels.emplace_back(
        ReportedKernel{.title = "title", .launches = {&profiles.back()}, .main = &profiles.back()});
  }
  json data() const { return json::parse(dataJson(page)); }
};

/// The blocks of the first kernel's source.
json sourceOf(const json &data) {
  return data["sources"][data["kernels"][0]["source"].get<size_t>()];
}

} // namespace

TEST_CASE("the data has every metric of the main launch and every device") {
  Made made;
  made.add(profileNamed("k"));
  const json data = made.data();
  REQUIRE(data["kernels"].size() == 1);
  CHECK(data["kernels"][0]["metrics"].size() == profile::kMetricCount);
  CHECK(data["catalogue"].size() == profile::kMetricCount);
  for (size_t i = 0; i < profile::kMetricCount; ++i)
    if (data["catalogue"][i]["key"] == "work_items")
      CHECK(data["kernels"][0]["metrics"][i] == made.profiles[0].count("work_items"_metric));
  CHECK(data["devices"].size() == 2);
  CHECK(data["devices"][0]["peak"] == 1024 * 3);
  CHECK(data["devices"][0]["bandwidth"] == 200);
  CHECK(data["devices"][0]["caches"] == json::object());
  CHECK(data["devices"][0]["known"] == false);
  const json &times = data["kernels"][0]["times"];
  REQUIRE(times.size() == 2);
  CHECK(times[0].size() >= data["parts"].size() + 3);
  CHECK(times[0] == times[1]);
  CHECK(data["kernels"][0]["changed"].size() == data["whatIfs"].size());
  CHECK(data["kernels"][0]["lacks"] == json::object());
}

TEST_CASE("products of matrices count as operations, under a peak of their own") {
  Made made;
  ReportedKernel &kernel = made.add(profileNamed("k"));
  KernelProfile &profile = made.profiles[0];
  profile.setCount("fp_ops"_metric, 40);
  profile.setCount("int_ops"_metric, 1000000);
  CHECK(made.data()["kernels"][0]["floatingPoint"] == false);
  CHECK(made.data()["kernels"][0]["matrices"].is_null());
  CHECK(made.data()["devices"][0]["matrixPeaks"] == json::object());

  profile.setCount("matrix_ops_f16"_metric, 300);
  profile.setCount("matrix_ops_tf32"_metric, 500);
  kernel.launches.push_back(&profile);
  made.page.devices[0].set(predict::Parameter::kMatrixRate, 8, "made up"); // TFLOP/s
  const json data = made.data();
  CHECK(data["kernels"][0]["operations"] == 2 * (40 + 300 + 500));
  CHECK(data["kernels"][0]["floatingPoint"] == true);
  CHECK(data["kernels"][0]["matrices"] == "tf32"); // most of them
  CHECK(data["devices"][0]["matrixPeaks"]["16-bit"] == 8000);
  CHECK(data["devices"][0]["matrixPeaks"]["tf32"] == 4000);
}

TEST_CASE("measured times are those of all launches of a kernel, in microseconds") {
  Made made;
  made.add(profileNamed("k")).measured = {{"a", 0.25}};
  made.add(profileNamed("l"));
  const json data = made.data();
  CHECK(data["kernels"][0]["measured"] == json({{"a", 250000.0}}));
  CHECK(data["kernels"][1]["measured"] == json::object());
}

TEST_CASE("source lines keep their numbers, and long sources only those around executed ones") {
  Made made;
  KernelProfile profile = profileNamed("k");
  profile.histograms.lineRow(500).instructions = 9;
  std::string source;
  SECTION("a short source is whole") {
    for (int i = 1; i <= 600; ++i)
      source += "l" + std::to_string(i) + "\n";
    made.add(profile).source = source;
    const json blocks = sourceOf(made.data());
    REQUIRE(blocks.size() == 1);
    CHECK(blocks[0].size() == 601);
    CHECK(blocks[0][0] == 1);
    CHECK(blocks[0][500] == "l500");
  }
  SECTION("a long one is not") {
    for (int i = 1; i <= 60000; ++i)
      source += "line " + std::to_string(i) + std::string(300, 'x') + "\n";
    made.add(profile).source = source;
    const json blocks = sourceOf(made.data());
    REQUIRE(blocks.size() == 1);
    CHECK(blocks[0][0] == 497);
    CHECK(blocks[0].size() == 1 + 7);
    CHECK_THAT(blocks[0][4].get<std::string>(), Catch::Matchers::StartsWith("line 500xx"));
    CHECK(blocks[0][4].get<std::string>().size() <= 240 + 3);
  }
}

TEST_CASE("kernels of one program share its source") {
  Made made;
  for (const char *name : {"a", "b", "c"})
    made.add(profileNamed(name)).source = *name == 'c' ? "other" : "text";
  made.add(profileNamed("d"));
  const json data = made.data();
  CHECK(data["sources"] == json::parse(R"([[[1, "text"]], [[1, "other"]]])"));
  CHECK(data["kernels"][0]["source"] == 0);
  CHECK(data["kernels"][1]["source"] == 0);
  CHECK(data["kernels"][2]["source"] == 1);
  CHECK(data["kernels"][3]["source"].is_null());
}

TEST_CASE("source lines have the numbers that #line gives them, as in profiles") {
  // FFmpeg's kernels begin with a directive; profiles embedded in a source end in one.
  Made made;
  KernelProfile profile = profileNamed("k");
  std::string source;
  SECTION("at the top") {
    made.add(profile).source = "#line 1 \"app.cl\"\none\ntwo\n";
    CHECK(sourceOf(made.data()) == json::parse(R"([[1, "one", "two"]])"));
  }
  SECTION("after lines that it numbers again") {
    made.add(profile).source = "one\n//@aiwc 1\n//@aiwc 2\n  # line 2 //@aiwc end\ntwo\nthree\n";
    CHECK(sourceOf(made.data()) == json::parse(R"([[1, "one", "two", "three"]])"));
  }
  SECTION("ahead") {
    made.add(profile).source = "one\n#line 7\nseven\n#linear\n#line x\n";
    CHECK(sourceOf(made.data()) ==
          json::parse(R"([[1, "one", "#line 7"], [7, "seven", "#linear", "#line x"]])"));
  }
  SECTION("until the files that the run has appended") {
    made.add(profile).source = "#line 1 \"app.cl\"\none\n// Included from a.h:\nof a\n";
    CHECK(sourceOf(made.data()) ==
          json::parse(R"([[1, "one"], [3, "// Included from a.h:", "of a"]])"));
  }
}

TEST_CASE("names and sources are text, whatever they contain") {
  Made made;
  const std::string plain = html([] {
    static Made harmless;
    if (harmless.page.run.kernels.empty())
      harmless.add(profileNamed("k"));
    return harmless.page;
  }());
  KernelProfile profile = profileNamed(kHostile + std::string(100000, 'n'));
  profile.provenance.buildOptions = kHostile;
  profile.histograms.lineRow(1).instructions = 1;
  ReportedKernel &kernel = made.add(profile);
  const std::string source = std::string(kHostile) + "\n" + std::string(1000, '\t') + kHostile;
  kernel.source = source;
  kernel.sourceName = kHostile;
  kernel.title = kHostile;
  made.page.run.name = kHostile;
  const std::string page = html(made.page);
  // The page's own elements and no others.
  for (const char *element : {"<script", "</script", "<!--", "<title", "<div"})
    CHECK(count(page, element) == count(plain, element));
  CHECK(page.find('\x01') == std::string::npos);
  CHECK(page.find('\xff') == std::string::npos);
  CHECK(page.size() < plain.size() + 10000);
  CHECK_NOTHROW(made.data());
}

TEST_CASE("a page of 50 kernels with 100 different launches each and 100 devices is below 2 MB") {
  Made made;
  for (int d = 0; d < 98; ++d)
    made.page.devices.push_back(gpu("other_" + std::to_string(d)));
  for (int k = 0; k < 50; ++k) {
    ReportedKernel &kernel = made.add(profileNamed("kernel_" + std::to_string(k)));
    kernel.launches.clear();
    for (uint64_t i = 1; i <= 100; ++i) {
      KernelProfile profile = profileNamed("kernel_" + std::to_string(k));
      profile.setCount("total_instruction_count"_metric, 100'000'000 + 12'347 * i);
      profile.histograms.reuseDistances.clear();
      for (uint64_t bin = 0; bin < 1'000'000; bin = profile::reuseBinEnd(bin))
        profile.histograms.reuseDistances.emplace_back(bin, 1000 + i * bin % 1013);
      made.profiles.push_back(std::move(profile));
      kernel.launches.push_back(&made.profiles.back());
    }
    kernel.main = kernel.launches.back();
  }
  CHECK(html(made.page).size() < 2'000'000);
}

TEST_CASE("a device that lacks a parameter is said to lack it") {
  Made made;
  made.add(profileNamed("k"));
  made.page.devices.push_back(gpu("c"));
  made.page.devices.back().quantities[static_cast<size_t>(predict::Parameter::kClock)].reset();
  const json data = made.data();
  CHECK(data["kernels"][0]["lacks"] == json::parse(R"({"c": ["clock_ghz"]})"));
  CHECK(data["kernels"][0]["times"][2].is_null());
}

TEST_CASE("what-ifs are of the chosen devices") {
  Made made;
  made.add(profileNamed("k"));
  made.page.devices.push_back(gpu("c"));
  made.page.whatIfs = {{"clock=3", predict::parseChanges("clock=3", "test")}};
  const json data = made.data();
  REQUIRE(data["whatIfs"].back()["text"] == "clock=3");
  CHECK(data["whatIfs"].back()["devices"].size() == 2);
  const json &kernel = data["kernels"][0];
  REQUIRE(kernel["changed"].size() == data["whatIfs"].size());
  CHECK(kernel["changed"].back().size() == 2);
  CHECK(kernel["changed"].back()[0] != kernel["times"][0]);
}

TEST_CASE("kernels of one name have names that tell them apart") {
  Made made;
  KernelProfile first = profileNamed("k");
  first.provenance.sourceHash = "xxh3-128:1111111111111111";
  KernelProfile second = first;
  SECTION("by their build options") {
    second.provenance.buildOptions = "-DFAST";
    made.add(first);
    made.add(second);
    const json kernels = made.data()["kernels"];
    CHECK(kernels[0]["name"] == "k (without build options)");
    CHECK(kernels[1]["name"] == "k (-DFAST)");
    CHECK(kernels[1]["kernel"] == "k");
  }
  SECTION("by their sources") {
    second.provenance.sourceHash = "xxh3-128:2222222222222222";
    made.add(first);
    made.add(second);
    const json kernels = made.data()["kernels"];
    CHECK(kernels[0]["name"] == "k (xxh3-128:1111111)");
    CHECK(kernels[1]["name"] == "k (xxh3-128:2222222)");
  }
}

TEST_CASE("launches that cannot be predicted are left out and counted") {
  Made made;
  KernelProfile cut = profileNamed("k");
  cut.complete = false;
  cut.reason = "it was killed";
  ReportedKernel &kernel = made.add(profileNamed("k"));
  made.profiles.push_back(cut);
  kernel.launches.push_back(&made.profiles.back());
  made.add([&] {
    cut.provenance.kernel = "other";
    return cut;
  }());
  const json data = made.data();
  REQUIRE(data["kernels"].size() == 1);
  CHECK(data["kernels"][0]["launches"] == 1);
  CHECK(data["kernels"][0]["leftOut"] == 1);
  CHECK_THAT(data["kernels"][0]["leftOutReason"].get<std::string>(), Contains("it was killed"));
  REQUIRE(data["leftOut"].size() == 1);
  CHECK_THAT(data["leftOut"][0].get<std::string>(), Contains("kernel other: complete is false"));

  made.page.run.kernels.erase(made.page.run.kernels.begin());
  CHECK_THROWS_WITH(html(made.page), Contains("run: cannot be reported: kernel other"));
}

TEST_CASE("findings have their place, what they save in words, and their changes as lines") {
  Made made;
  KernelProfile profile = profileNamed("k");
  profile::LineRow &line = profile.histograms.lineRow(2);
  line.instructions = profile.count("total_instruction_count"_metric);
  line.accidentalDoubles = 1000 * line.instructions; // nothing else takes time
  line.accidentalConversions = line.instructions / 4;
  profile.setCount("fp_ops_f64"_metric, line.accidentalDoubles);
  const std::string source = "kernel void k(global float *x) {\n  *x = *x * 1.5;\n}\n";
  const advice::SourceCode code(source, processes::clangTokens(source));
  ReportedKernel &kernel = made.add(profile);
  kernel.source = source;
  kernel.code = &code;
  const json data = made.data();
  const json &findings = data["kernels"][0]["findings"];
  const auto found = std::ranges::find_if(
      findings, [](const json &one) { return one["rule"] == "accidental-double"; });
  REQUIRE(found != findings.end());
  CHECK((*found)["edits"] == json::parse(R"([[2, "  *x = *x * 1.5f;"]])"));
  CHECK_THAT((*found)["saves"].get<std::string>(),
             Contains(": saves ") && Contains(" % of the run's "));
  CHECK((*found)["notable"] == true);
  std::vector<size_t> ranks; // all of them have a place of their own
  for (const json &finding : findings)
    ranks.push_back(finding["rank"]);
  std::ranges::sort(ranks);
  for (size_t i = 0; i < ranks.size(); ++i)
    CHECK(ranks[i] == i);
  const json &row = data["kernels"][0]["lines"][0];
  CHECK(row.size() == 16 + 4);
  CHECK(row[16] == line.accidentalDoubles + line.accidentalConversions);
}

TEST_CASE("launches that represent a type of device have findings for such devices only") {
  Made made;
  KernelProfile profile = profileNamed("k");
  profile::LineRow &line = profile.histograms.lineRow(2);
  line.instructions = profile.count("total_instruction_count"_metric);
  line.accidentalDoubles = 1000 * line.instructions; // nothing else takes time
  line.accidentalConversions = line.instructions / 4;
  profile.setCount("fp_ops_f64"_metric, line.accidentalDoubles);
  made.page.devices[1].type = predict::DeviceType::kCpu;
  ReportedKernel &kernel = made.add(profile);
  kernel.seenType = "gpu";
  kernel.asked = {"CL_DEVICE_TYPE"};
  kernel.onTypes = {"gpu", "accelerator"};
  CHECK(kernel.isLaunchedOn(predict::DeviceType::kIntegratedGpu));
  CHECK(!kernel.isLaunchedOn(predict::DeviceType::kCpu));
  const json data = made.data();
  const json &shown = data["kernels"][0];
  CHECK(shown["times"][0].is_array());
  CHECK(shown["times"][1] == 0);
  CHECK(shown["main"]["splits"][0].size() == 1); // all of it on the first device
  CHECK(shown["seenType"] == "gpu");
  CHECK(shown["asked"] == json::parse(R"(["CL_DEVICE_TYPE"])"));
  REQUIRE(!shown["findings"].empty());
  for (const json &finding : shown["findings"])
    CHECK_THAT(finding["saves"].get<std::string>(), !Contains(" on b"));
}

TEST_CASE("a chosen device must be one of the page's") {
  Made made;
  made.add(profileNamed("k"));
  made.page.chosen = {"c"};
  CHECK_THROWS_WITH(html(made.page), Contains("device c: expected one of the page's devices"));
}
