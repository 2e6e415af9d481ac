#pragma once

#include "process.h"

#include <string>
#include <vector>

namespace aiwc::test {

/// A launcher in front of the fake Oclgrind, with folders of its own for everything.
class Bench {
public:
  Bench();
  /// The launcher with these arguments, to run or to change before.
  Command launcher(const std::vector<std::string> &arguments) const;
  Outcome run(const std::vector<std::string> &arguments) const {
    return test::run(launcher(arguments));
  }
  /// How the fake Oclgrind was called the last time; none if it was not.
  std::string lastCall() const;
  /// The value of a variable in the last call; "(unset)" if it had none.
  std::string variable(const std::string &name) const;
  /// The arguments of the last call.
  std::vector<std::string> arguments() const;
  fs::path file(const fs::path &name) const { return folder_ / name; }
  /// What goes into `environment` of every command.
  std::map<std::string, std::string> environment;

private:
  Folder folder_;
};

} // namespace aiwc::test
