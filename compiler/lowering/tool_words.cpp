#include "lowering/tool_words.h"

#include "common/version.h"

#include <cstdio>

namespace aiwc::lowering {

std::optional<int> answerToHelp(const std::vector<std::string> &words, const char *program,
                                const char *help) {
  for (const std::string &word : words) {
    if (word == "--help" || word == "-h")
      return std::fputs(help, stdout) < 0;
    if (word == "--version")
      return std::printf("%s %s\n", program, kVersion) < 0;
  }
  return std::nullopt;
}

} // namespace aiwc::lowering
