#include "report/gantt.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

using namespace aiwc::report;
using Catch::Matchers::Contains;

namespace {

size_t count(const std::string &text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

/// One row of bars that each take `width` of 1 s, one after the other, of two kinds in turn or one.
Gantt chartOf(size_t bars, double width, size_t kinds) {
  Gantt chart{.title = "chart", .said = {}, .kinds = {}, .panels = {}, .seconds = 1};
  for (size_t kind = 0; kind < kinds; ++kind)
    chart.kinds.push_back("kind" + std::to_string(kind));
  GanttRow row{"device", false, {}};
  for (size_t i = 0; i < bars; ++i)
    row.bars.push_back({static_cast<double>(i) * width, static_cast<double>(i + 1) * width,
                        i % kinds, "bar " + std::to_string(i)});
  chart.panels.push_back({"panel", {row}});
  return chart;
}

/// The bars, without the squares of the legend.
size_t drawn(const Gantt &chart) {
  return count(svg(chart), "</title></rect>");
}

} // namespace

TEST_CASE("A Gantt chart draws each bar, with its number where there is room") {
  const Gantt chart = chartOf(10, 0.1, 2);
  CHECK(drawn(chart) == 10);
  const std::string picture = svg(chart);
  CHECK(count(picture, "class=\"inside\"") == 10);
  CHECK_THAT(picture, Contains("<title>bar 7</title>") && Contains(">1 kind0<") &&
                          Contains(">2 kind1<") && Contains(">500 ms<"));
}

TEST_CASE("Bars that nobody could tell apart are drawn as one") {
  CHECK(drawn(chartOf(100000, 1e-5, 3)) < 1100); // a pixel each, over less than 1000 of them
  CHECK_THAT(svg(chartOf(100000, 1e-5, 1)), Contains(" more</title>"));
}

TEST_CASE("Names in a Gantt chart are text, whatever they contain") {
  Gantt chart = chartOf(1, 1, 1);
  const std::string evil = "</text><script>\"&'\n\x01";
  chart.title = chart.kinds[0] = chart.panels[0].title = evil;
  chart.panels[0].rows[0].name = chart.panels[0].rows[0].bars[0].title = evil;
  chart.said = {evil};
  for (const std::string &text : {svg(chart), html(chart)}) {
    CHECK_THAT(text, !Contains("<script") && !Contains("\x01"));
    CHECK_THAT(text, Contains("&lt;/text&gt;&lt;script&gt;&quot;&amp;"));
  }
}

TEST_CASE("A chart without time or rows is drawn, too") {
  Gantt chart = chartOf(0, 1, 1);
  chart.seconds = 0;
  CHECK_THAT(svg(chart), Contains("</svg>") && !Contains("nan") && !Contains("inf,"));
  chart.panels.clear();
  CHECK_THAT(html(chart), Contains("</svg>"));
}
