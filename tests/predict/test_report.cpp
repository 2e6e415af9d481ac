/// Predictions as text: every number of a prediction made up by hand, in tables, JSON and CSV.
#include "predict/report.h"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

using namespace aiwc::predict;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// 12 us: 3 to launch, 7 of memory, 2 of transfers.
Entry fast() {
  Entry entry;
  entry.launches = 4;
  entry.cost.parts = {3e-6, 7e-6};
  entry.cost.seconds = 10e-6;
  entry.cost.boundBy = 1;
  entry.transferSeconds = 2e-6;
  entry.seconds = 12e-6;
  entry.interval = {{6e-6, 24e-6}};
  entry.rank = 1;
  entry.measured = {{2, 30e-6, 20e-6}};
  entry.energyJoules = 0.0125;
  return entry;
}

/// 30 us: 4 to launch, 6 of memory, 20 of transfers.
Entry slow() {
  Entry entry;
  entry.launches = 4;
  entry.cost.parts = {4e-6, 6e-6};
  entry.cost.seconds = 10e-6;
  entry.cost.boundBy = 1;
  entry.transferSeconds = 20e-6;
  entry.seconds = 30e-6;
  entry.interval = {{15e-6, 60e-6}};
  entry.rank = 2;
  entry.relative = 2.5;
  entry.againstBest = {{0.25, {0.8, 12.4}}};
  return entry;
}

DevicePrediction deviceOf(const std::string &id, const Entry &ofKernel, const Entry &ofAll) {
  DevicePrediction device;
  device.candidate.device.id = id;
  device.kernels = {ofKernel, ofKernel};
  device.kernels[1].launches = 0; // launched elsewhere
  device.application = ofAll;
  return device;
}

/// Two kernels on three devices; of the third the clock is not known.
Prediction onPaper() {
  Prediction prediction;
  prediction.model = "paper";
  prediction.parts = {{"launch", "launch", Term::kLaunch}, {"dram", "DRAM", Term::kDram}};
  prediction.exposedTransfers = 0.5;
  prediction.kernels = {{.name = "lud",
                         .sourceHash = "xxh3-128:12",
                         .sourceKind = "opencl-c",
                         .label = "lud of source 12",
                         .invocations = 2046,
                         .characterised = 32,
                         .sampled = 5,
                         .withErrors = 1,
                         .simulatorErrors = 7},
                        {.name = "fft",
                         .sourceKind = "opencl-c",
                         .label = "fft",
                         .invocations = 1,
                         .characterised = 1}};
  prediction.devices = {deviceOf("tortoise", slow(), slow()), deviceOf("hare", fast(), fast()),
                        deviceOf("unknown", {}, {})};
  prediction.devices[0].candidate.whatIf = "cores=8";
  prediction.devices[1].known = true;
  prediction.devices[1].kernels[1] = fast();
  prediction.devices[2].missing.add(Parameter::kClock);
  return prediction;
}

/// The cells of the lines of a table, which two blanks or more divide.
std::vector<std::vector<std::string>> cellsOf(const std::string &text) {
  std::vector<std::vector<std::string>> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::vector<std::string> cells;
    for (size_t at = begin; at < end;) {
      const size_t to = std::min(text.find("  ", at), end);
      if (to > at)
        cells.push_back(text.substr(at + (text[at] == ' '), to - at - (text[at] == ' ')));
      at = to + 2;
    }
    lines.push_back(cells);
    begin = end + 1;
  }
  return lines;
}

std::string rowOf(const std::string &csv, size_t line) {
  size_t begin = 0;
  for (; line > 0; --line)
    begin = csv.find('\n', begin) + 1;
  return csv.substr(begin, csv.find('\n', begin) - begin);
}

using Cells = std::vector<std::string>;

/// Wide enough for whole names.
constexpr aiwc::text::Terminal kWide = {.columns = 200};

} // namespace

TEST_CASE("durations have two significant digits, and one to three before the point") {
  for (const auto &[seconds, text] :
       std::vector<std::pair<double, std::string>>{{0, "0.0 ns"},
                                                   {1e-9, "1.0 ns"},
                                                   {9.94e-9, "9.9 ns"},
                                                   {9.96e-9, "10 ns"},
                                                   {99.4e-9, "99 ns"},
                                                   {99.6e-9, "100 ns"},
                                                   {123e-9, "120 ns"},
                                                   {125.1e-9, "130 ns"},
                                                   {994e-9, "990 ns"},
                                                   {996e-9, "1.0 us"},
                                                   {12.3e-6, "12 us"},
                                                   {0.00149, "1.5 ms"},
                                                   {0.9949, "990 ms"},
                                                   {0.9951, "1.0 s"},
                                                   {2.34, "2.3 s"},
                                                   {4567, "4570 s"}})
    CHECK(duration(seconds) == text);
}

TEST_CASE("a table has a row for each device, fastest first") {
  const auto lines = cellsOf(toTable(onPaper(), {.terminal = kWide}));
  REQUIRE(lines.size() > 12);
  CHECK(lines[0] == Cells{"lud of source 12, 2,046 launches, 32 of them characterised"});
  CHECK(lines[1] == Cells{"device", "time", "80 % interval", "measured", "/ predicted",
                          "of the best", "most of it", "P(faster)"});
  CHECK(lines[2] == Cells{"hare", "12 us", "6.0 us to 24 us", "30 us (2 of 4 launches)", "1.50",
                          "1.0", "DRAM (58 %)"});
  CHECK(lines[3] == Cells{"tortoise [cores=8]", "30 us", "15 us to 60 us", "2.5 (0.8 to 12)",
                          "transfers (67 %)", "25 %, tie"});
  CHECK(lines[5] == Cells{"fft, 1 launch"});
  CHECK(lines[6] == Cells{"device", "time", "80 % interval", "measured", "/ predicted",
                          "of the best", "most of it"});
  CHECK(lines[7][0] == "hare");
  CHECK(lines[9] == Cells{"these kernels together, 2,047 launches, 33 of them characterised"});
  CHECK(lines[11][0] == "hare");
  CHECK(lines[12][0] == "tortoise [cores=8]");
  const std::string text = toTable(onPaper());
  CHECK_THAT(text, Contains("\nenergy: about 12 mJ on hare if it draws") &&
                       Contains("\nleft out: unknown, whose file has no clock_ghz\n") &&
                       Contains("\n1 tie: the probability that it is faster"));
  Prediction whole = onPaper();
  whole.whole = true;
  CHECK_THAT(toTable(whole), Contains("\nthe whole application, 2,047 launches"));
}

TEST_CASE("a table shows the fastest, all that were measured, and speed-ups over a device") {
  Prediction prediction = onPaper();
  prediction.kernels.pop_back();
  for (DevicePrediction &device : prediction.devices)
    device.kernels.pop_back();
  const auto rowsOf = [&](const TableOptions &options) {
    auto lines = cellsOf(toTable(prediction, options));
    lines.erase(lines.begin());
    return lines;
  };
  auto rows = rowsOf({.top = 1, .terminal = kWide});
  CHECK(rows[1][0] == "hare");
  CHECK(rows[2] == Cells{"... and 1 more, slower (--top 2 shows all)"});
  prediction.devices[0].kernels[0].measured = {{4, 60e-6, 30e-6}};
  rows = rowsOf({.top = 1, .terminal = kWide});
  CHECK(rows[2][0] == "tortoise [cores=8]");
  CHECK(rows[2][3] == "60 us"); // all launches
  CHECK(rows[2][4] == "2.00");
  prediction.devices[0].kernels[0].againstBest->probability = 0.004;
  CHECK(rowsOf({.terminal = kWide})[2].back() == "< 1 %");
  prediction.devices[0].kernels[0].againstBest->probability = 0.1;
  CHECK(rowsOf({.terminal = kWide})[2].back() == "10 %");
}

TEST_CASE("JSON has every number of a prediction, times in microseconds") {
  const auto json = nlohmann::json::parse(toJson(onPaper()));
  CHECK(json["model"] == "paper");
  CHECK(json["transfer_ratio"] == 0.5);
  REQUIRE(json["kernels"].size() == 2);
  const auto &kernel = json["kernels"][0];
  CHECK(kernel["kernel"] == "lud");
  CHECK(kernel["source_hash"] == "xxh3-128:12");
  CHECK(kernel["invocations"] == 2046);
  CHECK(kernel["characterised_invocations"] == 32);
  CHECK(kernel["sampled_invocations"] == 5);
  CHECK(kernel["simulator_errors"] == 7);
  REQUIRE(kernel["devices"].size() == 2);
  CHECK(json["kernels"][1]["devices"].size() == 1); // the tortoise does not launch it
  const auto &first = kernel["devices"][0], &second = kernel["devices"][1];
  CHECK(first["device"] == "hare");
  CHECK(first["what_if"].is_null());
  CHECK(first["known_device"] == true);
  CHECK(first["rank"] == 1);
  CHECK(first["chance"].is_null());
  CHECK(first["relative_low"].is_null());
  CHECK(first["relative_high"].is_null());
  CHECK(first["tie"] == false);
  CHECK(first["bound_by"] == "dram");
  CHECK(first["measured"]["launches"] == 2);
  CHECK(second["what_if"] == "cores=8");
  CHECK(second["known_device"] == false);
  CHECK(second["rank"] == 2);
  CHECK(second["tie"] == true);
  CHECK(second["bound_by"] == "transfers");
  CHECK(second["energy_j"].is_null());
  CHECK(second["measured"].is_null());
  const auto number = [](const nlohmann::json &value) { return value.get<double>(); };
  for (const auto &[found, expected] :
       std::vector<std::pair<double, double>>{{number(first["time_us"]), 12},
                                              {number(first["low_us"]), 6},
                                              {number(first["high_us"]), 24},
                                              {number(first["relative_time"]), 1},
                                              {number(first["terms"]["launch_us"]), 3},
                                              {number(first["terms"]["dram_us"]), 7},
                                              {number(first["terms"]["transfers_us"]), 2},
                                              {number(first["energy_j"]), 0.0125},
                                              {number(first["measured"]["time_us"]), 30},
                                              {number(first["measured"]["predicted_us"]), 20},
                                              {number(first["measured"]["ratio"]), 1.5},
                                              {number(second["chance"]), 0.25},
                                              {number(second["relative_low"]), 0.8},
                                              {number(second["relative_high"]), 12.4},
                                              {number(second["relative_time"]), 2.5}})
    CHECK(found == Approx(expected));
  CHECK(json["application"]["invocations"] == 2047);
  CHECK(json["application"]["characterised_invocations"] == 33);
  CHECK(json["application"]["whole"] == false);
  CHECK(json["application"]["devices"].size() == 2);
  CHECK(json["application"]["devices"][1]["device"] == "tortoise");
  REQUIRE(json["ruled_out"].size() == 1);
  CHECK(json["ruled_out"][0]["device"] == "unknown");
  CHECK(json["ruled_out"][0]["missing"] == std::vector<std::string>{"clock_ghz"});
  CHECK_THAT(toJson(onPaper()), StartsWith("{\n  \"model\": \"paper\",\n"));
}

TEST_CASE("CSV has a row for each kernel and device, and for all kernels") {
  Prediction prediction = onPaper();
  const std::string csv = toCsv(prediction);
  CHECK(rowOf(csv, 0) ==
        "kernel,invocations,device,what_if,known_device,rank,time_us,low_us,high_us,chance,tie,"
        "relative_time,relative_low,relative_high,bound_by,launch_us,dram_us,transfers_us,energy_j,"
        "measured_launches,measured_us,measured_ratio,characterised_invocations,whole,"
        "sampled_invocations,simulator_errors,missing");
  CHECK(rowOf(csv, 1) == "lud,2046,tortoise,cores=8,false,2,30.0,15.0,60.0,0.25,true,2.5,0.8,12.4,"
                         "transfers,4.0,6.0,20.0,NaN,0,NaN,NaN,32,,5,7,");
  CHECK(rowOf(csv, 2) == "lud,2046,hare,,true,1,12.0,6.0,24.0,NaN,false,1.0,NaN,NaN,"
                         "dram,3.0,7.0,2.0,0.0125,2,30.0,1.5,32,,5,7,");
  CHECK(rowOf(csv, 3) == "fft,1,hare,,true,1,12.0,6.0,24.0,NaN,false,1.0,NaN,NaN,"
                         "dram,3.0,7.0,2.0,0.0125,2,30.0,1.5,1,,0,0,");
  CHECK(rowOf(csv, 4) == "*,2047,tortoise,cores=8,false,2,30.0,15.0,60.0,0.25,true,2.5,0.8,12.4,"
                         "transfers,4.0,6.0,20.0,NaN,0,NaN,NaN,33,false,5,7,");
  CHECK_THAT(rowOf(csv, 5), StartsWith("*,2047,hare,,true,1,"));
  CHECK(rowOf(csv, 6) == "*,2047,unknown,,,,,,,,,,,,,,,,,,,,33,false,5,7,clock_ghz");
  CHECK(rowOf(csv, 7).empty()); // the end
  prediction.whole = true;
  prediction.devices[0].application.relative = std::numeric_limits<double>::infinity();
  CHECK(rowOf(toCsv(prediction), 4) ==
        "*,2047,tortoise,cores=8,false,2,30.0,15.0,60.0,0.25,true,inf,0.8,12.4,"
        "transfers,4.0,6.0,20.0,NaN,0,NaN,NaN,33,true,5,7,");
}
