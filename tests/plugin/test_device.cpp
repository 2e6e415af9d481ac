// What an application is told of the device (--aiwc-as), and what the run keeps of that.
// apps/device.cpp has the questions.

#include "plugin/characterise.h"
#include "run/folder.h"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>

using namespace aiwc::test;
using aiwc::profile::Size3;
using aiwc::run::AnsweredAs;
using Catch::Matchers::Contains;

namespace {

struct Told {
  std::string out;
  aiwc::run::Run run;

  Size3 localSize() const { return run.launches.at(0).localSize; }
  Size3 globalSize() const { return run.launches.at(0).globalSize; }
};

Told told(Words questions, const Words &options = {},
          const std::map<std::string, std::string> &variables = {}) {
  questions.insert(questions.begin(), application("device"));
  Folder folder;
  Command command = launch(questions, options, folder);
  command.environment.insert(variables.begin(), variables.end());
  const Outcome outcome = run(command);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return {outcome.out, aiwc::run::readRun(folder / "out/run.json")};
}

} // namespace

TEST_CASE("An application sees a GPU, and launches what it would launch there") {
  const Told gpu = told({"all", "type", "units", "multiple", "limits", "local", "double"});
  CHECK(gpu.out == "type gpu\nunits 32\nmultiple 32\nlimits 1024 1024 1024 1024 1024\n"
                   "local 49152 own\ndouble 1 1\n");
  CHECK(gpu.globalSize() == Size3{32 * 32, 1, 1});
  CHECK(gpu.localSize() == Size3{32, 1, 1});
  CHECK(gpu.run.answeredAs == AnsweredAs{"generic-gpu", "gpu"});
}

TEST_CASE("A device has its memory, but no more than half of this machine's") {
  const uint64_t half = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
  const auto memory = [&](uint64_t bytes) {
    return "memory " + std::to_string(std::min(bytes, half)) + "\n";
  };
  constexpr uint64_t kGiB = uint64_t{1} << 30U;
  CHECK(told({"all", "memory"}).out == memory(8 * kGiB));
  CHECK(told({"all", "memory"}, {"--aiwc-as", "gtx1080"}).out == memory(8 * kGiB));
  CHECK(told({"all", "memory"}, {"--aiwc-as", "mi300x"}).out == memory(192 * kGiB));
}

TEST_CASE("--aiwc-as answers as a device of the library") {
  const Told gpu = told({"all", "type", "units", "multiple", "local", "clock", "name"},
                        {"--aiwc-as", "gtx1080"});
  CHECK(gpu.out == "type gpu\nunits 20\nmultiple 32\nlocal 49152 own\n"
                   "clock 1733\nname GeForce GTX 1080, vendor Oclgrind\n");
  CHECK(gpu.run.answeredAs == AnsweredAs{"gtx1080", "gpu"});
  CHECK(gpu.globalSize() == Size3{20 * 32, 1, 1});

  // What PoCL answers on a processor with 256-bit registers.
  const Told cpu = told({"all", "units", "multiple", "limits", "local", "vectors", "type"},
                        {"--aiwc-as=i7-6700k"});
  CHECK(cpu.out == "units 4\nmultiple 8\nlimits 4096 4096 4096 4096 4096\nlocal 524288 global\n"
                   "vectors 16 8 4\ntype cpu\n");
  CHECK(cpu.run.answeredAs == AnsweredAs{"i7-6700k", "cpu"});
  CHECK(cpu.globalSize() == Size3{2, 1, 1});

  // AMD's wavefronts have 64 work-items, its groups up to 256 and 64 KiB.
  CHECK(told({"gpu", "multiple", "limits", "local"}, {"--aiwc-as", "radeon-vii"}).out ==
        "multiple 64\nlimits 256 256 256 256 256\nlocal 65536 own\n");
  // No double precision in Apple's.
  CHECK(told({"gpu", "double", "vectors"}, {"--aiwc-as", "apple-m1"}).out ==
        "double 0 0\nvectors 1 1 0\n");
}

TEST_CASE("A device has the extension for half precision where its vendor's implementation has") {
  CHECK(told({"all", "half"}).out == "half 1 1 1 1 1\n");
  for (const char *has : {"radeon-vii", "fiji-furyx", "arc-a770", "adreno-740"})
    CHECK(told({"gpu", "half"}, {"--aiwc-as", has}).out == "half 1 1 1 1 1\n");
  for (const char *lacks :
       {"gtx1080", "h100-sxm5", "tahiti-hd7970", "r9-390", "iris-5100", "apple-m1", "i7-6700k"})
    CHECK(told({"all", "half"}, {"--aiwc-as", lacks}).out == "half 0 0 0 0 0\n");
}

TEST_CASE("An application that looks for one type of device finds it, whatever it is told") {
  CHECK(told({"cpu", "type"}).out == "type cpu\n");
  CHECK(told({"accelerator", "type"}).out == "type accelerator\n");
  CHECK(told({"gpu", "type"}, {"--aiwc-as", "i7-6700k"}).out == "type gpu\n");
  for (const char *sought : {"gpu", "default", "all"})
    CHECK(told({sought, "type"}).out == "type gpu\n");
  CHECK(told({"default", "type"}, {"--aiwc-as", "i7-6700k"}).out == "type cpu\n");
}

TEST_CASE("Oclgrind's own options and variables take precedence") {
  const Words questions = {"all", "units", "local", "limits"};
  const std::string users = "units 3\nlocal 1000 own\nlimits 100 100 100 100 100\n";
  CHECK(told(questions, {"--compute-units", "3", "--local-mem-size", "1000", "--max-wgsize", "100",
                         "--aiwc-as", "gtx1080"})
            .out == users);
  CHECK(told(questions, {"--aiwc-as", "gtx1080"},
             {{"OCLGRIND_COMPUTE_UNITS", "3"},
              {"OCLGRIND_LOCAL_MEM_SIZE", "1000"},
              {"OCLGRIND_MAX_WGSIZE", "100"}})
            .out == users);
  CHECK(told({"all", "memory"}, {"--global-mem-size", "1000000", "--aiwc-as", "gtx1080"}).out ==
        "memory 1000000\n");
}

TEST_CASE("A run keeps what the application asked of the device") {
  CHECK(told({"all"}).run.asked.empty());
  CHECK(told({"all", "units", "type"}).run.asked ==
        Words{"CL_DEVICE_MAX_COMPUTE_UNITS", "CL_DEVICE_TYPE"});
  CHECK(told({"all", "multiple"}).run.asked ==
        Words{"CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE"});
}

TEST_CASE("The local size for NULL is within what the device allows") {
  const KernelFile file("kernel void k(global int *x) { x[get_global_id(0)] = 1; }");
  for (const auto &[device, items] : {std::pair("radeon-vii", 256), std::pair("i7-6700k", 256)}) {
    const Characterised run =
        characterise(file.enqueue({"global=1024", "buffer=4096"}), {"--aiwc-as", device});
    CHECK(run.succeeded()["k_0"].provenance.localSize[0] == static_cast<uint64_t>(items));
  }
}

TEST_CASE("A group as large as a processor allows runs in both engines") {
  const KernelFile file("kernel void k(global int *x) {"
                        "  local int sum; if (get_local_id(0) == 0) sum = 0;"
                        "  barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&sum);"
                        "  barrier(CLK_LOCAL_MEM_FENCE); x[get_global_id(0)] = sum; }");
  for (const char *engine : {"--aiwc-engine=compiled", "--aiwc-engine=interpreter"}) {
    const Characterised run =
        characterise(file.enqueue({"global=4096", "local=4096", "buffer=16384"}),
                     {"--aiwc-as", "i7-6700k", engine});
    expect(run.succeeded()["k_0"], {{"work_groups", 1}, {"work_items", 4096}});
    CHECK_THAT(run.outcome.out, Catch::StartsWith("4096 4096 "));
  }
}

TEST_CASE("An unknown device is refused before the application runs") {
  Folder folder;
  const Outcome outcome =
      run(launch({application("device"), "all", "type"}, {"--aiwc-as", "gtx1088"}, folder));
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err, Contains("gtx1088") && Contains("gtx1080"));
}
