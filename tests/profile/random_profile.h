#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace aiwc::test {

/// Any profile at all: every field takes ordinary and extreme values. The same for the same seed.
profile::KernelProfile randomProfile(uint64_t seed);

/// Field by field, reals by their bits.
bool equal(const profile::KernelProfile &a, const profile::KernelProfile &b);

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
template <typename Action> std::string errorOf(Action action);

} // namespace aiwc::test

#include "common/error.h"

template <typename Action> std::string aiwc::test::errorOf(Action action) {
  try {
    action();
    return "";
  } catch (const Error &error) {
    return error.what();
  }
}
