/// Text as a person reads it.
#pragma once

#include <sstream>
#include <string>

namespace aiwc::test {

/// The words of a text with one space between them: lines are broken where the terminal ends, which
/// depends on the names in them.
inline std::string onOneLine(const std::string &text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;)
    line += (line.empty() ? "" : " ") + word;
  return line;
}

} // namespace aiwc::test
