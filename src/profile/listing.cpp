#include "profile/listing.h"

#include "profile/reuse.h"
#include "profile/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace aiwc::profile {

namespace {

std::string dependence(const LoopRow &row) {
  if (!row.carriesDependence)
    return "-";
  if (!*row.carriesDependence)
    return "none";
  std::string text = "line";
  for (const auto &[write, read] : row.dependences)
    text += fmt::format(" {}->{}", write, read);
  return text;
}

std::vector<std::string_view> linesOf(std::string_view source) {
  std::vector<std::string_view> lines;
  while (!source.empty()) {
    const size_t end = std::min(source.find('\n'), source.size());
    lines.push_back(source.substr(0, end));
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return lines;
}

/// Replaces tabs by two spaces, since tab stops would depend on the columns to the left.
std::string sourceLine(std::string_view line) {
  std::string text;
  for (const char c : line)
    text += c == '\t' ? "  " : std::string(c == '\r' ? 0 : 1, c);
  return printable(text);
}

std::string share(uint64_t part, uint64_t whole) {
  if (part == 0)
    return "-";
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

/// A column that shows the row's share of a total.
struct Column {
  std::string_view title;
  std::function<uint64_t(const LineRow &)> count;
};

/// At least as wide as "100.0 %".
size_t widthOf(const Column &column) {
  return std::max<size_t>(7, column.title.size());
}

uint64_t LineRow::*idleLanesOf(unsigned lanes) {
  return lanes == 8    ? &LineRow::idleLanes8
         : lanes == 16 ? &LineRow::idleLanes16
         : lanes == 64 ? &LineRow::idleLanes64
                       : &LineRow::idleLanes32;
}

std::vector<Column> columnsOf(const KernelProfile &profile, const LineView &view) {
  std::vector<Column> columns{{"instructions", &LineRow::instructions},
                              {"fp ops", &LineRow::fpOps},
                              {"bytes", &LineRow::bytes}};
  if (profile.histograms.linesTellReuseAndLanes) {
    columns.push_back({"misses", [&](const LineRow &row) {
                         return slowAccesses(profile, row, view.cacheBytes);
                       }});
    columns.push_back({"idle lanes", idleLanesOf(view.lanes)});
  }
  columns.push_back({"mispredicted", &LineRow::mispredictions});
  return columns;
}

/// The totals for the columns of misses and of idle lanes.
std::string missesAndIdleLanes(const KernelProfile &profile, const LineView &view) {
  if (!profile.histograms.linesTellReuseAndLanes)
    return "  The profile is of an older version, without misses and idle lanes by line.\n";
  uint64_t misses = 0, accesses = 0, idle = 0, instructions = 0;
  for (const LineRow &row : profile.histograms.lines) {
    misses += slowAccesses(profile, row, view.cacheBytes);
    accesses += slowAccesses(profile, row, 0);
    idle += row.*idleLanesOf(view.lanes);
    instructions += row.instructions;
  }
  return fmt::format("  misses of a cache of {}: {} of {} accesses to lines of {} bytes ({})\n"
                     "  idle in groups of {} lanes: {} of {} lane-instructions ({})\n",
                     formatBytes(view.cacheBytes), formatReadable(misses), formatReadable(accesses),
                     profile.reuse.lineBytes, share(misses, accesses), view.lanes,
                     formatReadable(idle), formatReadable(idle + instructions),
                     share(idle, idle + instructions));
}

} // namespace

std::string loopTable(const KernelProfile &profile) {
  if (profile.histograms.loops.empty())
    return {};
  std::string text = "Loops\n      line  depth     entries       trips  trips per entry  carries a "
                     "dependence  function\n";
  for (const LoopRow &row : profile.histograms.loops)
    text += fmt::format(
        "  {:>8}  {:>5}  {:>10}  {:>10}  {:>15}  {:>20}  {}\n",
        row.line == 0 ? "?" : fmt::format("{}", row.line), row.depth, row.entries, row.trips,
        row.minTrips == row.maxTrips ? fmt::format("{}", row.minTrips)
                                     : fmt::format("{} to {}", row.minTrips, row.maxTrips),
        dependence(row), printable(row.function, 60));
  return text;
}

std::string lineTable(const KernelProfile &profile, const LineView &view) {
  std::vector<LineRow> rows = profile.histograms.lines;
  std::ranges::stable_sort(rows, std::ranges::greater{}, &LineRow::instructions);
  const std::vector<Column> columns = columnsOf(profile, view);
  std::vector<uint64_t> sums(columns.size());
  for (const LineRow &row : rows)
    for (size_t c = 0; c < columns.size(); ++c)
      sums[c] += columns[c].count(row);

  const std::vector<std::string_view> lines = linesOf(view.source);
  std::string text = missesAndIdleLanes(profile, view) + fmt::format("{:>6}", "line");
  for (const Column &column : columns)
    text += fmt::format("  {:>{}}", column.title, widthOf(column));
  text += lines.empty() ? "\n" : "  source\n";
  for (const LineRow &row : rows) {
    text += fmt::format("{:>6}", row.line == 0 ? "?" : fmt::format("{}", row.line));
    for (size_t c = 0; c < columns.size(); ++c)
      text += fmt::format("  {:>{}}", share(columns[c].count(row), sums[c]), widthOf(columns[c]));
    if (row.line > 0 && row.line <= lines.size())
      text += "  " + sourceLine(lines[row.line - 1]);
    text += '\n';
  }
  return text;
}

} // namespace aiwc::profile
