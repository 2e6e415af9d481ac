/// Programs in OpenCL C 2 and 3 and in SPIR-V, run through OpenCL's API under both engines.
#pragma once

#include "support/simulate.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::test {

/// A folder with a program and what is to be done with it.
class ProgramFolder {
public:
  ProgramFolder();
  ~ProgramFolder();
  ProgramFolder(const ProgramFolder &) = delete;
  ProgramFolder &operator=(const ProgramFolder &) = delete;

  std::filesystem::path operator/(const std::string &name) const { return path_ / name; }
  std::filesystem::path write(const std::string &name, const std::string &bytes) const;
  std::string read(const std::string &name) const;

private:
  std::filesystem::path path_;
};

/// The SPIR-V that clang and llvm-spirv make of OpenCL C of that version; `options`: further ones
/// of clang. The test case fails if they do not.
std::string spirvOf(const std::string &source, const std::string &version = "CL2.0",
                    const std::string &options = "");

/// A launch of the kernel `k`, whose first argument is a buffer of integers, one for each
/// work-item, which are 0 before.
struct Launch {
  std::string global = "64 1 1", local = "16 1 1";
  std::string arguments;                 ///< further ones, as simulation files have them
  std::string options = "-cl-std=CL2.0"; ///< of the build
  std::string mode;                      ///< "link": compiled and linked in two steps
  std::vector<std::pair<std::string, std::string>> environment;
};

/// Runs the program, OpenCL C or SPIR-V, with the engine.
Simulation runProgram(const std::string &program, const Launch &launch, bool compiled);

/// What the kernel leaves in its first buffer. Checks that both engines leave the same and write
/// the same profile, and that the second one compiled the kernel.
std::vector<int> resultOf(const std::string &program, const Launch &launch = {});

/// The same, and requires it of OpenCL C 2.0 and 3.0, and of the SPIR-V of the program.
std::vector<int> resultOfAll(const std::string &source, Launch launch = {});

/// f(0), f(1), ... f(count - 1).
template <typename Function> std::vector<int> listOf(int count, Function f) {
  std::vector<int> values;
  for (int i = 0; i < count; ++i)
    values.push_back(static_cast<int>(f(i)));
  return values;
}

} // namespace aiwc::test
