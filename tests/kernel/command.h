/// `aiwc kernel` as a user runs it, and what it leaves.
#pragma once

#include "launcher/process.h"
#include "profile/kernel_profile.h"
#include "run/run.h"

#include <string>
#include <vector>

namespace aiwc::test {

using Words = std::vector<std::string>;

/// A folder in which commands run.
class Workplace {
public:
  fs::path operator/(const std::string &name) const { return folder_ / name; }
  /// Writes a file there.
  void write(const std::string &name, const std::string &text) const;
  /// Runs `program`, with nothing in the environment but where programs are.
  Outcome execute(const std::string &program, const Words &words) const;
  Outcome aiwc(const Words &words) const { return execute(AIWC_TEST_COMMAND, words); }
  /// `aiwc kernel` with these words and a new folder of the run, which must succeed. Returns its
  /// standard error.
  std::string kernel(const Words &words);
  /// The same of a launch in which the simulator reports errors, which must end with status 1.
  std::string wrongKernel(const Words &words);
  /// `aiwc kernel`, which must fail with one line on standard error and leave no run. Returns it.
  std::string refusal(const Words &words, int status = 2) const;

  /// `aiwc` with at most so many bytes of addresses.
  Outcome aiwcWithin(uint64_t bytes, const Words &words) const;

  /// Of the run that `kernel` made last.
  std::string output() const { return "run" + std::to_string(runs_); }
  run::Run run() const;
  /// The only profile.
  profile::KernelProfile profile() const;
  std::vector<profile::KernelProfile> profiles() const;

private:
  std::string kernelWithStatus(const Words &words, int status);

  Folder folder_;
  int runs_ = 0;
};

} // namespace aiwc::test
