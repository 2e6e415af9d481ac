/// The compilers and converters that annotated files go through.
#pragma once

#include "support/files.h"

#include <string>

namespace aiwc::test {

/// A folder in which command lines run, through the shell. In them `%clang` is the compiler,
/// `%opt` and `%llvm-...` are tools of its LLVM, and `%spirv-llvm` the converter between LLVM IR
/// and SPIR-V.
class Workshop {
public:
  /// The test case fails where the command fails, with what it printed.
  void run(const std::string &command) const;
  /// Whether the command succeeds.
  bool tries(const std::string &command) const;
  std::string read(const std::string &file) const { return contents(folder / file); }

  TemporaryFolder folder;
};

/// OpenCL C to `output` (bitcode, or IR as text with `-S` among the options), as clang compiles it
/// for SPIR targets.
std::string compileCommand(const std::string &source, const std::string &output,
                           const std::string &options = "");

} // namespace aiwc::test
