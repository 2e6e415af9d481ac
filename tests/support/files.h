/// What tests of readers and writers share: a folder of their own, files in it, and refusals.
#pragma once

#include "common/error.h"

#include <filesystem>
#include <string>

namespace aiwc::test {

/// An empty folder that goes away with the object.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  const std::filesystem::path &path() const { return path_; }
  std::filesystem::path operator/(const std::string &name) const { return path_ / name; }
  /// How many files are in it, hidden ones included.
  size_t files() const;

private:
  std::filesystem::path path_;
};

std::string contents(const std::filesystem::path &file);
void write(const std::filesystem::path &file, const std::string &text);

/// The message of the Error that `action` throws; "" where it throws none.
template <typename Action> std::string errorOf(Action action) {
  try {
    action();
    return "";
  } catch (const Error &error) {
    return error.what();
  }
}

} // namespace aiwc::test
