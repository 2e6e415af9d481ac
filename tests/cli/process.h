/// Runs the `aiwc` command that was built, as a user does.
#pragma once

#include "profile/kernel_profile.h"
#include "support/files.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::test {

struct Outcome {
  int status = -1; ///< the exit status; 128 + the signal that ended the process
  std::string out;
  std::string err;
};

struct Setting {
  std::filesystem::path command = AIWC_COMMAND;
  std::filesystem::path folder = {}; ///< where it runs; empty: here
  std::string out = {};              ///< a file for standard output; empty: captured
  std::string in = {};               ///< a file for standard input; empty: that of the test
};

Outcome runAiwc(const std::vector<std::string> &arguments, const Setting &setting = {});

/// While it lives, `aiwc` knows the devices of this folder in place of the shipped ones.
class OnlyDevicesOf {
public:
  explicit OnlyDevicesOf(const std::filesystem::path &folder);
  ~OnlyDevicesOf();
  OnlyDevicesOf(const OnlyDevicesOf &) = delete;
  OnlyDevicesOf &operator=(const OnlyDevicesOf &) = delete;
};

/// `aiwc` with `arguments`, which must fail as bad usage and bad input do: status 2, nothing on
/// standard output and one line on standard error, which is returned without its end.
std::string refusal(const std::vector<std::string> &arguments, const Setting &setting = {});

/// A small profile of a kernel.
profile::KernelProfile sample(const std::string &kernel, uint64_t invocation = 0);

} // namespace aiwc::test
