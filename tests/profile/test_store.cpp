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

TEST_CASE("a profile becomes a JSON file, numbered from 0 per kernel") {
  const TemporaryFolder folder;
  ProfileStore store(folder.path());
  for (uint64_t n = 0; n < 40; ++n) {
    const std::filesystem::path stored = store.write(named("saxpy", n));
    CHECK(stored == folder / ("aiwc_saxpy_" + std::to_string(n) + ".json"));
    CHECK(contents(stored) == toJson(named("saxpy", n)));
  }
  CHECK(store.write(named("other")) == folder / "aiwc_other_0.json");
  CHECK(folder.files() == 41); // and nothing else is left
}

TEST_CASE("a new store goes on where the files in the folder end") {
  const TemporaryFolder folder;
  for (uint64_t n = 0; n < 20; ++n)
    CHECK(ProfileStore(folder.path()).write(named("k", n)) ==
          folder / ("aiwc_k_" + std::to_string(n) + ".json"));
}

TEST_CASE("whatever is in the folder, nothing is overwritten") {
  for (const std::string kept : {"aiwc_k_0.json", "aiwc_k_1.json"}) {
    const TemporaryFolder folder;
    write(folder / kept, "mine");
    ProfileStore store(folder.path());
    for (uint64_t n = 0; n < 5; ++n)
      store.write(named("k", n));
    CHECK(contents(folder / kept) == "mine");
    CHECK(folder.files() == 1 + 5);
  }
  const TemporaryFolder folder; // a link that leads nowhere is somebody's too
  std::filesystem::create_symlink("nowhere", folder / "aiwc_k_0.json");
  CHECK(ProfileStore(folder.path()).write(named("k")) == folder / "aiwc_k_1.json");
  CHECK_FALSE(std::filesystem::exists(folder / "nowhere"));
}

TEST_CASE("in a folder with gaps, a process's numbers still increase") {
  const TemporaryFolder folder;
  for (const int taken : {0, 1, 2, 5, 8, 9, 16, 17, 20, 40})
    write(folder / ("aiwc_k_" + std::to_string(taken) + ".json"), "");
  ProfileStore store(folder.path());
  std::vector<int> numbers;
  for (uint64_t i = 0; i < 60; ++i) {
    const std::string stem = store.write(named("k", i)).stem().string();
    numbers.push_back(std::stoi(stem.substr(stem.rfind('_') + 1)));
  }
  CHECK(std::is_sorted(numbers.begin(), numbers.end()));
  CHECK(folder.files() == 10 + 60);
}

TEST_CASE("rewriting replaces the file and no other") {
  const TemporaryFolder folder;
  ProfileStore store(folder.path());
  const std::filesystem::path first = store.write(named("k", 0));
  const std::filesystem::path second = store.write(named("k", 1));
  store.rewrite(first, named("k", 7));
  CHECK(contents(first) == toJson(named("k", 7)));
  CHECK(contents(second) == toJson(named("k", 1)));
  CHECK(folder.files() == 3); // the one that was replaced stays for the next profile
  const std::filesystem::path third = store.write(named("k", 2));
  CHECK(contents(third) == toJson(named("k", 2)));
  CHECK(folder.files() == 3);
  store.rewrite(third, named("k", 3));
  store.tidy();
  CHECK(folder.files() == 3);
  store.rewrite(third, named("k", 4));
  store.tidy();
  CHECK(contents(third) == toJson(named("k", 4)));
  CHECK(folder.files() == 3);
}

TEST_CASE("a store goes on behind the files that others have written meanwhile") {
  const TemporaryFolder folder;
  ProfileStore store(folder.path()), other(folder.path());
  CHECK(store.write(named("k")) == folder / "aiwc_k_0.json");
  for (int n = 1; n < 8; ++n)
    CHECK(other.write(named("k")) == folder / ("aiwc_k_" + std::to_string(n) + ".json"));
  CHECK(store.write(named("k")) == folder / "aiwc_k_8.json");
  CHECK(other.write(named("k")) == folder / "aiwc_k_9.json");
  CHECK(folder.files() == 10);
}

TEST_CASE("a kernel's name is made safe for a file name") {
  CHECK(fileStem("saxpy_2.f-4") == "saxpy_2.f-4");
  CHECK(fileStem("../etc/passwd") == ".._etc_passwd");
  CHECK(fileStem("a b\n\xff") == "a_b__");
  CHECK(fileStem(std::string("a\0b", 3)) == "a_b");
  const TemporaryFolder folder;
  ProfileStore store(folder.path());
  for (const std::string &kernel : {std::string("../up"), std::string("/root"), std::string(),
                                    std::string(5000, 'n'), std::string(4999, 'n') + "m"}) {
    const std::filesystem::path stored = store.write(named(kernel));
    CHECK(stored.parent_path() == folder.path());
    CHECK(readProfile(stored).provenance.kernel == kernel);
  }
  CHECK(folder.files() == 5);
}

TEST_CASE("files have the permissions that the umask leaves") {
  const TemporaryFolder folder;
  const mode_t old = umask(0027);
  const std::filesystem::path stored = ProfileStore(folder.path()).write(named("k"));
  umask(old);
  struct stat status {};
  REQUIRE(stat(stored.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0640);
}

TEST_CASE("what a killed process left does not stand in the way") {
  const TemporaryFolder folder;
  for (int i = 0; i < 3; ++i)
    write(folder / (".aiwc_" + std::to_string(getpid()) + "_" + std::to_string(i)), "half");
  ProfileStore(folder.path()).write(named("k"));
  CHECK(folder.files() == 3 + 1);
  CHECK(contents(folder / (".aiwc_" + std::to_string(getpid()) + "_0")) == "half");
}
