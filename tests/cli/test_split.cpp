#include "../predict/machines.h"
#include "process.h"
#include "profile/json.h"
#include "support/ndrange.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace aiwc::literals;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// Devices that do `gflops` and nothing else: no latencies, memories that take no time.
void writeDevice(const std::filesystem::path &folder, const std::string &id, double gflops,
                 const std::string &lanes = R"("lane_width": {"value": 1, "source": "x"},)") {
  const auto number = [](double value) {
    return fmt::format(R"({{"value": {}, "source": "made up"}})", value);
  };
  write(folder / (id + ".json"),
        fmt::format(R"({{"schema_version": 1, "id": "{}", "name": "Made up", "vendor": "None",
          "series": "None", "type": "gpu", "year": 2020, "opencl_names": [],
          "machine": {{"cores": {}, "fp32_rate_gflops": {}, "fp64_rate_gflops": {}, "cache_bytes": {},
            "cache_line_bytes": {}, "cache_bandwidth_gb_per_s": {}, "cache_latency_us": {}, "dram_bandwidth_gb_per_s": {},
            "dram_latency_us": {}, "sync_us": {}}},
          "properties": {{{} "host_bandwidth_gb_per_s": {},
            "host_latency_us": {}}}}})",
                    id, number(1), number(gflops), number(gflops), number(1 << 20), number(64),
                    number(1e6), number(0), number(1e6), number(0), number(0), lanes, number(1),
                    number(100)));
}

/// A folder with devices and profiles, the devices being the ones that aiwc knows.
class SplitFolder : public TemporaryFolder {
public:
  SplitFolder() {
    std::filesystem::create_directory(*this / "devices");
    writeDevice(*this / "devices", "slow", 1);
    writeDevice(*this / "devices", "fast", 2);
    writeDevice(*this / "devices", "bare", 2, "");
    setenv("AIWC_DEVICES", (*this / "devices").c_str(), 1);
    writeProfile("wide", 3000, 0);
  }
  ~SplitFolder() { unsetenv("AIWC_DEVICES"); }

  /// 3e9 additions and multiplications that do not depend on each other, in `layers` work-groups,
  /// for which the host writes `bytes` bytes.
  void writeProfile(const std::string &name, uint64_t layers, uint64_t bytes) const {
    Work work;
    work.name = name;
    work.levels = {{3'000'000'000, 1}};
    auto kernel = kernelOf(work);
    setNdrange(kernel, 2, {16, 8 * layers, 1}, {16, 8, 1});
    kernel.setCount("host_to_device_bytes"_metric, bytes);
    kernel.setCount("host_to_device_transfers"_metric, bytes > 0);
    kernel.setCount("device_to_host_bytes"_metric, 0);
    kernel.setCount("device_to_host_transfers"_metric, 0);
    kernel.setCount("footprint_bytes"_metric, 500'000'000);
    write(*this / (name + ".json"), toJson(kernel));
  }

  Setting here() const { return {.folder = path()}; }
  nlohmann::json json(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"split", "--json", "--model", "automatch"});
    const Outcome outcome = runAiwc(arguments, here());
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return nlohmann::json::parse(outcome.out);
  }
};

} // namespace

TEST_CASE("aiwc split prints offsets and sizes in proportion to the speed") {
  const SplitFolder folder;
  const auto json = folder.json({"wide.json", "--devices", "slow,fast"});
  CHECK(json["devices"] == std::vector<std::string>{"slow", "fast"});
  CHECK(json["transfers"] == 0.0);
  CHECK(json["mapping"].is_null());
  REQUIRE(json["splits"].size() == 1);
  const auto &split = json["splits"][0];
  CHECK(split["file"] == "wide.json");
  CHECK(split["kernel"] == "wide");
  CHECK(split["dimension"] == "y");
  CHECK(split["work_groups"] == 3000);
  REQUIRE(split["shares"].size() == 2);
  CHECK(split["shares"][0]["work_groups"] == 1000);
  CHECK(split["shares"][0]["global_offset"] == std::vector<uint64_t>{0, 0, 0});
  CHECK(split["shares"][0]["global_size"] == std::vector<uint64_t>{16, 8000, 1});
  CHECK(split["shares"][1]["work_groups"] == 2000);
  CHECK(split["shares"][1]["global_offset"] == std::vector<uint64_t>{0, 8000, 0});
  CHECK(split["shares"][1]["global_size"] == std::vector<uint64_t>{16, 16000, 1});
  // 1e9 operations at 1 GFLOP/s; 1.5e9 for the even split; 3e9 at 2 GFLOP/s.
  CHECK(split["makespan_us"].get<double>() == Approx(1e6));
  CHECK(split["even"]["makespan_us"].get<double>() == Approx(1.5e6));
  CHECK(split["best_single"]["device"] == "fast");
  CHECK(split["best_single"]["makespan_us"].get<double>() == Approx(1.5e6));

  const Outcome table = runAiwc(
      {"split", "--model", "automatch", "wide.json", "--devices", "slow,fast"}, folder.here());
  CHECK(table.status == 0);
  CHECK(table.err.empty());
  CHECK_THAT(table.out, StartsWith("wide.json, wide, invocation 0: 3000 work-groups of 16,8, split "
                                   "along y\n"));
  CHECK_THAT(table.out, Contains("0,8000") && Contains("16,16000") && Contains("66.7 %") &&
                            Contains("evenly split 1.5 s (1.5x); fast alone 1.5 s (1.5x)\n"));
}

TEST_CASE("aiwc split shares evenly between two of a kind") {
  const SplitFolder folder;
  const auto json = folder.json({"wide.json", "--devices", "fast,fast"});
  CHECK(json["splits"][0]["shares"][0]["work_groups"] == 1500);
  CHECK(json["splits"][0]["shares"][1]["work_groups"] == 1500);
}

TEST_CASE("aiwc split --transfers and --whole-input decide who pays for itself") {
  const SplitFolder folder;
  // 6e9 bytes at 1 GB/s for everything: 2 us a millionth on each link. With its third of the data a
  // device moves 2 s and computes 1 s or 0.5 s.
  folder.writeProfile("moved", 3000, 6'000'000'000);
  const std::vector<std::string> devices = {"moved.json", "--devices", "slow,fast"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), devices.begin(), devices.end());
    return folder.json(more)["splits"][0];
  };
  CHECK(with({"--transfers", "0"})["shares"][0]["work_groups"] == 1000);
  // Finish: 6 s + 3 and 6 s + 1.5 a whole, so 7.5 : 9 of the groups: 1363.6.
  const auto exposed = with({"--transfers", "1"});
  CHECK(exposed["shares"][0]["work_groups"] == 1364);
  CHECK(exposed["makespan_us"].get<double>() == Approx(9e6 * 1364 / 3000 + 100));
  // All of it for each: 6 s before anything, then 1 : 2.
  const auto whole = with({"--transfers", "1", "--whole-input"});
  CHECK(whole["shares"][0]["work_groups"] == 1000);
  CHECK(whole["makespan_us"].get<double>() == Approx(7e6 + 100));
}

TEST_CASE("aiwc split and predict say that a run has no transfers that --transfers could add") {
  const SplitFolder folder;
  folder.writeProfile("moved", 3000, 6'000'000'000);
  folder.writeProfile("still", 3000, 0);
  const auto said = [&](const char *command, const char *profile, const char *share) {
    const Outcome outcome = runAiwc(
        {command, profile, "--devices", "slow,fast", "--model", "automatch", "--transfers", share},
        folder.here());
    CHECK(outcome.status == 0);
    return (outcome.out + outcome.err).find("--transfers adds nothing: ") != std::string::npos;
  };
  for (const char *command : {"split", "predict"}) {
    CHECK(said(command, "still.json", "1"));
    CHECK_FALSE(said(command, "still.json", "0"));
    CHECK_FALSE(said(command, "moved.json", "1"));
  }
}

TEST_CASE("aiwc split between all devices leaves out those that lack a parameter") {
  const SplitFolder folder;
  const auto json = folder.json({"wide.json", "--devices", "all"});
  CHECK(json["devices"] == std::vector<std::string>{"fast", "slow"}); // by id
  REQUIRE(json["left_out"].size() == 1);
  CHECK(json["left_out"][0]["device"] == "bare");
  CHECK(json["left_out"][0]["lacks"] == "lane_width");
  CHECK(json["splits"][0]["shares"][0]["work_groups"] == 2000);
  CHECK_THAT(
      runAiwc({"split", "--model", "automatch", "wide.json", "--devices", "all"}, folder.here())
          .out,
      Contains("left out: bare, whose file has no lane_width\n"));
}

TEST_CASE("aiwc split maps several kernels, data that move included") {
  const SplitFolder folder;
  folder.writeProfile("second", 3000, 0);
  const auto json = folder.json({"wide.json", "second.json", "--devices", "slow,fast"});
  REQUIRE(json["splits"].size() == 2);
  const auto &mapping = json["mapping"];
  REQUIRE(mapping["steps"].size() == 2);
  for (const auto &step : mapping["steps"]) {
    CHECK(step["device"] == "fast");
    CHECK(step["migration_us"] == 0.0);
    CHECK(step["kernel_us"].get<double>() == Approx(1.5e6));
  }
  CHECK(mapping["steps"][1]["file"] == "second.json");
  CHECK(mapping["total_us"].get<double>() == Approx(3e6));
  CHECK(mapping["best_single"]["device"] == "fast");
  const Outcome table = runAiwc(
      {"split", "--model", "automatch", "wide.json", "second.json", "--devices", "slow,fast"},
      folder.here());
  CHECK_THAT(table.out, Contains("the 2 kernels one after the other") &&
                            Contains("all done after 3.0 s; fast alone 3.0 s (1x)"));
}

TEST_CASE("a list of one device is a list") {
  const SplitFolder folder;
  const auto split = folder.json({"wide.json", "--devices", "slow"})["splits"][0];
  REQUIRE(split["shares"].size() == 1);
  CHECK(split["shares"][0]["share"] == 1.0);
  CHECK(split["shares"][0]["work_groups"] == split["work_groups"]);
}

TEST_CASE("aiwc split refuses in one line what it cannot answer") {
  const SplitFolder folder;
  const auto here = folder.here();
  CHECK_THAT(refusal({"split", "--devices", "slow,fast"}, here), Contains("RUN is required"));
  CHECK_THAT(refusal({"split", "wide.json", "--devices", "slow,none"}, here), Contains("none"));
  CHECK_THAT(refusal({"split", "wide.json", "--devices", "slow,,fast"}, here), Contains("device"));
  for (const char *ratio : {"nan", "-0.1", "1.5", "inf"})
    CHECK_THAT(
        refusal({"split", "wide.json", "--devices", "slow,fast", "--transfers", ratio}, here),
        StartsWith("aiwc split: --transfers is "));
  CHECK_THAT(
      refusal({"split", "--model", "automatch", "wide.json", "--devices", "slow,bare"}, here),
      StartsWith("wide.json: device bare: no lane_width"));
  CHECK_THAT(refusal({"split", "wide.json", "--devices", "slow,fast", "--dimension", "z"}, here),
             StartsWith("wide.json: provenance.work_dim is 2"));
  CHECK_THAT(refusal({"split", "wide.json", "--devices", "slow,fast", "--dimension", "w"}, here),
             Contains("--dimension"));
  CHECK_THAT(refusal({"split", "missing.json", "--devices", "slow,fast"}, here),
             StartsWith("missing.json: "));
  CHECK_THAT(refusal({"split", "devices", "--devices", "slow,fast"}, here),
             StartsWith("devices: has no profiles"));
  auto kernel = aiwc::profile::readProfile(folder / "wide.json");
  kernel.complete = false;
  kernel.reason = "aborted";
  write(folder / "cut.json", toJson(kernel));
  CHECK_THAT(refusal({"split", "wide.json", "cut.json", "--devices", "slow,fast"}, here),
             StartsWith("cut.json: "));
}
