// What the code of other devices keeps in memory: arrays whose accesses are known, registers that
// must be spilled, and code generators that fail.

#include "plugin/characterise.h"
#include "profile/json.h"

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
