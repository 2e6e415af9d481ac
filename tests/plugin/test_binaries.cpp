// Programs that come as binaries: SPIR bitcode, without the source and perhaps without locations.

#include "embed/bitcode.h"
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

/// Bitcode of a program, by another compiler than Oclgrind's.
fs::path compiled(const std::string &source, const Folder &folder) {
  const fs::path file = folder / "k.cl", bitcode = folder / "k.bc";
  // Declares what it calls, so that the compiler needs no header.
  write(file, "size_t __attribute__((overloadable)) get_global_id(unsigned int);\n" + source);
  const Command compile{{AIWC_TEST_CLANG, "-x", "cl", "-cl-std=CL1.2", "-target", "spir64", "-O1",
                         "-g0", "-Xclang", "-cl-kernel-arg-info", "-emit-llvm", "-c", file, "-o",
                         bitcode},
                        {{"PATH", "/usr/bin:/bin"}},
                        {}};
  const Outcome outcome = run(compile);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return bitcode;
}

} // namespace

TEST_CASE("A kernel is its own code and what it calls and reads, whatever else its program has") {
  const auto hashOf = [](const std::string &source, const std::string &options = "") {
    Words words = {"global=8", "local=8", "buffer=32"};
    if (!options.empty())
      words.push_back("options=" + options);
    const KernelProfile profile = runKernel(source, words).profile;
    CHECK(profile.provenance.codeHash.starts_with("xxh3-128:"));
    return profile.provenance.codeHash;
  };
  const std::string constants = "constant int table[4] = {1, 2, 3, 4};\n";
  const std::string called =
      "__attribute__((noinline)) int f(int a) { return a * 3 + table[a & 3]; }\n";
  const std::string kernel = "kernel void k(global int *x) { int i = get_global_id(0); "
                             "for (int j = 0; j < N; ++j) x[i] = f(x[i]) + i; }\n";
  const std::string n = "#define N 5\n";
  const std::string first = hashOf(n + constants + called + kernel);
  // Names, comments, lines, an unused constant as PyOpenCL adds one, other functions and kernels,
  // and where a number comes from.
  CHECK(hashOf(
            "// a comment\n\n#define N 5\nstruct other { int a; };\nconstant int unused_1f = 0;\n"
            "constant int values[4] = {1, 2, 3, 4};\n"
            "kernel void before(global float *y) { y[0] = 1; }\n"
            "__attribute__((noinline)) int other(int a) { return a; }\n"
            "__attribute__((noinline)) int g(int number) { /* f */ return number * 3 + "
            "values[number & 3]; }\n"
            "kernel void k(global int *data) {\n  int item = get_global_id(0);\n"
            "  for (int round = 0; round < N; ++round)\n    data[item] = g(data[item]) + item;\n}\n"
            "kernel void after(global int *y) { y[0] = other(y[1]); }\n") == first);
  CHECK(hashOf(constants + called + kernel, "-DN=5") == first);
  // What it executes: a number of its own, in what it calls, in what it reads; a type; an order.
  const std::pair<std::string, std::string> changes[] = {{"N 5", "N 6"},
                                                         {"a * 3", "a * 2"},
                                                         {"3, 4}", "3, 5}"},
                                                         {"f(x[i]) + i", "i - f(x[i])"},
                                                         {"+ i; }", "+ get_local_id(0); }"}};
  for (const auto &[from, to] : changes) {
    std::string source = n + constants + called + kernel;
    source.replace(source.find(from), from.size(), to);
    INFO(source);
    const std::string changed = hashOf(source);
    CHECK(changed != first);
  }
}

TEST_CASE("A program behaves the same when it is loaded from its own binary") {
  const KernelProfile source = runKernel(kSource, kArguments).profile;
  const KernelProfile binary = runKernel(kSource, with(kArguments, "reload")).profile;
  CHECK(source.provenance.sourceKind == "opencl-c");
  CHECK(binary.provenance.sourceKind == "bitcode");
  CHECK(binary.provenance.sourceHash.starts_with("xxh3-128:"));
  CHECK(binary.provenance.sourceHash != source.provenance.sourceHash);
  CHECK(binary.provenance.codeHash == source.provenance.codeHash); // the same kernel
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
  const fs::path bitcode = compiled(R"(
    kernel void k(global int *x, global int *y) {
      size_t i = get_global_id(0);
      y[i] = x[i] * x[i] + 1;
    })",
                                    folder);
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

TEST_CASE("A binary whose code is corrected keeps its hash") {
  if (!fs::exists(AIWC_TEST_CLANG))
    return skip("there is no compiler to make bitcode with");
  const Folder folder;
  const fs::path bitcode = compiled(R"(
    kernel void k(global int *x) {
      size_t i = get_global_id(0);
      switch (x[i] & 3) { // of two bits, which Oclgrind does not tell from more
      case 1: x[i] *= 100; break;
      case 2: x[i] -= 5; break;
      }
    })",
                                    folder);
  const Characterised result =
      characterise({application("enqueue"), bitcode, "k", "bitcode", "global=8", "counters=8"})
          .succeeded();
  CHECK(result.outcome.out == "0 100 -3 3 4 500 1 7 \n");
  CHECK(result["k_0"].provenance.sourceHash ==
        aiwc::embed::identityOfBitcode(contents(bitcode)).hash);
}
