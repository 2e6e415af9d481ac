/// Temporary folders, and files in memory.
#include "common/descriptor.h"
#include "common/error.h"
#include "common/temporary_folder.h"
#include "support/files.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>

using namespace aiwc;
namespace fs = std::filesystem;

namespace {

/// Sets TMPDIR while it exists.
class TemporaryPlace {
public:
  explicit TemporaryPlace(const std::string &value) {
    if (const char *before = std::getenv("TMPDIR"))
      before_ = before;
    ::setenv("TMPDIR", value.c_str(), 1);
  }
  ~TemporaryPlace() {
    if (before_)
      ::setenv("TMPDIR", before_->c_str(), 1);
    else
      ::unsetenv("TMPDIR");
  }
  TemporaryPlace(const TemporaryPlace &) = delete;
  TemporaryPlace &operator=(const TemporaryPlace &) = delete;

private:
  std::optional<std::string> before_;
};

} // namespace

TEST_CASE("a temporary folder lies in TMPDIR and ends with all that it contains") {
  const test::TemporaryFolder place;
  const TemporaryPlace set(place.path().string());
  fs::path made;
  {
    const aiwc::TemporaryFolder folder("aiwc-test");
    made = folder.path();
    CHECK(made.parent_path() == place.path());
    CHECK(made.filename().string().starts_with("aiwc-test-"));
    CHECK(fs::status(made).permissions() == fs::perms::owner_all);
    fs::create_directories(made / "a/b");
    test::write(folder / "a/b/file", "text");
  }
  CHECK_FALSE(fs::exists(made));
}

TEST_CASE("a temporary folder lies in /tmp if TMPDIR cannot be used") {
  const TemporaryPlace set("/does/not/exist");
  CHECK(aiwc::TemporaryFolder("aiwc-test").path().parent_path() == "/tmp");
}

TEST_CASE("a temporary folder that is left to another process stays") {
  const test::TemporaryFolder place;
  const TemporaryPlace set(place.path().string());
  { aiwc::TemporaryFolder("aiwc-test").leave(); }
  CHECK(place.files() == 1);
}

TEST_CASE("a file in memory gives back what was written") {
  const Descriptor file = memoryFile();
  REQUIRE(file);
  CHECK(file.number() > 2); // no standard stream
  CHECK(readWhole(file.number()).empty());
  const std::string text(200'000, 'x'); // several reads
  REQUIRE(writeWhole(file.number(), text));
  CHECK(readWhole(file.number()) == text);
  CHECK_FALSE(writeWhole(-1, text));
}
