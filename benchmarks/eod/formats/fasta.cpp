#include "eod/formats/fasta.h"

#include "eod/formats/input_file.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdio>

namespace aiwc::eod {
namespace {

/// A title line that is longer belongs to something else than a FASTA file.
constexpr size_t kLongestTitle = 65536;

/// Takes the file character by character, so that a line of any length costs no memory.
class FastaReader {
public:
  FastaReader(const std::string &path, const FastaExpectation &expected)
      : file_(path, "a FASTA file"), expected_(expected) {}

  std::vector<FastaRecord> read() {
    for (int c = file_.next(); c != EOF; c = file_.next()) {
      if (c == '>' && startOfLine_)
        beginRecord();
      else if (c == '\n')
        endLine();
      else if (c != ' ' && c != '\t' && c != '\r')
        addLetter(c);
    }
    if (records_.size() != expected_.records)
      file_.fail(fmt::format("{} records", records_.size()), fmt::format("{}", expected_.records));
    checkLast();
    return std::move(records_);
  }

private:
  void endLine() {
    ++file_.line;
    startOfLine_ = true;
  }

  void beginRecord() {
    if (records_.size() == expected_.records)
      file_.fail("another record", fmt::format("{} records", expected_.records));
    checkLast();
    std::string title;
    int c = file_.next();
    for (; c != EOF && c != '\n'; c = file_.next()) {
      title += static_cast<char>(c);
      if (title.size() > kLongestTitle)
        file_.fail("endless title", fmt::format("at most {} characters", kLongestTitle));
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
      file_.fail(shown(c) + " before the first record", "a line that begins with '>'");
    const auto letter = static_cast<char>(std::toupper(c));
    if (letter == '\0' || expected_.alphabet.find(letter) == std::string_view::npos)
      file_.fail(shown(c) + " in a sequence", fmt::format("one of {}", expected_.alphabet));
    std::string &letters = records_.back().letters;
    if (letters.size() == expected_.letters)
      file_.fail("sequence too long", fmt::format("at most {} letters", expected_.letters));
    letters += letter;
  }

  void checkLast() {
    if (!records_.empty() && records_.back().letters.empty())
      file_.fail(fmt::format("record '{}' is empty", records_.back().name), "letters");
  }

  InputFile file_;
  const FastaExpectation expected_;
  std::vector<FastaRecord> records_;
  bool startOfLine_ = true;
};

} // namespace

std::vector<FastaRecord> readFasta(const std::string &path, const FastaExpectation &expected) {
  return FastaReader(path, expected).read();
}

} // namespace aiwc::eod
