#include "eod/formats/input_file.h"

#include "eod/common/opencl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace aiwc::eod {

InputFile::InputFile(std::string path, std::string format)
    : path_(std::move(path)), format_(std::move(format)), file_(std::fopen(path_.c_str(), "rb")) {
  if (!file_)
    unreadable();
}

int InputFile::next() {
  const int c = getc_unlocked(file_.get()); // one thread reads it, byte by byte
  if (c == EOF && std::ferror(file_.get()))
    unreadable();
  return c;
}

bool InputFile::nextLine(std::string &text, size_t longest) {
  text.clear();
  int c = next();
  const bool found = c != EOF;
  for (; c != EOF && c != '\n'; c = next()) {
    if (c == '\0')
      fail("byte 0x00", "text");
    if (text.size() == longest)
      fail("line too long", fmt::format("at most {} characters", longest));
    text += static_cast<char>(c);
  }
  return found;
}

size_t InputFile::read(std::span<uint8_t> block) {
  const size_t count = std::fread(block.data(), 1, block.size(), file_.get());
  if (count == 0 && std::ferror(file_.get()))
    unreadable();
  return count;
}

void InputFile::fail(const std::string &wrong, const std::string &expected) const {
  throw UsageError(fmt::format("{}:{}: {}: expected {}", path_, line, wrong, expected));
}

void InputFile::unreadable() const {
  throw UsageError(
      fmt::format("{}: cannot be read ({}): expected {}", path_, std::strerror(errno), format_));
}

std::vector<std::string_view> fields(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  std::vector<std::string_view> found;
  for (size_t begin = line.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    found.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(kBlanks, end);
  }
  return found;
}

std::string printable(std::string_view word) {
  std::string text;
  for (const char c : word.substr(0, 40))
    text += c >= ' ' && c < 127 ? c : '?';
  return text;
}

std::string shown(int byte) {
  return byte > ' ' && byte < 127 ? fmt::format("'{}'", static_cast<char>(byte))
                                  : fmt::format("byte 0x{:02x}", byte);
}

} // namespace aiwc::eod
