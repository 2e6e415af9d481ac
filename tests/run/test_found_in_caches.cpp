// What launches find in caches, against an LRU stack of all lines that they access.

#include "profile/reuse.h"
#include "run/found_in_caches.h"
#include "runs.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

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
    launch.arguments.push_back(
        {Argument::Kind::kBuffer, "x", "float*", "", buffer.lines * kLine, buffer.allocation});
  return launch;
}

/// The profile of a launch that accesses each line of so much memory once.
profile::KernelProfile readingOnce(uint64_t lines) {
  profile::KernelProfile profile;
  profile.reuse.lineBytes = kLine;
  profile.reuse.coldAccesses = lines;
  return profile;
}

double missesOf(const FoundInCaches &found, uint64_t lines, uint64_t cacheLines) {
  profile::KernelProfile profile = readingOnce(lines);
  setFound(profile, found);
  const profile::CacheMisses misses(profile);
  return static_cast<double>(misses(cacheLines * kLine)) - misses.found(cacheLines * kLine);
}

FoundInCaches foundBy(const Run &run, size_t launch) {
  return foundInCaches(run).at(likeOf(run.launches[launch]));
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
  run.launches.assign(4, launchWith("copy", {{0, 64}, {1, 64}}));
  const FoundInCaches found = foundBy(run, 0);
  CHECK(found.bytes == 128 * kLine);
  CHECK(found.shares == std::map<uint64_t, double>{{128 * kLine, 0.75}}); // the first finds nothing
  CHECK(missesOf(found, 128, 127) == 128);
  CHECK(missesOf(found, 128, 128) == 32);
  // What other accesses of the launch miss is as before.
  profile::KernelProfile profile = readingOnce(128);
  profile.histograms.reuseDistances = {{16, 1000}};
  setFound(profile, found);
  CHECK(profile::CacheMisses(profile)(8 * kLine) == 1128);
  CHECK(profile::CacheMisses(profile)(128 * kLine) == 128);
}

TEST_CASE(
    "What launches find is what an LRU cache has, up to where in a launch lines are accessed") {
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
        launches[i].push_back({allocation, uint64_t{8} << allocation});
      run.launches.push_back(launchWith("k" + std::to_string(i), launches[i]));
    }
    for (const size_t capacity : {16, 48, 64, 100, 128, 200, 256}) {
      CAPTURE(capacity);
      const std::vector<uint64_t> exact = simulated(launches, capacity);
      for (size_t i = 0; i < launches.size(); ++i) {
        CAPTURE(i);
        uint64_t lines = 0;
        for (const Buffer &buffer : launches[i])
          lines += buffer.lines;
        const double misses = missesOf(foundBy(run, i), lines, capacity);
        // All memory of both launches counts as accessed between two accesses of a line, also what
        // lies before it in this launch and behind it in the other: no hit is made up.
        CHECK(misses >= static_cast<double>(exact[i]) - 1e-9);
        // What is counted too much fits into a cache that is larger by both launches.
        double most = 0;
        std::map<uint64_t, size_t> last; // allocation -> launch
        for (size_t j = 0; j < i; ++j)
          for (const Buffer &buffer : launches[j])
            last[buffer.allocation] = j;
        for (const Buffer &buffer : launches[i]) {
          std::set<uint64_t> between;
          if (last.contains(buffer.allocation))
            for (size_t j = last[buffer.allocation]; j <= i; ++j)
              for (const Buffer &other : launches[j])
                between.insert(other.allocation);
          uint64_t touched = 0;
          for (const uint64_t allocation : between)
            touched += uint64_t{8} << allocation;
          if (between.empty() || touched > capacity)
            most += static_cast<double>(buffer.lines);
        }
        CHECK(misses == Approx(most).margin(1e-9));
      }
    }
  }
}

TEST_CASE("Processes share no memory, and other memory is in the way") {
  Run run;
  run.launches.assign(2, launchWith("a", {{0, 64}}));
  run.launches[1].process = 1;
  CHECK(foundBy(run, 0).shares.empty());
  run.launches = {launchWith("a", {{0, 64}}), launchWith("b", {{1, 192}}),
                  launchWith("c", {{0, 64}})};
  CHECK(foundBy(run, 2).shares == std::map<uint64_t, double>{{256 * kLine, 1}});
  run.launches.assign(2, launchWith("a", {})); // of no memory that is known
  profile::KernelProfile profile = readingOnce(64);
  setFound(profile, foundBy(run, 0));
  CHECK(profile.reuse.found.empty());
}

TEST_CASE("Launches of another size with the same profile find what they find") {
  Run run;
  run.launches.assign(10, launchWith("a", {{0, 64}}));
  run.launches.push_back(launchWith("a", {{1, 4096}})); // of memory that none accessed before
  run.launches.back().globalSize = {64, 1, 1};
  CHECK(foundBy(run, 0).shares == std::map<uint64_t, double>{{64 * kLine, 0.9}});
  CHECK(foundBy(run, 10).shares.empty());
  // So do launches without a profile, for which the nearest one counts.
  for (size_t i = 1; i < run.launches.size(); ++i)
    run.launches[i].profile.clear();
  CHECK(foundBy(run, 0).shares == std::map<uint64_t, double>{{64 * kLine, 0.9}});
}

TEST_CASE("A launch that accesses a part of its memory finds as small a part of that") {
  Run run;
  run.launches = {launchWith("a", {{0, 256}}), launchWith("b", {{0, 256}})};
  CHECK(missesOf(foundBy(run, 1), 256, 512) == 0);
  CHECK(missesOf(foundBy(run, 1), 64, 512) == 48); // a quarter of 64
}
