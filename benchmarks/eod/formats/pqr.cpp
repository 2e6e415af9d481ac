#include "eod/formats/pqr.h"

#include "eod/common/opencl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

namespace aiwc::eod {
namespace {

/// A line that is longer belongs to something else than a PQR file.
constexpr size_t kLongestLine = 4096;
/// Record, serial number, atom, residue and residue number come before the five numbers.
constexpr size_t kFieldsBefore = 5;
/// Of any atom; those of force fields are below 3.
constexpr float kLargestRadius = 100;
constexpr float kLargestCharge = 1000;

struct Close {
  void operator()(std::FILE *file) const { std::fclose(file); }
};

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

class Reader {
public:
  Reader(const std::string &path, const PqrLimits &limits)
      : path_(path), limits_(limits), file_(std::fopen(path.c_str(), "rb")) {
    if (!file_)
      unreadable();
  }

  std::vector<PqrAtom> read() {
    for (std::string line; nextLine(line); ++line_) {
      const std::vector<std::string_view> words = fields(line);
      if (!words.empty() && (words[0] == "ATOM" || words[0] == "HETATM"))
        addAtom(words);
    }
    if (atoms_.empty())
      fail("the file ends without an atom", "ATOM or HETATM records");
    return std::move(atoms_);
  }

private:
  bool nextLine(std::string &line) {
    line.clear();
    int c = std::getc(file_.get());
    const bool found = c != EOF;
    for (; c != EOF && c != '\n'; c = std::getc(file_.get())) {
      if (c == '\0')
        fail("byte 0x00", "text");
      if (line.size() == kLongestLine)
        fail("line too long", fmt::format("at most {} characters", kLongestLine));
      line += static_cast<char>(c);
    }
    if (std::ferror(file_.get()))
      unreadable();
    return found;
  }

  void addAtom(const std::vector<std::string_view> &words) {
    if (words.size() < kFieldsBefore + 5)
      fail(fmt::format("{} fields", words.size()),
           fmt::format("{} or more, the last five x, y, z, charge and radius", kFieldsBefore + 5));
    if (atoms_.size() == limits_.atoms)
      fail("too many atoms", fmt::format("at most {}", limits_.atoms));
    const auto *last = &words[words.size() - 5];
    atoms_.push_back({number(last[0], "x", -limits_.coordinate, limits_.coordinate),
                      number(last[1], "y", -limits_.coordinate, limits_.coordinate),
                      number(last[2], "z", -limits_.coordinate, limits_.coordinate),
                      number(last[3], "charge", -kLargestCharge, kLargestCharge),
                      number(last[4], "radius", 0, kLargestRadius)});
  }

  float number(std::string_view word, const char *what, float low, float high) const {
    std::string_view digits = word;
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-')
      digits.remove_prefix(1);
    float value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool complete = error == std::errc{} && end == digits.data() + digits.size();
    if (!complete || !(value >= low && value <= high))
      fail(fmt::format("{} '{}'", what, printable(word)),
           fmt::format("a number from {} to {}", low, high));
    return value;
  }

  static std::string printable(std::string_view word) {
    std::string text;
    for (char c : word.substr(0, 40))
      text += c > ' ' && c < 127 ? c : '?';
    return text;
  }

  [[noreturn]] void fail(const std::string &wrong, const std::string &expected) const {
    throw UsageError(fmt::format("{}:{}: {}: expected {}", path_, line_, wrong, expected));
  }

  [[noreturn]] void unreadable() const {
    throw UsageError(
        fmt::format("{}: cannot be read ({}): expected a PQR file", path_, std::strerror(errno)));
  }

  const std::string path_;
  const PqrLimits limits_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<PqrAtom> atoms_;
  size_t line_ = 1;
};

} // namespace

std::vector<PqrAtom> readPqr(const std::string &path, const PqrLimits &limits) {
  return Reader(path, limits).read();
}

} // namespace aiwc::eod
