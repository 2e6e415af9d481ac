#include "support/files.h"

#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace aiwc::test {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "aiwc-test-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

size_t TemporaryFolder::files() const {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
}

std::string contents(const std::filesystem::path &file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw std::runtime_error("no file " + file.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const std::filesystem::path &file, const std::string &text) {
  std::ofstream(file, std::ios::binary) << text;
}

} // namespace aiwc::test
