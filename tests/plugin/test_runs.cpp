// The folder of a run: run.json, the sources, and what happens to a folder that holds a run
// already.

#include "plugin/characterise.h"
#include "profile/json.h"
#include "run/folder.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::run::Argument;
using aiwc::run::Launch;
using aiwc::run::Run;

namespace {

/// What an application leaves in a folder.
struct Recorded {
  explicit Recorded(const Words &application, const Words &options = {}, bool eachLaunch = true)
      : outcome(aiwc::test::run(launch(application, options, folder, eachLaunch))) {
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    run = aiwc::run::readRun(folder / "out/run.json");
  }

  Folder folder;
  Outcome outcome;
  Run run;
};

std::string lineOf(const std::string &text, uint64_t number) {
  std::istringstream lines(text);
  std::string line;
  for (uint64_t i = 0; i < number; ++i)
    std::getline(lines, line);
  return line;
}

} // namespace

TEST_CASE("A run lists every launch in order, with its arguments and its profile") {
  const KernelFile file(R"(
    kernel void k(global int *x, int n, float f, local float *l, ulong big, uchar4 v,
                  constant int *c, struct { int a[17]; } large) {
      x[get_global_id(0)] = n + c[0];
    })");
  const Recorded recorded(
      file.enqueue({"global=8,2", "local=4,1", "times=2", "buffer=256", "int=-3", "float=0.5",
                    "scratch=64", "long=-1", "int=67305985", "counters=4", "struct=68"}));
  const Run &run = recorded.run;
  CHECK(run.finished());
  CHECK(run.status == 0);
  CHECK(run.command.front() == application("enqueue"));
  CHECK(run.options.front() == "--aiwc-output");
  CHECK(run.folder == recorded.folder.path());
  CHECK(run.errors.empty());
  REQUIRE(run.launches.size() == 2);
  const Launch &first = run.launches[0];
  CHECK(first.kernel == "k");
  CHECK(first.globalSize == aiwc::profile::Size3{8, 2, 1});
  CHECK(first.localSize == aiwc::profile::Size3{4, 1, 1});
  CHECK(first.engine == "compiled");
  CHECK(first.profile == "aiwc_k_0.json");
  CHECK(run.launches[1].profile == "aiwc_k_0.json"); // the same but for the transfers
  CHECK(run.launches[1].number == 1);
  CHECK(workOf(first) == workOf(run.launches[1]));
  REQUIRE(first.arguments.size() == 8);
  using Kind = Argument::Kind;
  CHECK(first.arguments[0] == Argument{Kind::kBuffer, "x", "int*", "", 256, 0});
  CHECK(first.arguments[1] == Argument{Kind::kValue, "n", "int", "-3", 4, {}});
  CHECK(first.arguments[2] == Argument{Kind::kValue, "f", "float", "0.5", 4, {}});
  CHECK(first.arguments[3] == Argument{Kind::kLocal, "l", "float*", "", 64, {}});
  CHECK(first.arguments[4] ==
        Argument{Kind::kValue, "big", "ulong", "18446744073709551615", 8, {}});
  CHECK(first.arguments[5] == Argument{Kind::kValue, "v", "uchar4", "1,2,3,4", 4, {}});
  CHECK(first.arguments[6] == Argument{Kind::kBuffer, "c", "int*", "", 16, 1});
  CHECK(first.arguments[7].bytes == 68);
  CHECK(first.arguments[7].value.starts_with("xxh3-128:"));
  // What the profiles say, too.
  for (const Launch &launch : run.launches) {
    const auto profile = aiwc::profile::readProfile(recorded.folder / "out" / launch.profile);
    CHECK(launch.instructions == profile.count("total_instruction_count"_metric));
    CHECK(launch.sourceHash == profile.provenance.sourceHash);
  }
  const auto profile = aiwc::profile::readProfile(recorded.folder / "out" / first.profile);
  CHECK(first.hostToDevice.bytes == profile.count("host_to_device_bytes"_metric));
  CHECK(first.deviceToHost.bytes == profile.count("device_to_host_bytes"_metric));
}

TEST_CASE("A run keeps that work-items of one warp exchange values without a barrier") {
  const auto recorded = [](const std::string &between) {
    const KernelFile file("kernel void k(global int *x) {"
                          "  local int tile[9];"
                          "  int i = get_local_id(0);"
                          "  tile[i] = x[i]; " +
                          between + " x[i] = tile[i + 1]; }");
    return Recorded(file.enqueue({"global=8", "local=8", "times=2", "buffer=32"}));
  };
  for (const Launch &launch : recorded("").run.launches)
    CHECK(launch.exchangesWithoutBarrier);
  for (const Launch &launch : recorded("barrier(CLK_LOCAL_MEM_FENCE);").run.launches)
    CHECK_FALSE(launch.exchangesWithoutBarrier);
  const Recorded both = recorded("");
  for (const auto &[name, stored] : readProfiles(both.folder / "out"))
    CHECK(stored.profile.provenance.exchangesWithoutBarrier);
}

TEST_CASE("A run lists thousands of launches, each one as it was, in a few bytes") {
  const KernelFile file("kernel void k(global int *x) { x[get_global_id(0)] += 1; }");
  constexpr uint64_t kTimes = aiwc::run::kLaunchesInFull + 500;
  const Recorded recorded(
      file.enqueue({"global=8", "times=" + std::to_string(kTimes), "buffer=64"}), {}, false);
  const std::vector<Launch> &launches = recorded.run.launches;
  REQUIRE(launches.size() == kTimes);
  for (size_t i = 0; i < launches.size(); ++i) {
    Launch expected = launches[1]; // the first one of these with a representative
    expected.number = expected.invocation = i;
    expected.seconds = launches[i].seconds;
    if (i == 0 || i + 1 == kTimes) {
      expected.representative = launches[i].representative;
      expected.hostToDevice = launches[i].hostToDevice;
      expected.deviceToHost = launches[i].deviceToHost;
    }
    if (launches[i] != expected)
      FAIL("launch " << i);
  }
  const std::string text = contents(recorded.folder / "out/run.json");
  CHECK(text.size() - text.find("\"as\"") < 500 * 100);
}

TEST_CASE("A run has the launches that were not characterised, and who ran which") {
  const Recorded recorded({application("several"), "programs"}, {"--aiwc-kernel", "twice"});
  Words names;
  for (const Launch &launch : recorded.run.launches) {
    names.push_back(launch.kernel);
    CHECK(launch.characterised() == (launch.kernel == "twice"));
    CHECK(launch.process == 0);
    CHECK(launch.number == names.size() - 1);
    CHECK(launch.sourceKind == "opencl-c");
    CHECK(launch.sourceHash.starts_with("xxh3-128:"));
    CHECK(launch.codeHash.starts_with("xxh3-128:"));
  }
  CHECK(names == Words{"fill", "fill", "twice", "square", "fill"});

  const std::string one = application("endings");
  const Recorded two({"/bin/sh", "-c", one + " plain && " + one + " plain"});
  REQUIRE(two.run.launches.size() == 6);
  CHECK(two.run.launches[2].process == 0);
  CHECK(two.run.launches[3].process == 1);
  CHECK(two.run.launches[3].number == 0);
}

TEST_CASE("A launch of global size 0 is not in the run, and one line says so") {
  const Recorded recorded(
      {application("transfers"), "launch-nothing", "kernel", "launch-nothing", "kernel"});
  REQUIRE(recorded.run.launches.size() == 2);
  for (size_t i = 0; i < 2; ++i) {
    CHECK(recorded.run.launches[i].globalSize[0] == 64);
    CHECK(recorded.run.launches[i].number == i);
    CHECK(recorded.run.launches[i].invocation == i);
  }
  const std::string said = "aiwc: kernel 'touch': launches of global size 0 execute nothing: the "
                           "run leaves them out\n";
  const size_t at = recorded.outcome.err.find(said);
  REQUIRE(at != std::string::npos);
  CHECK(recorded.outcome.err.find(said, at + 1) == std::string::npos);

  const Folder folder;
  const Outcome alone = run(launch({application("transfers"), "launch-nothing"}, {}, folder));
  CHECK(alone.err == said + "aiwc: nothing was characterised: the application created a "
                            "context, but no kernel ran in it\n");
}

TEST_CASE("By default, the first of launches of one kind has the profile of them all") {
  const KernelFile file("kernel void k(global int *x) { x[get_global_id(0)] += 1; }");
  for (const Words &words : {Words{application("several"), "programs"},
                             file.enqueue({"global=8", "times=5", "buffer=64"})}) {
    const Recorded all(words);
    const Recorded some(words, {}, false);
    REQUIRE(all.run.launches.size() == some.run.launches.size());
    for (size_t i = 0; i < all.run.launches.size(); ++i) {
      INFO(i);
      const Launch &launch = some.run.launches[i];
      const auto first = static_cast<size_t>(
          std::ranges::find_if(
              all.run.launches,
              [&](const Launch &other) { return workOf(other) == workOf(all.run.launches[i]); }) -
          all.run.launches.begin());
      CHECK(launch.profile == some.run.launches[first].profile);
      CHECK(launch.representative == (first == i ? std::nullopt : std::optional<uint64_t>(first)));
      CHECK(launch.instructions == all.run.launches[i].instructions);
      CHECK(launch.deviceToHost == all.run.launches[i].deviceToHost);
      CHECK(workOf(launch) == workOf(all.run.launches[i]));
    }
  }
}

TEST_CASE("Launches with the same profile share its file, each with its own transfers") {
  const KernelFile file("kernel void k(global int *x) { x[get_global_id(0)] += 1; }");
  const Recorded recorded(file.enqueue({"global=8", "times=4", "buffer=64"}));
  const auto profiles = aiwc::run::contentOf(recorded.folder / "out").profiles;
  REQUIRE(profiles.size() == 1);
  REQUIRE(recorded.run.launches.size() == 4);
  for (const Launch &launch : recorded.run.launches) {
    CHECK(launch.characterised());
    CHECK(launch.invocation == launch.number);
    CHECK(launch.profile == "aiwc_k_0.json");
  }
  // The application reads the buffer at its end.
  CHECK(recorded.run.launches[0].deviceToHost.bytes == 0);
  CHECK(recorded.run.launches[3].deviceToHost.bytes == 64);
}

TEST_CASE("Launches whose profiles differ in a count have files of their own") {
  const KernelFile file(R"(
    kernel void k(global int *x) {
      int i = get_global_id(0);
      for (int j = 0; j <= x[0] / 8; j++)
        x[i + 8] += 1;
      if (i == 7)
        x[0] += 4;
    })");
  const Recorded recorded(file.enqueue({"global=8", "local=8", "times=4", "buffer=64"}));
  std::vector<std::string> names;
  for (const Launch &launch : recorded.run.launches)
    names.push_back(launch.profile);
  CHECK(names == std::vector<std::string>{"aiwc_k_0.json", "aiwc_k_0.json", "aiwc_k_1.json",
                                          "aiwc_k_1.json"});
}

TEST_CASE("A profile with errors represents no other launch") {
  const KernelFile file("kernel void k(global int *x) { x[get_global_id(0) + 100] += 1; }");
  const Recorded recorded(file.enqueue({"global=8", "times=3", "buffer=64"}), {}, false);
  REQUIRE(recorded.run.launches.size() == 3);
  for (const Launch &launch : recorded.run.launches) {
    CHECK(launch.characterised());
    CHECK(launch.simulatorErrors > 0);
  }
}

TEST_CASE("Every n-th invocation of a range is characterised") {
  const KernelFile file("kernel void k(global int *x) { x[get_global_id(0)] += 1; }");
  const Recorded recorded(file.enqueue({"global=8", "times=9", "buffer=64"}),
                          {"--aiwc-invocations", "1-7/3"});
  std::vector<uint64_t> numbers;
  for (const Launch &launch : recorded.run.launches)
    if (launch.hasProfile())
      numbers.push_back(launch.invocation);
  CHECK(numbers == std::vector<uint64_t>{1, 4, 7});
}

TEST_CASE("What the host reads belongs to the launch before it, characterised or not") {
  for (const Words &options : {Words{}, Words{"--aiwc-kernel", "none", "--aiwc-allow-empty"}}) {
    const Recorded recorded({application("transfers"), "write", "kernel", "read", "kernel", "read"},
                            options);
    const auto &launches = recorded.run.launches;
    REQUIRE(launches.size() >= 1);
    const Characterised all =
        characterise({application("transfers"), "write", "kernel", "read", "kernel", "read"});
    for (const Launch &launch : launches) {
      const auto &profile = all[launch.kernel + "_" + std::to_string(launch.invocation)];
      CHECK(launch.hostToDevice.bytes == profile.count("host_to_device_bytes"_metric));
      CHECK(launch.deviceToHost.bytes == profile.count("device_to_host_bytes"_metric));
      CHECK(launch.deviceToHost.transfers == profile.count("device_to_host_transfers"_metric));
    }
  }
}

TEST_CASE("The run says how an application ended that ended badly") {
  const Folder folder;
  const Outcome outcome =
      run(launch({"/bin/sh", "-c", application("endings") + " plain; kill -9 $$"}, {}, folder));
  CHECK(outcome.signal == 9);
  const Run run = aiwc::run::readRun(folder / "out/run.json");
  CHECK(run.finished());
  CHECK(run.status == 128 + 9);
  CHECK(run.launches.size() == 3);
}

TEST_CASE("The source is kept with what it includes, and lines are numbered through it") {
  const Folder folder;
  write(folder / "inner.h", "// 1\nint inner(int i) {\n  return i * 3;\n}");
  write(folder / "outer.h", "#include \"inner.h\"\nint outer(int i) { return inner(i) + 1; }\n");
  const KernelFile file("#include \"outer.h\"\nkernel void k(global int *x) {\n"
                        "  x[get_global_id(0)] = outer(x[0]);\n}\n");
  Command command = launch(file.enqueue({"options=-I.", "global=4", "buffer=64"}), {}, folder);
  command.folder = folder.path();
  const Outcome outcome = run(command);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const Run run = aiwc::run::readRun(folder / "out/run.json");
  REQUIRE(run.launches.size() == 1);
  const std::string source = contents(folder / "out" / run.launches[0].source);
  CHECK(source.starts_with(contents(file.path())));
  const auto profile = aiwc::profile::readProfile(folder / "out" / run.launches[0].profile);
  Words executed;
  for (const auto &row : profile.histograms.lines)
    if (row.line > 0 && row.instructions > 0)
      executed.push_back(lineOf(source, row.line));
  CHECK(std::ranges::count(executed, "  return i * 3;") == 1);
  CHECK(std::ranges::count(executed, "int outer(int i) { return inner(i) + 1; }") == 1);
  CHECK(std::ranges::count(executed, "  x[get_global_id(0)] = outer(x[0]);") == 1);
}

TEST_CASE("A folder with a run is refused, unless the new one is to be added") {
  const Folder folder;
  const Words words = {application("endings"), "plain"};
  REQUIRE(run(launch(words, {"--aiwc-quiet"}, folder)).status == 0);
  const auto before = readProfiles(folder / "out");
  const Outcome refused = run(launch(words, {}, folder));
  CHECK(refused.status == 2);
  CHECK(refused.out == "");
  CHECK_THAT(refused.err, Catch::StartsWith("aiwc: output folder '" + (folder / "out").string() +
                                            "' holds a run of '" + words[0] + " plain' of 20") &&
                              Catch::EndsWith(": expected another folder, or --aiwc-append to add "
                                              "to it\n"));
  fs::remove(folder / "out/run.json");
  CHECK_THAT(run(launch(words, {}, folder)).err, Catch::Contains("' holds profiles: expected"));
  CHECK(readProfiles(folder / "out").size() == 1); // its launches share it
  REQUIRE(run(launch(words, {"--aiwc-quiet", "--aiwc-append"}, folder)).status == 0);
  REQUIRE(run(launch(words, {"--aiwc-quiet", "--aiwc-append"}, folder)).status == 0);
  CHECK(aiwc::run::contentOf(folder / "out").profiles.size() == 3); // runs share nothing
  const Run second = aiwc::run::readRun(folder / "out/run_2.json");
  CHECK(second.launches.size() == before.size());
  CHECK(second.launches[0].invocation == 0);
}

TEST_CASE("The output folder is made, and by default it is a new one, named after the program") {
  const Folder folder;
  Command command = launch({application("endings"), "plain"}, {"--aiwc-quiet"}, folder);
  const auto option = std::ranges::find(command.words, "--aiwc-output");
  REQUIRE(option != command.words.end());
  SECTION("made") {
    option[1] = folder / "a/b";
    CHECK(run(command).status == 0);
    CHECK(readProfiles(folder / "a/b").size() == 3);
  }
  SECTION("new") {
    *option = "--aiwc";
    command.words.erase(option + 1);
    CHECK(run(command).status == 0);
    CHECK(run(command).status == 0);
    CHECK(readProfiles(folder / "aiwc-endings").size() == 3);
    CHECK(readProfiles(folder / "aiwc-endings-2").size() == 3);
  }
}

TEST_CASE("A run within a run adds to its folder") {
  const Folder folder;
  const std::string inner =
      std::string(AIWC_TEST_LAUNCHER) + " --aiwc-quiet " + application("endings") + " plain";
  REQUIRE(run(launch({"/bin/sh", "-c", inner + " && " + inner}, {"--aiwc-quiet"}, folder)).status ==
          0);
  CHECK(readProfiles(folder / "out").size() == 6);
}
