#include "eod/formats/raw.h"

#include "eod/common/opencl.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace aiwc::eod {
namespace {

struct Close {
  void operator()(std::FILE *file) const { std::fclose(file); }
};

} // namespace

std::vector<uint8_t> readRaw(const std::string &path, uint64_t most) {
  const auto fail = [&](const std::string &wrong) {
    throw UsageError(fmt::format("{}: {}: expected a file of 1 to {} bytes", path, wrong, most));
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file)
    fail(fmt::format("cannot be read ({})", std::strerror(errno)));
  std::vector<uint8_t> bytes;
  std::array<uint8_t, 65536> block;
  while (const size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    bytes.insert(bytes.end(), block.begin(), block.begin() + count);
    if (bytes.size() > most)
      fail("is too large");
  }
  if (std::ferror(file.get()))
    fail(fmt::format("cannot be read ({})", std::strerror(errno)));
  if (bytes.empty())
    fail("is empty");
  return bytes;
}

} // namespace aiwc::eod
