#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::eod {

/// A file that is read from beginning to end, and errors about it. All errors are UsageErrors:
/// `file:line: what is wrong: expected what`.
class InputFile {
public:
  /// `format` is the expected format, for the error if the file cannot be read: "a PQR file".
  InputFile(std::string path, std::string format);

  /// The next byte; EOF after the last one.
  int next();
  /// Reads the next line without its newline, at most `longest` characters, into `text`; returns
  /// false and leaves `text` empty after the last line.
  bool nextLine(std::string &text, size_t longest);
  /// Reads as many bytes as there are, at most as many as fit; returns 0 after the last one.
  size_t read(std::span<uint8_t> block);

  [[noreturn]] void fail(const std::string &wrong, const std::string &expected) const;

  size_t line = 1; ///< for errors; the reader of the format updates it

private:
  [[noreturn]] void unreadable() const;

  struct Close {
    void operator()(std::FILE *file) const { std::fclose(file); }
  };
  std::string path_;
  std::string format_;
  std::unique_ptr<std::FILE, Close> file_;
};

/// The words of a line between blanks, tabs and carriage returns.
std::vector<std::string_view> fields(std::string_view line);

/// At most 40 characters of a word, for a message; what is not plain text as '?'.
std::string printable(std::string_view word);

/// A byte for a message: "'x'", or "byte 0x07".
std::string shown(int byte);

} // namespace aiwc::eod
