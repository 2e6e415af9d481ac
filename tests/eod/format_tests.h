/// What the tests of the readers of files share.
#pragma once

#include "eod/common/opencl.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

namespace aiwc::eod::test {

/// A file with these bytes, as long as it lives.
struct File {
  explicit File(const std::string &bytes) { std::ofstream(path, std::ios::binary) << bytes; }
  ~File() { std::filesystem::remove(path); }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  std::string path =
      std::filesystem::temp_directory_path() / ("eod_format." + std::to_string(getpid()));
};

/// What `read`, which is given the file's path, says about the bytes, without the path.
template <typename Read> std::string refusalOf(const std::string &bytes, Read read) {
  const File file(bytes);
  try {
    read(file.path);
  } catch (const UsageError &error) {
    const std::string what = error.what();
    REQUIRE(what.starts_with(file.path));
    return what.substr(file.path.size());
  }
  return "accepted";
}

} // namespace aiwc::eod::test
