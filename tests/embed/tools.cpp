#include "tools.h"

#include <stdlib.h>

#include <catch2/catch.hpp>

namespace aiwc::test {

namespace {

std::string resolved(std::string command) {
  for (const auto &[name, path] :
       {std::pair{"%clang", AIWC_TEST_CLANG}, std::pair{"%llvm-", AIWC_TEST_LLVM "/llvm-"},
        std::pair{"%opt", AIWC_TEST_LLVM "/opt"}, std::pair{"%spirv-llvm", AIWC_TEST_LLVM_SPIRV}})
    for (size_t at = command.find(name); at != std::string::npos; at = command.find(name, at))
      command.replace(at, std::string(name).size(), path);
  return command;
}

} // namespace

bool Workshop::tries(const std::string &command) const {
  const std::string line =
      "cd '" + folder.path().string() + "' && (" + resolved(command) + ") >tool.log 2>&1";
  return system(line.c_str()) == 0;
}

void Workshop::run(const std::string &command) const {
  const bool succeeded = tries(command);
  INFO(command);
  INFO(contents(folder / "tool.log"));
  REQUIRE(succeeded);
}

std::string compileCommand(const std::string &source, const std::string &output,
                           const std::string &options) {
  return "%clang -x cl -cl-std=CL1.2 -target spir64-unknown-unknown -Xclang "
         "-finclude-default-header -Xclang -cl-kernel-arg-info -w -O1 -emit-llvm -c " +
         options + " '" + source + "' -o '" + output + "'";
}

} // namespace aiwc::test
