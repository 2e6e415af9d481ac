#include "train/csv_table.h"

#include "common/error.h"
#include "common/file.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace aiwc::train {

namespace {

std::vector<std::string> fieldsOf(std::string_view line, const std::string &place) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i]; // a quote, doubled
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  if (quoted)
    throw Error(place + ": a quote is open at the end of the line: expected it to be closed");
  return fields;
}

} // namespace

CsvTable::CsvTable(const std::filesystem::path &file, const std::vector<std::string> &columns)
    : CsvTable(readFile(file, "a CSV file"), file.string(), columns) {}

CsvTable::CsvTable(std::string_view text, std::string file, const std::vector<std::string> &columns)
    : file_(std::move(file)) {
  size_t width = 0;
  size_t number = 0;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    const std::string where = fmt::format("{}:{}", file_, number);
    std::vector<std::string> fields = fieldsOf(line, where);
    if (number == 1) {
      width = fields.size();
      for (size_t i = 0; i < width; ++i)
        if (!columns_.emplace(fields[i], i).second)
          throw Error(fmt::format("{}: a second column {}: expected each name once", where,
                                  text::printable(fields[i], 60)));
      for (const std::string &column : columns)
        if (!columns_.contains(column))
          throw Error(
              fmt::format("{}: no column {}: expected a row of names with it", where, column));
      continue;
    }
    if (fields.size() != width)
      throw Error(fmt::format("{}: {} fields: expected {}, as in the first line", where,
                              fields.size(), width));
    rows_.push_back(std::move(fields));
    lines_.push_back(number);
  }
  if (rows_.empty())
    throw Error(file_ + ": no rows: expected at least one below the names");
}

std::string CsvTable::place(size_t row) const {
  return fmt::format("{}:{}", file_, lines_[row]);
}

const std::string &CsvTable::text(size_t row, std::string_view column) const {
  return rows_[row][columns_.find(column)->second];
}

double CsvTable::positive(size_t row, std::string_view column) const {
  const std::string &field = text(row, column);
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || !(value > 0) ||
      !std::isfinite(value))
    throw Error(fmt::format("{}: {} is '{}': expected a number above 0", place(row), column,
                            text::printable(field, 60)));
  return value;
}

size_t CsvTable::count(size_t row, std::string_view column) const {
  const std::string &field = text(row, column);
  size_t value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size())
    throw Error(fmt::format("{}: {} is '{}': expected an integer from 0", place(row), column,
                            text::printable(field, 60)));
  return value;
}

} // namespace aiwc::train
