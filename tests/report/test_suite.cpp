// The data of the page of many programs, and its HTML, from profiles that programs or an attacker
// have made.
#include "common/error.h"
#include "predict/costed_launch.h"
#include "predict/prediction.h"
#include "profile/metric.h"
#include "report/fixtures.h"
#include "report/page.h"

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

KernelProfile launchOf(const std::string &name, uint64_t instructions) {
  KernelProfile profile = profileNamed(name);
  profile.setCount("total_instruction_count"_metric, instructions);
  profile.setCount("fp_ops_f64"_metric, 0);
  return profile;
}

struct Suite {
  std::deque<KernelProfile> profiles;
  SuitePage page;

  Suite() {
    page.name = "suite";
    page.devices = {gpu("a"), gpu("b")};
    page.chosen = {"a", "b"};
    page.model = &predict::publishedModel();
  }
  /// A program with one kernel, which has these launches.
  Run runOf(const std::string &program, const std::vector<KernelProfile> &launches) {
    ReportedKernel kernel{.title = "title", .launches = {}};
    for (const KernelProfile &launch : launches) {
      profiles.push_back(launch);
      kernel.launches.push_back(&profiles.back());
    }
    kernel.main = kernel.launches.front();
    return {program, {kernel}};
  }
  void add(const std::string &program, const std::vector<KernelProfile> &launches) {
    page.programs.push_back(runOf(program, launches));
  }
  json data() const { return json::parse(dataJson(page)); }
};

/// Three programs whose kernels differ.
Suite three() {
  Suite suite;
  suite.add("c", {launchOf("k", 1'000'000)});
  suite.add("a", {launchOf("k", 2'000'000), launchOf("k", 3'000'000)});
  suite.add("b", {launchOf("k", 4'000'000)});
  return suite;
}

} // namespace

TEST_CASE("programs are sorted by name, and their longest launch has the metrics") {
  Suite suite = three();
  const json data = suite.data();
  REQUIRE(data["kernels"].size() == 3);
  CHECK(data["programs"][0]["name"] == "a");
  CHECK(data["programs"][2]["name"] == "c");
  CHECK(data["kernels"][0]["program"] == 0);
  CHECK(data["kernels"][0]["launches"] == 2);
  const size_t at = profile::index("total_instruction_count"_metric);
  CHECK(data["kernels"][0]["metrics"].size() == profile::kMetricCount);
  CHECK(data["kernels"][0]["metrics"][at] == 3'000'000);
  CHECK(data["kernels"][2]["metrics"][at] == 1'000'000);
  CHECK(data["catalogue"][at]["key"] == "total_instruction_count");

  std::swap(suite.page.programs.front(), suite.page.programs.back());
  CHECK(suite.data() == data);
}

TEST_CASE(
    "the time of a kernel is the sum over its launches, where the device has what they need") {
  Suite suite = three();
  KernelProfile needy = launchOf("k", 5'000'000);
  needy.setCount("fp_ops_f64"_metric, 1000);
  suite.add("d", {needy});
  suite.page.devices[1].quantities[static_cast<size_t>(predict::Parameter::kFp64Rate)].reset();
  const json data = suite.data();
  for (size_t d = 0; d < suite.page.devices.size(); ++d) {
    const auto microseconds = [&](const KernelProfile &launch) {
      return 1e6 *
             predict::CostedLaunch(launch, *suite.page.model).cost(suite.page.devices[d]).seconds;
    };
    CHECK(data["kernels"][0]["times"][d]["micros"].get<double>() ==
          Approx(microseconds(suite.profiles[1]) + microseconds(suite.profiles[2])));
  }
  CHECK(data["kernels"][3]["times"][0]["micros"].get<double>() > 0);
  CHECK(data["kernels"][3]["times"][1].is_null());
}

TEST_CASE("new programs come after the others and count for nothing else") {
  Suite suite = three();
  const json before = suite.data();
  suite.page.newPrograms.push_back(suite.runOf("0", {launchOf("k", 6'000'000)}));
  json after = suite.data();
  REQUIRE(after["programs"].size() == 4);
  CHECK(after["programs"][3] == json::parse(R"({"name": "0", "isNew": true})"));
  CHECK(after["kernels"][3]["program"] == 3);
  after["programs"].erase(3);
  after["kernels"].erase(3);
  CHECK(after == before);
}

TEST_CASE(
    "what the model cannot use is left out and named, and fewer than three kernels are refused") {
  Suite suite = three();
  KernelProfile cut = launchOf("k", 9'000'000);
  cut.complete = false;
  cut.reason = "it was killed";
  suite.add("d", {cut, launchOf("k", 5'000'000)});
  suite.add("e", {cut});
  const json data = suite.data();
  REQUIRE(data["kernels"].size() == 4);
  CHECK(data["programs"].size() == 4);
  CHECK(data["kernels"][3]["launches"] == 1);
  CHECK(data["kernels"][3]["metrics"][profile::index("total_instruction_count"_metric)] ==
        5'000'000);
  REQUIRE(data["leftOut"].size() == 2);
  CHECK_THAT(data["leftOut"][0].get<std::string>(),
             Contains("d, k: 1 of 2 launches: complete is false (it was killed)"));
  CHECK_THAT(data["leftOut"][1].get<std::string>(),
             Contains("e, k: 1 of 1 launch: complete is false (it was killed)"));

  suite.page.newPrograms.push_back(suite.runOf("new", {cut}));
  CHECK_THROWS_WITH(suite.data(), Contains("new: has no kernel that can be compared"));
  suite.page.newPrograms.clear();
  suite.page.programs.resize(2);
  CHECK_THROWS_WITH(suite.data(),
                    Contains("suite: has 2 kernels that can be compared: expected at least 3"));
  suite.page.chosen = {"c"};
  CHECK_THROWS_WITH(suite.data(), Contains("device c: expected one of the page's devices"));
}

TEST_CASE("names of programs are text, whatever they contain") {
  Suite suite = three();
  const std::string plain = html(suite.page);
  suite.page.name = kHostile;
  suite.add(kHostile + std::string(100000, 'n'), {launchOf(kHostile, 7'000'000)});
  suite.page.newPrograms.push_back(suite.runOf(kHostile, {launchOf(kHostile, 8'000'000)}));
  const std::string page = html(suite.page);
  for (const char *element : {"<script", "</script", "<!--", "<title", "<div"})
    CHECK(count(page, element) == count(plain, element));
  CHECK(page.find('\x01') == std::string::npos);
  CHECK(page.find('\xff') == std::string::npos);
  CHECK(page.size() < plain.size() + 10000);
}

TEST_CASE("a page of 500 kernels stays below a megabyte") {
  Suite suite;
  for (uint64_t i = 0; i < 500; ++i)
    suite.add("program_" + std::to_string(i / 3),
              {launchOf("kernel_" + std::to_string(i), 1'000'003 * (i + 1))});
  CHECK(html(suite.page).size() < 1'000'000);
}
