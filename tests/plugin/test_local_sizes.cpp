// The local sizes of launches: --aiwc-local-size, and what applications leave to OpenCL.

#include "plugin/characterise.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;
using aiwc::profile::Size3;
using Catch::Matchers::Contains;

namespace {

constexpr const char *kTellsGroup =
    "kernel void k(global int *x) {"
    "  x[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_size(0) * 1000 +"
    "      get_local_id(0) * 100 + get_group_id(0);"
    "}";

/// What the profile says of one launch of the kernel `k` with `words`.
aiwc::profile::Provenance provenanceOf(const std::string &source, const Words &words,
                                       const Words &options = {}) {
  const KernelFile file(source);
  const Characterised run = characterise(file.enqueue(words), options).succeeded();
  REQUIRE(run.names() == Words{"k_0"});
  return run["k_0"].provenance;
}

/// The local size of that launch where the user chose `option`.
Size3 localSizeOf(const std::string &source, const Words &words, const std::string &option) {
  return provenanceOf(source, words, {"--aiwc-local-size", option}).localSize;
}

} // namespace

TEST_CASE("--aiwc-local-size launches a kernel with another local size") {
  const Words words = {"global=16,4", "local=4,4", "buffer=256"};
  for (const char *engine : {"compiled", "interpreter"}) {
    INFO(engine);
    const KernelFile file(kTellsGroup);
    const Characterised run =
        characterise(file.enqueue(words), {"--aiwc-local-size", "other=2x2,k=8x1",
                                           std::string("--aiwc-engine=") + engine})
            .succeeded();
    CHECK(run["k_0"].provenance.engine == engine);
    CHECK(run["k_0"].provenance.localSize == Size3{8, 1, 1});
    expect(run["k_0"], {{"work_groups", 8}, {"work_items", 64}});
    // What the work-items themselves see: 1000 local size + 100 local id + group.
    CHECK(run.outcome.out == "8000 8100 8200 8300 8400 8500 8600 8700 "
                             "8001 8101 8201 8301 8401 8501 8601 8701 \n");
  }
}

TEST_CASE("A launch that cannot have the local size keeps its own") {
  const Words words = {"global=16,4", "local=4,2", "buffer=256"};
  CHECK(localSizeOf(kTellsGroup, words, "k=8x4") == Size3{8, 4, 1});
  CHECK(localSizeOf(kTellsGroup, words, "other=8x4") == Size3{4, 2, 1});
  CHECK(localSizeOf(kTellsGroup, words, "k=3x1") == Size3{4, 2, 1}); // does not divide
  CHECK(localSizeOf(kTellsGroup, words, "k=4x8") == Size3{4, 2, 1});
  CHECK(localSizeOf(kTellsGroup, words, "k=8") == Size3{4, 2, 1}); // other dimensions
  CHECK(localSizeOf(kTellsGroup, words, "k=8x1x1") == Size3{4, 2, 1});
  const std::string required = "__attribute__((reqd_work_group_size(4, 2, 1))) ";
  CHECK(localSizeOf(required + kTellsGroup, words, "k=8x1") == Size3{4, 2, 1});
}

TEST_CASE("A local size that a launch cannot have is said once for each kernel") {
  const std::string required = "__attribute__((reqd_work_group_size(4, 2, 1))) ";
  const Words words = {"global=16,4", "local=4,2", "times=2", "buffer=256"};
  const auto said = [&](const std::string &option, const std::string &attribute = "") {
    const KernelFile file(attribute + kTellsGroup);
    return characterise(file.enqueue(words), {"--aiwc-local-size", option}).succeeded().outcome.err;
  };
  CHECK(said("k=8") == "aiwc: --aiwc-local-size k=8 has no effect on a launch of 16x4 work-items: "
                       "expected a size of as many dimensions, which divides these\n");
  CHECK(said("k=8x4,other=3").empty());
  CHECK(said("k=8x2", required) ==
        "aiwc: --aiwc-local-size k=8x2 has no effect on a launch of 16x4 "
        "work-items: the kernel requires another one\n");
  CHECK(said("k=4x2", required).empty()); // which it requires

  const KernelFile file(kTellsGroup);
  const Folder folder;
  Command command = launch(file.enqueue(words), {}, folder);
  Words &typed = command.words;
  const auto launcher = std::ranges::find(typed, AIWC_TEST_LAUNCHER);
  REQUIRE(launcher != typed.end());
  *launcher = AIWC_TEST_COMMAND;
  typed.insert(launcher + 1, {"run", "--quiet", "--local-size", "k=8"});
  CHECK(run(command).err == "aiwc: --local-size k=8 has no effect on a launch of 16x4 work-items: "
                            "expected a size of as many dimensions, which divides these\n");
}

TEST_CASE("A launch without a local size gets groups as devices make them") {
  for (const char *engine : {"--aiwc-engine=compiled", "--aiwc-engine=interpreter"}) {
    INFO(engine);
    const KernelFile file(kTellsGroup);
    const Characterised run =
        characterise(file.enqueue({"global=48,32", "buffer=6144"}), {engine}).succeeded();
    // 48 divides 48, and 5 * 48 <= 256 < 6 * 48, but 5 does not divide 32; 4 * 48 is a multiple
    // of 32.
    CHECK(run["k_0"].provenance.localSize == Size3{48, 4, 1});
    CHECK(run["k_0"].provenance.localSizeLeftOpen);
    expect(run["k_0"], {{"work_groups", 8}, {"work_items", 48 * 32}, {"work_group_size", 192}});
    CHECK_THAT(run.outcome.out, Contains("48000 48100 48200 48300 ")); // what the kernel sees
  }
  const auto sizeOf = [](const Words &words) { return provenanceOf(kTellsGroup, words).localSize; };
  CHECK(sizeOf({"global=1024", "buffer=4096"}) == Size3{256, 1, 1});
  CHECK(sizeOf({"global=1000", "buffer=4000"}) == Size3{250, 1, 1}); // no multiple of 32 divides it
  CHECK(sizeOf({"global=800", "buffer=3200"}) == Size3{160, 1, 1});  // 200 is none
  CHECK(sizeOf({"global=3,400", "buffer=4800"}) == Size3{3, 80, 1}); // no multiple of 32 divides it
  CHECK(sizeOf({"global=3,64", "buffer=768"}) == Size3{3, 64, 1});
  CHECK(sizeOf({"global=997", "buffer=3988"}) == Size3{1, 1, 1}); // a prime
  CHECK(sizeOf({"global=8,4,6", "buffer=768"}) == Size3{8, 4, 6});
  CHECK(sizeOf({"global=3", "buffer=12"}) == Size3{3, 1, 1});
}

TEST_CASE("Where groups may be uneven, a global size without divisors gets large ones") {
  const Words prime = {"options=-cl-std=CL2.0", "global=997", "buffer=3988"};
  for (const char *engine : {"--aiwc-engine=compiled", "--aiwc-engine=interpreter"}) {
    const KernelFile file(kTellsGroup);
    const Characterised run = characterise(file.enqueue(prime), {engine}).succeeded();
    CHECK(run["k_0"].provenance.localSize == Size3{256, 1, 1});
    CHECK(run["k_0"].provenance.localSizeLeftOpen);
    expect(run["k_0"], {{"work_groups", 4}, {"work_items", 997}});
    CHECK_THAT(run.outcome.out, Catch::StartsWith("256000 256100 "));
  }
  const auto sizeOf = [](const Words &words) { return provenanceOf(kTellsGroup, words).localSize; };
  CHECK(sizeOf({"options=-cl-std=CL2.0", "global=31,37", "buffer=4588"}) == Size3{31, 8, 1});
  // As without the option: a divisor is large enough, or the NDRange is one group.
  CHECK(sizeOf({"options=-cl-std=CL2.0", "global=1000", "buffer=4000"}) == Size3{250, 1, 1});
  CHECK(sizeOf({"options=-cl-std=CL2.0", "global=7", "buffer=28"}) == Size3{7, 1, 1});
}

TEST_CASE("A local size that the application, the kernel or the user gives is no open one") {
  const auto given = provenanceOf(kTellsGroup, {"global=64", "local=1", "buffer=256"});
  CHECK(given.localSize == Size3{1, 1, 1});
  CHECK_FALSE(given.localSizeLeftOpen);

  // Oclgrind ignores the attribute where the application passes no local size. No device may take
  // another one, so it is not an open one.
  const auto required =
      provenanceOf("__attribute__((reqd_work_group_size(4, 2, 1))) " + std::string(kTellsGroup),
                   {"global=16,4", "buffer=256"});
  CHECK(required.localSize == Size3{4, 2, 1});
  CHECK_FALSE(required.localSizeLeftOpen);

  CHECK_FALSE(provenanceOf(kTellsGroup, {"global=1", "buffer=4"}).localSizeLeftOpen);

  const auto users =
      provenanceOf(kTellsGroup, {"global=64", "buffer=256"}, {"--aiwc-local-size", "k=32"});
  CHECK(users.localSize == Size3{32, 1, 1});
  CHECK_FALSE(users.localSizeLeftOpen);
}

TEST_CASE("A work-group without a given size has no more work-items than the device allows") {
  const KernelFile file(kTellsGroup);
  Folder folder;
  Command command = launch(file.enqueue({"global=1024", "buffer=4096"}), {"--aiwc-quiet"}, folder);
  command.environment["OCLGRIND_MAX_WGSIZE"] = "100";
  REQUIRE(run(command).status == 0);
  CHECK(readProfiles(folder / "out").at("k_0").profile.provenance.localSize == Size3{64, 1, 1});
}

TEST_CASE("Launches with and without a local size may wait side by side") {
  // 0: none, for each launch of `fill` over 64 work-items; two queues in turns.
  const std::vector<uint64_t> sizes = {0, 1, 8, 0, 0, 1, 1, 0};
  const Characterised run = characterise({application("several"), "local-sizes"}, {}).succeeded();
  REQUIRE(run.names().size() == sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    const auto &provenance = run["fill_" + std::to_string(i)].provenance;
    INFO(i);
    CHECK(provenance.localSize[0] == (sizes[i] == 0 ? 64 : sizes[i]));
    CHECK(provenance.localSizeLeftOpen == (sizes[i] == 0));
  }
}

TEST_CASE("An application may load the library of OpenCL itself") {
  // The second name is that of Oclgrind's runtime, too.
  for (const char *library : {"libOpenCL.so.1", "libOpenCL.so"}) {
    const Characterised run = characterise({application("loading"), library}).succeeded();
    CHECK(run.outcome.out == "1 platform, Oclgrind: 256 256 256\n");
    CHECK(run["k_0"].provenance.localSizeLeftOpen);
    CHECK(run["k_0"].provenance.engine == "compiled");
  }
}

TEST_CASE("An application may look for OpenCL implementations where the user said") {
  Folder folder;
  Command command = launch({application("loading"), "libOpenCL.so.1"}, {}, folder);
  command.environment["OCL_ICD_VENDORS"] = "/nonexistent";
  const Outcome outcome = run(command);
  CHECK(outcome.status != 0);
  CHECK_THAT(outcome.err, Contains("clGetPlatformIDs"));
}

TEST_CASE("What a run says of launches without a local size") {
  const KernelFile file(kTellsGroup);
  Folder folder;
  const Outcome outcome = run(launch(file.enqueue({"global=64", "buffer=256"}), {}, folder));
  REQUIRE(outcome.status == 0);
  CHECK_THAT(outcome.err, Contains("; the application gives no local size\n"));
  CHECK_THAT(contents(folder / "out" / "run.json"), Contains("\"local_size_left_open\":true"));
  Command show;
  show.words = {AIWC_TEST_COMMAND, "show", (folder / "out").string()};
  CHECK_THAT(run(show).out, Contains("leaves the size of the groups to OpenCL (NULL); a device"));
  Folder prime;
  REQUIRE(
      run(launch(file.enqueue({"global=997", "buffer=3988"}), {"--aiwc-quiet"}, prime)).status ==
      0);
  show.words.back() = (prime / "out").string();
  CHECK_THAT(run(show).out, Contains("(NULL); no larger one divides the global"));
}
