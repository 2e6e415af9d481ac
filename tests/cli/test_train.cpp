// aiwc train, evaluate and predict --model, on devices, profiles and times made up in the tests.
#include "predict/device_json.h"
#include "process.h"
#include "profile/json.h"
#include "train/made_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

/// A folder with device profiles, profiles and the table of their times.
struct Files {
  Files() {
    std::filesystem::create_directory(folder / "devices");
    const auto set = madeUpTimes();
    for (const auto &device : set.devices) {
      auto profile = device.profile;
      profile.series = "test";
      profile.openclNames = {profile.id};
      write(folder / ("devices/" + profile.id + ".json"), aiwc::predict::toJson(profile));
    }
    std::string table = "data_set,suite,application,size,kernel,profiles,host_bytes,"
                        "host_transfers,doubt,device,time_us\n";
    for (size_t i = 0; i < set.workloads.size(); ++i)
      write(folder / fmt::format("{}.json", i),
            aiwc::profile::toJson(*set.workloads[i].launches[0].profile));
    for (const auto &time : set.times) {
      const auto &workload = set.workloads[time.workload];
      table += fmt::format("{},{},{},{},{},{}.json,0,0,,{},{}\n", workload.dataSet, workload.suite,
                           workload.application, workload.size, workload.kernel, time.workload,
                           set.devices[time.device].profile.id, time.micros);
    }
    write(folder / "times.csv", table);
  }
  std::string operator/(const std::string &name) const { return (folder / name).string(); }
  TemporaryFolder folder;
};

} // namespace

TEST_CASE("a model that was trained predicts the times it was trained on") {
  const Files files;
  const Outcome trained = runAiwc({"train", files / "times.csv", "-o", files / "model.json",
                                   "--device-dir", files / "devices"});
  REQUIRE(trained.err.empty());
  REQUIRE(trained.status == 0);
  const auto set = madeUpTimes();
  double lnError = 0;
  for (size_t i = 0; i < set.workloads.size(); i += 10) {
    const Outcome predicted =
        runAiwc({"predict", files / fmt::format("{}.json", i), "--model", files / "model.json",
                 "--device-dir", files / "devices", "--json"});
    REQUIRE(predicted.status == 0);
    const auto json = nlohmann::json::parse(predicted.out);
    for (const auto &row : json["application"]["devices"]) {
      CHECK(row["low_us"] <= row["time_us"]);
      CHECK(row["time_us"] <= row["high_us"]);
      CHECK(row["known_device"] == true);
      double sum = 0;
      for (const auto &term : row["terms"])
        sum += term.get<double>();
      CHECK(sum == Approx(row["time_us"].get<double>()));
      for (const auto &time : set.times)
        if (time.workload == i && set.devices[time.device].profile.id == row["device"])
          lnError += std::abs(std::log(row["time_us"].get<double>() / time.micros)) / 18;
    }
  }
  CHECK(lnError < 0.1);
  const Outcome table = runAiwc({"predict", files / "0.json", "--model", files / "model.json",
                                 "--device-dir", files / "devices"});
  CHECK_THAT(table.out, Contains("80 % interval") && Contains("gpu-a"));
}

TEST_CASE("evaluate names what was left out, and says that random times mislead") {
  const Files files;
  const Outcome outcome =
      runAiwc({"evaluate", files / "times.csv", "--device-dir", files / "devices"});
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("left out: application\n") && Contains("left out: device\n") &&
                              Contains("left out: random times (misleading") &&
                              Contains("fixed order"));
  CHECK_THAT(runAiwc({"evaluate", files / "times.csv", "--device-dir", files / "devices",
                      "--without", "luck"})
                 .err,
             Contains("--without is 'luck': expected one of launch, "));
}

TEST_CASE("a file that is no model, and a table that is none, are refused in one line") {
  const Files files;
  const Outcome model = runAiwc({"predict", files / "0.json", "--model", files / "0.json",
                                 "--device-dir", files / "devices"});
  CHECK(model.status == 2);
  CHECK_THAT(model.err, Contains("0.json:"));
  CHECK(std::ranges::count(model.err, '\n') == 1);
  const Outcome times = runAiwc(
      {"train", files / "0.json", "-o", files / "model.json", "--device-dir", files / "devices"});
  CHECK(times.status == 2);
  CHECK_THAT(times.err, Contains("no column data_set"));
  CHECK(std::ranges::count(times.err, '\n') == 1);
  CHECK_FALSE(std::filesystem::exists(files / "model.json"));
}
