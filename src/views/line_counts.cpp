#include "views/line_counts.h"

#include "common/error.h"
#include "profile/kernel_words.h"
#include "profile/launch_identity.h"
#include "profile/reuse.h"
#include "text/source_lines.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace aiwc::views {

using namespace profile;

namespace {

uint64_t LineRow::*idleLanesOf(unsigned lanes) {
  return lanes == 8    ? &LineRow::idleLanes8
         : lanes == 16 ? &LineRow::idleLanes16
         : lanes == 64 ? &LineRow::idleLanes64
                       : &LineRow::idleLanes32;
}

LineCounts countsOf(const KernelProfile &profile, const LineRow &row, const LineOptions &options) {
  LineCounts counts;
  counts.line = row.line;
  counts.instructions = row.machineInstructions();
  counts.laneInstructions = row.instructions;
  counts.fpOps = row.fpOps;
  counts.bytes = row.bytes;
  counts.cacheAccesses = cacheMisses(profile, row, 0);
  counts.cacheMisses = cacheMisses(profile, row, options.cacheBytes);
  counts.idleLanes = row.*idleLanesOf(options.lanes);
  counts.branches = row.branches;
  counts.mispredictions = row.mispredictions;
  return counts;
}

/// Adds all counts; the line stays.
void add(LineCounts &sum, const LineCounts &counts) {
  sum.laneInstructions += counts.laneInstructions;
  for (const LineCountField &field : kLineCountFields)
    if (field.member != &LineCounts::line)
      sum.*field.member += counts.*field.member;
}

void sort(std::vector<LineCounts> &lines, std::string_view key) {
  const auto *field = std::ranges::find(kLineCountFields, key, &LineCountField::key);
  if (field == kLineCountFields.end())
    throw Error(fmt::format("{}: expected a count of a source line: {}", text::printable(key),
                            fmt::join(lineKeys(), ", ")));
  if (field->member == &LineCounts::line)
    std::ranges::stable_sort(lines, {}, [](const LineCounts &counts) {
      return std::pair(counts.line == 0, counts.line);
    });
  else
    std::ranges::stable_sort(lines, std::ranges::greater{}, field->member);
}

/// A count in the table: its share of all lines, and its rate over another count.
struct Column {
  std::string_view title;
  std::string_view rateTitle;
  uint64_t LineCounts::*count;
  /// The denominator of the rate; null: the work-items.
  uint64_t LineCounts::*base = nullptr;
  /// Whether the base lacks what is counted: idle lanes and the others make all lanes.
  bool baseExcludes = false;
};

constexpr std::array<Column, 6> kColumns = {{
    {"instructions", "/item", &LineCounts::instructions},
    {"fp ops", "/item", &LineCounts::fpOps},
    {"bytes", "/item", &LineCounts::bytes},
    {"cache misses", "rate", &LineCounts::cacheMisses, &LineCounts::cacheAccesses},
    {"idle lanes", "rate", &LineCounts::idleLanes, &LineCounts::laneInstructions, true},
    {"mispredictions", "rate", &LineCounts::mispredictions, &LineCounts::branches},
}};
constexpr size_t kShareWidth = 4; // "<0.1", "99.9", "100"
constexpr size_t kRateWidth = 6;  // "99,999", "99.9 %"
constexpr std::string_view kGap = "   ";

size_t widthOf(const Column &column) {
  return std::max(kShareWidth + 1 + kRateWidth, column.title.size());
}

/// Per cent with three digits at most, without the sign.
std::string perCent(uint64_t part, uint64_t whole) {
  if (part == 0)
    return "-";
  const double value = 100 * static_cast<double>(part) / static_cast<double>(whole);
  return value < 0.05 ? "<0.1" : value >= 99.95 ? "100" : fmt::format("{:.1f}", value);
}

std::string percentage(uint64_t part, uint64_t whole) {
  return part == 0 ? "-" : perCent(part, whole) + " %";
}

/// At most six characters.
std::string perItem(uint64_t count, uint64_t items) {
  if (count == 0)
    return "-";
  double value = static_cast<double>(count) / static_cast<double>(std::max<uint64_t>(items, 1));
  if (value < 0.005)
    return "<0.01";
  if (value < 99.95)
    return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : 1);
  if (value < 99999.5)
    return text::formatReadable(static_cast<uint64_t>(value + 0.5));
  std::string_view unit;
  for (const std::string_view larger : {"k", "M", "G", "T", "P", "E"}) {
    if (value < 999.5)
      break;
    value /= 1000;
    unit = larger;
  }
  return fmt::format("{:.3g}{}", value, unit);
}

std::string rateOf(const Column &column, const LineCounts &counts, uint64_t workItems) {
  const uint64_t count = counts.*column.count;
  if (!column.base)
    return perItem(count, workItems);
  return percentage(count, counts.*column.base + (column.baseExcludes ? count : 0));
}

/// Replaces tabs by two spaces, since tab stops would depend on the columns to the left.
std::string sourceLine(std::string_view line, size_t columns) {
  std::string text;
  for (const char c : line)
    text += c == '\t' ? "  " : std::string(c == '\r' ? 0 : 1, c);
  constexpr size_t kDots = 3;
  return text::printable(text, columns < kDots ? 0 : columns - kDots);
}

std::string totals(const LineListing &listing, const LineOptions &options) {
  const LineCounts &all = listing.all;
  std::string text =
      fmt::format("  {} work-item{}: {} instructions\n", text::formatReadable(listing.workItems),
                  listing.workItems == 1 ? "" : "s", text::formatReadable(all.instructions));
  const std::string lines = listing.cacheLineBytes == 0
                                ? "lines"
                                : fmt::format("lines of {} bytes", listing.cacheLineBytes);
  return text + fmt::format("  misses of a cache of {}: {} of {} accesses to {} ({})\n"
                            "  idle in groups of {} lanes: {} of {} lane-instructions ({})\n",
                            text::formatBytes(options.cacheBytes),
                            text::formatReadable(all.cacheMisses),
                            text::formatReadable(all.cacheAccesses), lines,
                            percentage(all.cacheMisses, all.cacheAccesses), options.lanes,
                            text::formatReadable(all.idleLanes),
                            text::formatReadable(all.idleLanes + all.laneInstructions),
                            percentage(all.idleLanes, all.idleLanes + all.laneInstructions));
}

/// The two lines of headings.
std::string headings(const std::vector<Column> &columns) {
  std::string above = fmt::format("{:>6}", "");
  std::string below = fmt::format("{:>6}", "line");
  for (const Column &column : columns) {
    above += fmt::format("{}{:>{}}", kGap, column.title, widthOf(column));
    below += fmt::format("{}{:>{}} {:>{}}", kGap, "%", widthOf(column) - kRateWidth - 1,
                         column.rateTitle, kRateWidth);
  }
  return above + "\n" + below;
}

} // namespace

std::vector<std::string> lineKeys() {
  std::vector<std::string> keys;
  for (const LineCountField &field : kLineCountFields)
    keys.emplace_back(field.key);
  return keys;
}

LineListing lineListing(std::span<const KernelProfile *const> launches,
                        const LineOptions &options) {
  LineListing listing;
  std::map<uint64_t, LineCounts> lines;
  std::optional<uint64_t> lineBytes;
  std::vector<std::string_view> kinds;
  for (const KernelProfile *launch : launches) {
    kinds.push_back(launch->provenance.sourceKind);
    listing.workItems += productOf(launch->provenance.globalSize);
    if (lineBytes && *lineBytes != launch->reuse.lineBytes)
      lineBytes = 0;
    lineBytes = lineBytes.value_or(launch->reuse.lineBytes);
    for (const LineRow &row : launch->histograms.lines) {
      const LineCounts counts = countsOf(*launch, row, options);
      LineCounts &sum = lines[row.line];
      sum.line = row.line;
      add(sum, counts);
      add(listing.all, counts);
    }
  }
  listing.sourceKind = profile::sourceKindOfAll(kinds);
  listing.cacheLineBytes = lineBytes.value_or(0);
  for (const auto &[line, counts] : lines)
    listing.lines.push_back(counts);
  sort(listing.lines, options.sort);
  return listing;
}

std::string lineTable(const LineListing &listing, const LineOptions &options,
                      const LineTableLook &look) {
  std::vector<Column> columns;
  std::vector<std::string_view> without;
  size_t width = 6;
  for (const Column &column : kColumns) {
    if (listing.all.*column.count == 0) {
      without.push_back(column.title);
      continue;
    }
    columns.push_back(column);
    width += kGap.size() + widthOf(column);
  }
  std::string text = totals(listing, options);
  if (!without.empty())
    text += fmt::format("  none: {}\n", fmt::join(without, ", "));
  text += "  %: of all lines; /item: per work-item; rate: of 100 accesses, lanes, branches of the "
          "line\n";
  text = profile::inWordsOf(listing.sourceKind, std::move(text));

  const auto source = text::numberedLines(look.source);
  constexpr size_t kLeastBeside = 40;
  const bool beside = width + 2 + kLeastBeside <= look.columns;
  text += headings(columns) + (source.empty() || !beside ? "\n" : "  source\n");
  for (const LineCounts &counts : listing.lines) {
    text += fmt::format("{:>6}", counts.line == 0 ? "?" : fmt::format("{}", counts.line));
    for (const Column &column : columns)
      text += fmt::format(
          "{}{:>{}} {:>{}}", kGap, perCent(counts.*column.count, listing.all.*column.count),
          widthOf(column) - kRateWidth - 1, rateOf(column, counts, listing.workItems), kRateWidth);
    if (const auto line = source.find(counts.line); line != source.end()) {
      const size_t indent = beside ? width + 2 : 8;
      text += (beside ? "  " : "\n" + std::string(indent, ' ')) +
              sourceLine(line->second.text, look.columns - std::min(look.columns, indent));
    }
    text += '\n';
  }
  return text;
}

} // namespace aiwc::views
