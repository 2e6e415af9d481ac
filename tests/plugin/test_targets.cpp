// What the code of other devices keeps in memory: arrays whose accesses are known, registers that
// must be spilled, and code generators that fail.

#include "plugin/characterise.h"
#include "profile/json.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

using namespace aiwc::test;
using aiwc::profile::KernelProfile;
using aiwc::profile::PrivateTraffic;
using aiwc::profile::TargetTraffic;

namespace {

constexpr size_t kNvptx = 2;

KernelProfile profileOf(const std::string &source, const Words &words, Words options = {}) {
  options.emplace_back("--aiwc-targets");
  const KernelFile file(source);
  return characterise(file.enqueue(words), options).succeeded()["k_0"];
}

} // namespace

TEST_CASE("The accesses of an array count where its index is known only as the kernel runs") {
  // 32 stores and 20 loads of 4 bytes by each of 16 work-items.
  const std::string source = "kernel void k(int n, global int *b) {"
                             "  int a[32];"
                             "  for (int i = 0; i < 32; ++i) a[i] = b[i * n & 15];"
                             "  int sum = 0;"
                             "  for (int i = 0; i < n; ++i) sum += a[b[i & 15] + i & 31];"
                             "  b[get_global_id(0)] = sum; }";
  const Words words = {"global=16", "local=8", "int=20", "buffer=64"};
  const PrivateTraffic expected{32 * 4, 16 * (32 + 20) * 4};
  for (const Words &options : {Words{}, Words{"--aiwc-engine=interpreter"}})
    for (const auto &traffic : profileOf(source, words, options).targets) {
      REQUIRE(traffic);
      CHECK(*traffic == expected);
    }
  // Half of the groups, which all do the same.
  for (const auto &traffic : profileOf(source, {"global=64", "local=8", "int=20", "buffer=256"},
                                       {"--aiwc-sample-groups=4"})
                                 .targets) {
    REQUIRE(traffic);
    CHECK(traffic->scratchBytes == 4 * expected.scratchBytes);
  }
}

TEST_CASE("An array that unrolled loops index is in registers") {
  for (const auto &traffic : profileOf("kernel void k(int n, global int *b) {"
                                       "  int a[16];"
                                       "  for (int i = 0; i < 16; ++i) a[i] = b[i];"
                                       "  int sum = n;"
                                       "  for (int i = 0; i < 16; ++i) sum += a[i] * a[15 - i];"
                                       "  barrier(CLK_LOCAL_MEM_FENCE);"
                                       "  b[get_global_id(0)] = sum; }",
                                       {"global=16", "local=16", "int=3", "buffer=64"})
                                 .targets) {
    REQUIRE(traffic);
    CHECK(*traffic == PrivateTraffic{});
  }
}

TEST_CASE("More values than a work-item of a large group has registers are spilled") {
  // 1024 work-items leave 64 (gfx906) and 128 (gfx1030) registers to each; 200 values are live.
  const std::string body =
      "  float a[200];"
      "  _Pragma(\"unroll\") for (int i = 0; i < 200; ++i) a[i] = b[get_local_id(0) + i];"
      "  for (int j = 0; j < n; ++j)"
      "    _Pragma(\"unroll\") for (int i = 0; i < 200; ++i) a[i] = a[i] * a[(i * 7 + 3) % 200];"
      "  _Pragma(\"unroll\") for (int i = 0; i < 200; ++i) b[get_local_id(0) + i] = a[i]; }";
  const Words words = {"global=16", "local=16", "int=2", "buffer=4096"};
  const TargetTraffic wide =
      profileOf("kernel void k(int n, global float *b) {" + body, words).targets;
  const TargetTraffic narrow = profileOf("__attribute__((reqd_work_group_size(1024, 1, 1)))"
                                         "kernel void k(int n, global float *b) {" +
                                             body,
                                         {"global=1024", "local=1024", "int=2", "buffer=8192"})
                                   .targets;
  for (size_t amd = 0; amd < kNvptx; ++amd) {
    INFO(amd);
    REQUIRE(wide[amd]);
    REQUIRE(narrow[amd]);
    CHECK(narrow[amd]->stackBytes >= 72 * 4);
    // Of 200 values, 72 at least do not fit: each is written and read once or more.
    CHECK(narrow[amd]->scratchBytes >= 1024 * 72 * 2 * 4);
    CHECK(wide[amd]->scratchBytes / 16 < narrow[amd]->scratchBytes / 1024);
  }
  CHECK(narrow[kNvptx] == PrivateTraffic{});
}

TEST_CASE("A convolution spills where its tiles do not divide the image") {
  const std::string source = contents(AIWC_TEST_PUBLISHED "/unrolled_convolution.cl");
  const auto targets = [&](int width) {
    const KernelProfile profile = profileOf(
        source, {"options=-O3 -Dconvolution=k -Dblock_size_x=16 -Dblock_size_y=4 -Dtile_size_x=2 "
                 "-Dtile_size_y=2 -Duse_padding=0 -DHEIGHT=8 -DWIDTH=" +
                     std::to_string(width),
                 "global=32,4", "local=16,4", "buffer=65536", "buffer=65536", "buffer=900"});
    expect(profile,
           {{"fp_ops", 2.0 * 15 * 15 * 64 * 8}, {"bytes_written_global", 4.0 * width * 8}});
    return profile.targets;
  };
  const TargetTraffic whole = targets(64), partial = targets(40);
  for (const auto &traffic : whole)
    CHECK(traffic == PrivateTraffic{});
  // The 900 products of four sums wait, in 256 registers.
  for (size_t amd = 0; amd < kNvptx; ++amd) {
    INFO(amd);
    REQUIRE(partial[amd]);
    CHECK(partial[amd]->stackBytes >= 4 * 225);
    CHECK(partial[amd]->scratchBytes >= 2 * 128 * partial[amd]->stackBytes);
  }
  CHECK(partial[kNvptx] == PrivateTraffic{});
}

TEST_CASE("Without --aiwc-targets, the profile is the same but for them") {
  const std::string source = "kernel void k(int n, global int *b) { b[get_global_id(0)] = n; }";
  const Words words = {"global=16", "local=8", "int=20", "buffer=64"};
  const KernelFile file(source);
  const Characterised without = characterise(file.enqueue(words)).succeeded();
  CHECK(without.profiles.at("k_0").profile.targets == TargetTraffic{});
  KernelProfile with = profileOf(source, words);
  CHECK(with.targets == TargetTraffic{PrivateTraffic{}, PrivateTraffic{}, PrivateTraffic{}});
  with.targets = {};
  CHECK(toJson(with) == without.profiles.at("k_0").json);
}

TEST_CASE("An array is in registers if at most four iterations index it, however long they are") {
  const auto arrayOf = [](const std::string &rows) {
    return profileOf("kernel void k(int n, global float *b) {"
                     "  float a[" +
                         rows +
                         "][8];"
                         "  for (int i = 0; i < " +
                         rows +
                         "; ++i) {"
                         "    float v = b[i];"
                         "    _Pragma(\"unroll\") for (int k = 0; k < 900; ++k)"
                         "      v = v * v + (k < 8 ? b[k] : (a[i][k & 7] += v));"
                         "    b[i] = v;"
                         "  }"
                         "  b[n] = a[0][1] + a[3][2]; }",
                     {"global=8", "local=8", "int=7", "buffer=64"});
  };
  for (const auto &traffic : arrayOf("4").targets)
    CHECK(traffic == PrivateTraffic{});
  for (const auto &traffic : arrayOf("5").targets) {
    REQUIRE(traffic);
    CHECK(traffic->stackBytes == 5 * 8 * 4);
    CHECK(traffic->scratchBytes > 0);
  }
}

TEST_CASE("Structures are passed by value, to kernels and functions") {
  for (const auto &traffic : profileOf("struct pair { int first; int others[3]; };"
                                       "__attribute__((noinline)) int sum(struct pair p) {"
                                       "  return p.first + p.others[1]; }"
                                       "kernel void k(struct pair p, global int *b) {"
                                       "  struct pair q = p;"
                                       "  q.first += b[0];"
                                       "  b[get_global_id(0)] = sum(q) + sum(p); }",
                                       {"global=8", "local=8", "struct=16", "buffer=64"})
                                 .targets)
    CHECK(traffic == PrivateTraffic{});
}

TEST_CASE("Targets of applications that fork leave what these do") {
  const std::string mode = GENERATE("fork-before", "fork-after", "fork-in-handler");
  const Words application = {aiwc::test::application("endings"), mode};
  const Characterised without = characterise(application).succeeded();
  const Characterised with = characterise(application, {"--aiwc-targets"}).succeeded();
  CHECK(with.outcome.out == without.outcome.out);
  CHECK(with.outcome.err == without.outcome.err);
  REQUIRE(with.names() == without.names());
  for (const std::string &name : with.names())
    for (const auto &traffic : with[name].targets)
      CHECK(traffic == PrivateTraffic{});
}

namespace {

/// An installation whose aiwc-target-code is a script.
class Installation {
public:
  Installation() : file_("kernel void k(int n, global int *b) { b[get_global_id(0)] = n; }") {
    const fs::path launcher = AIWC_TEST_LAUNCHER;
    fs::copy_file(launcher, folder_ / "oclgrind");
    fs::create_symlink(launcher.parent_path() / "../libexec/aiwc/aiwc-plugin-check",
                       folder_ / "aiwc-plugin-check");
    plugin_ = launcher.parent_path() / "../lib/aiwc/aiwc_oclgrind_plugin.so";
  }

  void install(const std::string &commands) const {
    const fs::path tool = folder_ / "aiwc-target-code";
    write(tool, "#!/bin/sh\nulimit -c 0\necho >>'" + calls().string() + "'\n" + commands);
    fs::permissions(tool, fs::perms::owner_all);
  }

  /// Checks that the run is what it is without targets. Returns what standard error has of them.
  std::string run(Words options = {}, size_t known = 0) const {
    const Folder folder;
    options.emplace_back("--aiwc-targets");
    Command command =
        launch(file_.enqueue({"global=8", "local=8", "int=3", "buffer=64"}), options, folder);
    *std::ranges::find(command.words, AIWC_TEST_LAUNCHER) = folder_ / "oclgrind";
    command.environment["AIWC_PLUGIN"] = plugin_;
    command.environment["HOME"] = folder_.path(); // which has the cache
    const Outcome outcome = aiwc::test::run(command);
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.out.starts_with("3 3 3"));
    KernelProfile profile = readProfiles(folder / "out").at("k_0").profile;
    CHECK(std::ranges::count_if(profile.targets, [](const auto &is) { return is.has_value(); }) ==
          static_cast<ptrdiff_t>(known));
    CHECK(profile.complete);
    const size_t begin = outcome.err.find("aiwc: targets are missing: ");
    return begin == std::string::npos
               ? ""
               : outcome.err.substr(begin, outcome.err.find('\n', begin) - begin);
  }

  size_t callsSoFar() const { return fs::exists(calls()) ? contents(calls()).size() : 0; }
  fs::path tool() const { return folder_ / "aiwc-target-code"; }

private:
  fs::path calls() const { return folder_ / "calls"; }

  Folder folder_;
  KernelFile file_;
  fs::path plugin_;
};

const std::string kMissing = "aiwc: targets are missing: k on gfx906: ";

} // namespace

TEST_CASE("What aiwc-target-code fails at is one line, and the run succeeds") {
  const Installation installation;
  CHECK(installation.run() == kMissing + "cannot run '" + installation.tool().string() +
                                  "': No such file or directory (and 2 more)");
  CHECK(installation.run({"--aiwc-quiet"}).empty());
  installation.install("kill -XCPU $$");
  CHECK(installation.run() == kMissing + "it takes more than ten seconds (and 2 more)");
  installation.install("kill -KILL $$");
  CHECK(installation.run() == kMissing + "the compiler died of signal 9 (and 2 more)");
  installation.install("echo no code >&2; echo, or none >&2; exit 1");
  CHECK(installation.run() == kMissing + "no code (and 2 more)");
  installation.install("[ $1 != gfx1030 ] && echo 0 && exit; echo not this one >&2; exit 1");
  CHECK(installation.run({}, 2) == "aiwc: targets are missing: k on gfx1030: not this one");
}

TEST_CASE("What aiwc-target-code said is kept for later runs of the same build") {
  const Installation installation;
  const std::string commands = GENERATE("echo 0", "echo no code >&2; exit 1", "kill -XCPU $$");
  const size_t known = commands == "echo 0" ? 3 : 0;
  installation.install(commands);
  const std::string first = installation.run({}, known);
  CHECK(installation.callsSoFar() == 3);
  CHECK(installation.run({}, known) == first);
  CHECK(installation.callsSoFar() == 3);
  CHECK(installation.run({"--aiwc-cache=none"}, known) == first);
  CHECK(installation.callsSoFar() == 6);
  installation.install(commands + "\n# another build");
  CHECK(installation.run({}, known) == first);
  CHECK(installation.callsSoFar() == 9);
  // As if for lack of memory, or of space on the disk.
  for (const char *passing : {"kill -KILL $$", "echo no space >&2; exit 2"}) {
    const size_t before = installation.callsSoFar();
    installation.install(passing);
    installation.run();
    installation.run();
    CHECK(installation.callsSoFar() == before + 6);
  }
}

TEST_CASE("A run whose temporary folder is gone has the profiles that it has without targets") {
  const KernelFile file("kernel void k(int n, global int *b) { b[get_global_id(0)] = n; }");
  const auto statusWith = [&](const Words &options, bool isSaid) {
    Words words = {"/bin/sh", "-c", R"(rm -r "${AIWC_STATUS_FILE%/*}"; exec "$@")", "sh"};
    const Words enqueue = file.enqueue({"global=8", "local=8", "int=3", "buffer=64"});
    words.insert(words.end(), enqueue.begin(), enqueue.end());
    const Folder folder;
    const Outcome outcome = run(launch(words, options, folder));
    INFO(outcome.err);
    CHECK(outcome.out.starts_with("3 3 3"));
    CHECK(readProfiles(folder / "out").at("k_0").profile.complete);
    CHECK((outcome.err.find("the bitcode of a program cannot be kept: No such file") !=
           std::string::npos) == isSaid);
    return outcome.status;
  };
  CHECK(statusWith({"--aiwc-targets"}, true) == statusWith({}, false));
}

TEST_CASE("A kernel that aiwc-target-code cannot compile has no targets, and the run succeeds") {
  // The event of an asynchronous copy is nothing that an instruction could make.
  CHECK(profileOf("kernel void k(int n, global int *b) {"
                  "  local int all[8];"
                  "  event_t done = async_work_group_copy(all, b, 8, 0);"
                  "  wait_group_events(1, &done);"
                  "  b[get_global_id(0)] = all[n]; }",
                  {"global=8", "local=8", "int=3", "buffer=64"})
            .targets == TargetTraffic{});
}
