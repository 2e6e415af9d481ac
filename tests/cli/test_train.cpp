// aiwc-model train, evaluate and predict --model, on devices, profiles and times made up in the
// tests.
#include "predict/device_json.h"
#include "process.h"
#include "profile/json.h"
#include "train/made_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

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

/// What eod run and eod characterise leave of the made-up kernels on "gpu-b": times of three
/// samples, and profiles. Fifty times as long as the model is trained on.
void writeEodFolder(const Files &files) {
  std::string rows = "application,size,parameter,seed,sample,kernel,invocation,kernel_time_us,"
                     "global_size,local_size,device,source_hash\n";
  std::string index = "application,size,parameter,seed,kernel,invocation,global_size,local_size,"
                      "source_hash,profile\n";
  std::filesystem::create_directory(files.folder / "eod");
  const auto set = madeUpTimes();
  for (const auto &time : set.times) {
    const auto &workload = set.workloads[time.workload];
    if (set.devices[time.device].profile.id != "gpu-b")
      continue;
    // All made-up profiles are of one kernel: the case is told apart by its size.
    const std::string size = fmt::format("size-{}", workload.kernel);
    for (int sample = 0; sample < 3; ++sample)
      rows += fmt::format("{},{},p,1,{},made_up,0,{},64,16,a device,hash\n", workload.application,
                          size, sample, time.micros * (2.9 + 0.1 * sample));
    index += fmt::format("{},{},p,1,made_up,0,64,16,hash,../{}.json\n", workload.application, size,
                         workload.kernel);
  }
  write(files.folder / "eod/rows.csv", rows);
  write(files.folder / "eod/index.csv", index);
}

/// Runs `aiwc-model`, whose commands are train and evaluate, or else `aiwc`, with the made-up
/// devices.
Outcome run(const Files &files, std::vector<std::string> arguments) {
  const bool ofModel = arguments.front() == "train" || arguments.front() == "evaluate";
  arguments.insert(arguments.begin(), {"--device-dir", files / "devices"});
  return runAiwc(arguments, {.command = ofModel ? AIWC_MODEL : AIWC_COMMAND});
}

} // namespace

TEST_CASE("a model that was trained predicts the times it was trained on") {
  const Files files;
  const Outcome trained = run(files, {"train", files / "times.csv", "-o", files / "model.json"});
  REQUIRE(trained.err.empty());
  REQUIRE(trained.status == 0);
  const auto set = madeUpTimes();
  double lnError = 0;
  for (size_t i = 0; i < set.workloads.size(); i += 10) {
    const Outcome predicted =
        run(files, {"predict", files / fmt::format("{}.json", i), "--model", files / "model.json",
                    "--devices", "cpu,gpu-a,gpu-b", "--time", "queued", "--json"});
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
  const Outcome table = run(
      files, {"predict", files / "0.json", "--model", files / "model.json", "--devices", "gpu-a"});
  CHECK_THAT(table.out, Contains("80 % interval") && Contains("gpu-a"));
}

TEST_CASE("evaluate names what was left out, and says that random times mislead") {
  const Files files;
  const Outcome outcome = run(files, {"evaluate", files / "times.csv"});
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("left out: application\n") && Contains("left out: device\n") &&
                              Contains("left out: random times (misleading") &&
                              Contains("roofline") && Contains("nearest") &&
                              Contains("automatch") && Contains("always gpu-b"));
  CHECK_THAT(outcome.out, !Contains("forest"));
  CHECK_THAT(run(files, {"evaluate", files / "times.csv", "--without", "luck"}).err,
             Contains("--without is 'luck': expected one of launch, "));
}

TEST_CASE("a file that is no model, and a table that is none, are refused in one line") {
  const Files files;
  const Outcome model = run(files, {"predict", files / "0.json", "--model", files / "0.json"});
  CHECK(model.status == 2);
  CHECK_THAT(model.err, Contains("0.json:"));
  CHECK(std::ranges::count(model.err, '\n') == 1);
  const Outcome times = run(files, {"train", files / "0.json", "-o", files / "model.json"});
  CHECK(times.status == 2);
  CHECK_THAT(times.err, Contains("no column data_set"));
  CHECK(std::ranges::count(times.err, '\n') == 1);
  CHECK_FALSE(std::filesystem::exists(files / "model.json"));
}

TEST_CASE("an eod run is folded into the deviation of its device") {
  const Files files;
  writeEodFolder(files);
  const auto with = [&](const std::vector<std::string> &arguments) {
    return run(files, arguments);
  };
  const std::string model = files / "model.json";
  REQUIRE(with({"train", files / "times.csv", "-o", model}).status == 0);
  const std::string before = contents(model);
  const auto update = [&](const std::string &device, const std::string &folder) {
    return with({"train", "--update", model, "--measured", folder, "--device", device, "-o",
                 files / "updated.json"});
  };
  const Outcome updated = update("gpu-b", files / "eod");
  REQUIRE(updated.err.empty());
  CHECK(updated.status == 0);
  CHECK(updated.out == "gpu-b: fitted to 60 times of 3 applications\n");
  CHECK(contents(model) == before);
  // Of the longest launch: what one takes to start is held to what the model knows of it.
  const auto set = madeUpTimes();
  const auto longest = std::ranges::max_element(set.times, {}, [&](const auto &time) {
                         return set.devices[time.device].profile.id == "gpu-b" ? time.micros : 0;
                       })->workload;
  const auto secondsOf = [&](const std::string &file) {
    const Outcome outcome = with(
        {"predict", files / fmt::format("{}.json", longest), "--model", files / file, "--json"});
    REQUIRE(outcome.status == 0);
    std::map<std::string, double> times;
    const auto json = nlohmann::json::parse(outcome.out);
    for (const auto &row : json["application"]["devices"])
      times[row["device"]] = row["time_us"];
    return times;
  };
  auto then = secondsOf("model.json");
  auto now = secondsOf("updated.json");
  CHECK(now["cpu"] == then["cpu"]);
  CHECK(now["gpu-a"] == then["gpu-a"]);
  CHECK(now["gpu-b"] == Approx(3 * then["gpu-b"]).epsilon(0.3));

  const auto refused = [&](const Outcome &outcome, const std::string &message) {
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains(message));
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    CHECK(outcome.out.empty());
  };
  std::filesystem::remove(files / "updated.json");
  refused(update("gpu-c", files / "eod"), "no device \"gpu-c\"");
  refused(update("gpu-b", files / "devices"),
          "devices: no rows.csv: expected a folder that eod run wrote");
  std::string index = contents(files / "eod/index.csv");
  write(files.folder / "eod/index.csv",
        index.substr(0, index.find('\n') + 1) + "lud,tiny,p,1,made_up,0,64,16,hash,../0.json\n");
  refused(update("gpu-b", files / "eod"), "eod: no kernel that ");
  std::filesystem::remove(files / "eod/index.csv");
  refused(update("gpu-b", files / "eod"),
          "eod: no index.csv: expected a folder that eod characterise wrote");
  std::string old = before;
  const std::string version = "\"schema_version\": ";
  old.replace(old.find(version), version.size() + 1, version + "0");
  write(model, old);
  refused(update("gpu-b", files / "eod"), "schema_version 0 does not exist");
  refused(with({"train", "--update", model}), "--update requires --");
  refused(with({"train", files / "times.csv", "--update", model, "--measured", files / "eod",
                "--device", "gpu-b"}),
          "excludes");
  refused(with({"train", files / "times.csv"}), "--output is required");
  refused(with({"train", "-o", model}), "TIMES is required");
  CHECK_FALSE(std::filesystem::exists(files / "updated.json"));
}

namespace {

/// The rows of `aiwc-model evaluate --csv`, each by column.
std::vector<std::map<std::string, std::string>> csvRows(const std::string &text) {
  const auto fields = [](const std::string &line) { // of this test none is quoted
    std::vector<std::string> result(1);
    for (const char c : line)
      if (c == ',')
        result.emplace_back();
      else
        result.back() += c;
    return result;
  };
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const auto names = fields(line);
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(lines, line)) {
    const auto values = fields(line);
    REQUIRE(values.size() == names.size());
    for (auto &row = rows.emplace_back(); const auto &name : names)
      row[name] = values[row.size()];
  }
  return rows;
}

} // namespace

TEST_CASE("the model and what it is judged against have the same times") {
  const Files files;
  const Outcome outcome = run(files, {"evaluate", files / "times.csv", "--leave-out", "application",
                                      "--against", "best-device,roofline,nearest", "--csv"});
  CHECK(outcome.err.empty());
  REQUIRE(outcome.status == 0);
  const auto rows = csvRows(outcome.out);
  REQUIRE(rows.size() == 4);
  const auto set = madeUpTimes();
  for (auto row : rows) {
    INFO(row["predicted_by"]);
    CHECK(row["left_out"] == "application");
    CHECK(row["data"] == "made-up");
    CHECK(row["choices"] == std::to_string(set.workloads.size()));
    CHECK(std::stod(row["regret"]) >= 1);
  }
  auto model = rows[0];
  auto nearest = rows[2];
  CHECK(model["predicted_by"] == "fitted model");
  CHECK(rows[1].at("predicted_by") == "roofline");
  CHECK(rows[1].at("coverage").empty()); // it has no intervals
  CHECK_FALSE(rows[1].at("spearman").empty());
  CHECK(std::stod(model["coverage"]) > 0);
  CHECK(std::stod(model["sure_pairs_right"]) <= 1);
  CHECK(nearest["predicted_by"] == "nearest");
  CHECK(model["times"] == std::to_string(set.times.size()));
  CHECK(nearest["times"] == model["times"]);
  // The times follow the model that is fitted; neighbours are guesses.
  CHECK(std::stod(model["ln_error"]) < std::stod(nearest["ln_error"]));
  CHECK_THAT(rows[3].at("predicted_by"), Catch::StartsWith("always "));
  CHECK(rows[3].at("spearman").empty());
}

TEST_CASE("the times of a data set are those of its applications") {
  const Files files;
  const Outcome outcome = run(files, {"evaluate", files / "times.csv", "--leave-out", "application",
                                      "--against", "roofline", "--by-application", "--csv"});
  REQUIRE(outcome.status == 0);
  std::map<std::string, std::map<std::string, std::string>> model;
  std::string text = outcome.out;
  for (size_t at = text.find("\"made-up, "); at != std::string::npos; at = text.find("\"made-up, "))
    text.erase(at, 10).erase(text.find('"', at), 1);
  for (const auto &row : csvRows(text))
    if (row.at("predicted_by") == "fitted model")
      model[row.at("data")] = row;
  REQUIRE(model.size() == 4); // all, and three applications
  double sum = 0;
  for (const char *name : {"application-0", "application-1", "application-2"}) {
    CHECK(model[name]["times"] == "60");
    sum += std::stod(model[name]["ln_error"]);
  }
  CHECK(model["made-up"]["times"] == "180");
  CHECK(std::stod(model["made-up"]["by_application"]) == Approx(sum / 3).margin(0.001));
}

TEST_CASE("the shortest time of a device is no launch overhead if it is long") {
  const Files files;
  const auto set = madeUpTimes();
  const auto longest = std::ranges::max_element(set.times, {}, [&](const auto &time) {
    return set.devices[time.device].profile.id == "gpu-b" ? time.micros : 0;
  });
  REQUIRE(longest->micros > 1000);
  auto copy = set.devices[longest->device].profile;
  copy.id = copy.name = copy.series = "copy";
  copy.openclNames = {"copy"};
  write(files.folder / "devices/copy.json", aiwc::predict::toJson(copy));
  write(
      files.folder / "long.csv",
      fmt::format("data_set,suite,application,size,kernel,profiles,host_bytes,host_transfers,"
                  "doubt,device,time_us\nlong,suite,application,size,kernel,{}.json,0,0,,copy,{}\n",
                  longest->workload, longest->micros));
  const Outcome outcome =
      run(files, {"evaluate", files / "times.csv", files / "long.csv", "--leave-out", "application",
                  "--against", "roofline", "--csv"});
  REQUIRE(outcome.status == 0);
  const size_t row = outcome.out.find("\napplication,long,fitted model,1,");
  REQUIRE(row != std::string::npos);
  const std::string lines =
      outcome.out.substr(0, outcome.out.find('\n')) + // without names of two words
      outcome.out.substr(row, outcome.out.find('\n', row + 1) - row);
  CHECK(std::stod(csvRows(lines).at(0).at("ln_error")) < 0.2); // of twice the time: 0.69
}

TEST_CASE("only the devices that are asked for are judged") {
  const Files files;
  const auto evaluate = [&](const std::string &devices) {
    return run(files, {"evaluate", files / "times.csv", "--leave-out", "application", "--against",
                       "best-device", "--csv", "--devices", devices});
  };
  const Outcome two = evaluate("cpu,gpu-a");
  REQUIRE(two.status == 0);
  CHECK(csvRows(two.out)[0].at("times") == "120"); // of 180 on three devices
  const Outcome none = evaluate("cpu,c64");
  CHECK(none.status == 2);
  CHECK(none.err ==
        "aiwc-model evaluate: --devices has 'c64': expected some of cpu, gpu-a, gpu-b\n");
}

TEST_CASE("what cannot be trained on or judged is refused in one line") {
  const Files files;
  const std::string header = "data_set,suite,application,size,kernel,profiles,host_bytes,"
                             "host_transfers,doubt,device,time_us\n";
  const auto refusal = [&](const std::string &rows, std::vector<std::string> arguments) {
    write(files.folder / "few.csv", header + rows);
    arguments.push_back(files / "few.csv");
    const Outcome outcome = run(files, arguments);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    return outcome.err;
  };
  const std::vector<std::string> train = {"train", "-o", files / "refused.json"};
  const std::vector<std::string> evaluate = {"evaluate"};
  const std::string row = "d,s,a,tiny,k,0.json,0,0,,cpu,";
  const std::string other = "d,s,b,tiny,k,1.json,0,0,,";

  CHECK_THAT(refusal(row + "1\n", train), Contains("times of 1 application: expected two or more"));
  CHECK_THAT(refusal(row + "1\n" + other + "cpu,2\n", train),
             Contains("times of one device: expected two or more"));
  CHECK_THAT(refusal("d,s,a,tiny,k,0.json,0,0,odd clock,cpu,1\n", train),
             Contains("times of 0 applications"));
  CHECK_THAT(refusal(row + "1\n", evaluate), Contains("nothing to leave out"));
  CHECK_THAT(refusal(row + "1\n" + other + "cpu,2\n", {"evaluate", "--leave-out", "suite"}),
             Contains("nothing to leave out") && Contains("two or more suites"));
  for (const auto &command : {train, evaluate}) {
    for (const char *time : {"0", "-1", "nan", "inf", "1e999", ""})
      CHECK_THAT(
          refusal(row + time + "\n", command),
          Contains(std::string("few.csv:2: time_us is '") + time + "': expected a number above 0"));
    CHECK_THAT(refusal("d,s,a,tiny,k,0.json,0,0,,c64,1\n", command),
               Contains("few.csv:2: no device \"c64\""));
    CHECK_THAT(refusal("d,s,a,tiny,k,none.json,0,0,,cpu,1\n", command),
               Contains("few.csv:2: ") && Contains("none.json: cannot be read"));
    CHECK_THAT(refusal("", command), Contains("no rows"));
  }
  CHECK_FALSE(std::filesystem::exists(files / "refused.json"));
  CHECK_THAT(run(files, {"evaluate", files / "none.csv"}).err,
             Contains("none.csv: cannot be read"));
}

TEST_CASE("a model of another version is refused in one line") {
  const Files files;
  REQUIRE(run(files, {"train", files / "times.csv", "-o", files / "model.json"}).status == 0);
  std::string model = contents(files.folder / "model.json");
  const std::string version = "\"schema_version\": ";
  const size_t at = model.find(version) + version.size();
  model.replace(at, model.find(',', at) - at, "999");
  write(files.folder / "newer.json", model);
  const Outcome outcome =
      run(files, {"predict", files / "0.json", "--model", files / "newer.json"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Contains("newer.json:2:") && Contains("schema_version 999 is newer"));
  CHECK(std::ranges::count(outcome.err, '\n') == 1);
}

TEST_CASE("a forest is grown, or the message says what the build lacks") {
  const Files files;
  const Outcome outcome = run(files, {"evaluate", files / "times.csv", "--leave-out", "application",
                                      "--against", "forest", "--csv"});
  if (outcome.status != 0) {
    CHECK_THAT(outcome.err, Contains("no random forest: this build has no OpenCV"));
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    return;
  }
  const auto rows = csvRows(outcome.out);
  REQUIRE(rows.size() == 2);
  CHECK(rows[1].at("predicted_by") == "forest");
  CHECK(rows[1].at("times") == rows[0].at("times"));
}
