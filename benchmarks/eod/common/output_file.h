#pragma once

#include <string>

namespace aiwc::eod {

/// A file that is complete or absent: it is written under a temporary name beside its place. It
/// is opened at once, so that a folder that cannot be written to is noticed before any work.
class OutputFile {
public:
  /// An empty path: no file; "-": stdout. Throws UsageError where the file cannot be created.
  explicit OutputFile(std::string path);
  /// Removes what is not committed.
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  bool wanted() const { return !path_.empty(); }
  bool isStdout() const { return path_ == "-"; }
  /// Writes the text and puts the file in its place. Throws Error with the system's reason.
  void commit(const std::string &text);

private:
  std::string name() const;
  void discard() const;

  std::string path_;
  std::string temporary_; ///< empty where the path is written directly
  int descriptor_ = -1;
};

} // namespace aiwc::eod
