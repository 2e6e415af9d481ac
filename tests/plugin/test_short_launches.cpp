// Long kernels that execute so little that interpreting them takes less time than compiling them:
// which engine runs them, and that a profile does not depend on it.

#include "plugin/characterise.h"
#include "profile/json.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

using namespace aiwc::test;
using aiwc::profile::toJson;
using Catch::Matchers::Contains;

namespace {

constexpr const char *kTooShort = "compiling it takes longer than interpreting its launches";

/// About 3000 instructions that change `x`.
std::string longCode() {
  std::string code;
  for (int i = 0; i < 1000; ++i)
    code += fmt::format("x ^= x << {}; x += {};\n", 1 + i % 13, 1000 + i);
  return code;
}

/// A kernel that executes the long code once per iteration of `loop`, a statement without its body.
std::string kernel(const std::string &loop) {
  return "kernel void k(int n, global int *b) { uint x = b[get_global_id(0)];\n" + loop + " {\n" +
         longCode() + "}\nb[get_global_id(0)] = x; }\n";
}

/// Why the only launch of the kernel was interpreted; empty if it was compiled.
std::string reasonOf(const std::string &source, int n, const Words &options = {}) {
  const KernelFile file(source);
  const Words words = {"global=16", "local=8", fmt::format("int={}", n), "buffer=64"};
  const Characterised run = characterise(file.enqueue(words), options).succeeded();
  const auto &provenance = run["k_0"].provenance;
  CHECK(provenance.engine == (provenance.engineReason.empty() ? "compiled" : "interpreter"));
  return provenance.engineReason;
}

} // namespace

TEST_CASE("A long kernel is compiled if a launch executes its instructions often") {
  // With n = 1 each executes the code at most six times per work-item, of which there are 16.
  const char *const loops[] = {
      "for (int i = 0; i < n; ++i)",
      "for (int i = n; i > 0; --i)",
      "for (uint i = get_group_id(0) * n; i < min((uint)(get_group_id(0) + 1) * n, n * 2u); ++i)",
      "for (int i = get_local_id(0); i < n * 8; i += get_local_size(0))",
      "for (int i = 0; i < n; ++i) for (int j = 0; j <= i * 2; ++j)",
      "for (int i = 0; i < 1000; ++i) { if (i == n) break; } for (int i = 0; i < n; ++i)",
  };
  for (const char *loop : loops) {
    INFO(loop);
    CHECK(reasonOf(kernel(loop), 1) == kTooShort);
    CHECK(reasonOf(kernel(loop), 200).empty());
  }
}

TEST_CASE("A kernel whose work memory decides is compiled") {
  CHECK(reasonOf(kernel("for (int i = 0; i <= b[15]; ++i)"), 1).empty());
  CHECK(reasonOf(kernel("while (x % 7 == 1)"), 1).empty());
  const std::string called = "__attribute__((noinline)) uint f(uint x, int n) {\n"
                             "for (int i = 0; i < n; ++i) {" +
                             longCode() +
                             "} return x; }\n"
                             "kernel void k(int n, global int *b) {\n"
                             "b[get_global_id(0)] = f(b[0], n); }";
  CHECK(reasonOf(called, 1).empty());
}

TEST_CASE("A short kernel is compiled, and so is any if the user wants that") {
  CHECK(reasonOf("kernel void k(int n, global int *b) { b[get_global_id(0)] = n; }", 1).empty());
  const std::string once = kernel("for (int i = 0; i < n; ++i)");
  CHECK(reasonOf(once, 1, {"--aiwc-engine=compiled"}).empty());
}

TEST_CASE("A long kernel is compiled once its launches have executed it often") {
  const KernelFile file(kernel("for (int i = 0; i < n; ++i)"));
  const Words words = file.enqueue({"global=16", "local=8", "int=1", "buffer=64", "times=9"});
  for (const char *threads : {"--aiwc-threads=1", "--aiwc-threads=3"}) {
    INFO(threads);
    const Characterised some = characterise(words, {threads}).succeeded();
    const Characterised all = characterise(words, {threads, "--aiwc-engine=compiled"}).succeeded();
    REQUIRE(some.names().size() == 9);
    CHECK(some.outcome.out == all.outcome.out);
    for (int i = 0; i < 9; ++i) {
      INFO(i);
      aiwc::profile::KernelProfile profile = some[fmt::format("k_{}", i)];
      // 16 work-items execute each instruction at least once per launch, 100 times after six.
      CHECK(profile.provenance.engine == (i < 6 ? "interpreter" : "compiled"));
      CHECK(profile.provenance.engineReason == (i < 6 ? kTooShort : ""));
      profile.provenance.engine = "compiled";
      profile.provenance.engineReason.clear();
      CHECK(toJson(profile) == toJson(all[fmt::format("k_{}", i)]));
    }
  }
}

TEST_CASE("Short launches that are not characterised are interpreted, too") {
  const KernelFile file(kernel("for (int i = 0; i < n; ++i)"));
  const Words words = file.enqueue({"global=16", "local=8", "int=1", "buffer=64", "times=3"});
  const Characterised run = characterise(words, {"--aiwc-invocations=0"}, false).succeeded();
  CHECK(run.names() == Words{"k_0"});
  CHECK_THAT(run.outcome.err, Contains("compiled 0 of 3 launches"));
  CHECK_THAT(run.outcome.err, Contains(std::string("of k: ") + kTooShort));
}

TEST_CASE("A launch that executed more than was expected counts as what it was") {
  // Only the second work-item has something to do, and executes the code 300 times.
  const KernelFile file(kernel("for (int i = 0; i < (get_global_id(0) == 1 ? n : 0); ++i)"));
  const auto words = [&](const std::string &times) {
    return file.enqueue({"global=16", "local=8", "int=300", "buffer=64", times});
  };
  const Characterised run = characterise(words("times=2")).succeeded();
  CHECK(run["k_0"].provenance.engineReason == kTooShort);
  CHECK(run["k_1"].provenance.engine == "compiled");
  // Nobody counts launches that are not characterised: ten of them are interpreted.
  const Characterised uncounted =
      characterise(words("times=12"), {"--aiwc-kernel=other", "--aiwc-allow-empty"}, false)
          .succeeded();
  CHECK_THAT(uncounted.outcome.err, Contains("compiled 2 of 12 launches"));
}

TEST_CASE("A loop that may iterate often is not taken for a short one") {
  // Into the middle of a loop.
  CHECK(reasonOf("kernel void k(int n, global int *b) { uint x = b[0]; int i = 0;\n"
                 "if (b[1] == 0) goto middle;\ndo {" +
                     longCode() + "middle:" + longCode() +
                     "} while (++i < n);\nb[get_global_id(0)] = x; }",
                 1)
            .empty());
  // The end is above the largest int.
  CHECK(reasonOf(kernel("for (uint i = get_global_id(0); i < 4000000000u; i += 100000000u * n)"), 1)
            .empty());
  // It ends when the counter passes 0, which it does by becoming large.
  CHECK(reasonOf(kernel("for (uint i = n - 1; i < (uint)n; i -= (uint)get_global_size(0))"), 200)
            .empty());
  // All work is the first work-item's.
  CHECK(reasonOf(kernel("for (int i = get_global_id(0) * n; i < n; ++i)"), 200).empty());
}
