// When things go wrong: in the kernel, and with the folder that the profiles go to.

#include "plugin/characterise.h"
#include "run/folder.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;
using aiwc::profile::KernelProfile;

namespace {

Characterised enqueue(const std::string &source, const Words &words, const Words &options = {}) {
  return characterise(KernelFile(source).enqueue(words), options);
}

/// Whether this machine lets us mount things in a namespace of our own.
bool canMount() {
  return run({{"/usr/bin/unshare", "-rm", "/bin/sh", "-c", "mount -t tmpfs none /mnt"},
              {{"PATH", "/usr/sbin:/usr/bin:/sbin:/bin"}},
              {}})
             .status == 0;
}

/// The application, then `command`, then the application again, in one run of the launcher. The
/// output folder is `$1`.
Words twiceWith(const std::string &command) {
  return {"/bin/sh", "-c", "\"$0\" plain; " + command + "; exec \"$0\" plain",
          application("endings")};
}

} // namespace

TEST_CASE("A kernel that the simulator aborts has an incomplete profile that says why") {
  // The trap comes in the second group, in its second work-item: what came before is described.
  const std::string source = R"(
    kernel void k(global int *x) {
      int i = get_global_id(0);
      x[i] = 1;
      if (i == 3)
        __builtin_trap();
      x[i] = 2;
    })";
  const std::string threads = GENERATE("1", "4");
  const Characterised run =
      enqueue(source, {"global=4", "local=2", "buffer=16"}, {"--num-threads", threads});
  CHECK(run.succeeded().outcome.out == "2 2 2 1 \n");
  const KernelProfile &profile = run["k_0"];
  CHECK(!profile.complete);
  CHECK_THAT(profile.reason, Catch::StartsWith("the simulator aborted the kernel: "));
  CHECK_THAT(profile.reason, Catch::Contains("Encountered trap instruction"));
  CHECK(countOf(profile.reason, "\n") == 0);
  CHECK(profile.simulatorErrors == 1);
  expect(profile, {{"work_items", 4}, {"total_writes", 3 * 2 + 1}, {"unique_writes", 4}});
}

TEST_CASE("So has one that the simulator has no instruction for") {
  // An atomic operation of LLVM, which OpenCL C does not use.
  const Characterised run = enqueue("kernel void k(global int *x) { __sync_fetch_and_add(x, 1); }",
                                    {"global=4", "local=4", "buffer=16"});
  CHECK(!run.succeeded()["k_0"].complete);
  CHECK_THAT(run["k_0"].reason, Catch::Contains("Unsupported instruction: atomicrmw"));
}

TEST_CASE("What is printed of an incomplete launch says that it is incomplete") {
  const Characterised run =
      characterise(KernelFile("kernel void k(global int *x) { x[0] = 1; __builtin_trap(); }")
                       .enqueue({"global=1", "buffer=4"}),
                   {"--aiwc-verbose"}, false);
  CHECK(run.succeeded().outcome.out == "1 \n");
  CHECK_THAT(run.outcome.err, Catch::Contains("INCOMPLETE: the simulator aborted the kernel"));
  CHECK_THAT(run.outcome.err, Catch::Contains("aiwc:   k  1 launch, 100.0 % of the instructions; "
                                              "the simulator reported errors in all: the numbers "
                                              "may be wrong; 1 incomplete\n"));
}

TEST_CASE("The invocation after an aborted one is complete again") {
  const Characterised run = enqueue(R"(
    kernel void k(global int *x, local int *l) {
      l[get_local_id(0)] = x[0];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (get_global_id(0) == 5 && l[0] == 0) {
        x[0] = 1;
        __builtin_trap();
      }
    })",
                                    {"global=8", "local=4", "buffer=4", "scratch=16", "times=3"});
  run.succeeded();
  CHECK(run.names() == Words{"k_0", "k_1", "k_2"});
  CHECK(!run["k_0"].complete);
  for (const char *name : {"k_1", "k_2"}) {
    CHECK(run[name].complete);
    CHECK(run[name].simulatorErrors == 0);
    expect(run[name], {{"work_items", 8}, {"barriers_hit", 8}, {"bytes_written_local", 32}});
  }
}

TEST_CASE("Errors that the simulator survives are counted, and the profile is complete") {
  SECTION("invalid reads") {
    const Characterised run =
        enqueue("kernel void k(global int *x) { x[get_global_id(0)] = x[get_global_id(0) + 2]; }",
                {"global=4", "counters=4"});
    CHECK(run.succeeded()["k_0"].simulatorErrors == 2);
    CHECK(run["k_0"].complete);
    CHECK(countOf(run.outcome.err, "Invalid read") == 2);
    expect(run["k_0"], {{"total_reads", 4}, {"total_writes", 4}});
  }
  SECTION("more of them than the simulator prints") {
    const Characterised run =
        enqueue("kernel void k(global int *x) { x[get_global_id(0) + 4] = 1; }",
                {"global=20", "counters=4"}, {"--max-errors", "3"});
    CHECK(run.succeeded()["k_0"].simulatorErrors == 20);
    CHECK(run["k_0"].complete);
    CHECK(countOf(run.outcome.err, "Invalid write") == 3);
  }
  SECTION("barriers that not all work-items hit") {
    const Characterised run = enqueue(R"(
      kernel void k(global int *x) {
        if (get_local_id(0) < 2)
          barrier(CLK_LOCAL_MEM_FENCE);
        x[get_local_id(0)] = 1;
      })",
                                      {"global=4", "local=4", "buffer=16"});
    CHECK(run.succeeded().outcome.out == "1 1 1 1 \n");
    CHECK(run["k_0"].simulatorErrors == 1);
    CHECK(run["k_0"].complete);
    expect(run["k_0"], {{"barriers_hit", 2}, {"total_writes", 4}, {"unique_branches", 1}});
  }
}

TEST_CASE("Oclgrind's quick mode leaves profiles incomplete") {
  const Characterised run = enqueue("kernel void k(global int *x) { x[get_global_id(0)] = 1; }",
                                    {"global=20", "local=4", "buffer=80"}, {"--quick"});
  CHECK(!run.succeeded()["k_0"].complete);
  CHECK(run["k_0"].reason == "only 2 of 5 work-groups were simulated");
  CHECK(run["k_0"].simulatorErrors == 0);
  expect(run["k_0"], {{"work_groups", 2}, {"work_items", 8}, {"total_writes", 8}});
}

TEST_CASE("A program that does not build has no profile, and its application's status stands") {
  const Characterised run = enqueue("kernel void k() { nonsense; }", {"global=1"});
  CHECK(run.outcome.status == 1);
  CHECK_THAT(run.outcome.err, Catch::Contains("clBuildProgram failed"));
  CHECK(run.profiles.empty());
}

TEST_CASE("A kernel that cannot be created has no profile") {
  const Characterised run = enqueue(
      "void elsewhere(int); kernel void k(global int *x) { elsewhere(x[0]); }", {"buffer=4"});
  CHECK(run.outcome.status == 1);
  CHECK_THAT(run.outcome.err, Catch::Contains("Undefined external function: elsewhere"));
  CHECK(run.profiles.empty());
}

TEST_CASE("An output folder that disappears is one line and status 3") {
  const Folder folder;
  const fs::path out = folder / "out";
  const Outcome outcome = run(launch(twiceWith("rm -r out"), {"--aiwc-quiet"}, folder));
  CHECK(outcome.out == "3\n3\n");
  CHECK(outcome.err ==
        "aiwc: " + out.string() + ": the profile cannot be written: No such file or directory\n");
  CHECK(outcome.status == 3);
  CHECK(!fs::exists(out));
}

TEST_CASE("Reports that do not go into the temporary folder are in run.json all the same") {
  const Folder folder;
  Command command =
      launch({"/bin/sh", "-c", "ulimit -f 64; exec \"$0\" many", application("endings")},
             {"--aiwc-quiet"}, folder); // 32 KiB: a profile, but not 500 reports
  const Outcome outcome = run(command);
  CHECK(outcome.err == "");
  CHECK(outcome.status == 0);
  const aiwc::run::Run run = aiwc::run::readRun(folder / "out/run.json");
  CHECK(run.launches.size() == 500);
  CHECK(run.errors.empty());
  CHECK(readProfiles(folder / "out").size() == 500); // and nothing else
}

TEST_CASE("Where no report can be written, the run fails and says that launches are missing") {
  const Folder folder;
  // The limit holds for the application only, whose messages go through a pipe.
  const Outcome outcome =
      run(launch({"/bin/sh", "-c", "{ ulimit -f 0; \"$0\" many 2>&1 > /dev/null; } | cat >&2",
                  application("endings")},
                 {"--aiwc-quiet"}, folder));
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.err, Catch::Contains("run.json may lack launches"));
  CHECK(countOf(outcome.err, ": the profile cannot be written: File too large\n") == 2);
  CHECK_THAT(outcome.err, Catch::Contains("aiwc: 499 more times: "));
  const aiwc::run::Run run = aiwc::run::readRun(folder / "out/run.json");
  CHECK(run.errors.size() == 1);
}

TEST_CASE("A failure of ours does not hide one of the application") {
  const Folder folder;
  const Words failing = {"/bin/sh", "-c", "rm -r out; \"$0\" seven", application("endings")};
  const Outcome outcome = run(launch(failing, {"--aiwc-quiet"}, folder));
  CHECK(outcome.out == "3\n");
  CHECK(countOf(outcome.err, "\n") == 1);
  CHECK(outcome.status == 7);
}

TEST_CASE("An output folder that cannot be written to any more is one line and status 3") {
  if (!canMount())
    return skip("no right to mount a file system in a namespace");
  const auto [change, reason] = GENERATE(table<std::string, std::string>(
      {{"head -c 1M /dev/zero > out/filler 2> /dev/null", "No space left on device"},
       {"mount -o remount,ro out", "Read-only file system"}}));
  const Folder folder;
  Command command = launch(twiceWith(change), {"--aiwc-quiet"}, folder);
  // The folder is gone with the namespace: what is to be looked at is copied out of it.
  const Words around = {
      "/usr/bin/unshare",
      "-rm",
      "/bin/sh",
      "-c",
      "mount -t tmpfs -o size=256k none out && \"$@\"; status=$?; rm -f out/filler; "
      "mkdir copy && cp -r out/. copy; exit $status",
      "sh"};
  command.words.insert(command.words.begin(), around.begin(), around.end());
  command.environment["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin";
  const Outcome outcome = run(command);
  CHECK(outcome.out == "3\n3\n");
  CHECK(outcome.err ==
        "aiwc: " + (folder / "out").string() + ": the profile cannot be written: " + reason + "\n");
  CHECK(outcome.status == 3);
  // Of the first application everything, of the second nothing, not even in part. A read-only file
  // system takes no list of the launches that share a profile.
  CHECK(readProfiles(folder / "copy").size() == (reason.starts_with("Read-only") ? 1 : 3));
}
