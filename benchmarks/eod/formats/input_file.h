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

/// A file that a reader takes from its begin to its end, and its complaints about it. All of them
/// are UsageErrors: `file:line: what is wrong: expected what`.
class InputFile {
public:
  /// `format` is what is expected where the system cannot read it: "a PQR file".
  InputFile(std::string path, std::string format);

  /// The next byte; EOF behind the last one.
  int next();
  /// The next line without its end, a text of at most `longest` characters, into `text`; false, and
  /// no text, behind the last one.
  bool nextLine(std::string &text, size_t longest);
  /// As many bytes as there are, at most as many as fit; 0 behind the last one.
  size_t read(std::span<uint8_t> block);

  [[noreturn]] void fail(const std::string &wrong, const std::string &expected) const;

  size_t line = 1; ///< for complaints; the reader keeps it

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
