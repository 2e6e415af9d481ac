/// Reading the tables that measurements come in.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::train {

/// A CSV file (RFC 4180, but that no record spans lines) with a row of names on top.
class CsvTable {
public:
  /// Throws Error, `file:line: what is wrong: what was expected`, where the file cannot be read,
  /// has no rows or not all of `columns`, or a row has another number of fields than the header.
  CsvTable(const std::filesystem::path &file, const std::vector<std::string> &columns);

  size_t size() const { return rows_.size(); }
  /// `file:line` of a row, for messages.
  std::string place(size_t row) const;
  /// `column` is one of those that were asked for.
  const std::string &text(size_t row, std::string_view column) const;
  /// Throws Error where the field is no finite number above 0.
  double positive(size_t row, std::string_view column) const;
  /// Throws Error where the field is no integer from 0.
  size_t count(size_t row, std::string_view column) const;

private:
  std::string file_;
  std::map<std::string, size_t, std::less<>> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<size_t> lines_; ///< of each row, from 1
};

} // namespace aiwc::train
