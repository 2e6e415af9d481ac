// Folders of runs as the arguments of commands.

#include "../predict/machines.h"
#include "embed/opencl_c.h"
#include "process.h"
#include "profile/json.h"
#include "run/run.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;
using aiwc::run::Launch;
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

TEST_CASE("A profile counts once for each launch that it stands for, with its own transfers") {
  RunFolder runs;
  // The same launches, of which one of each kernel is characterised.
  RunFolder distinct;
  aiwc::run::Launch &second = distinct.run.launches[2];
  second.profile = "aiwc_b_0.json";
  second.alikeTo = 0;
  std::filesystem::remove(distinct.path / "aiwc_b_1.json");
  // Transfers differ between the launches.
  second.hostToDevice = runs.run.launches[2].hostToDevice = {12345, 2};
  KernelProfile profile = launched("b", 1);
  aiwc::run::setTransfers(profile, {12345, 2}, second.deviceToHost);
  write(runs.path / "aiwc_b_1.json", toJson(profile));
  runs.finish();
  distinct.finish();
  const auto predicted = [](const RunFolder &folder) {
    const Outcome outcome =
        runAiwc({"predict", "run", "--json", "--transfers", "1", "--devices", "gtx1080"},
                {.folder = folder.folder.path()});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return json::parse(outcome.out)["application"];
  };
  CHECK(predicted(distinct) == predicted(runs));
  CHECK(distinct.shown() == "b0 a0"); // each profile once
  const Outcome words = runAiwc({"show", "run"}, {.folder = distinct.folder.path()});
  CHECK_THAT(words.out, Contains("b: 2 launches") &&
                            Contains("1 of 2 launches characterised; the others are alike."));
  // A profile that is not there stands for nothing.
  std::filesystem::remove(distinct.path / "aiwc_b_0.json");
  CHECK(distinct.shown() == "a0");
}

TEST_CASE("A damaged run.json is an error with its line") {
  RunFolder runs;
  write(runs.path / "run.json", "{\n  \"schema_version\": 1,\n  \"command\": 7\n}\n");
  CHECK_THAT(refusal({"show", "run"}, {.folder = runs.folder.path()}),
             Contains("run/run.json:3:14: command is a number: expected an array"));
}

TEST_CASE("aiwc show says of launches what run.json says, and reads one profile per kernel") {
  RunFolder runs;
  for (uint64_t i = 2; i < 20; ++i)
    runs.add("b", i);
  runs.run.launches[5].instructions += 1; // the longest
  runs.run.launches[4].simulatorErrors = 1;
  runs.finish();
  // Those that are not needed are no profiles at all.
  for (size_t i = 0; i < runs.run.launches.size(); ++i)
    if (i != 1 && i != 5)
      write(runs.path / runs.run.launches[i].profile, "not read");
  const Outcome outcome = runAiwc({"show", "run"}, {.folder = runs.folder.path()});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("b: 20 launches of "));
  CHECK_THAT(outcome.out, Contains("the longest"));
  CHECK_THAT(outcome.out, Contains("The simulator reported errors in 1 of 20 launches"));
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
       {std::pair("source_1.cl", "source_1.cl:3: write of a"), std::pair("none.cl", " line 3: "),
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

TEST_CASE("aiwc split prints launches that are alike once") {
  RunFolder runs;
  runs.add("b", 2);
  runs.run.launches.back().arguments = {
      {aiwc::run::Argument::Kind::kValue, "n", "int", "3", 4, {}}};
  runs.finish();
  const std::vector<std::string> words = {"split", "run", "--devices", "gtx1080,i7-6700k"};
  const Outcome outcome = runAiwc(words, {.folder = runs.folder.path()});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, Contains("b, invocation 0, the longest of 2 launches alike: "));
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
