#pragma once

#include <string>

namespace aiwc::eod {

/// A file that is either complete or absent: it is written under a temporary name in the same
/// folder. It is opened at once, so that a folder without write permission is reported before any
/// work.
class OutputFile {
public:
  /// An empty path means no file, "-" means stdout. Throws UsageError if the file cannot be
  /// created.
  explicit OutputFile(std::string path);
  /// Removes the temporary file unless it was committed.
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  bool wanted() const { return !path_.empty(); }
  bool isStdout() const { return path_ == "-"; }
  /// Writes the text and moves the file to its path. Throws Error with the system's reason.
  void commit(const std::string &text);

private:
  std::string name() const;
  void discard() const;

  std::string path_;
  std::string temporary_; ///< empty where the path is written directly
  int descriptor_ = -1;
};

} // namespace aiwc::eod
