#pragma once

#include <filesystem>
#include <string>

namespace aiwc {

/// A new folder for temporary files, which only this user can enter. The destructor removes it with
/// all that it contains.
class TemporaryFolder {
public:
  /// Makes it in TMPDIR or else in /tmp; `prefix` begins its name. Throws Error if both fail.
  explicit TemporaryFolder(const std::string &prefix);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  const std::filesystem::path &path() const { return path_; }
  std::string operator/(const std::string &name) const { return (path_ / name).string(); }
  /// Leaves the folder to another process, which has a copy of this object.
  void leave() { path_.clear(); }

private:
  std::filesystem::path path_;
};

} // namespace aiwc
