#include "profile/csv.h"
#include "profile/json.h"
#include "profile/store.h"
#include "random_profile.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>

using namespace aiwc::profile;
using namespace aiwc::test;

namespace {

KernelProfile named(const std::string &kernel, uint64_t invocation = 0) {
  KernelProfile profile = randomProfile(invocation);
  profile.provenance.kernel = kernel;
  profile.provenance.invocation = invocation;
  return profile;
}

} // namespace

TEST_CASE("a profile becomes a JSON and a CSV file, numbered from 0 per kernel") {
  const TemporaryFolder folder;
  ProfileStore store(folder.path(), true);
  for (uint64_t n = 0; n < 40; ++n) {
    const Stored stored = store.write(named("saxpy", n));
    CHECK(stored.json == folder / ("aiwc_saxpy_" + std::to_string(n) + ".json"));
    CHECK(stored.csv == folder / ("aiwc_saxpy_" + std::to_string(n) + ".csv"));
    CHECK(contents(stored.json) == toJson(named("saxpy", n)));
    CHECK(contents(stored.csv) == toCsv(named("saxpy", n)));
  }
  CHECK(store.write(named("other")).json == folder / "aiwc_other_0.json");
  CHECK(folder.files() == 2 * 41); // and nothing else is left
}

TEST_CASE("a profile without its CSV file is numbered and named as one with it") {
  const TemporaryFolder folder;
  ProfileStore with(folder.path(), true), without(folder.path(), false);
  for (uint64_t n = 0; n < 6; ++n) {
    const Stored stored = (n % 2 == 0 ? without : with).write(named("saxpy", n));
    CHECK(stored.json == folder / ("aiwc_saxpy_" + std::to_string(n) + ".json"));
    CHECK(stored.csv.empty() == (n % 2 == 0));
    without.rewrite(stored, named("saxpy", n + 1)); // as it was written, whoever rewrites it
    CHECK(contents(stored.json) == toJson(named("saxpy", n + 1)));
    if (!stored.csv.empty())
      CHECK(contents(stored.csv) == toCsv(named("saxpy", n + 1)));
  }
  without.tidy();
  CHECK(folder.files() == 6 + 3);
  // A number that somebody's CSV file has would make the two look like one profile.
  write(folder / "aiwc_saxpy_6.csv", "mine");
  write(folder / "aiwc_other_1.csv", "mine");
  CHECK(without.write(named("saxpy")).json == folder / "aiwc_saxpy_7.json");
  CHECK(without.write(named("other")).json == folder / "aiwc_other_0.json");
  CHECK(without.write(named("other")).json == folder / "aiwc_other_2.json");
}

TEST_CASE("a new store goes on where the files in the folder end") {
  const TemporaryFolder folder;
  for (uint64_t n = 0; n < 20; ++n)
    CHECK(ProfileStore(folder.path(), true).write(named("k", n)).json ==
          folder / ("aiwc_k_" + std::to_string(n) + ".json"));
}

TEST_CASE("whatever is in the folder, nothing is overwritten") {
  for (const std::string kept : {"aiwc_k_0.json", "aiwc_k_0.csv", "aiwc_k_1.csv"}) {
    const TemporaryFolder folder;
    write(folder / kept, "mine");
    ProfileStore store(folder.path(), true);
    for (uint64_t n = 0; n < 5; ++n)
      store.write(named("k", n));
    CHECK(contents(folder / kept) == "mine");
    CHECK(folder.files() == 1 + 2 * 5);
  }
  const TemporaryFolder folder; // a link that leads nowhere is somebody's too
  std::filesystem::create_symlink("nowhere", folder / "aiwc_k_0.csv");
  CHECK(ProfileStore(folder.path(), true).write(named("k")).json == folder / "aiwc_k_1.json");
  CHECK_FALSE(std::filesystem::exists(folder / "nowhere"));
}

TEST_CASE("in a folder with gaps, a process's numbers still increase") {
  const TemporaryFolder folder;
  for (const int taken : {0, 1, 2, 5, 8, 9, 16, 17, 20, 40})
    write(folder / ("aiwc_k_" + std::to_string(taken) + ".json"), "");
  ProfileStore store(folder.path(), true);
  std::vector<int> numbers;
  for (uint64_t i = 0; i < 60; ++i) {
    const std::string stem = store.write(named("k", i)).json.stem().string();
    numbers.push_back(std::stoi(stem.substr(stem.rfind('_') + 1)));
  }
  CHECK(std::is_sorted(numbers.begin(), numbers.end()));
  CHECK(folder.files() == 10 + 2 * 60);
}

TEST_CASE("rewriting replaces both files and no others") {
  const TemporaryFolder folder;
  ProfileStore store(folder.path(), true);
  const Stored first = store.write(named("k", 0));
  const Stored second = store.write(named("k", 1));
  store.rewrite(first, named("k", 7));
  CHECK(contents(first.json) == toJson(named("k", 7)));
  CHECK(contents(first.csv) == toCsv(named("k", 7)));
  CHECK(contents(second.json) == toJson(named("k", 1)));
  CHECK(folder.files() == 6); // the two that were replaced stay for the next profile
  const Stored third = store.write(named("k", 2));
  CHECK(contents(third.json) == toJson(named("k", 2)));
  CHECK(contents(third.csv) == toCsv(named("k", 2)));
  CHECK(folder.files() == 6);
  store.rewrite(third, named("k", 3));
  store.tidy();
  CHECK(folder.files() == 6);
  store.rewrite(third, named("k", 4));
  store.tidy();
  CHECK(contents(third.json) == toJson(named("k", 4)));
  CHECK(folder.files() == 6);
}

TEST_CASE("a store goes on behind the files that others have written meanwhile") {
  const TemporaryFolder folder;
  ProfileStore store(folder.path(), true), other(folder.path(), true);
  CHECK(store.write(named("k")).json == folder / "aiwc_k_0.json");
  for (int n = 1; n < 8; ++n)
    CHECK(other.write(named("k")).json == folder / ("aiwc_k_" + std::to_string(n) + ".json"));
  CHECK(store.write(named("k")).json == folder / "aiwc_k_8.json");
  CHECK(other.write(named("k")).json == folder / "aiwc_k_9.json");
  CHECK(folder.files() == 20);
}

TEST_CASE("a kernel's name is made safe for a file name") {
  CHECK(fileStem("saxpy_2.f-4") == "saxpy_2.f-4");
  CHECK(fileStem("../etc/passwd") == ".._etc_passwd");
  CHECK(fileStem("a b\n\xff") == "a_b__");
  CHECK(fileStem(std::string("a\0b", 3)) == "a_b");
  const TemporaryFolder folder;
  ProfileStore store(folder.path(), true);
  for (const std::string &kernel : {std::string("../up"), std::string("/root"), std::string(),
                                    std::string(5000, 'n'), std::string(4999, 'n') + "m"}) {
    const Stored stored = store.write(named(kernel));
    CHECK(stored.json.parent_path() == folder.path());
    CHECK(readProfile(stored.json).provenance.kernel == kernel);
  }
  CHECK(folder.files() == 2 * 5);
}

TEST_CASE("files have the permissions that the umask leaves") {
  const TemporaryFolder folder;
  const mode_t old = umask(0027);
  const Stored stored = ProfileStore(folder.path(), true).write(named("k"));
  umask(old);
  struct stat status {};
  REQUIRE(stat(stored.json.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0640);
}

TEST_CASE("what a killed process left does not stand in the way") {
  const TemporaryFolder folder;
  for (int i = 0; i < 3; ++i)
    write(folder / (".aiwc_" + std::to_string(getpid()) + "_" + std::to_string(i)), "half");
  ProfileStore(folder.path(), true).write(named("k"));
  CHECK(folder.files() == 3 + 2);
  CHECK(contents(folder / (".aiwc_" + std::to_string(getpid()) + "_0")) == "half");
}
