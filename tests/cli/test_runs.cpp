// Folders of runs as the arguments of commands.

#include "../predict/machines.h"
#include "embed/opencl_c.h"
#include "process.h"
#include "profile/json.h"
#include "run/run.h"
#include "support/ndrange.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;
using aiwc::run::Run;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

constexpr const char *kSource = "// Comment\nkernel void k(global float *a) {\n  a[0] = 1;\n}\n";

KernelProfile launched(const std::string &kernel, uint64_t invocation) {
  KernelProfile profile = kernelOf(triad());
  profile.provenance.kernel = kernel;
  profile.provenance.invocation = invocation;
  profile.provenance.sourceHash = aiwc::embed::bareHash(kSource);
  profile.setCount("footprint_bytes"_metric, 4096);
  return profile;
}

/// A folder in which a run launched b, a, b, of which it characterised all.
struct RunFolder {
  explicit RunFolder(const std::string &name = "run") : path(folder / name) {
    std::filesystem::create_directories(path);
    run.command = {"./app"};
    run.seconds = 1;
    add("b", 0);
    add("a", 0);
    add("b", 1);
    finish();
  }
  void add(const std::string &kernel, uint64_t invocation) {
    const KernelProfile profile = launched(kernel, invocation);
    const std::string file = "aiwc_" + kernel + "_" + std::to_string(invocation) + ".json";
    write(path / file, toJson(profile));
    run.launches.push_back(aiwc::run::launchOf(profile, file));
  }
  void finish(const std::string &name = "run.json") const {
    write(path / name, aiwc::run::toJson(run));
  }
  /// The kernels and invocations of `aiwc show --json`, in its order: "b0 a0 b1".
  std::string shown(const std::string &argument = "run") const {
    const Outcome outcome = runAiwc({"show", "--json", argument}, {.folder = folder.path()});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    std::string text;
    for (const json &profile : json::parse(outcome.out))
      text += (text.empty() ? "" : " ") + profile["provenance"]["kernel"].get<std::string>() +
              std::to_string(profile["provenance"]["invocation"].get<int>());
    return text;
  }

  TemporaryFolder folder;
  std::filesystem::path path;
  Run run;
};

} // namespace

TEST_CASE("The profiles of a run come in the order of its launches") {
  const RunFolder runs;
  CHECK(runs.shown() == "b0 a0 b1");
  std::filesystem::remove(runs.path / "run.json");
  CHECK(runs.shown() == "a0 b0 b1"); // by name
}

TEST_CASE("Several runs of a folder come one after the other, then what none of them lists") {
  RunFolder runs;
  runs.run.launches.clear();
  runs.add("a", 7);
  runs.finish("run_2.json");
  write(runs.path / "aiwc_a_5.json", toJson(launched("a", 5)));
  CHECK(runs.shown() == "b0 a0 b1 a7 a5");
}

TEST_CASE("Runs in folders of a folder are read at any depth") {
  const RunFolder runs("all/one/deep");
  std::filesystem::create_directories(runs.folder / "all/two");
  write(runs.folder / "all/two/aiwc_c_0.json", toJson(launched("c", 0)));
  CHECK(runs.shown("all") == "b0 a0 b1 c0");
  CHECK_THAT(runAiwc({"predict", "all"}, {.folder = runs.folder.path()}).out,
             !Contains("added up"));
  std::filesystem::copy(runs.path, runs.folder / "all/three");
  CHECK_THAT(runAiwc({"predict", "all"}, {.folder = runs.folder.path()}).out,
             Contains("all: holds 2 runs, which are added up; to compare them, name each"));
  std::filesystem::create_directories(runs.folder / "empty/inside");
  CHECK_THAT(refusal({"show", "empty"}, {.folder = runs.folder.path()}),
             Contains("empty: has no profiles: expected the folder of a run"));
}

TEST_CASE("What a run lists and the folder lacks is told, and a run that has not ended") {
  RunFolder runs;
  std::filesystem::remove(runs.path / "aiwc_a_0.json");
  runs.run.seconds.reset();
  runs.finish();
  const Outcome outcome = runAiwc({"show", "run"}, {.folder = runs.folder.path()});
  CHECK(outcome.status == 0);
  CHECK(outcome.err == "run/run.json: 1 of its profiles is not in the folder\n"
                       "run/run.json: the run of './app' has not ended, or was killed\n");
  CHECK(runs.shown() == "b0 b1");
}

TEST_CASE("A profile counts once for each launch that it represents, with its own transfers") {
  RunFolder runs;
  // The same launches, of which one of each kernel is characterised.
  RunFolder some;
  aiwc::run::Launch &second = some.run.launches[2];
  second.profile = "aiwc_b_0.json";
  second.representative = 0;
  std::filesystem::remove(some.path / "aiwc_b_1.json");
  // Transfers differ between the launches.
  second.hostToDevice = runs.run.launches[2].hostToDevice = {12345, 2};
  KernelProfile profile = launched("b", 1);
  aiwc::run::setTransfers(profile, {12345, 2}, second.deviceToHost);
  write(runs.path / "aiwc_b_1.json", toJson(profile));
  runs.finish();
  some.finish();
  const auto predicted = [](const RunFolder &folder) {
    const Outcome outcome =
        runAiwc({"predict", "run", "--json", "--transfers", "1", "--devices", "gtx1080"},
                {.folder = folder.folder.path()});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return json::parse(outcome.out)["application"];
  };
  json ofSome = predicted(some);
  json ofAll = predicted(runs);
  CHECK(ofSome.at("characterised_invocations") == 2);
  CHECK(ofAll.at("characterised_invocations") == 3);
  for (json *application : {&ofSome, &ofAll})
    application->erase("characterised_invocations");
  CHECK(ofSome == ofAll);
  CHECK(some.shown() == "b0 a0"); // each profile once
  const Outcome words = runAiwc({"show", "run"}, {.folder = some.folder.path()});
  CHECK_THAT(words.out, Contains("b: 2 launches") &&
                            Contains("1 of 2 launches characterised; they represent the others."));
  // A profile that is not there represents nothing.
  std::filesystem::remove(some.path / "aiwc_b_0.json");
  CHECK(some.shown() == "a0");
}

TEST_CASE("Launches that share a file are each seen, with their own number and transfers") {
  RunFolder apart; // b, a, b
  RunFolder shared;
  aiwc::run::Launch &second = shared.run.launches[2];
  second.profile = "aiwc_b_0.json";
  std::filesystem::remove(shared.path / "aiwc_b_1.json");
  second.hostToDevice = apart.run.launches[2].hostToDevice = {12345, 2};
  KernelProfile profile = launched("b", 1);
  aiwc::run::setTransfers(profile, {12345, 2}, second.deviceToHost);
  write(apart.path / "aiwc_b_1.json", toJson(profile));
  apart.finish();
  shared.finish();
  CHECK(shared.shown() == "b0 a0 b1");
  for (const std::vector<std::string> &words : std::vector<std::vector<std::string>>{
           {"show", "run", "--json"},
           {"predict", "run", "--json", "--transfers", "1", "--devices", "gtx1080"},
           {"advise", "run", "--json"},
           {"show", "run", "--lines", "--json"},
           {"show", "run"}}) {
    INFO(words[0]);
    const Outcome ofApart = runAiwc(words, {.folder = apart.folder.path()});
    const Outcome ofShared = runAiwc(words, {.folder = shared.folder.path()});
    CHECK(ofShared.status == 0);
    CHECK(ofShared.err == "");
    std::string out = ofApart.out;
    for (size_t at = 0; (at = out.find("aiwc_b_1.json", at)) != std::string::npos;)
      out.replace(at, 13, "aiwc_b_0.json");
    CHECK(ofShared.out == out);
  }
  const Outcome wide =
      runAiwc({"show", "run", "--csv", "--wide"}, {.folder = shared.folder.path()});
  CHECK_THAT(wide.out, Contains("run/aiwc_b_0.json,b,0,") && Contains("run/aiwc_b_0.json,b,1,"));
  std::filesystem::remove(shared.path / "aiwc_b_0.json");
  const Outcome without = runAiwc({"show", "run"}, {.folder = shared.folder.path()});
  CHECK_THAT(without.err, Contains("2 of its profiles are not in the folder"));
}

namespace {

/// `aiwc predict run --json` with `options`.
json predicted(const RunFolder &runs, std::vector<std::string> options = {}) {
  options.insert(options.begin(), {"predict", "run", "--json", "--devices", "gtx1080"});
  const Outcome outcome = runAiwc(options, {.folder = runs.folder.path()});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return json::parse(outcome.out);
}

std::string table(const RunFolder &runs, const std::vector<std::string> &options = {}) {
  std::vector<std::string> words = {"predict", "run", "--devices", "gtx1080"};
  words.insert(words.end(), options.begin(), options.end());
  const Outcome outcome = runAiwc(words, {.folder = runs.folder.path()});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  return outcome.out;
}

double secondsOf(const json &prediction) {
  return prediction["devices"][0]["time_us"].get<double>();
}

/// As if only the launches that `isCharacterised` holds of had been characterised.
void characteriseOnly(RunFolder &runs, bool (*isCharacterised)(const aiwc::run::Launch &)) {
  for (aiwc::run::Launch &launch : runs.run.launches)
    if (!isCharacterised(launch)) {
      std::filesystem::remove(runs.path / launch.profile);
      aiwc::run::Launch without;
      without.number = launch.number;
      without.kernel = launch.kernel;
      without.invocation = launch.invocation;
      without.workDim = launch.workDim;
      without.globalSize = launch.globalSize;
      without.localSize = launch.localSize;
      without.engine = launch.engine;
      without.arguments = launch.arguments;
      launch = without;
    }
  runs.finish();
}

} // namespace

TEST_CASE("A part of the launches represents all that a run lists, and how many is said") {
  RunFolder runs;
  for (uint64_t i = 2; i < 64; ++i)
    runs.add("b", i);
  for (size_t i = 0; i < runs.run.launches.size(); ++i)
    runs.run.launches[i].number = i;
  runs.finish();
  const json all = predicted(runs);
  REQUIRE(all["application"]["whole"] == true);
  CHECK(all["application"]["characterised_invocations"] == 65);
  CHECK_THAT(table(runs), Contains("\nthe whole application, 65 launches\n"));

  characteriseOnly(runs,
                   [](const aiwc::run::Launch &launch) { return launch.invocation % 32 == 0; });
  const json part = predicted(runs);
  // All launches of b are the same, so that any of them represents all.
  CHECK(secondsOf(part["application"]) == Approx(secondsOf(all["application"])));
  CHECK(part["application"]["whole"] == true);
  CHECK(part["application"]["invocations"] == 65);
  CHECK(part["application"]["characterised_invocations"] == 3);
  CHECK(part["kernels"][0]["characterised_invocations"] == 2);
  const std::string text = table(runs);
  CHECK_THAT(text, Contains("b, 64 launches, 2 of them characterised\n"));
  CHECK_THAT(text, Contains("\nthe whole application, 65 launches, 3 of them characterised\n"));
  CHECK_THAT(text, Contains("b: 2 of 64 launches characterised"));
  CHECK_THAT(part["caveats"].dump(), Contains("they are off by 0 % of their instructions"));
  const Outcome csv =
      runAiwc({"predict", "run", "--csv", "--devices", "gtx1080"}, {.folder = runs.folder.path()});
  CHECK_THAT(csv.out, Contains(",characterised_invocations,whole,") && Contains(",3,true,0,0,\n"));
  // Who looks at each profile gets those that there are.
  CHECK(runs.shown() == "b0 a0 b32");
  const Outcome words = runAiwc({"show", "run"}, {.folder = runs.folder.path()});
  CHECK_THAT(words.out,
             Contains("b: 64 launches") &&
                 Contains("2 of 64 launches characterised; the nearest of them represents"));
}

TEST_CASE("A launch of another size counts with a profile that is scaled to it") {
  RunFolder runs;
  runs.add("b", 2);
  aiwc::run::Launch &bigger = runs.run.launches.back();
  bigger.globalSize[0] *= 4;
  characteriseOnly(runs, [](const aiwc::run::Launch &launch) { return launch.invocation < 2; });
  const json prediction = predicted(runs);
  // Three times b as it was characterised is less.
  const double one = secondsOf(predicted(runs, {"--kernel", "a"})["kernels"][0]);
  CHECK(secondsOf(prediction["kernels"][0]) > 3 * one);
  CHECK_THAT(table(runs), Contains("b, 3 launches, 2 of them characterised\n"));
}

TEST_CASE("Launches that differ widen the interval of those that they represent") {
  RunFolder runs;
  runs.add("b", 2);
  for (size_t i = 0; i < runs.run.launches.size(); ++i)
    runs.run.launches[i].number = i;
  runs.run.launches[2].instructions *= 5;
  characteriseOnly(runs, [](const aiwc::run::Launch &launch) { return launch.invocation < 2; });
  const json prediction = predicted(runs);
  const auto width = [](const json &kernel) {
    const json &device = kernel["devices"][0];
    return device["high_us"].get<double>() / device["low_us"].get<double>();
  };
  CHECK(width(prediction["kernels"][0]) > width(prediction["kernels"][1]));
  // Each from the other: twice four of six parts of the instructions.
  CHECK_THAT(prediction["caveats"].dump(), Contains("they are off by 133 % of their instructions"));
}

TEST_CASE("The command that characterises a second size has twice the size in it") {
  RunFolder runs;
  const std::string size = std::to_string(runs.run.launches[0].globalSize[0]);
  const std::string twice = std::to_string(2 * runs.run.launches[0].globalSize[0]);
  runs.run.command = {"./app", size, "7"};
  for (aiwc::run::Launch &launch : runs.run.launches)
    launch.arguments = {{aiwc::run::Argument::Kind::kValue, "n", "int", size, 4, {}}};
  runs.finish();
  const json asked = predicted(runs, {"--kernel", "b", "--global", "16777216"});
  CHECK_THAT(asked["caveats"].dump(),
             Contains("aiwc run --append --output run -- ./app " + twice + " 7\""));
  // A size that nothing follows needs no second one.
  for (aiwc::run::Launch &launch : runs.run.launches)
    launch.arguments[0].value = "3";
  runs.finish();
  CHECK_THAT(predicted(runs, {"--kernel", "b", "--global", "16777216"})["caveats"].dump(),
             !Contains("second size"));
}

TEST_CASE("A run without the profiles of a kernel is not the whole application") {
  RunFolder runs;
  characteriseOnly(runs, [](const aiwc::run::Launch &launch) { return launch.kernel == "b"; });
  CHECK(predicted(runs)["application"]["whole"] == false);
  CHECK_THAT(table(runs), Contains("kernels without a profile are not counted: a (1 launch)\n") &&
                              !Contains("whole application"));
}

TEST_CASE("Launches that the user selects are not the whole application") {
  RunFolder runs;
  runs.add("c", 0);
  runs.finish();
  CHECK(predicted(runs)["application"]["whole"] == true);
  const std::string text = table(runs, {"--kernel", "a,b"});
  CHECK_THAT(text, Contains("these kernels together, 3 launches\n"));
  CHECK_THAT(text, Contains("left out: 1 launch, which the options do not select\n"));
}

TEST_CASE("A run that was cut off is not the whole application") {
  RunFolder runs;
  runs.run.cutOffBy = 2;
  runs.finish();
  CHECK_THAT(table(runs), Contains("the run of './app' was cut off by SIGINT after 3 launches\n") &&
                              !Contains("whole application"));
  CHECK(predicted(runs)["application"]["whole"] == false);
}

TEST_CASE("A damaged run.json is an error with its line") {
  RunFolder runs;
  write(runs.path / "run.json", "{\n  \"schema_version\": 1,\n  \"command\": 7\n}\n");
  CHECK_THAT(refusal({"show", "run"}, {.folder = runs.folder.path()}),
             Contains("run/run.json:3:14: command is a number: expected an array"));
}

TEST_CASE("aiwc show describes all launches of a kernel, not the longest") {
  RunFolder runs;
  KernelProfile longest = launched("b", 2);
  const uint64_t one = longest.count("total_instruction_count"_metric);
  longest.setCount("total_instruction_count"_metric, 3 * one);
  runs.run.launches.push_back(aiwc::run::launchOf(longest, "aiwc_b_2.json"));
  write(runs.path / "aiwc_b_2.json", toJson(longest));
  runs.run.launches[2].simulatorErrors = 1;
  runs.finish();
  const Outcome outcome = runAiwc({"show", "run"}, {.folder = runs.folder.path()});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("b: 3 launches of "));
  CHECK_THAT(outcome.out, Contains("The simulator reported errors in 1 of 3 launches"));
  CHECK_THAT(outcome.out, Contains("3 launches execute ") && !Contains("the longest;"));
  // What a launch writes, times three.
  CHECK_THAT(outcome.out, Contains("writes 24 MiB in all"));
}

TEST_CASE("A heading has ranges where the sizes of launches differ") {
  RunFolder runs;
  runs.run.launches.clear();
  for (const char *other : {"aiwc_a_0.json", "aiwc_b_1.json"})
    std::filesystem::remove(runs.path / other);
  const auto launch = [&](uint64_t invocation, uint32_t dimensions, const Size3 &global,
                          const Size3 &local) {
    KernelProfile profile = launched("b", invocation);
    setNdrange(profile, dimensions, global, local);
    const std::string file = "aiwc_b_" + std::to_string(invocation) + ".json";
    write(runs.path / file, toJson(profile));
    runs.run.launches.push_back(aiwc::run::launchOf(profile, file));
    runs.finish();
    return runAiwc({"show", "run"}, {.folder = runs.folder.path()}).out;
  };
  CHECK_THAT(launch(0, 2, {64, 32, 1}, {8, 4, 1}),
             Contains("b: 1 launch of 64 x 32 work-items in groups of 8 x 4\n"));
  CHECK_THAT(launch(1, 2, {64, 64, 1}, {8, 4, 1}),
             Contains("b: 2 launches of 2,048 to 4,096 work-items in groups of 8 x 4\n"));
  CHECK_THAT(launch(2, 1, {4096, 1, 1}, {64, 1, 1}),
             Contains("b: 3 launches of 2,048 to 4,096 work-items in groups of 32 to 64\n"));
}

TEST_CASE("aiwc show ranks kernels by their predicted time, if that of all is known") {
  RunFolder runs;
  const auto shown = [&] {
    const Outcome outcome = runAiwc({"show", "run"}, {.folder = runs.folder.path()});
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    return outcome.out;
  };
  const std::string timed = shown(); // a once, b twice, all alike
  CHECK(timed.starts_with("b: 2 launches of "));
  CHECK_THAT(timed, Contains("Share           67 % of the predicted time on "));
  CHECK_THAT(timed, Contains("\n\na: 1 launch of ") && Contains(" 33 % of the predicted time on "));

  KernelProfile cut = launched("a", 0);
  cut.complete = false;
  cut.reason = "cut off";
  runs.run.launches[1] = aiwc::run::launchOf(cut, "aiwc_a_0.json");
  write(runs.path / "aiwc_a_0.json", toJson(cut));
  runs.finish();
  CHECK_THAT(shown(), !Contains("Share"));
}

TEST_CASE("aiwc advise finds the source that the run has kept, and no file outside of it") {
  RunFolder runs;
  KernelProfile profile = launched("k", 0);
  for (const Metric metric :
       {"coalescing_16"_metric, "coalescing_32"_metric, "coalescing_64"_metric})
    profile.setReal(metric, 1.0 / 32);
  profile.accesses = std::vector{AccessRow{.function = "k",
                                           .line = 3,
                                           .array = "a",
                                           .kind = AccessKind::kWrite,
                                           .accesses = 64,
                                           .bytes = 256,
                                           .laneStride = 4096}};
  runs.run.launches = {aiwc::run::launchOf(profile, "aiwc_k_0.json")};
  write(runs.path / "aiwc_k_0.json", toJson(profile));
  write(runs.path / "source_1.cl", kSource);
  write(runs.folder / "secret.cl", "secret\nsecret\nsecret\n");
  for (const auto &[source, shown] :
       {std::pair("source_1.cl", " line 3: write of a"), std::pair("none.cl", " line 3: "),
        std::pair("../secret.cl", " line 3: ")}) {
    runs.run.launches[0].source = source;
    runs.finish();
    const Outcome outcome = runAiwc({"advise", "run"}, {.folder = runs.folder.path()});
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.out, Contains(shown));
    CHECK((outcome.out.find("  a[0] = 1;") != std::string::npos) ==
          (std::string(source) == "source_1.cl"));
    CHECK_THAT(outcome.out, !Contains("secret"));
  }
}

TEST_CASE("Kernels of one name from different sources are predicted apart") {
  RunFolder runs;
  KernelProfile other = launched("b", 2);
  other.provenance.sourceHash = "xxh3-128:0123456789abcdef0123456789abcdef";
  runs.run.launches.push_back(aiwc::run::launchOf(other, "aiwc_b_2.json"));
  write(runs.path / "aiwc_b_2.json", toJson(other));
  runs.finish();
  const std::vector<std::string> words = {"predict", "run", "--devices", "gtx1080"};
  const Outcome outcome = runAiwc(words, {.folder = runs.folder.path()});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("b of source " + aiwc::embed::bareHash(kSource).substr(9, 8) +
                                   ", 2 launches\n"));
  CHECK_THAT(outcome.out, Contains("b of source 01234567, 1 launch\n"));
  CHECK_THAT(outcome.out, Contains("\na, 1 launch\n"));
}

TEST_CASE("aiwc split prints launches of one kind once") {
  RunFolder runs;
  runs.add("b", 2);
  runs.run.launches.back().arguments = {
      {aiwc::run::Argument::Kind::kValue, "n", "int", "3", 4, {}}};
  runs.finish();
  const std::vector<std::string> words = {"split", "run", "--devices", "gtx1080,i7-6700k"};
  const Outcome outcome = runAiwc(words, {.folder = runs.folder.path()});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("b, invocation 0, the longest of 2 that it represents: "));
  CHECK_THAT(outcome.out, Contains("b, invocation 2: "));
  CHECK_THAT(outcome.out, Contains("the 4 kernels one after the other"));
}

TEST_CASE("A device is predicted from the run that saw a device of its type") {
  RunFolder gpu("gpu"), cpu("cpu");
  gpu.run.answeredAs = {"generic-gpu", "gpu"};
  gpu.run.asked = {"CL_DEVICE_TYPE"};
  gpu.finish();
  cpu.run.answeredAs = {"i7-6700k", "cpu"};
  cpu.run.asked = {"CL_DEVICE_TYPE"};
  cpu.run.launches.resize(1); // b, once
  for (const char *other : {"aiwc_a_0.json", "aiwc_b_1.json"})
    std::filesystem::remove(cpu.path / other);
  cpu.finish();
  const auto predicted = [](const std::vector<std::filesystem::path> &runs) {
    std::vector<std::string> words = {"predict", "--json", "--devices", "gtx1080,i7-6700k"};
    for (const auto &path : runs)
      words.push_back(path);
    const Outcome outcome = runAiwc(words);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return json::parse(outcome.out);
  };
  const auto timeOn = [](const json &entries, const std::string &device) {
    for (const json &entry : entries["devices"])
      if (entry["device"] == device)
        return entry["time_us"].get<double>();
    return 0.;
  };
  const json gpuOnly = predicted({gpu.path}), cpuOnly = predicted({cpu.path});
  const auto application = [](const json &prediction) { return prediction["application"]; };
  for (const json &both : {predicted({gpu.path, cpu.path}), predicted({cpu.path, gpu.path})}) {
    CHECK(timeOn(application(both), "gtx1080") == timeOn(application(gpuOnly), "gtx1080"));
    CHECK(timeOn(application(both), "i7-6700k") == timeOn(application(cpuOnly), "i7-6700k"));
    for (const json &kernel : both["kernels"]) {
      CHECK(kernel["invocations"] == (kernel["kernel"] == "b" ? 2 : 1));
      CHECK(kernel["devices"].size() == (kernel["kernel"] == "b" ? 2U : 1U)); // a: GPUs only
    }
    CHECK_THAT(both["caveats"].dump(), !Contains("--as"));
  }
  CHECK_THAT(gpuOnly["caveats"].dump(),
             Contains("CL_DEVICE_TYPE") && Contains("aiwc run --as i7-6700k"));
  CHECK_THAT(cpuOnly["caveats"].dump(), Contains("aiwc run --as gtx1080"));
  // Questions of no consequence, and other applications, whose launches add up.
  gpu.run.asked = {"CL_DEVICE_MAX_WORK_GROUP_SIZE", "CL_DEVICE_NAME"};
  gpu.run.command = {"./other"};
  gpu.finish();
  const json sum = predicted({gpu.path, cpu.path});
  CHECK(sum["application"]["invocations"] == 4);
  CHECK_THAT(predicted({gpu.path})["caveats"].dump(), !Contains("--as"));
}

TEST_CASE(
    "A launch finds in a cache what the launch before it accessed, in a folder and by itself") {
  const bool allResident = GENERATE(false, true); // all work-groups at once
  RunFolder runs("warm");
  RunFolder others("cold");
  for (RunFolder *each : {&runs, &others}) {
    each->run.launches.clear();
    KernelProfile profile = launched("b", 0); // of 24 MiB
    const uint64_t items = allResident ? 1 << 13 : 1 << 20;
    setNdrange(profile, 1, {items, 1, 1}, {256, 1, 1});
    profile.setCount("ipt_max"_metric, profile.count("total_instruction_count"_metric) / items);
    profile.setCount("work_group_instructions_max"_metric, 0);
    write(each->path / "aiwc_b_0.json", toJson(profile));
    std::filesystem::remove(each->path / "aiwc_b_1.json");
    std::filesystem::remove(each->path / "aiwc_a_0.json");
    for (uint64_t i = 0; i < 10; ++i) {
      aiwc::run::Launch launch = aiwc::run::launchOf(profile, "aiwc_b_0.json");
      launch.number = i;
      if (i > 0)
        launch.representative = 0;
      launch.arguments = {
          {aiwc::run::Argument::Kind::kBuffer, "x", "float*", "", 24 << 20, each == &runs ? 0 : i}};
      each->run.launches.push_back(launch);
    }
    each->finish();
  }
  const auto microsOf = [&](const RunFolder &of, const std::string &argument) {
    const Outcome outcome = runAiwc(
        {"predict", argument, "--devices", "a100-sxm4-40gb,k40m", "--time", "kernel", "--json"},
        {.folder = of.folder.path()});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    std::map<std::string, double> micros;
    const json prediction = json::parse(outcome.out);
    for (const json &device : prediction["application"]["devices"])
      micros[device["device"]] = device["time_us"];
    return micros;
  };
  const auto warm = microsOf(runs, "warm"), cold = microsOf(others, "cold");
  // 24 MiB take 16 us of the A100's memory, whose last cache has 40 MiB; a K40's has 1.5.
  CHECK(cold.at("a100-sxm4-40gb") - warm.at("a100-sxm4-40gb") > (allResident ? 0 : 9 * 10));
  CHECK(cold.at("k40m") == warm.at("k40m"));
  const auto one = microsOf(runs, "warm/aiwc_b_0.json");
  CHECK(one.at("a100-sxm4-40gb") == Approx(warm.at("a100-sxm4-40gb") / 10));
}

TEST_CASE("aiwc diff compares what was launched on devices of one type") {
  // Folders with two runs each, which saw a GPU (a, b twice) and a CPU (b once).
  RunFolder gpu("gpu"), cpu("cpu");
  gpu.run.answeredAs = {"generic-gpu", "gpu"};
  gpu.finish();
  cpu.run.answeredAs = {"i7-6700k", "cpu"};
  cpu.run.launches.resize(1);
  for (const char *other : {"aiwc_a_0.json", "aiwc_b_1.json"})
    std::filesystem::remove(cpu.path / other);
  cpu.finish();
  const TemporaryFolder place;
  for (const char *name : {"old", "new"}) {
    std::filesystem::create_directory(place / name);
    std::filesystem::copy(gpu.path, place / name / "gpu");
    std::filesystem::copy(cpu.path, place / name / "cpu");
  }
  KernelProfile changed = launched("b", 0);
  changed.setCount("fp_ops"_metric, 2 * changed.count("fp_ops"_metric));
  changed.setCount("total_instruction_count"_metric,
                   2 * changed.count("total_instruction_count"_metric));
  write(place / "new/cpu/aiwc_b_0.json", toJson(changed));
  const auto diff = [&](const std::vector<std::string> &words) {
    std::vector<std::string> all = {"diff", "--devices", "gtx1080,i7-6700k"};
    all.insert(all.end(), words.begin(), words.end());
    return runAiwc(all, {.folder = place.path()});
  };
  const Outcome outcome = diff({"old", "new", "--json"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const json data = json::parse(outcome.out);
  REQUIRE(data["kernels"].size() == 3); // b on each type, a on the GPU
  for (const json &kernel : data["kernels"]) {
    INFO(kernel);
    REQUIRE(kernel["times"].size() == 1);
    const bool onCpu = kernel["times"][0]["device"] == "i7-6700k";
    CHECK((kernel["device_types"][0] == "cpu") == onCpu);
    CHECK(kernel["launches_changed"] == (onCpu ? 1 : 0));
    CHECK((kernel["times"][0]["factor"] == 1) == !onCpu);
  }
  for (const json &time : data["times"])
    CHECK((time["factor"] == 1) == (time["device"] == "gtx1080"));
  const std::string text = diff({"old", "new"}).out;
  CHECK_THAT(text, Contains("b as launched on cpu") && Contains("1 launch of "));
  CHECK(diff({"old", "new", "--fail-on", "time@gtx1080>1%"}).status == 0);
  CHECK(diff({"old", "new", "--fail-on", "time@i7-6700k>1%"}).status == 1);
  // A kernel that one of the runs lacks is no type that it lacks.
  CHECK(diff({"old", "new", "--kernel", "a"}).status == 0);
  const Outcome refused = diff({"old", "new/gpu"});
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK_THAT(refused.err, Contains("old has launches for ") &&
                              Contains("new/gpu for all types of device: expected runs in which "
                                       "the application saw the same types of device"));
  CHECK(refused.err.find('\n') == refused.err.size() - 1);
}

TEST_CASE("Several runs are alternatives, side by side under the names of their folders") {
  const RunFolder slow; // launches b, a, b
  std::filesystem::copy(slow.path, slow.folder / "fast");
  Run one = slow.run;
  one.launches.resize(1); // b
  write(slow.folder / "fast/run.json", aiwc::run::toJson(one));
  std::filesystem::remove(slow.folder / "fast/aiwc_a_0.json");
  std::filesystem::remove(slow.folder / "fast/aiwc_b_1.json");
  const Setting here{.folder = slow.folder.path()};
  const auto output = [&](const std::vector<std::string> &arguments) {
    const Outcome outcome = runAiwc(arguments, here);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return outcome.out;
  };
  const std::string table = output({"predict", "run", "fast/", "--devices", "rtx5090,i7-6700k"});
  CHECK_THAT(table,
             Contains("2 runs, side by side") && Contains("run") && Contains("fast, 3 times"));
  CHECK_THAT(table, !Contains("whole application"));
  CHECK_THAT(output({"predict", "run", "./run", "--devices", "rtx5090"}),
             Contains("./run") && Contains("alike"));
  for (const char *command : {"show", "advise"}) {
    INFO(command);
    const std::string both = output({command, "run", "fast"});
    CHECK(both.starts_with("Run run\n"));
    CHECK_THAT(both, Contains("\n\nRun fast\nb: 1 launch of "));
    // Each as it is alone.
    CHECK_THAT(both, Catch::Matchers::EndsWith(output({command, "fast"})));
  }
  // For programs, all launches are in one list as before.
  CHECK(json::parse(output({"predict", "--json", "run", "fast"}))["kernels"][0]["invocations"] ==
        3);
}
