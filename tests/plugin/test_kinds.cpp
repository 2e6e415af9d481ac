// Which launches are characterised by default, and which profile represents the others.

#include "plugin/characterise.h"
#include "profile/json.h"
#include "run/folder.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;
using aiwc::run::Launch;
using aiwc::run::Run;

namespace {

/// What an application leaves.
struct Ran {
  explicit Ran(const Words &words, Words options = {}) {
    const Folder folder;
    outcome = aiwc::test::run(launch(words, options, folder, false));
    INFO(outcome.err);
    REQUIRE(outcome.signal == 0);
    run = aiwc::run::readRun(folder / "out/run.json");
    for (const Launch &launch : run.launches)
      if (launch.hasProfile())
        profileOf.push_back(aiwc::profile::readProfile(folder / "out" / launch.profile));
  }

  Outcome outcome;
  Run run;
  std::vector<KernelProfile> profileOf; ///< of the launches that have one
};

const Words kAll = {"--aiwc-invocations", "0-"};

/// The launch of the same process with this number.
const Launch &launchOf(const Run &run, uint64_t number) {
  const auto found = std::ranges::find(run.launches, number, &Launch::number);
  REQUIRE(found != run.launches.end());
  return *found;
}

/// The application computes the same, and each launch has a profile with the instructions of its
/// own.
void checkAgainst(const Ran &all, const Ran &some) {
  CHECK(some.outcome.out == all.outcome.out);
  REQUIRE(some.run.launches.size() == all.run.launches.size());
  for (const Launch &launch : some.run.launches) {
    INFO(launch.number);
    // Threads take turns as they like.
    const auto same = [&](const Launch &other) { return workOf(launch) == workOf(other); };
    const Launch &exact = same(launchOf(all.run, launch.number))
                              ? launchOf(all.run, launch.number)
                              : *std::ranges::find_if(all.run.launches, same);
    CHECK(launch.hasProfile());
    CHECK(launch.instructions == exact.instructions);
  }
}

size_t characterisedOf(const Run &run) {
  return static_cast<size_t>(std::ranges::count_if(run.launches, &Launch::characterised));
}

/// The application apps/contents.cpp with a kernel `k`.
Words contents(const KernelFile &file, const Words &strides) {
  Words words = {application("contents"), file.path(), "k", "1024"};
  words.insert(words.end(), strides.begin(), strides.end());
  return words;
}

/// Of the launches, in their order, the metrics whose values addresses and branches decide.
std::vector<std::vector<double>> metricsOf(const Ran &ran) {
  std::vector<std::vector<double>> all;
  for (const KernelProfile &profile : ran.profileOf)
    all.push_back({profile.real("coalescing_32"_metric), profile.real("lane_utilization_32"_metric),
                   static_cast<double>(profile.count("footprint_bytes"_metric)),
                   static_cast<double>(profile.count("total_instruction_count"_metric))});
  return all;
}

} // namespace

TEST_CASE("Launches are of one kind only if what steers them in buffers is the same") {
  const std::string body = GENERATE( // where loads and stores go
      "x[y[i]] += 1;",
      // through private, local and global memory
      "int a[2]; a[i & 1] = y[i]; a[~i & 1] = 0; x[a[i & 1]] += 1;",
      "local int a[32]; a[get_local_id(0)] = y[i]; barrier(1); x[a[get_local_id(0)]] += 1;",
      "x[i] = y[i]; x[i + 1024] = x[x[i] | 2048];",
      // what functions compute
      "x[at(y, i)] += 1;", "x[max(y[i], 0)] += 1;", "vstore2((int2)(1, 2), y[i] / 2, x);",
      "atomic_add(x + y[i], 1);",
      // which way they take
      "if (y[i] % 64 < 32) x[i] = 1; else x[64 * i] = 1;",
      "int j = 0; while (y[j] != y[i]) j++; x[j] += 1;",
      "for (int j = 0; j < y[i] % 64; j++) x[i] += j;",
      "switch (y[1]) { case 1: x[i] += 1; break; case 32: x[i * 32] += 1; break; }");
  const KernelFile file("int at(global const int *y, int i) { return y[i] + 0; }\n"
                        "kernel void k(global int *x, global const int *y) {\n"
                        "  int i = get_global_id(0);\n  " +
                        body + "\n}\n");
  INFO(body);
  const Words words = contents(file, {"1", "1", "32", "33", "32", "64"});
  const Ran all(words, kAll), some(words);
  checkAgainst(all, some);
  CHECK(metricsOf(some) == metricsOf(all));
  CHECK(characterisedOf(some.run) == 4);
  CHECK(launchOf(some.run, 1).representative == 0U);
  CHECK(launchOf(some.run, 4).representative == 2U);
}

TEST_CASE("A type whose name begins like an image's is none") {
  const KernelFile file("typedef struct { int at; } image_index;\n"
                        "kernel void k(global int *x, global const image_index *y) {\n"
                        "  x[y[get_global_id(0)].at] += 1;\n"
                        "}\n");
  const Words words = contents(file, {"1", "32"});
  const Ran all(words, kAll), some(words);
  CHECK(metricsOf(some) == metricsOf(all));
  CHECK(characterisedOf(some.run) == 2);
  const aiwc::run::Argument &index = launchOf(some.run, 0).arguments.at(1);
  CHECK(index.kind == aiwc::run::Argument::Kind::kBuffer);
  CHECK(index.bytes > 0);
  // A value.
  const KernelFile size("typedef struct { long wide, high; } image_size;\n"
                        "kernel void k(global int *x, image_size size) { x[0] = size.wide; }\n");
  const Ran value(size.enqueue({"global=8", "buffer=64", "struct=16"}), kAll);
  REQUIRE(value.profileOf.size() == 1);
  CHECK(launchOf(value.run, 0).arguments.at(1).kind == aiwc::run::Argument::Kind::kValue);
}

TEST_CASE("Contents that are only data do not tell launches apart") {
  const KernelFile file(GENERATE(R"(
    kernel void k(global int *x, global const int *y) {
      int i = get_global_id(0);
      x[i] = y[i] * 3 + y[i / 2] + (y[i] > 7 ? 1 : 2);
    })",
                                 R"(
    kernel void k(global int *x, global const int *y) {
      local int part[32];
      part[get_local_id(0)] = y[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int at = 0; at < 32; at++)
        x[get_global_id(0)] += part[at];
    })"));
  const Words words = contents(file, {"1", "32", "64"});
  const Ran all(words, kAll), some(words);
  checkAgainst(all, some);
  CHECK(metricsOf(some) == metricsOf(all));
  CHECK(characterisedOf(some.run) == 1);
}

TEST_CASE("Launches whose steering contents are not compared are characterised each") {
  const KernelFile file(
      "kernel void k(global int *y, global int *x) { x[y[get_global_id(0)]] = 1; }");
  const auto characterised = [&](const std::string &indices, const std::string &results) {
    return characterisedOf(Ran(file.enqueue({"global=8", "times=3", indices, results})).run);
  };
  CHECK(characterised("counters=64", "buffer=256") == 1);
  CHECK(characterised("counters=64", "same") == 3);
  // 8 MiB: eight work-items are characterised in less time.
  CHECK(characterised("counters=2097152", "buffer=256") == 3);
}

TEST_CASE("Launches are of one kind only if their memory is laid out alike") {
  const auto layouts = [](const KernelFile &file, const Words &launches) {
    Words words = {application("layouts"), file.path(), "k"};
    words.insert(words.end(), launches.begin(), launches.end());
    return words;
  };
  const KernelFile buffers(R"(
    kernel void k(global int *x, global int *y) {
      int i = get_global_id(0);
      x[i] = y[i] + 1;
    })");
  const KernelFile pictures(R"(
    kernel void k(read_only image2d_t picture, global int *x) {
      int i = get_global_id(0);
      x[i] = read_imageui(picture, (int2)(i % 8, i / 8)).x;
    })");
  // Where buffers are the same one, or begin in the middle of a segment, other addresses are
  // accessed; where an image is smaller, fewer.
  const bool isOfImages = GENERATE(false, true);
  INFO(isOfImages);
  const Words words =
      isOfImages ? layouts(pictures, {"8x8,0:0", "8x8,1:0", "16x4,0:0", "4x16,0:0", "2x32,0:0"})
                 : layouts(buffers, {"0:0,1:0", "1:0,0:0", "0:0,0:0", "0:0,0:4096", "0:64,1:0"});
  const Ran all(words, kAll);
  CHECK(characterisedOf(all.run) == 5);
  const Ran some(words);
  checkAgainst(all, some);
  CHECK(metricsOf(some) == metricsOf(all));
  CHECK(characterisedOf(some.run) == 4);
  CHECK(launchOf(some.run, 1).representative == 0U);
}

TEST_CASE("The first launch of a kind is characterised, and each that has another argument") {
  const KernelFile file(R"(
    kernel void k(global int *x, int n, int t) {
      int i = get_global_id(0);
      if (i < n - 1 - t)
        x[i + t] += t;
    })");
  // The second thread launches what the first one does.
  const Words words = {application("steps"), file.path(), "k", "512", "100", "119", "2"};
  const Ran all(words, kAll), some(words);
  CHECK(characterisedOf(all.run) == 40);
  CHECK(characterisedOf(some.run) == 20);
  checkAgainst(all, some);
}
