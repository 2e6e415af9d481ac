#include "eod/formats/raw.h"

#include "eod/common/opencl.h"
#include "eod/formats/input_file.h"

#include <fmt/format.h>

#include <array>

namespace aiwc::eod {
std::vector<uint8_t> readRaw(const std::string &path, uint64_t most) {
  const auto fail = [&](const std::string &wrong) {
    throw UsageError(fmt::format("{}: {}: expected a file of 1 to {} bytes", path, wrong, most));
  };
  InputFile file(path, fmt::format("a file of 1 to {} bytes", most));
  std::vector<uint8_t> bytes;
  std::array<uint8_t, 65536> block;
  while (const size_t count = file.read(block)) {
    bytes.insert(bytes.end(), block.begin(), block.begin() + count);
    if (bytes.size() > most)
      fail("is too large");
  }
  if (bytes.empty())
    fail("is empty");
  return bytes;
}

} // namespace aiwc::eod
