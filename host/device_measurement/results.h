/// What was measured so far, in a file beside the output, so that an interrupted measurement goes
/// on.
#pragma once

#include "device_measurement/item.h"

#include <filesystem>
#include <map>
#include <string>

namespace aiwc::device_measurement {

/// By item.
using Results = std::map<std::string, Outcome, std::less<>>;

class ResultFile {
public:
  /// The file beside `output`; `fingerprint` says on what and by what was measured.
  ResultFile(const std::filesystem::path &output, std::string fingerprint);

  /// What the file has, if its fingerprint is the same; else nothing. A file that cannot be
  /// understood has nothing.
  Results read() const;
  /// Replaces the file in one step. Throws Error if it cannot be written.
  void write(const Results &results) const;
  void remove() const;
  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
  std::string fingerprint_;
};

} // namespace aiwc::device_measurement
