#pragma once

#include <string>
#include <vector>

namespace aiwc {

/// The texts as exec and posix_spawn take them, with a null pointer behind the last; they promise
/// not to write. Valid as long as `texts`.
inline std::vector<char *> argumentPointers(const std::vector<std::string> &texts) {
  std::vector<char *> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string &text : texts)
    pointers.push_back(const_cast<char *>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

} // namespace aiwc
