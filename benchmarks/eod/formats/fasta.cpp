#include "eod/formats/fasta.h"

#include "eod/common/opencl.h"

#include <fmt/format.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace aiwc::eod {
namespace {

/// A title line that is longer belongs to something else than a FASTA file.
constexpr size_t kLongestTitle = 65536;

struct Close {
  void operator()(std::FILE *file) const { std::fclose(file); }
};

/// Takes the file character by character, so that a line of any length costs no memory.
class Reader {
public:
  Reader(const std::string &path, const FastaExpectation &expected)
      : path_(path), expected_(expected), file_(std::fopen(path.c_str(), "rb")) {
    if (!file_)
      unreadable();
  }

  std::vector<FastaRecord> read() {
    for (int c = next(); c != EOF; c = next()) {
      if (c == '>' && startOfLine_)
        beginRecord();
      else if (c == '\n')
        endLine();
      else if (c != ' ' && c != '\t' && c != '\r')
        addLetter(c);
    }
    if (records_.size() != expected_.records)
      fail(fmt::format("{} records", records_.size()), fmt::format("{}", expected_.records));
    checkLast();
    return std::move(records_);
  }

private:
  int next() {
    const int c = std::getc(file_.get());
    if (c == EOF && std::ferror(file_.get()))
      unreadable();
    return c;
  }

  void endLine() {
    ++line_;
    startOfLine_ = true;
  }

  void beginRecord() {
    if (records_.size() == expected_.records)
      fail("another record", fmt::format("{} records", expected_.records));
    checkLast();
    std::string title;
    int c = next();
    for (; c != EOF && c != '\n'; c = next()) {
      title += static_cast<char>(c);
      if (title.size() > kLongestTitle)
        fail("endless title", fmt::format("at most {} characters", kLongestTitle));
    }
    const size_t begin = title.find_first_not_of(" \t\r");
    const size_t end = title.find_first_of(" \t\r", begin);
    records_.push_back({begin == std::string::npos ? "" : title.substr(begin, end - begin), ""});
    if (c == '\n')
      endLine();
  }

  void addLetter(int c) {
    startOfLine_ = false;
    if (records_.empty())
      fail(shown(c) + " before the first record", "a line that begins with '>'");
    const auto letter = static_cast<char>(std::toupper(c));
    if (letter == '\0' || expected_.alphabet.find(letter) == std::string_view::npos)
      fail(shown(c) + " in a sequence", fmt::format("one of {}", expected_.alphabet));
    std::string &letters = records_.back().letters;
    if (letters.size() == expected_.letters)
      fail("sequence too long", fmt::format("at most {} letters", expected_.letters));
    letters += letter;
  }

  void checkLast() {
    if (!records_.empty() && records_.back().letters.empty())
      fail(fmt::format("record '{}' is empty", records_.back().name), "letters");
  }

  static std::string shown(int c) {
    return c > ' ' && c < 127 ? fmt::format("'{}'", static_cast<char>(c))
                              : fmt::format("byte 0x{:02x}", c);
  }

  [[noreturn]] void fail(const std::string &wrong, const std::string &expected) const {
    throw UsageError(fmt::format("{}:{}: {}: expected {}", path_, line_, wrong, expected));
  }

  [[noreturn]] void unreadable() const {
    throw UsageError(
        fmt::format("{}: cannot be read ({}): expected a FASTA file", path_, std::strerror(errno)));
  }

  const std::string path_;
  const FastaExpectation expected_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<FastaRecord> records_;
  size_t line_ = 1;
  bool startOfLine_ = true;
};

} // namespace

std::vector<FastaRecord> readFasta(const std::string &path, const FastaExpectation &expected) {
  return Reader(path, expected).read();
}

} // namespace aiwc::eod
