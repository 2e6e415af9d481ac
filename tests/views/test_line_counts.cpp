#include "common/error.h"
#include "profile/reuse.h"
#include "views/line_counts.h"

#include <array>
#include <catch2/catch.hpp>
#include <sstream>

using namespace aiwc::profile;
using namespace aiwc::views;
using Catch::Matchers::Contains;

namespace {

/// Four work-items; line 2 does most, and 9 only touches memory.
KernelProfile fourLines() {
  KernelProfile profile;
  profile.provenance.globalSize = {4, 1, 1};
  profile.histograms.lines = {
      {0, 10, 0, 0, 0, 0}, {1, 20, 0, 0, 4, 1}, {2, 70, 8, 64, 0, 0}, {9, 0, 0, 64, 0, 0}};
  std::vector<LineRow> &rows = profile.histograms.lines;
  profile.reuse.lineBytes = 64;
  rows[2].coldAccesses = 100;
  rows[2].reuseDistances = {{1, 800}, {512, 50}}; // 512 lines are 32 KiB
  rows[3].reuseDistances = {{480, 50}};
  rows[1].idleLanes32 = 300;
  rows[1].idleLanes8 = 25;
  rows[2].idleLanes8 = 75;
  return profile;
}

LineListing listingOf(const KernelProfile &profile, const LineOptions &options = {}) {
  return lineListing(std::array<const KernelProfile *, 1>{&profile}, options);
}

std::vector<uint64_t> linesOf(const LineListing &listing) {
  std::vector<uint64_t> lines;
  for (const LineCounts &counts : listing.lines)
    lines.push_back(counts.line);
  return lines;
}

size_t longestLine(const std::string &text) {
  std::istringstream lines(text);
  size_t longest = 0;
  for (std::string line; std::getline(lines, line);)
    longest = std::max(longest, line.size());
  return longest;
}

} // namespace

TEST_CASE("a line has the instructions of a machine; idle lanes are told of all") {
  KernelProfile profile = fourLines();
  profile.histograms.lines[0].pseudoInstructions = 10; // phis, which have no line
  profile.histograms.lines[1].pseudoInstructions = 5;
  const LineListing listing = listingOf(profile);
  CHECK(linesOf(listing) == std::vector<uint64_t>{2, 1, 0, 9});
  CHECK(listing.lines[1].instructions == 15);
  CHECK(listing.lines[2].instructions == 0);
  CHECK(listing.all.instructions == 85);
  const std::string table = lineTable(listing);
  CHECK_THAT(table, Contains("4 work-items: 85 instructions"));
  CHECK_THAT(table, Contains("300 of 400 lane-instructions (75.0 %)"));
}

TEST_CASE("the counts of a line, and their sums") {
  const LineListing listing = listingOf(fourLines());
  REQUIRE(linesOf(listing) == std::vector<uint64_t>{2, 1, 0, 9});
  CHECK(listing.workItems == 4);
  CHECK(listing.cacheLineBytes == 64);
  // Line 2 misses what it touches first, and what 512 other lines came between.
  CHECK(listing.lines[0] == LineCounts{2, 70, 8, 64, 950, 150, 0, 0, 0, 70});
  CHECK(listing.lines[1] == LineCounts{1, 20, 0, 0, 0, 0, 300, 4, 1, 20});
  CHECK(listing.all == LineCounts{0, 100, 8, 128, 1000, 150, 300, 4, 1, 100});
  const LineListing smaller = listingOf(fourLines(), {.cacheBytes = 64 * 480, .lanes = 8});
  CHECK(smaller.all.cacheMisses == 200);
  CHECK(smaller.all.idleLanes == 100);
}

TEST_CASE("the launches of a kernel add up, line by line") {
  KernelProfile other = fourLines();
  other.provenance.globalSize = {2, 3, 1};
  other.histograms.lines.erase(other.histograms.lines.begin());
  other.histograms.lines.push_back({12, 5, 1, 2, 3, 2});
  const KernelProfile first = fourLines();
  const LineListing both =
      lineListing(std::array<const KernelProfile *, 2>{&first, &other}, {.sort = "line"});
  CHECK(linesOf(both) == std::vector<uint64_t>{1, 2, 9, 12, 0});
  CHECK(both.workItems == 4 + 6);
  const LineListing one = listingOf(first);
  const LineListing two = listingOf(other);
  for (const LineCountField &field : kLineCountFields)
    CHECK(both.all.*field.member == one.all.*field.member + two.all.*field.member);
  CHECK(both.lines[1].instructions == 140);
  CHECK(both.lines[3].instructions == 5);
  // A cache begins empty at each launch, so misses add up whatever the size of the lines.
  other.reuse.lineBytes = 128;
  CHECK(lineListing(std::array<const KernelProfile *, 2>{&first, &other}).cacheLineBytes == 0);
}

TEST_CASE("lines are ordered by any count, largest first, or as in the source") {
  const auto sorted = [](const std::string &key) {
    return linesOf(listingOf(fourLines(), {.sort = key}));
  };
  CHECK(sorted("line") == std::vector<uint64_t>{1, 2, 9, 0});
  CHECK(sorted("idle_lanes").front() == 1);
  CHECK(sorted("bytes") == std::vector<uint64_t>{2, 9, 0, 1});
  CHECK(sorted("mispredictions").front() == 1);
  CHECK_THROWS_WITH(sorted("heat"), Contains("heat: expected a count of a source line: line, "));
}

TEST_CASE("the table of lines: shares of all lines, and rates") {
  LineOptions options;
  const std::string table = lineTable(listingOf(fourLines()), options);
  CHECK_THAT(table,
             Contains("  4 work-items: 100 instructions\n"
                      "  misses of a cache of 32 KiB: 150 of 1,000 accesses to lines of 64 "
                      "bytes (15.0 %)\n"
                      "  idle in groups of 32 lanes: 300 of 400 lane-instructions (75.0 %)\n"));
  const auto row = [&](const std::string &line) {
    std::istringstream lines(table);
    for (std::string text; std::getline(lines, text);)
      if (text.starts_with("     " + line))
        return text;
    return std::string();
  };
  // 70 of 100 instructions by 4 work-items; 2 floating-point operations and 16 bytes per work-item;
  // 150 of its 950 cache accesses miss.
  CHECK_THAT(row("2"), Contains("70.0   17.5 ") && Contains(" 100   2.00 ") &&
                           Contains("50.0   16.0 ") && Contains(" 100 15.8 %"));
  // 300 idle lanes beside 20 that work, and one of four branches.
  CHECK_THAT(row("1"), Contains(" 100 93.8 %") && Contains(" 100 25.0 %"));
  CHECK_THAT(row("?"), Contains("10.0   2.50"));
  CHECK(longestLine(table) <= 100);
  // The sum of the shares of a column is 100 %.
  CHECK_THAT(row("9"), Contains("50.0   16.0"));
}

TEST_CASE("counts that no line has are left out of the table, and named") {
  KernelProfile profile;
  profile.histograms.lines = {{2, 70, 0, 64, 0, 0}};
  const std::string table = lineTable(listingOf(profile));
  CHECK_THAT(table, Contains("  none: fp ops, cache misses, idle lanes, mispredictions\n"));
  CHECK_THAT(table, Contains("  1 work-item: 70 instructions\n"));
  CHECK_THAT(table, Contains(" instructions         bytes\n"));
}

TEST_CASE("numbers of any size fit their columns") {
  KernelProfile profile;
  for (const uint64_t count :
       {uint64_t{1}, uint64_t{99999}, uint64_t{123456}, uint64_t{1} << 40U, uint64_t{1} << 63U}) {
    LineRow row{count % 1000, count, count, count, count, count};
    row.idleLanes32 = count;
    row.coldAccesses = count;
    profile.histograms.lines = {row};
    INFO(count);
    const std::string table = lineTable(listingOf(profile));
    CHECK(longestLine(table.substr(table.find("         instructions "))) <= 100);
  }
}

TEST_CASE("the source stands beside the counts where there is room, else below them") {
  KernelProfile profile;
  profile.histograms.lines = {{1, 20, 0, 0, 0, 0}, {2, 70, 0, 64, 0, 0}};
  const LineTableLook look{.source = "for (;;)\n\ta[i] = 2;\x1b[1m\r\n"};
  const std::string beside = lineTable(listingOf(profile), {}, look);
  CHECK_THAT(beside, Contains("  source\n"));
  CHECK_THAT(beside, Contains("%   for (;;)\n") || Contains("  for (;;)\n"));
  CHECK_THAT(beside, Contains("    a[i] = 2;\\x1b[1m\n"));

  const std::string below =
      lineTable(listingOf(fourLines()), {}, {.source = look.source, .columns = 100});
  CHECK_THAT(below, !Contains("source\n") && Contains("\n        for (;;)\n"));
  CHECK(longestLine(below) <= 100);
  const std::string wide =
      lineTable(listingOf(fourLines()), {}, {.source = look.source, .columns = 160});
  CHECK_THAT(wide, Contains("  source\n"));
  // #line gives the line below it a number.
  const std::string numbered =
      lineTable(listingOf(profile), {}, {.source = "#line 1 \"app.cl\"\nfor (;;)\n  next();\n"});
  CHECK_THAT(numbered, Contains("  for (;;)\n") && Contains("  next();\n") && !Contains("app.cl"));
  // A long line is cut.
  const std::string longText(500, 'x');
  const std::string cut =
      lineTable(listingOf(fourLines()), {}, {.source = longText, .columns = 100});
  CHECK(longestLine(cut) == 100);
}
