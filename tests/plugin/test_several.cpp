// Several kernels, programs, queues, contexts and threads in one process, and what the provenance
// says about each.

#include "plugin/characterise.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

using namespace aiwc::test;
using aiwc::profile::KernelProfile;
using aiwc::profile::Provenance;
using aiwc::profile::Size3;

namespace {

Characterised several(const std::string &mode) {
  return characterise({application("several"), mode}).succeeded();
}

} // namespace

TEST_CASE("Kernels of one name in two programs share their numbers, not their source") {
  const Characterised run = several("programs");
  CHECK(run.names() == Words{"fill_0", "fill_1", "fill_2", "square_0", "twice_0"});
  for (const auto &[name, stored] : run.profiles) {
    INFO(name);
    CHECK(stored.profile.complete);
    CHECK(stored.profile.provenance.sourceKind == "opencl-c");
    CHECK(stored.profile.provenance.engine == "compiled");
    CHECK(stored.profile.provenance.engineReason == "");
  }
  for (uint64_t i = 0; i < 3; ++i)
    CHECK(run["fill_" + std::to_string(i)].provenance.invocation == i);

  // The first program: 5 instructions, all of them but the store without memory; the second adds.
  expect(run["fill_0"], {{"work_items", 8}, {"total_reads", 0}, {"total_writes", 8}});
  expect(run["fill_1"], {{"work_items", 16}, {"total_reads", 16}, {"total_writes", 16}});
  expect(run["fill_2"], {{"work_items", 32}, {"total_reads", 0}, {"total_writes", 32}});
  CHECK(executed(run["fill_0"], "add") == 0);
  CHECK(executed(run["fill_1"], "add") == 16);
  CHECK(executed(run["square_0"], "mul") == 8);

  const auto hash = [&run](const std::string &name) { return run[name].provenance.sourceHash; };
  CHECK(hash("fill_0") == hash("fill_2"));
  CHECK(hash("fill_0") == hash("twice_0"));
  CHECK(hash("fill_1") == hash("square_0"));
  CHECK(hash("fill_0") != hash("fill_1"));
  CHECK(run["fill_0"].provenance.buildOptions == "-DVALUE=1");
  CHECK(run["fill_1"].provenance.buildOptions == "");
}

TEST_CASE("Every queue's invocations are characterised") {
  const Characterised run = several(GENERATE("in-order", "out-of-order"));
  CHECK(run.names() == Words{"fill_0", "fill_1", "fill_2"});
  std::multiset<uint64_t> items;
  for (const auto &entry : run.profiles) {
    const KernelProfile &profile = entry.second.profile;
    CHECK(profile.complete);
    items.insert(profile.provenance.globalSize[0]);
    expect(profile, {{"work_items", static_cast<double>(profile.provenance.globalSize[0])}});
  }
  CHECK(items == std::multiset<uint64_t>{8, 16, 24});
}

TEST_CASE("Invocations are numbered through all contexts of a process") {
  const Characterised run = several("contexts");
  CHECK(run.names() == Words{"fill_0", "fill_1", "fill_2"});
  const double items[] = {8, 16, 32};
  for (size_t i = 0; i < 3; ++i) {
    const KernelProfile &profile = run["fill_" + std::to_string(i)];
    CHECK(profile.complete);
    CHECK(profile.provenance.invocation == i);
    expect(profile, {{"work_items", items[i]}, {"bytes_written_global", 4 * items[i]}});
  }
}

TEST_CASE("Two host threads, each with a context of its own, do not get into each other's way") {
  const Characterised run = several("threads");
  CHECK(run.profiles.size() == 10);
  std::multiset<uint64_t> items;
  std::set<uint64_t> numbers;
  for (const auto &[name, stored] : run.profiles) {
    INFO(name);
    const Provenance &provenance = stored.profile.provenance;
    CHECK(stored.profile.complete);
    CHECK(stored.profile.reason == "");
    items.insert(provenance.globalSize[0]);
    numbers.insert(provenance.invocation);
    const auto n = static_cast<double>(provenance.globalSize[0]);
    expect(stored.profile, {{"work_items", n}, {"bytes_written_global", 4 * n}});
  }
  CHECK(items == std::multiset<uint64_t>{128, 128, 128, 128, 128, 256, 256, 256, 256, 256});
  CHECK(numbers.size() == 10);
  CHECK(*numbers.rbegin() == 9);
}

TEST_CASE("Host threads that share a context launch kernels one after the other") {
  CHECK(several("one-context").profiles.size() == 60);
}

TEST_CASE("Threads that use OpenCL at once do not end the application") {
  // Oclgrind's runtime keeps all commands in maps without a lock.
  const Folder folder;
  Command command = launch({application("several"), "commands"}, {}, folder);
  std::string &preload = command.environment["LD_PRELOAD"];
  preload += (preload.empty() ? "" : ":") + application("watched_trees.so");
  const Outcome outcome = run(command);
  INFO(outcome.err);
  CHECK(outcome.signal == 0);
  CHECK(outcome.status == 0);
  CHECK(outcome.out == "60 completed, 60 destroyed\n");
  CHECK(readProfiles(folder / "out").size() == 60);
}

TEST_CASE("A program that is built again has the options of the last build") {
  const Characterised run = several("rebuilt");
  CHECK(run["fill_0"].provenance.buildOptions == "-DVALUE=1");
  CHECK(run["fill_1"].provenance.buildOptions == "-DVALUE=2 -cl-fast-relaxed-math");
  CHECK(run["fill_0"].provenance.sourceHash == run["fill_1"].provenance.sourceHash);
}

TEST_CASE("A program that is built again runs the code of the last build") {
  const Characterised run = several("compared");
  std::string expected;
  for (int i = 0; i < 10; ++i)
    expected += "4 3 1 "; // below 4: 0 to 3; above 4: 5 to 7; 4 itself
  CHECK(run.outcome.out == expected);
  CHECK(run.profiles.size() == 30);
  for (const auto &[name, stored] : run.profiles)
    CHECK(stored.profile.provenance.engine == "compiled");
}

TEST_CASE("Each of many programs has its own source and its own code") {
  const Characterised run = several("many-programs");
  REQUIRE(run.profiles.size() == 70);
  const auto &second = run["fill_0"], &first = run["fill_1"];
  REQUIRE(first.provenance.sourceHash != second.provenance.sourceHash);
  for (int i = 0; i < 70; ++i) {
    INFO(i);
    const auto &profile = run["fill_" + std::to_string(i)];
    const auto &same = i % 3 == 0 ? second : first;
    CHECK(profile.provenance.sourceHash == same.provenance.sourceHash);
    CHECK(profile.histograms.opcodes == same.histograms.opcodes);
    CHECK(executed(profile, "add") == (i % 3 == 0 ? 8 : 0));
  }
}

TEST_CASE("A program that was linked from parts has no one source, but a profile") {
  const Characterised run = several("linked");
  CHECK(run["fill_0"].complete);
  CHECK(run["fill_0"].provenance.sourceKind == "bitcode");
  CHECK(run["fill_0"].provenance.sourceHash.starts_with("xxh3-128:"));
  // The kernel calls a function of the other part: two returns a work-item.
  CHECK(executed(run["fill_0"], "ret") == 16);
  expect(run["fill_0"], {{"work_items", 8}, {"bytes_written_global", 32}});
}

TEST_CASE("The NDRange is in the provenance as it was executed") {
  const KernelRun kernel =
      runKernel(R"(
    kernel void k(global int *x) {
      size_t i = get_global_id(0) - 10, j = get_global_id(1) - 20, k = get_global_id(2) - 30;
      x[i + 4 * (j + 6 * k)] = get_global_id(0) + get_global_id(1) + get_global_id(2);
    })",
                {"global=4,6,2", "local=2,3,1", "offset=10,20,30", "buffer=192"});
  const Provenance &provenance = kernel.profile.provenance;
  CHECK(provenance.workDim == 3);
  CHECK(provenance.globalSize == Size3{4, 6, 2});
  CHECK(provenance.localSize == Size3{2, 3, 1});
  CHECK(provenance.globalOffset == Size3{10, 20, 30});
  expect(kernel.profile, {{"work_items", 48},
                          {"work_groups", 8},
                          {"work_group_size", 6},
                          {"granularity", 1.0 / 48},
                          {"unique_writes", 48},
                          {"footprint_bytes", 192}});
  CHECK(kernel.values ==
        std::vector<int>{60, 61, 62, 63, 61, 62, 63, 64, 62, 63, 64, 65, 63, 64, 65, 66});
}

TEST_CASE("A local size that the application leaves open is the one that was used") {
  const KernelRun kernel =
      runKernel("kernel void k(global int *x) { x[get_global_id(0)] = get_local_size(0); }",
                {"global=12", "buffer=48"});
  const Provenance &provenance = kernel.profile.provenance;
  CHECK(provenance.workDim == 1);
  CHECK(provenance.globalSize == Size3{12, 1, 1});
  CHECK(provenance.globalOffset == Size3{0, 0, 0});
  CHECK(provenance.localSize == Size3{static_cast<uint64_t>(kernel.values.at(0)), 1, 1});
}

TEST_CASE("A thread with the smallest stack launches kernels") {
  const std::string engine = GENERATE("auto", "interpreter");
  const std::string threads = GENERATE("1", "3");
  INFO(engine << ", " << threads << " threads");
  const Characterised run = characterise({application("several"), "small-stack"},
                                         {"--aiwc-engine=" + engine, "--aiwc-threads=" + threads})
                                .succeeded();
  CHECK(run.names() == Words{"exchange_0", "exchange_1", "twice_0", "twice_1"});
  for (const auto &[name, stored] : run.profiles) {
    CHECK(stored.profile.complete);
    CHECK(stored.profile.provenance.engine == (engine == "auto" ? "compiled" : "interpreter"));
  }
}
