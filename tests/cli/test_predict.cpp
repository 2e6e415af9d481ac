#include "../predict/machines.h"
#include "automatch/automatch_model.h"
#include "predict/costed_launch.h"
#include "predict/device_json.h"
#include "process.h"
#include "profile/json.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace aiwc::test;
using namespace aiwc::predict;
using aiwc::profile::KernelProfile;
using aiwc::profile::Metric;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using Json = nlohmann::json;

namespace {

/// The devices of AutoMatch's table in `devices/`, the triad and the factorisation in `profiles/`.
class Workplace {
public:
  Workplace() {
    std::filesystem::create_directory(folder_ / "devices");
    std::filesystem::create_directory(folder_ / "profiles");
    for (const DeviceProfile &device : automatchDevices())
      addDevice(device);
    addProfile("profiles/aiwc_factorisation_0.json", kernelOf(factorisation()));
    addProfile("profiles/aiwc_triad_0.json", kernelOf(triad()));
    addProfile("profiles/aiwc_triad_1.json", kernelOf(triad()));
  }
  void addDevice(DeviceProfile device) const {
    device.vendor = device.series = "test";
    device.year = 2017;
    write(folder_ / ("devices/" + device.id + ".json"), aiwc::predict::toJson(device));
  }
  void addProfile(const std::string &file, const KernelProfile &kernel) const {
    write(folder_ / file, aiwc::profile::toJson(kernel));
  }
  Setting here() const { return {.folder = folder_.path()}; }

private:
  TemporaryFolder folder_;
};

using Words = std::vector<std::string>;

/// A stream of `bytes` bytes, for the idiom model.
KernelProfile streaming(uint64_t bytes) {
  aiwc::profile::AccessRow row{.array = "a", .accesses = bytes / 4, .bytes = bytes};
  row.footprint = bytes;
  row.laneStride = 4;
  row.idiom = aiwc::profile::Idiom::kStream;
  KernelProfile kernel = kernelOf(triad());
  kernel.accesses = {row};
  return kernel;
}

/// By AutoMatch's equations, whose results have closed forms.
Words with(Words arguments) {
  arguments.insert(arguments.begin(),
                   {"--device-dir", "devices", "predict", "--model", "automatch"});
  return arguments;
}

std::string output(const Workplace &workplace, const Words &arguments) {
  const OnlyDevicesOf only(workplace.here().folder / "devices");
  Words all = with(arguments);
  if (std::ranges::find(all, "--devices") == all.end())
    all.insert(all.end(), {"--devices", "all"});
  const Outcome outcome = runAiwc(all, workplace.here());
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  return outcome.out;
}

std::vector<std::vector<std::string>> csvRows(const std::string &text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream fields(line + ",");
    for (std::string field; std::getline(fields, field, ',');)
      rows.back().push_back(field);
  }
  return rows;
}

} // namespace

TEST_CASE("aiwc predict --json says what the model says") {
  const Workplace workplace;
  const Json json = Json::parse(output(workplace, {"profiles", "--json"}));
  CHECK(json["model"] == "automatch");
  CHECK(json["ruled_out"].empty());
  REQUIRE(json["kernels"].size() == 2);
  const Json &product = json["kernels"][1];
  CHECK(product["kernel"] == "triad");
  CHECK(product["invocations"] == 2);
  REQUIRE(product["devices"].size() == 5);
  const DeviceProfile k20x = automatchDevices()[4];
  const Cost cost = CostedLaunch(kernelOf(triad()), aiwc::automatch::AutomatchModel()).cost(k20x);
  const Json &best = product["devices"][0];
  CHECK(best["device"] == "arc5");
  CHECK(best["what_if"].is_null());
  CHECK(best["rank"] == 1);
  CHECK(best["relative_time"] == 1);
  CHECK(best["bound_by"] == "dram");
  CHECK(best["time_us"].get<double>() == Approx(2 * cost.seconds * 1e6));
  CHECK(best["terms"]["compute_us"].get<double>() == Approx(2 * cost.terms[0] * 1e6));
  CHECK(best["terms"]["synchronization_us"].get<double>() == Approx(13));
  CHECK(best["terms"]["transfers_us"] == 0);
  CHECK(best["energy_j"].is_null()); // the table has no TDP
  CHECK(json["application"]["invocations"] == 3);
  CHECK(json["application"]["devices"].size() == 5);
}

TEST_CASE("aiwc predict --csv has a row per kernel and device, and the application's") {
  const Workplace workplace;
  const auto rows = csvRows(output(workplace, {"profiles", "--csv"}));
  REQUIRE(rows.size() == 1 + 3 * 5);
  for (const auto &row : rows)
    CHECK(row.size() == rows[0].size());
  const auto column = [&](const char *name) {
    return static_cast<size_t>(std::ranges::find(rows[0], name) - rows[0].begin());
  };
  double total = 0;
  for (const auto &row : rows)
    if (row[column("device")] == "arc3")
      total += (row[column("kernel")] == "*" ? -1 : 1) * std::stod(row[column("time_us")]);
  CHECK(total == Approx(0).margin(1e-9));
}

TEST_CASE("times that were measured of a run's launches stand beside the predicted ones") {
  const Workplace workplace;
  // On arc1: 2 ms of both launches of the triad, from their start to their end; of arc5 a doubtful
  // time, which is none.
  write(workplace.here().folder / "profiles/times.csv",
        "profiles,doubt,device,time_us,clock\n"
        "aiwc_triad_0.json aiwc_triad_1.json,,arc1,2000,kernel\n"
        "aiwc_triad_0.json aiwc_triad_1.json,another clock,arc5,1,kernel\n");
  const Json json = Json::parse(output(workplace, {"profiles", "--json"}));
  const auto on = [](const Json &devices, const char *id) {
    return *std::ranges::find_if(devices, [&](const Json &one) { return one["device"] == id; });
  };
  const Json arc1 = on(json["kernels"][1]["devices"], "arc1");
  CHECK(arc1["measured"]["launches"] == 2);
  CHECK(arc1["measured"]["time_us"].get<double>() == Approx(2000));
  CHECK(arc1["measured"]["predicted_us"] == arc1["time_us"]);
  CHECK(arc1["measured"]["ratio"].get<double>() == Approx(2000 / arc1["time_us"].get<double>()));
  CHECK(on(json["kernels"][1]["devices"], "arc5")["measured"].is_null());
  CHECK(on(json["kernels"][0]["devices"], "arc1")["measured"].is_null());
  // Of the application two of three launches: the ratio is theirs.
  const Json whole = on(json["application"]["devices"], "arc1");
  CHECK(whole["measured"]["launches"] == 2);
  CHECK(whole["measured"]["predicted_us"] == arc1["time_us"]);

  // The device is shown even if others are faster; a changed device was not measured.
  const std::string text =
      output(workplace, {"profiles", "--top", "1", "--what-if", "dram_bandwidth=2x"});
  CHECK_THAT(text,
             Contains("  measured  / predicted  ") && Contains("2.9 ms    2.0 ms         0.70  ") &&
                 Contains("2.0 ms (2 of 3 launches)") &&
                 Contains("times are from a kernel's start to its end, as the measured ones"));
  CHECK_THAT(output(workplace, {"profiles", "--time", "queued"}),
             !Contains("2.0 ms (2 of 3") &&
                 Contains("not shown: measured times of arc1, which are from a kernel's start to "
                          "its end: --time kernel"));
  const auto rows = csvRows(output(workplace, {"profiles", "--csv"}));
  const auto column = [&](const char *name) {
    return static_cast<size_t>(std::ranges::find(rows[0], name) - rows[0].begin());
  };
  for (const auto &row : rows)
    if (row[column("kernel")] == "triad")
      CHECK(row[column("measured_us")] == (row[column("device")] == "arc1" ? "2000.0" : "NaN"));
}

TEST_CASE("aiwc predict prints a table by rank, for the application last") {
  const Workplace workplace;
  const std::string text = output(workplace, {"profiles", "--devices", "arc1,arc5"});
  CHECK_THAT(text, StartsWith("factorisation, 1 launch\n"));
  const size_t triadAt = text.find("\ntriad, 2 launches\n");
  // Profiles without a run do not say whether they are all.
  const size_t wholeAt = text.find("\nthese kernels together, 3 launches\n");
  REQUIRE(triadAt != std::string::npos);
  REQUIRE(wholeAt != std::string::npos);
  CHECK(triadAt < wholeAt);
  const std::string part = text.substr(triadAt, wholeAt - triadAt);
  // Twice 176.08 us: tests/automatch/test_costs.cpp has the arithmetic.
  CHECK_THAT(part, Contains("\n  arc5    350 us          1.0  DRAM (89 %)") &&
                       Contains("\n  arc1    2.9 ms          8.2  DRAM (93 %)"));
}

TEST_CASE("aiwc predict takes single files, and kernels whose work is not floating point") {
  const Workplace workplace;
  Work integer;
  integer.name = "crc";
  integer.intOps = 5000;
  integer.nodes = 8000;
  integer.depth = 100;
  workplace.addProfile("crc.json", kernelOf(integer));
  const std::string text = output(workplace, {"crc.json", "--devices", "arc5"});
  CHECK_THAT(text, StartsWith("crc, 1 launch\n"));
  const Json json = Json::parse(output(workplace, {"crc.json", "--json"}));
  CHECK(json["kernels"][0]["devices"].size() == 5);
}

TEST_CASE("aiwc predict leaves the incomplete profiles of a folder out, and says so in one line") {
  const Workplace workplace;
  const std::string complete = output(workplace, {"profiles", "--csv"});
  KernelProfile cut = kernelOf(triad());
  cut.complete = false;
  cut.reason = "the host ended";
  workplace.addProfile("profiles/aiwc_triad_2.json", cut);
  const OnlyDevicesOf only(workplace.here().folder / "devices");
  const Outcome one = runAiwc(with({"profiles", "--csv", "--devices", "all"}), workplace.here());
  CHECK(one.status == 0);
  CHECK(one.out == complete);
  CHECK(one.err == "aiwc predict: 1 of 4 profiles left out, because it is "
                   "incomplete: profiles/aiwc_triad_2.json\n");
  workplace.addProfile("profiles/aiwc_triad_3.json", cut);
  const Outcome two = runAiwc(with({"profiles", "--csv", "--devices", "all"}), workplace.here());
  CHECK(two.out == complete);
  CHECK_THAT(two.err, StartsWith("aiwc predict: 2 of 5 profiles left out, ") &&
                          EndsWith("profiles/aiwc_triad_2.json, ...\n"));
  // Who names it, or has no other, is told that it cannot be used.
  CHECK(refusal(with({"profiles", "profiles/aiwc_triad_2.json", "--devices", "all"}),
                workplace.here()) ==
        "profiles/aiwc_triad_2.json: complete is false (the host ended): expected a profile of a "
        "whole invocation");
  std::filesystem::create_directory(workplace.here().folder / "cut");
  workplace.addProfile("cut/aiwc_triad_0.json", cut);
  CHECK_THAT(refusal(with({"cut", "--devices", "all"}), workplace.here()),
             StartsWith("cut/aiwc_triad_0.json: "));
}

TEST_CASE("aiwc predict mentions the errors that the simulator reported") {
  const Workplace workplace;
  CHECK_THAT(output(workplace, {"profiles"}), !Contains("simulator"));
  KernelProfile wrong = kernelOf(triad());
  wrong.simulatorErrors = 17;
  workplace.addProfile("profiles/aiwc_triad_2.json", wrong);
  CHECK_THAT(output(workplace, {"profiles"}),
             Contains("\nthe simulator reported 17 errors in 1 of 3 launches of triad; their "
                      "profiles may not describe a\ncorrect run\n"));
  const Json json = Json::parse(output(workplace, {"profiles", "--json"}));
  CHECK(json["kernels"][0]["simulator_errors"] == 0);
  CHECK(json["kernels"][1]["simulator_errors"] == 17);
  for (const auto &row : csvRows(output(workplace, {"profiles", "--csv"})))
    if (row[0] == "triad" || row[0] == "*")
      CHECK(row[row.size() - 2] == "17");
}

TEST_CASE("aiwc predict --what-if sets the changed device beside the one there is") {
  const Workplace workplace;
  const Json json =
      Json::parse(output(workplace, {"profiles/aiwc_triad_0.json", "--devices", "arc5", "--what-if",
                                     "dram_bandwidth=2x,cores=128", "--json"}));
  const Json &devices = json["kernels"][0]["devices"];
  REQUIRE(devices.size() == 2);
  CHECK(devices[0]["what_if"] == "dram_bandwidth=2x,cores=128");
  CHECK(devices[1]["what_if"].is_null());
  CHECK(devices[0]["terms"]["dram_us"].get<double>() ==
        Approx(devices[1]["terms"]["dram_us"].get<double>() / 2));
  CHECK(devices[0]["terms"]["compute_us"].get<double>() * 1e3 ==
        Approx(2 / 0.42 + 2097152 / (128 * 0.42)));
}

TEST_CASE("aiwc predict rules out what lacks a parameter, and refuses it where it is named") {
  const Workplace workplace;
  DeviceProfile single = automatchDevices()[4];
  single.id = "single";
  single.set(Parameter::kFp32Rate, 1, "test");
  single.quantities[static_cast<size_t>(Parameter::kFp64Rate)].reset();
  workplace.addDevice(single);
  const std::string text = output(workplace, {"profiles"});
  CHECK_THAT(text, Contains("left out: single, whose file has no fp64_rate_gflops\n"));
  const Json json = Json::parse(output(workplace, {"profiles", "--json"}));
  REQUIRE(json["ruled_out"].size() == 1);
  CHECK(json["ruled_out"][0]["device"] == "single");
  CHECK(json["ruled_out"][0]["missing"] == Words{"fp64_rate_gflops"});
  const auto rows = csvRows(output(workplace, {"profiles", "--csv"}));
  CHECK(std::ranges::count_if(rows, [](const auto &row) { return row[2] == "single"; }) == 1);
  CHECK(rows.back()[2] == "single");
  CHECK(rows.back().back() == "fp64_rate_gflops");
  CHECK(rows.back().size() == rows[0].size());

  CHECK_THAT(refusal(with({"profiles", "--devices", "arc1,single"}), workplace.here()),
             StartsWith("device single: no fp64_rate_gflops, which"));
  CHECK_THAT(output(workplace, {"profiles", "--devices", "single", "--what-if", "fp64_rate=1"}),
             Contains("  single [fp64_rate=1]") && Contains("left out: single, whose"));
}

TEST_CASE("aiwc predict refuses bad input in one line that names file and field") {
  const Workplace workplace;
  const Setting here = workplace.here();
  const auto refusalOf = [&](Words arguments) { return refusal(with(std::move(arguments)), here); };
  KernelProfile kernel = kernelOf(triad());
  kernel.complete = false;
  kernel.reason = "aborted";
  workplace.addProfile("incomplete.json", kernel);
  CHECK(refusalOf({"profiles", "incomplete.json"}) ==
        "incomplete.json: complete is false (aborted): expected a profile of a whole invocation");
  std::string text = aiwc::profile::toJson(kernelOf(triad()));
  const auto replaced = [&](const std::string &from, const std::string &to) {
    std::string copy = text;
    return copy.replace(copy.find(from), from.size(), to);
  };
  write(here.folder / "newer.json", replaced("\"schema_version\": ", "\"schema_version\": 99"));
  CHECK_THAT(refusalOf({"newer.json"}), StartsWith("newer.json:") && Contains("schema_version 99"));
  write(here.folder / "nan.json",
        replaced("\"instruction_mix_factor\": 1.0", "\"instruction_mix_factor\": NaN"));
  CHECK_THAT(refusalOf({"nan.json"}), StartsWith("nan.json:"));
  write(here.folder / "null.json",
        replaced("\"instruction_mix_factor\": 1.0", "\"instruction_mix_factor\": null"));
  CHECK_THAT(refusalOf({"null.json"}),
             StartsWith("null.json: metrics.instruction_mix_factor has no value: expected 0.5"));
  std::filesystem::create_directory(here.folder / "empty");
  CHECK_THAT(refusalOf({"empty"}), StartsWith("empty: has no profiles"));
  CHECK_THAT(refusalOf({"missing.json"}),
             StartsWith("missing.json: there is no such file or folder"));
  CHECK_THAT(refusalOf({"profiles", "--devices", "arc9"}), Contains("arc9"));
  CHECK_THAT(refusalOf({"profiles", "--devices", ""}), Contains("device"));
  CHECK_THAT(refusal({"--device-dir", "empty", "predict", "profiles"}, here),
             Contains("/empty: has no device files"));
  for (const char *ratio : {"-0.5", "1.5", "nan"})
    CHECK_THAT(refusalOf({"profiles", "--transfers=" + std::string(ratio)}),
               StartsWith("aiwc predict: --transfers is ") && Contains("expected 0 to 1"));
  CHECK_THAT(refusalOf({"profiles", "--transfers", "half"}), Contains("--transfers"));
  CHECK(refusalOf({"profiles", "--top", "0"}) ==
        "aiwc predict: --top: 0: expected a number above 0: see aiwc predict --help");
  CHECK_THAT(refusalOf({"profiles", "--top", "few"}), Contains("--top"));
  CHECK(refusalOf({"profiles", "--devices", "gtx1080,"}) ==
        "no device \"\": expected ids with commas between them, and no blanks");
  CHECK_THAT(refusalOf({"profiles", "--what-if", "dram_bandwidth=fast"}),
             StartsWith("aiwc predict: --what-if: dram_bandwidth is fast: expected "));
  CHECK_THAT(refusalOf({"profiles", "--what-if", ""}), StartsWith("aiwc predict: --what-if"));
  CHECK_THAT(refusalOf({"profiles", "--json", "--csv"}), Contains("--json"));
  CHECK_THAT(refusalOf({}), Contains("RUN is required"));
}

TEST_CASE("aiwc predict uses the published model and all devices if nothing is said") {
  const Workplace workplace;
  const auto json = [&](Words arguments) {
    arguments.insert(arguments.begin(), {"predict", "profiles/aiwc_triad_0.json", "--json"});
    const Outcome outcome = runAiwc(arguments, workplace.here());
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return Json::parse(outcome.out);
  };
  const Json published = json({});
  CHECK(published["model"] == "published");
  CHECK(published["transfer_ratio"] == 0.0);
  CHECK(published == json({"--model", "published", "--devices", "all"}));
  const Json &devices = published["kernels"][0]["devices"];
  CHECK(devices.size() > 60);
  size_t known = 0;
  for (const Json &device : devices) {
    CHECK(device["device"] != "sx-aurora-ve20b"); // without OpenCL
    CHECK(device["low_us"] < device["time_us"]);
    CHECK(device["time_us"] < device["high_us"]);
    known += device["known_device"] == true ? 1 : 0;
  }
  CHECK(known >= 15);
  const Json cpus = json({"--devices", "cpu"});
  CHECK(cpus["kernels"][0]["devices"].size() > 5);
  CHECK(cpus["kernels"][0]["devices"].size() < devices.size() / 2);
}

TEST_CASE("aiwc predict --top changes the table only") {
  const Workplace workplace;
  const auto table = [&](Words arguments) {
    arguments.insert(arguments.begin(), {"predict", "profiles/aiwc_triad_0.json", "--devices",
                                         "gtx1080,k20m,i7-6700k"});
    const Outcome outcome = runAiwc(arguments, workplace.here());
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    return outcome.out;
  };
  const auto rows = [](const std::string &text) {
    return std::ranges::count(text.substr(0, text.find("\n\n")), '\n');
  };
  CHECK(rows(table({})) == 1 + 3);                 // the heading is the first line
  CHECK(rows(table({"--top", "2"})) == 1 + 2 + 1); // and how many more
  CHECK_THAT(table({"--top", "2"}), Contains("... and 1 more, slower"));
  const auto refused = [&](Words arguments) {
    arguments.insert(arguments.begin(), {"predict", "profiles", "--devices", "gtx1080"});
    return refusal(arguments, workplace.here());
  };
  CHECK_THAT(refused({"--time", "quick"}), Contains("quick not in {kernel,pipelined,queued}"));
  CHECK_THAT(refused({"--top", "0"}), Contains("--top"));
  CHECK_THAT(refused({"--model", "none.json"}), StartsWith("none.json: cannot be read"));
}

TEST_CASE("aiwc predict --model idiom: devices with curves, and the others left out") {
  const Workplace workplace;
  workplace.addProfile("stream.json", streaming(1000000));
  DeviceProfile measured = namedDevice("measured");
  measured.measurements.emplace();
  measured.measurements->by = measured.measurements->device = measured.measurements->driver =
      "test";
  measured.measurements->idioms = {{aiwc::profile::Idiom::kStream, {{1000, 20, 0}}, 0}};
  workplace.addDevice(measured);
  const OnlyDevicesOf only(workplace.here().folder / "devices");
  const Words arguments = {"predict", "--model", "idiom"};
  const auto with = [&](Words more) {
    Words all = arguments;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };

  const Outcome outcome =
      runAiwc(with({"--json", "--devices", "all", "stream.json"}), workplace.here());
  CHECK(outcome.err.empty());
  REQUIRE(outcome.status == 0);
  const Json json = Json::parse(outcome.out);
  CHECK(json["model"] == "idiom");
  REQUIRE(json["application"]["devices"].size() == 1);
  const Json &device = json["application"]["devices"][0];
  CHECK(device["device"] == "measured");
  CHECK(device["time_us"].get<double>() == Approx(50)); // 10^6 bytes at 20 GB/s
  CHECK(device["bound_by"] == "stream");
  CHECK(json["ruled_out"].size() == 5);
  CHECK(json["ruled_out"][0]["missing"] == Json({"measurements.idioms.stream"}));

  CHECK_THAT(runAiwc(with({"stream.json", "--devices", "all"}), workplace.here()).out,
             EndsWith("left out: 5 devices, whose profiles have no measurements.idioms.stream\n"));
  CHECK(refusal(with({"--devices", "arc5", "stream.json"}), workplace.here()) ==
        "device arc5: no measurements.idioms.stream, which this prediction needs: "
        "expected the curves of aiwc devices measure");
  CHECK_THAT(refusal(with({"profiles/aiwc_triad_0.json", "--devices", "all"}), workplace.here()),
             StartsWith("profiles/aiwc_triad_0.json: accesses is missing: expected a profile"));
}
