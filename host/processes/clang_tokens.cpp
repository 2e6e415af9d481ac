#include "processes/clang_tokens.h"

#include "common/error.h"
#include "common/file.h"
#include "common/temporary_folder.h"
#include "processes/program.h"

namespace aiwc::processes {

std::string clangTokens(std::string_view source) {
  const TemporaryFolder scratch("aiwc-tokens");
  const std::string input = scratch / "source", tokens = scratch / "tokens";
  replaceFile(input, source);
  const std::string failure = "clang-14 cannot be run: expected it, of the Debian package clang-14";
  // C++ has all tokens of CUDA and OpenCL C. Its lexer prints on standard error.
  if (run({.words = {"clang-14", "-cc1", "-x", "c++", "-std=c++17", "-w", "-dump-raw-tokens", "-"},
           .failure = failure,
           .input = input,
           .output = "/dev/null",
           .errors = tokens}) != 0)
    throw Error(failure);
  return readFile(tokens, "tokens");
}

} // namespace aiwc::processes
