// Programs that nobody here wrote, as Debian packages them: kernels made by a language binding's
// templates and by a library's generator.

#include "plugin/characterise.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <set>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;
using aiwc::profile::Metric;

namespace {

/// What holds of any kernel that did something: no value contradicts another.
void checkPlausible(const KernelProfile &profile) {
  INFO(profile.provenance.kernel << " " << profile.provenance.invocation);
  const auto count = [&profile](Metric metric) { return profile.count(metric); };
  CHECK(profile.complete);
  CHECK(profile.reason == "");
  CHECK(profile.simulatorErrors == 0);
  const uint64_t items = count("work_items"_metric);
  CHECK(items == profile.provenance.globalSize[0] * profile.provenance.globalSize[1] *
                     profile.provenance.globalSize[2]);
  CHECK(items == count("work_groups"_metric) * count("work_group_size"_metric));
  CHECK(count("total_instruction_count"_metric) >= items * count("ipt_min"_metric));
  CHECK(count("total_instruction_count"_metric) <= items * count("ipt_max"_metric));
  CHECK(count("ipt_min"_metric) >= 1);
  CHECK(count("total_reads"_metric) >= count("unique_reads"_metric));
  CHECK(count("total_writes"_metric) >= count("unique_writes"_metric));
  CHECK(count("unique_writes"_metric) > 0);
  CHECK(count("memory_footprint"_metric) >= count("memory_footprint_90"_metric));
  CHECK(count("bytes_written_global"_metric) > 0);
  CHECK(count("bytes_written_constant"_metric) == 0);
  CHECK(profile.real("linear_branch_entropy"_metric) <= 1);
  CHECK(profile.real("yokota_branch_entropy"_metric) <= 1);
  double above = profile.real("global_memory_address_entropy"_metric);
  for (const Metric coarser : kVectorMetric<"local_memory_address_entropy">) { // they carry less
    const double entropy = profile.real(coarser);
    CHECK(entropy <= above + 1e-9);
    above = entropy;
  }
}

/// Every profile is plausible, and together they have the instructions that Oclgrind counted.
void checkAll(const Characterised &run) {
  std::map<std::string, uint64_t> opcodes;
  for (const auto &entry : run.profiles) {
    checkPlausible(entry.second.profile);
    for (const auto &[opcode, number] : entry.second.profile.histograms.opcodes)
      opcodes[opcode] += number;
  }
  CHECK(opcodes == instructionCounts(run.outcome.out));
}

} // namespace

TEST_CASE("PyOpenCL's arrays") {
  const Words python = {"/usr/bin/python3"};
  const Command probe{
      {"/usr/bin/python3", "-c", "import pyopencl, mako"}, {{"PATH", "/usr/bin:/bin"}}, {}};
  if (!fs::exists(python.front()) || run(probe).status != 0)
    return skip("python3-pyopencl is not installed");
  const Characterised run =
      characterise({python.front(), (fs::path(AIWC_TEST_SOURCES) / "arrays.py").string()},
                   {"--inst-counts"})
          .succeeded();
  CHECK_THAT(run.outcome.out, Catch::Contains("all results agree"));
  checkAll(run);

  // z = 2 x + 3 y over 1000 floats: two reads and a write each.
  std::set<std::string> kernels;
  for (const auto &entry : run.profiles)
    kernels.insert(entry.second.profile.provenance.kernel);
  INFO(Catch::Detail::stringify(kernels));
  CHECK(kernels.contains("weighted"));
  CHECK(kernels.size() >= 5);
  expect(run["weighted_0"], {{"bytes_read_global", 8000},
                             {"bytes_written_global", 4000},
                             {"footprint_bytes", 12000},
                             {"fp_add", 1000},
                             {"fp_mul", 2000},
                             {"barriers_hit", 0}});
}

TEST_CASE("The second run of a PyOpenCL program has its sources, and the kernels of the first") {
  const Command probe{
      {"/usr/bin/python3", "-c", "import pyopencl, mako"}, {{"PATH", "/usr/bin:/bin"}}, {}};
  if (!fs::exists("/usr/bin/python3") || run(probe).status != 0)
    return skip("python3-pyopencl is not installed");
  const Folder folder;
  // A comment and an unused constant more in the second run; `add` runs in the first one only.
  write(folder / "app.py", R"(
import sys
import numpy
import pyopencl
import pyopencl.array
context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
x = pyopencl.array.to_device(queue, numpy.arange(64, dtype=numpy.float32))
source = """
kernel void scale(global float *x) { x[get_global_id(0)] *= 2; }
kernel void add(global float *x) { x[get_global_id(0)] += 2; }
"""
if sys.argv[1] == "2":
    source = "// again\nconstant int unused = 7;\n" + source
program = pyopencl.Program(context, source).build()
program.scale(queue, (64,), (8,), x.data)
if sys.argv[1] == "1":
    program.add(queue, (64,), (8,), x.data)
queue.finish()
)");
  for (const std::string number : {"1", "2"}) {
    const Command command =
        launch({"/usr/bin/python3", folder / "app.py", number}, {"--aiwc-quiet"}, folder);
    const Outcome outcome = run(command);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    fs::rename(folder / "out", folder / ("run" + number));
    const auto profiles = readProfiles(folder / ("run" + number));
    REQUIRE(profiles.contains("scale_0"));
    CHECK(profiles.at("scale_0").profile.provenance.sourceKind == "opencl-c");
    const std::string lines =
        run({{AIWC_TEST_COMMAND, "show", "--lines", folder / ("run" + number)}, {}, {}}).out;
    CHECK_THAT(lines, Catch::Contains("x[get_global_id(0)] *= 2"));
  }
  const Outcome diff = run({{AIWC_TEST_COMMAND, "diff", "run1", "run2"},
                            {{"AIWC_DEVICES", AIWC_TEST_DEVICES}},
                            folder.path()});
  CHECK_THAT(diff.out, Catch::StartsWith("run1 -> run2\n  only in run1: add (1 launch)\n"
                                         "  no difference: scale\n"
                                         "  predicted time of the kernel that both have"));
}

TEST_CASE("clFFT's client") {
  const std::string client = "/usr/bin/clFFT-client";
  if (!fs::exists(client))
    return skip("clfft-client is not installed");
  // 4 transforms of 64 complex floats, forward once; the client checks the result itself.
  const Characterised run =
      characterise({client, "-x", "64", "--batchSize", "4", "-p", "1"}, {"--inst-counts"});
  CHECK_THAT(run.succeeded().outcome.out, Catch::Contains("PASS"));
  checkAll(run);
  CHECK(run.names() == Words{"fft_fwd_0"});
  // In place: each of the 4 * 64 complex numbers is read and written once, 4 bytes a time or 8.
  expect(run["fft_fwd_0"], {{"bytes_read_global", 4 * 64 * 8},
                            {"bytes_written_global", 4 * 64 * 8},
                            {"device_to_host_bytes", 4 * 64 * 8}});
  // Besides the numbers there are a few parameters.
  CHECK(run["fft_fwd_0"].count("host_to_device_bytes"_metric) >= 4 * 64 * 8);
  CHECK(run["fft_fwd_0"].count("host_to_device_bytes"_metric) < 4 * 64 * 8 + 1024);
  // A transform of n points needs n/2 log2 n butterflies at least; radix 8 saves some of the
  // 10 operations that each has.
  const auto work = static_cast<double>(run["fft_fwd_0"].count("fp_ops"_metric));
  CHECK(work > 4 * 64 / 2 * 6 * 5);
  CHECK(work < 4 * 64 / 2 * 6 * 15);
}
