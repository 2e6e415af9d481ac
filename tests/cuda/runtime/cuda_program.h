/// CUDA programs that run in the simulator.
#pragma once

#include "launcher/process.h"
#include "plugin/characterise.h"
#include "run/run.h"

#include <string>

namespace aiwc::test {

/// A program of one source file, which includes <cstdio> and defines
/// `CHECK_CUDA(call)`: prints the call and its error unless it succeeds.
class CudaProgram {
public:
  /// Compiles as `aiwc build` does, by hipcc if the name ends with `.hip`. The test case fails if
  /// that fails.
  explicit CudaProgram(const std::string &source, const std::string &name = "program.cu");

  /// What the program prints under both engines, which has to be the same. The test case fails
  /// unless it ends with status 0.
  Words lines() const;
  /// Without the simulator.
  Outcome runAlone() const;
  /// `environment`: assignments, for the simulator, too.
  Characterised runWith(const std::string &engine, Words options = {},
                        const Words &environment = {}) const;
  /// What a run without options leaves: launches that are alike are characterised once.
  run::Run runByDefault() const;

private:
  Folder folder_;
};

/// What a program prints whose main function has this body, after these declarations.
Words printed(const std::string &declarations, const std::string &body);

} // namespace aiwc::test
