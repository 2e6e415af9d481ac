#include "profile/json.h"
#include "profile/store.h"
#include "random_profile.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <set>
#include <thread>
#include <vector>

using namespace aiwc::profile;
using namespace aiwc::test;

namespace {

constexpr uint64_t kWriters = 4;
constexpr uint64_t kEach = 50;

/// Writer w's i-th profile, told from all others by its invocation.
KernelProfile profileOf(uint64_t writer, uint64_t i) {
  KernelProfile profile = randomProfile(writer * kEach + i);
  profile.provenance.kernel = "shared";
  profile.provenance.invocation = writer * kEach + i;
  return profile;
}

void writeAll(ProfileStore &store, uint64_t writer) {
  for (uint64_t i = 0; i < kEach; ++i)
    store.write(profileOf(writer, i));
}

/// Every profile is there once, whole, and numbers have no gap.
void checkAll(const TemporaryFolder &folder) {
  REQUIRE(folder.files() == kWriters * kEach);
  std::set<uint64_t> seen;
  for (uint64_t n = 0; n < kWriters * kEach; ++n) {
    const std::string stem = "aiwc_shared_" + std::to_string(n);
    const KernelProfile profile = readProfile(folder / (stem + ".json"));
    const uint64_t invocation = profile.provenance.invocation;
    REQUIRE(seen.insert(invocation).second);
    const KernelProfile expected = profileOf(invocation / kEach, invocation % kEach);
    REQUIRE(equal(profile, expected));
  }
}

/// Starts `count` processes that run `action` and waits until all have done so.
template <typename Action> void inProcesses(uint64_t count, Action action) {
  std::vector<pid_t> children;
  for (uint64_t i = 0; i < count; ++i) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      try {
        action(i);
        _exit(0);
      } catch (...) {
        _exit(1);
      }
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  }
}

} // namespace

TEST_CASE("several processes write one kernel's profiles into one folder") {
  const TemporaryFolder folder;
  inProcesses(kWriters, [&](uint64_t writer) {
    ProfileStore store(folder.path());
    writeAll(store, writer);
  });
  checkAll(folder);
}

TEST_CASE("several threads write through one store") {
  const TemporaryFolder folder;
  ProfileStore store(folder.path());
  std::vector<std::jthread> threads;
  for (uint64_t writer = 0; writer < kWriters; ++writer)
    threads.emplace_back([&, writer] { writeAll(store, writer); });
  threads.clear();
  checkAll(folder);
}

// Its allocator hangs in a child that was forked beside a busy thread.
#ifndef AIWC_ADDRESS_SANITIZER
TEST_CASE("a store that threads write through serves forked children at once") {
  const TemporaryFolder folder;
  ProfileStore store(folder.path());
  store.write(profileOf(0, 0)); // used before the fork
  std::jthread busy([&] {       // while children fork off
    for (uint64_t i = 1; i < kEach; ++i)
      store.write(profileOf(0, i));
  });
  inProcesses(kWriters - 1, [&](uint64_t child) { writeAll(store, child + 1); });
  busy.join();
  checkAll(folder);
}
#endif

TEST_CASE("a reader sees whole files at any moment") {
  constexpr uint64_t kProfiles = 80;
  const TemporaryFolder folder;
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    ProfileStore store(folder.path());
    for (uint64_t i = 0; i < kProfiles; ++i) {
      const std::filesystem::path stored = store.write(profileOf(0, i % kEach));
      store.rewrite(stored, profileOf(1, i % kEach));
    }
    done = true;
  });
  uint64_t read = 0;
  for (uint64_t n = 0; n < kProfiles;) {
    const auto json = folder / ("aiwc_shared_" + std::to_string(n) + ".json");
    const bool last = done;
    if (std::filesystem::exists(json)) {
      REQUIRE_NOTHROW(readProfile(json));
      ++read, ++n;
    } else {
      REQUIRE_FALSE(last); // all must have appeared by now
    }
  }
  CHECK(read == kProfiles);
}

TEST_CASE("the first free number is found in a folder of many files") {
  // Doubling and bisection over many files, stood in for by empty ones, must end where trying one
  // after the other would.
  const TemporaryFolder folder;
  constexpr uint64_t kPresent = 3000;
  for (uint64_t n = 0; n < kPresent; ++n)
    write(folder / ("aiwc_shared_" + std::to_string(n) + ".json"), "");
  ProfileStore store(folder.path());
  for (uint64_t i = 0; i < 100; ++i)
    CHECK(store.write(profileOf(0, i % kEach)) ==
          folder / ("aiwc_shared_" + std::to_string(kPresent + i) + ".json"));
}
