// What launches find in caches, against an LRU stack of all lines that they access.

#include "profile/reuse.h"
#include "run/found_in_caches.h"
#include "runs.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace aiwc;
using namespace aiwc::run;

namespace {

constexpr uint64_t kLine = 64;

struct Buffer {
  uint64_t allocation, lines;
};

Launch launchWith(const std::string &kernel, const std::vector<Buffer> &buffers) {
  Launch launch = test::launchOf(kernel, 1);
  for (const Buffer &buffer : buffers)
    launch.arguments.push_back({Argument::Kind::kBuffer, "x", "float*", "", buffer.lines * kLine,
                                buffer.allocation});
  return launch;
}

/// The profile of a launch that accesses each line of so much memory once.
profile::KernelProfile readingOnce(uint64_t lines) {
  profile::KernelProfile profile;
  profile.reuse.lineBytes = kLine;
  profile.reuse.coldAccesses = lines;
  return profile;
}

uint64_t missesOf(const FoundInCaches &found, uint64_t lines, uint64_t cacheLines) {
  profile::KernelProfile profile = readingOnce(lines);
  setFound(profile, found);
  return profile::CacheMisses(profile)(cacheLines * kLine);
}

/// The misses of launch after launch in one LRU cache; each reads its buffers, one after the other.
std::vector<uint64_t> simulated(const std::vector<std::vector<Buffer>> &launches, size_t capacity) {
  std::vector<std::pair<uint64_t, uint64_t>> cache; // the last accessed line first
  std::vector<uint64_t> result;
  for (const std::vector<Buffer> &buffers : launches) {
    uint64_t misses = 0;
    for (const Buffer &buffer : buffers)
      for (uint64_t line = 0; line < buffer.lines; ++line) {
        const std::pair<uint64_t, uint64_t> accessed(buffer.allocation, line);
        const auto at = std::ranges::find(cache, accessed);
        if (at != cache.end())
          cache.erase(at);
        else
          ++misses;
        cache.insert(cache.begin(), accessed);
        cache.resize(std::min(cache.size(), capacity));
      }
    result.push_back(misses);
  }
  return result;
}

} // namespace

TEST_CASE("A launch that is repeated finds all of its memory, if that fits") {
  Run run;
  run.launches = {launchWith("copy", {{0, 64}, {1, 64}}), launchWith("copy", {{0, 64}, {1, 64}}),
                  launchWith("copy", {{0, 64}, {1, 64}}), launchWith("copy", {{0, 64}, {1, 64}})};
  const FoundInCaches found = foundInCaches(run).at("aiwc_copy_0.json");
  CHECK(found.bytes == 128 * kLine);
  CHECK(found.shares == std::map<uint64_t, double>{{128 * kLine, 0.75}}); // the first finds nothing
  CHECK(missesOf(found, 128, 128) == 128);
  CHECK(missesOf(found, 128, 256) == 32);
}

TEST_CASE("What launches find is what an LRU cache has, for each launch of its own profile") {
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    CAPTURE(round);
    std::vector<std::vector<Buffer>> launches(12);
    Run run;
    for (size_t i = 0; i < launches.size(); ++i) {
      std::vector<uint64_t> allocations = {0, 1, 2, 3, 4};
      std::ranges::shuffle(allocations, random);
      allocations.resize(1 + random() % 3);
      for (const uint64_t allocation : allocations)
        launches[i].push_back({allocation, uint64_t{8} << allocation}); // distances below 2 * 248
      run.launches.push_back(launchWith("k" + std::to_string(i), launches[i]));
    }
    const auto found = foundInCaches(run);
    for (const size_t capacity : {16, 64, 128, 256}) {
      CAPTURE(capacity);
      const std::vector<uint64_t> exact = simulated(launches, capacity);
      for (size_t i = 0; i < launches.size(); ++i) {
        uint64_t lines = 0;
        for (const Buffer &buffer : launches[i])
          lines += buffer.lines;
        // All between two accesses of a line is counted, also what lies before it in the launch
        // and behind it in the other: no miss is left out, and none is made up where all fits.
        const uint64_t misses =
            missesOf(found.at("aiwc_k" + std::to_string(i) + "_0.json"), lines, capacity);
        CHECK(misses >= exact[i]);
        if (capacity == 256)
          CHECK(misses == exact[i]);
      }
    }
  }
}

TEST_CASE("Processes share no memory, and other memory is in the way") {
  Run run;
  run.launches = {launchWith("a", {{0, 64}}), launchWith("a", {{0, 64}})};
  run.launches[1].process = 1;
  CHECK(foundInCaches(run).at("aiwc_a_0.json").shares.empty());
  run.launches = {launchWith("a", {{0, 64}}), launchWith("b", {{1, 192}}),
                  launchWith("c", {{0, 64}})};
  CHECK(foundInCaches(run).at("aiwc_c_0.json").shares ==
        std::map<uint64_t, double>{{256 * kLine, 1}});
  run.launches = {launchWith("a", {}), launchWith("a", {})}; // of no memory that is known
  profile::KernelProfile profile = readingOnce(64);
  setFound(profile, foundInCaches(run).at("aiwc_a_0.json"));
  CHECK(profile.reuse.found.empty());
}

TEST_CASE("A launch that accesses a part of its memory finds as small a part of that") {
  Run run;
  run.launches = {launchWith("a", {{0, 256}}), launchWith("b", {{0, 256}})};
  const FoundInCaches found = foundInCaches(run).at("aiwc_b_0.json");
  CHECK(missesOf(found, 256, 512) == 0);
  CHECK(missesOf(found, 64, 512) == 48); // a quarter of 64
}
