/// Helpers for tests that read and write files: temporary folders, file contents and error
/// messages.
#pragma once

#include "common/error.h"

#include <filesystem>
#include <string>

namespace aiwc::test {

/// An empty folder that the destructor deletes.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  const std::filesystem::path &path() const { return path_; }
  std::filesystem::path operator/(const std::string &name) const { return path_ / name; }
  /// The number of files in it, including hidden files.
  size_t files() const;

private:
  std::filesystem::path path_;
};

std::string contents(const std::filesystem::path &file);
void write(const std::filesystem::path &file, const std::string &text);

/// The message of the Error that `action` throws; "" if it throws none.
template <typename Action> std::string errorOf(Action action) {
  try {
    action();
    return "";
  } catch (const Error &error) {
    return error.what();
  }
}

} // namespace aiwc::test
