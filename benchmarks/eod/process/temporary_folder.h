#pragma once

#include <filesystem>
#include <string>

namespace aiwc::process {

/// A new folder in the system's temporary folder. The destructor removes it and its contents.
class TemporaryFolder {
public:
  /// `prefix` begins its name. Throws Error where it cannot be created.
  explicit TemporaryFolder(const std::string &prefix);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

} // namespace aiwc::process
