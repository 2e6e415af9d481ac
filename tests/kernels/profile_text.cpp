#include "kernels/profile_text.h"

#include <sstream>

namespace aiwc::test {

std::string withoutEngine(const std::string &json) {
  std::istringstream lines(json);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"engine_reason\": ") != std::string::npos)
      continue;
    if (const size_t engine = line.find("\"engine\": \"compiled\""); engine != std::string::npos)
      line.replace(engine, std::string::npos, "\"engine\": \"interpreter\",");
    text += line + "\n";
  }
  return text;
}

} // namespace aiwc::test
