// --aiwc-accuracy: of a launch that is long, so many work-groups are characterised as an accurate
// profile needs. The launch starts again for that; the application sees that it ran once.

#include "metrics/sampled_groups/sampler.h"
#include "plugin/characterise.h"
#include "profile/json.h"
#include "profile/reuse.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using namespace aiwc::test;

namespace {

/// For both, launches of more than 20 000 instructions are long.
constexpr const char *kStandard = "--aiwc-accuracy=standard:20000";
constexpr const char *kFast = "--aiwc-accuracy=fast:20000";

// Counts its work-items: whatever ran twice would show. The output is that of one work-item, in a
// group that every sample has; all other groups are alike.
const KernelFile &alike() {
  static const KernelFile file(R"(
    kernel void k(global int *x) {
      const int i = get_global_id(0);
      int sum = 0;
      for (int j = 0; j < 20; ++j)
        sum += j ^ i;
      atomic_add(x, sum);
      atomic_inc(x + 1);
      if (i == 0)
        printf("%d\n", sum);
    })");
  return file;
}

Words eightThousand(const KernelFile &file) {
  return file.enqueue({"global=8192", "local=8", "buffer=65536"});
}

} // namespace

TEST_CASE("A long launch has the profile of a sample, and runs once") {
  const Words words = eightThousand(alike());
  const Characterised exact = characterise(words).succeeded(); // 8192 * 200 < 10^9
  REQUIRE_FALSE(exact["k_0"].provenance.sampled());
  std::string first;
  for (const char *threads : {"--aiwc-threads=1", "--aiwc-threads=3"}) {
    const Characterised standard = characterise(words, {threads, kStandard}).succeeded();
    const auto &profile = standard["k_0"];
    CHECK(standard.outcome.out == exact.outcome.out);
    CHECK(profile.complete);
    CHECK(profile.provenance.engine == "compiled");
    CHECK(profile.provenance.sampledGroups == 6); // all are alike
    CHECK(profile.provenance.totalGroups == 1024);
    CHECK(aiwc::metrics::largestRelativeError(profile) <= 0.01);
    // The same bytes with one thread and with three.
    const std::string &json = standard.profiles.at("k_0").json;
    CHECK((first.empty() || json == first));
    first = json;
    const Characterised fast = characterise(words, {threads, kFast}).succeeded();
    CHECK(fast["k_0"].provenance.sampledGroups == 6);
  }
}

TEST_CASE("After many launches that are not long, shorter ones are sampled") {
  const KernelFile file(R"(
    kernel void k(global int *x) {
      x[get_global_id(0)] += 1;
    })");
  constexpr uint64_t kLong = 20000; // of kStandard
  const Words words = file.enqueue({"global=1024", "local=8", "buffer=4096", "times=6"});
  const Characterised run = characterise(words, {kStandard}).succeeded();
  uint64_t withoutSample = 0;
  size_t sampled = 0;
  for (const char *launch : {"k_0", "k_1", "k_2", "k_3", "k_4", "k_5"}) {
    INFO(launch);
    const uint64_t instructions = run[launch].count("total_instruction_count"_metric);
    REQUIRE(instructions <= kLong);
    REQUIRE(instructions > kLong / aiwc::metrics::kShorterOfMany);
    CHECK(run[launch].provenance.sampled() == (withoutSample >= kLong / aiwc::metrics::kManyOf));
    if (run[launch].provenance.sampled())
      ++sampled;
    else
      withoutSample += instructions;
  }
  CHECK(sampled > 0);
  CHECK(sampled < 6);
  const Characterised exact = characterise(words, {"--aiwc-accuracy=exact"}).succeeded();
  CHECK_FALSE(exact["k_5"].provenance.sampled());
}

TEST_CASE("Shorter launches of a kernel that shares lines far away stay whole") {
  // Each group reads a line of every part of the buffer.
  const KernelFile file(R"(
    kernel void k(global const int *from, global int *to) {
      const size_t i = get_global_id(0);
      to[i] = from[(i * 523) & 1023];
    })");
  const Words words =
      file.enqueue({"global=1024", "local=8", "counters=1024", "buffer=4096", "times=6"});
  const Characterised run = characterise(words, {kStandard}).succeeded();
  constexpr uint64_t kLong = 20000; // of kStandard
  for (const char *launch : {"k_0", "k_1", "k_2", "k_3", "k_4", "k_5"}) {
    INFO(launch);
    CHECK(run[launch].count("total_instruction_count"_metric) > kLong / aiwc::metrics::kManyOf);
    CHECK_FALSE(run[launch].provenance.sampled());
  }
}

TEST_CASE("The group that has the most to do is in the sample") {
  // The first work-item sums the array at the end, 1024 groups.
  const KernelFile file(R"(
    kernel void k(global int *x) {
      const int i = get_global_id(0);
      x[i] = i;
      if (i == 0)
        for (int j = 0; j < 8192; ++j)
          x[8192] += x[j];
    })");
  const Words words = file.enqueue({"global=8192", "local=8", "buffer=65536"});
  const Characterised all = characterise(words, {"--aiwc-accuracy=exact"}).succeeded();
  const auto &exact = all["k_0"];
  REQUIRE(exact.real("ipt_max"_metric) > 0.1 * exact.real("total_instruction_count"_metric));
  for (const char *accuracy : {kStandard, kFast}) {
    const Characterised run = characterise(words, {accuracy}).succeeded();
    const auto &profile = run["k_0"];
    REQUIRE(profile.provenance.sampled());
    for (const auto metric : {"ipt_max"_metric, "work_group_instructions_max"_metric,
                              "load_imbalance"_metric, "fp_ops_max_item"_metric})
      CHECK(profile[metric] == exact[metric]);
    for (const auto metric : {"total_instruction_count"_metric, "total_reads"_metric,
                              "bytes_read_global"_metric, "int_ops"_metric}) {
      INFO(aiwc::profile::info(metric).key);
      CHECK(profile.real(metric) == Approx(exact.real(metric)).epsilon(0.01));
    }
    CHECK(profile.real("lane_utilization_32"_metric) ==
          Approx(exact.real("lane_utilization_32"_metric)).epsilon(0.01));
  }
}

TEST_CASE("The sample grows until the errors are small") {
  // Groups execute the same, but the work-items of a group are nearer to each other or farther.
  const KernelFile file(R"(
    kernel void k(global int *x) {
      const int i = get_global_id(0), stride = 1 + get_group_id(0) * 2654435761u % 61;
      int sum = 0;
      for (int j = 0; j < 20; ++j)
        sum += x[(i * stride + j) & 16383] + j * i;
      x[16383 - i] = sum;
    })");
  const Words words = eightThousand(file);
  const Characterised exact = characterise(words, {"--aiwc-accuracy=exact"}).succeeded();
  const Characterised standard = characterise(words, {kStandard}).succeeded();
  const auto &profile = standard["k_0"];
  CHECK(standard.outcome.out == exact.outcome.out);
  // Each in its own way, so only all groups are accurate.
  CHECK_FALSE(profile.provenance.sampled());
  CHECK(standard.profiles.at("k_0").json == exact.profiles.at("k_0").json);
  const Characterised fast = characterise(words, {kFast}).succeeded();
  CHECK(fast["k_0"].provenance.sampledGroups > 16);
  CHECK(fast.outcome.out == exact.outcome.out);
  CHECK(aiwc::metrics::largestRelativeError(fast["k_0"]) <= 0.05);
  const auto coalescing = "coalescing_32"_metric;
  CHECK(fast["k_0"].real(coalescing) ==
        Approx(exact["k_0"].real(coalescing)).epsilon(0.15)); // three standard errors
}

TEST_CASE("Groups that execute the same, but step through memory otherwise, are found") {
  // Of 1024 groups, one, two, 8, 9 or 25 have other strides; the compiler makes a selection of the
  // condition, so that all groups execute the same blocks. A stride may be read from memory, too.
  const std::vector<std::pair<const char *, std::string>> strides = {
      {"one", "g == 700 ? 33 : 1"},          {"two", "(g | 1) == 333 ? 33 : 1"},
      {"eight", "(g & 127) == 77 ? 33 : 1"}, {"one in 41", "g % 41 == 7 ? 33 : 1"},
      {"a run", "g - 500u < 9u ? 17 : 1"},   {"of memory", "x[g % 41 == 7 ? 33 : 1]"},
  };
  for (const auto &[name, stride] : strides) {
    INFO(name);
    const KernelFile file("kernel void k(global const int *x, global int *y) {\n"
                          "  const uint i = get_global_id(0), g = get_group_id(0);\n"
                          "  const uint stride = " +
                          stride +
                          ";\n"
                          "  int sum = 0;\n"
                          "  for (uint j = 0; j < 20; ++j)\n"
                          "    sum += x[(i & 31) * stride + j * 64] + j * i;\n"
                          "  y[i] = sum;\n"
                          "}\n");
    const Words words =
        file.enqueue({"global=32768", "local=32", "counters=16384", "buffer=131072"});
    const auto exact = characterise(words, {"--aiwc-accuracy=exact"}).succeeded();
    std::string json;
    for (const char *threads : {"--aiwc-threads=1", "--aiwc-threads=3"}) {
      const Characterised run = characterise(words, {threads, kStandard}).succeeded();
      const auto &profile = run["k_0"];
      CHECK(run.outcome.out == exact.outcome.out);
      REQUIRE(profile.provenance.sampled());
      for (const auto metric : {"coalescing_16"_metric, "coalescing_32"_metric,
                                "coalescing_64"_metric, "consecutive_accesses"_metric}) {
        INFO(aiwc::profile::info(metric).key);
        CHECK(profile.real(metric) == Approx(exact["k_0"].real(metric)).epsilon(1e-6));
      }
      CHECK((json.empty() || json == run.profiles.at("k_0").json));
      json = run.profiles.at("k_0").json;
    }
  }
}

TEST_CASE("Where the sample alone is looked at, no error of its addresses is 0") {
  // Fewer than 3 of 6 hundredths may differ in it, were the sample of 6 groups; half of that is
  // lost.
  const KernelFile file(R"(
    kernel void k(global int *x) {
      const uint i = get_global_id(0), g = get_group_id(0);
      x[(i & 7) * (g == 700 ? 33 : 1)] = i;
    })");
  const Words words = file.enqueue({"global=8192", "local=8", "buffer=65536"});
  const double hidden = (1 - 100.0 / 1024) * 3 / 100 / 2;
  for (const Words &options :
       {Words{"--aiwc-sample-groups=100"}, Words{"--aiwc-sample-groups=100", "--aiwc-budget=0"},
        Words{"--aiwc-sample-groups=100", "--aiwc-engine=interpreter"}}) {
    const auto profile = characterise(words, options).succeeded()["k_0"];
    REQUIRE(profile.provenance.sampledGroups == 100);
    for (const auto metric : {"coalescing_32"_metric, "consecutive_accesses"_metric})
      CHECK(profile.standardError(metric) == Approx(hidden * profile.real(metric)));
    CHECK(profile.standardError("coalescing_measured"_metric) == 0);
    CHECK(profile.standardError("lane_utilization_32"_metric) == 0);
  }
  // Where the code tells that all groups step alike, the error is 0.
  const KernelFile plain(R"(
    kernel void k(global int *x, int n) {
      x[get_global_id(0) * n + (get_local_id(0) & 3)] = 1;
    })");
  const auto proven =
      characterise(plain.enqueue({"global=8192", "local=8", "buffer=131072", "int=4"}),
                   {"--aiwc-sample-groups=100"})
          .succeeded()["k_0"];
  CHECK(proven.standardError("coalescing_32"_metric) == 0);
}

TEST_CASE("Strata tell of groups that differ what each kind of them does") {
  const std::vector<std::pair<const char *, std::string>> kernels = {
      // Each group does another number of rounds, with a period of 32.
      {"squares", "g % 32 * (g % 32)"},
      {"every 17th", "g % 17 == 5 ? 300 : 3"},
      {"the one before the last", "g == 1022 ? 20000 : 3"},
      {"a power law", "30000 / (g + 1)"},
      {"a triangle", "g"},
      {"one in 300", "g % 300 == 123 ? 2000 : 1"},
  };
  for (const auto &[name, rounds] : kernels) {
    INFO(name);
    const KernelFile file("kernel void k(global int *x) {\n"
                          "  const int i = get_global_id(0), g = get_group_id(0);\n"
                          "  int sum = 0;\n"
                          "  for (int j = 0; j < (" +
                          rounds +
                          "); ++j)\n"
                          "    sum ^= x[(j + i) & 1023] + j * i;\n"
                          "  x[8192 + i] = sum;\n"
                          "}\n");
    const Words words = eightThousand(file);
    const Characterised all = characterise(words, {"--aiwc-accuracy=exact"}).succeeded();
    const auto &exact = all["k_0"];
    std::string json;
    for (const char *threads : {"--aiwc-threads=1", "--aiwc-threads=3"}) {
      const Characterised run = characterise(words, {threads, kStandard}).succeeded();
      const auto &profile = run["k_0"];
      REQUIRE(profile.complete);
      CHECK(run.outcome.out == all.outcome.out);
      REQUIRE(profile.provenance.sampled());
      // Counted in all groups, and of the groups in which they are largest.
      for (const auto metric : {"total_instruction_count"_metric, "ipt_max"_metric,
                                "ipt_min"_metric, "work_group_instructions_max"_metric})
        CHECK(profile[metric] == exact[metric]);
      CHECK(profile.standardError("total_instruction_count"_metric) == 0);
      for (const auto metric :
           {"int_ops"_metric, "total_reads"_metric, "bytes_read_global"_metric}) {
        INFO(aiwc::profile::info(metric).key);
        const double off = std::abs(profile.real(metric) - exact.real(metric));
        CHECK(off <= 3 * profile.standardError(metric) + 1);
        CHECK(off <= 0.02 * exact.real(metric));
      }
      CHECK((json.empty() || json == run.profiles.at("k_0").json));
      json = run.profiles.at("k_0").json;
    }
  }
}

TEST_CASE("A sample of a matrix product knows its memory, and its cache misses roughly") {
  // Groups of a row share a part of a, those of a column a part of b; the sample has 64 of 1024.
  const KernelFile file(R"(
    kernel void k(global float *a, global float *b, global float *c) {
      const int x = get_global_id(0), y = get_global_id(1), n = get_global_size(0);
      float sum = 0;
      for (int i = 0; i < n; ++i)
        sum += a[y * n + i] * b[i * n + x];
      c[y * n + x] = sum;
    })");
  const Words words = file.enqueue(
      {"global=256,256", "local=8,8", "buffer=262144", "buffer=262144", "buffer=262144"});
  const auto exact = characterise(words, {"--aiwc-accuracy=exact"}).succeeded()["k_0"];
  // How far apart the users of a line are is a mean. At 32 KiB, which a group just fits in, every
  // second group, which accesses new columns of b, misses more than that tells.
  for (const char *how : {kStandard, kFast}) {
    INFO(how);
    const auto sample = characterise(words, {how}).succeeded()["k_0"];
    REQUIRE(sample.provenance.sampled());
    CHECK(sample.reuse.coldAccesses == exact.reuse.coldAccesses); // all of the three buffers
    for (const uint64_t bytes : {8192, 32768, 65536, 262144, 1048576}) {
      INFO(bytes);
      const auto misses = [&](const aiwc::profile::KernelProfile &profile) {
        return static_cast<double>(aiwc::profile::cacheMisses(profile, bytes));
      };
      CHECK(misses(sample) >= (bytes == 32768 ? 0.7 : 0.9) * misses(exact));
      CHECK(misses(sample) <= 1.5 * misses(exact));
    }
  }
}

TEST_CASE("All groups are characterised if the user wants that, or if they are few") {
  for (const Words &options :
       {Words{"--aiwc-accuracy=exact"}, Words{"--aiwc-engine=interpreter", kStandard}}) {
    const Characterised run = characterise(eightThousand(alike()), options).succeeded();
    CHECK_FALSE(run["k_0"].provenance.sampled());
  }
  const Words few = alike().enqueue({"global=8192", "local=1024", "buffer=65536"});
  CHECK_FALSE(characterise(few, {kStandard}).succeeded()["k_0"].provenance.sampled());
}

TEST_CASE("A launch that starts again with a sample can still be rolled back, on three threads") {
  // A late work-item goes beyond the buffer: then the interpreter runs the launch from its
  // beginning, and all of it is characterised. The last group is in the sample, that of work-item
  // 7001 is not.
  const std::string late = GENERATE("8191", "7001");
  INFO(late);
  const KernelFile file(R"(
    kernel void k(global int *x) {
      const int i = get_global_id(0);
      int sum = 0;
      for (int j = 0; j < 20; ++j)
        sum += j ^ i;
      atomic_add(x, sum);
      atomic_inc(x + 1);
      if (i == )" + late +
                        R"()
        atomic_inc(x + 16384);
      else
        x[i + 2] += 1;
    })");
  const Words words = file.enqueue({"global=8192", "local=8", "buffer=65536"});
  const Characterised interpreted = characterise(words, {"--aiwc-engine=interpreter"}).succeeded();
  const Characterised run = characterise(words, {"--aiwc-threads=3", kStandard}).succeeded();
  CHECK(run.outcome.out == interpreted.outcome.out);
  CHECK(run.outcome.err == interpreted.outcome.err);
  const auto &profile = run["k_0"];
  CHECK(profile.provenance.engine == "interpreter");
  CHECK_FALSE(profile.provenance.sampled());
  CHECK(profile.simulatorErrors == interpreted["k_0"].simulatorErrors);
  CHECK(profile.count("total_instruction_count"_metric) ==
        interpreted["k_0"].count("total_instruction_count"_metric));
}

TEST_CASE("A sample takes an image for no larger than it is") {
  // Each work-item reads three pixels of two rows: most are those of other groups, too.
  const KernelFile file(R"(
    constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE;
    kernel void k(read_only image2d_t in, global float *x) {
      const int i = get_global_id(0);
      const int2 p = (int2)(i % 128, i / 128);
      float sum = 0;
      for (int dy = 0; dy < 2; ++dy)
        for (int dx = -1; dx < 2; ++dx)
          sum += read_imagef(in, s, p + (int2)(dx, dy)).x;
      x[i] = sum;
    })");
  const Words words = file.enqueue({"global=16384", "local=16", "image=128x128", "buffer=65536"});
  const Characterised exact = characterise(words).succeeded();
  const Characterised standard = characterise(words, {kStandard}).succeeded();
  REQUIRE_FALSE(exact["k_0"].provenance.sampled());
  REQUIRE(standard["k_0"].provenance.sampled());
  constexpr double kLines = 128 * 128 * 4 / 64 + 16384 * 4 / 64; // of the image and the buffer
  CHECK(static_cast<double>(exact["k_0"].reuse.coldAccesses) == kLines);
  CHECK(static_cast<double>(standard["k_0"].reuse.coldAccesses) <= 1.01 * kLines);
}
