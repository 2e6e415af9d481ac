#include "eod/common/opencl.h"
#include "eod/common/output_file.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace aiwc::eod;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / ("eod_output." + std::to_string(getpid()));
  Folder() { fs::create_directory(path); }
  ~Folder() { fs::remove_all(path); }
  auto files() const { return std::distance(fs::directory_iterator(path), {}); }
};

std::string contents(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

} // namespace

TEST_CASE("a committed file is there with its text and replaces an older one") {
  const Folder folder;
  const fs::path path = folder.path / "rows.csv";
  std::ofstream(path) << "something longer that was there before";
  OutputFile(path).commit("new\n");
  CHECK(contents(path) == "new\n");
  CHECK(folder.files() == 1);
}

TEST_CASE("without a commit nothing changes and nothing is left behind") {
  const Folder folder;
  const fs::path path = folder.path / "rows.csv";
  std::ofstream(path) << "before";
  { const OutputFile file(path); }
  CHECK(contents(path) == "before");
  CHECK(folder.files() == 1);
}

TEST_CASE("a place that cannot be written to is refused at once") {
  const Folder folder;
  CHECK_THROWS_AS(OutputFile(folder.path / "missing" / "rows.csv"), UsageError);
  CHECK_THROWS_AS(OutputFile(folder.path), UsageError);
}

TEST_CASE("a full device is an error, and stays a device") {
  if (!fs::is_character_file("/dev/full"))
    return;
  CHECK_THROWS_AS(OutputFile("/dev/full").commit("text"), Error);
  CHECK(fs::is_character_file("/dev/full"));
}
