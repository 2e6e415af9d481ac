#include "eod/formats/raw.h"
#include "format_tests.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace aiwc::eod;
using test::File;
namespace fs = std::filesystem;

namespace {

std::string refusal(const std::string &path, uint64_t most) {
  try {
    readRaw(path, most);
  } catch (const UsageError &error) {
    return error.what();
  }
  return "accepted";
}

} // namespace

TEST_CASE("all bytes of a file, zeros and line ends included") {
  const File file(std::string("a\0\r\n\xff\x1a", 6));
  CHECK(readRaw(file.path, 6) == std::vector<uint8_t>{'a', 0, '\r', '\n', 0xff, 0x1a});
}

TEST_CASE("a file longer than a block of the reader") {
  const File file(std::string(200001, 'x'));
  CHECK(readRaw(file.path, 1000000) == std::vector<uint8_t>(200001, 'x'));
}

TEST_CASE("empty, too large and unreadable files are refused") {
  const File file("four");
  CHECK(refusal(file.path, 4) == "accepted");
  CHECK(refusal(file.path, 3) == file.path + ": is too large: expected a file of 1 to 3 bytes");
  CHECK(refusal("/dev/zero", 3) == "/dev/zero: is too large: expected a file of 1 to 3 bytes");
  CHECK(refusal("/dev/null", 3) == "/dev/null: is empty: expected a file of 1 to 3 bytes");
  CHECK(refusal("/nonexistent", 3) == "/nonexistent: cannot be read (No such file or directory): "
                                      "expected a file of 1 to 3 bytes");
  CHECK(refusal("/", 3) == "/: cannot be read (Is a directory): expected a file of 1 to "
                           "3 bytes");
}
