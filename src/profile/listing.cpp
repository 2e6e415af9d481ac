#include "profile/listing.h"

#include "profile/text.h"

#include <fmt/format.h>

#include <algorithm>
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

/// Tabs as two spaces: where they stop depends on what stands left of the source.
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

std::string lineTable(const KernelProfile &profile, std::string_view source) {
  std::vector<LineRow> rows = profile.histograms.lines;
  LineRow all;
  for (const LineRow &row : rows)
    for (const auto member :
         {&LineRow::instructions, &LineRow::fpOps, &LineRow::bytes, &LineRow::mispredictions})
      all.*member += row.*member;
  std::ranges::stable_sort(rows, std::ranges::greater{}, &LineRow::instructions);
  const std::vector<std::string_view> lines = linesOf(source);
  std::string text =
      fmt::format("{:>6}  {:>12}  {:>7}  {:>7}  {:>12}{}\n", "line", "instructions", "fp ops",
                  "bytes", "mispredicted", lines.empty() ? "" : "  source");
  for (const LineRow &row : rows) {
    text += fmt::format("{:>6}  {:>12}  {:>7}  {:>7}  {:>12}",
                        row.line == 0 ? "?" : fmt::format("{}", row.line),
                        share(row.instructions, all.instructions), share(row.fpOps, all.fpOps),
                        share(row.bytes, all.bytes), share(row.mispredictions, all.mispredictions));
    if (row.line > 0 && row.line <= lines.size())
      text += "  " + sourceLine(lines[row.line - 1]);
    text += '\n';
  }
  return text;
}

} // namespace aiwc::profile
