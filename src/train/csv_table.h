/// Reads tables of measurements.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::train {

/// A CSV file (RFC 4180, except that no record spans several lines) with a row of column names
/// first.
class CsvTable {
public:
  /// Throws Error, `file:line: what is wrong: what was expected`, if the file cannot be read, is
  /// not a regular file, is larger than 256 MiB, has no rows, lacks one of `columns`, has a column
  /// twice, or has a row with another number of fields than the header.
  CsvTable(const std::filesystem::path &file, const std::vector<std::string> &columns);
  /// The same for the content of `file`, which need not exist.
  CsvTable(std::string_view text, std::string file, const std::vector<std::string> &columns);

  size_t size() const { return rows_.size(); }
  /// `file:line` of a row, for messages.
  std::string place(size_t row) const;
  bool has(std::string_view column) const { return columns_.contains(column); }
  /// `column` must be one that the table has.
  const std::string &text(size_t row, std::string_view column) const;
  /// Throws Error if the field is not a finite number above 0.
  double positive(size_t row, std::string_view column) const;
  /// Throws Error if the field is not an integer of 0 or more.
  size_t count(size_t row, std::string_view column) const;

private:
  std::string file_;
  std::map<std::string, size_t, std::less<>> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<size_t> lines_; ///< of each row, from 1
};

} // namespace aiwc::train
