// Programs that come as binaries: SPIR bitcode, without the source and perhaps without locations.

#include "plugin/characterise.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;
using aiwc::profile::KernelProfile;

namespace {

// A branch, a loop, a call that stays one, local memory and a barrier.
const char *const kSource = R"(
  __attribute__((noinline)) float share(local float *l, float x) {
    l[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    return l[get_local_size(0) - 1 - get_local_id(0)];
  }
  kernel void k(global int *n, global float *x, local float *l) {
    size_t i = get_global_id(0);
    float sum = 0;
    for (int j = 0; j < n[i]; ++j)
      sum += x[j] * 0.5f;
    x[i] = share(l, sum);
  })";

const Words kArguments = {"global=16", "local=8", "counters=16", "buffer=64", "scratch=32"};

Words with(const Words &words, const std::string &more) {
  Words result = words;
  result.push_back(more);
  return result;
}

/// The two profiles agree in all that does not say where the program came from.
void checkSameBehaviour(KernelProfile profile, const KernelProfile &other) {
  profile.provenance.sourceHash = other.provenance.sourceHash;
  profile.provenance.sourceKind = other.provenance.sourceKind;
  for (const aiwc::profile::MetricInfo &metric : aiwc::profile::catalogue()) {
    INFO(metric.key);
    CHECK(profile[metric.metric] == other[metric.metric]);
  }
  CHECK(profile.histograms.opcodes == other.histograms.opcodes);
  CHECK(profile.histograms.instructionsToBarrier == other.histograms.instructionsToBarrier);
  CHECK(profile.histograms.addressAccesses == other.histograms.addressAccesses);
  CHECK(profile.histograms.branchExecutions == other.histograms.branchExecutions);
}

} // namespace

TEST_CASE("A program behaves the same when it is loaded from its own binary") {
  const KernelProfile source = runKernel(kSource, kArguments).profile;
  const KernelProfile binary = runKernel(kSource, with(kArguments, "reload")).profile;
  CHECK(source.provenance.sourceKind == "opencl-c");
  CHECK(binary.provenance.sourceKind == "bitcode");
  CHECK(binary.provenance.sourceHash.starts_with("xxh3-128:"));
  CHECK(binary.provenance.sourceHash != source.provenance.sourceHash);
  checkSameBehaviour(binary, source);
  // Work-item i adds i products: 2 (0 + ... + 15) operations.
  expect(binary, {{"fp_ops", 240}, {"barriers_hit", 16}, {"bytes_written_local", 64}});
}

TEST_CASE("The hash of a binary tells programs apart and recognises one") {
  // Each run compiles in a folder of its own, whose name is in the binary's debug information.
  const auto hash = [](const std::string &source) {
    return runKernel(source, with(kArguments, "reload")).profile.provenance.sourceHash;
  };
  std::string other = kSource;
  other.replace(other.find("0.5f"), 4, "2.5f");
  const std::string first = hash(kSource);
  CHECK(hash(kSource) == first);
  CHECK(hash(other) != first);
}

TEST_CASE("All kernels of a binary have its hash, whichever ran before") {
  const Characterised run = characterise({application("several"), "reloaded"}).succeeded();
  CHECK(run.names() == Words{"fill_0", "fill_1", "twice_0"});
  for (const auto &[name, stored] : run.profiles) {
    INFO(name);
    CHECK(stored.profile.provenance.sourceKind == "bitcode");
    CHECK(stored.profile.provenance.sourceHash == run["fill_0"].provenance.sourceHash);
  }
}

TEST_CASE("Bitcode from another compiler, without debug locations, is characterised") {
  if (!fs::exists(AIWC_TEST_CLANG))
    return skip("there is no compiler to make bitcode with");
  const Folder folder;
  const fs::path source = folder / "k.cl", bitcode = folder / "k.bc";
  // Declares what it calls, so that the compiler needs no header.
  write(source, R"(
    size_t __attribute__((overloadable)) get_global_id(unsigned int);
    kernel void k(global int *x, global int *y) {
      size_t i = get_global_id(0);
      y[i] = x[i] * x[i] + 1;
    })");
  const Command compile{{AIWC_TEST_CLANG, "-x", "cl", "-cl-std=CL1.2", "-target", "spir64", "-O1",
                         "-g0", "-Xclang", "-cl-kernel-arg-info", "-emit-llvm", "-c", source, "-o",
                         bitcode},
                        {{"PATH", "/usr/bin:/bin"}},
                        {}};
  const Outcome compiled = run(compile);
  INFO(compiled.err);
  REQUIRE(compiled.status == 0);
  const Characterised result = characterise({application("enqueue"), bitcode, "k", "bitcode",
                                             "global=8", "counters=8", "buffer=32"},
                                            {"--inst-counts"})
                                   .succeeded();
  const KernelProfile &profile = result["k_0"];
  CHECK(profile.complete);
  CHECK(profile.provenance.sourceKind == "bitcode");
  CHECK(profile.histograms.opcodes == instructionCounts(result.outcome.out));
  CHECK(result.outcome.out.find("\n1 2 5 10 17 26 37 50 \n") != std::string::npos);
  // One load, multiplication, addition and store each.
  expect(profile, {{"total_reads", 8},
                   {"total_writes", 8},
                   {"footprint_bytes", 64},
                   {"work_items", 8},
                   {"unique_branches", 0}});
  CHECK(executed(profile, "mul") == 8);
}
