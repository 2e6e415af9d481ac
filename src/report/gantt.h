/// A Gantt chart: what each of several workers does at which time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace aiwc::report {

struct GanttBar {
  double begin = 0, end = 0; ///< seconds
  size_t kind = 0;           ///< in Gantt::kinds
  std::string title;         ///< told where a reader points at it
};

struct GanttRow {
  std::string name;
  bool thin = false;          ///< drawn half as high: transfers, not work
  std::vector<GanttBar> bars; ///< by begin, without overlaps
};

/// Rows that are drawn over the same axis as those of the other panels, so that lengths compare.
struct GanttPanel {
  std::string title;
  std::vector<GanttRow> rows;
};

struct Gantt {
  std::string title;
  std::vector<std::string> said;  ///< lines below the title
  std::vector<std::string> kinds; ///< of bars: what the legend names; bars have their numbers
  std::vector<GanttPanel> panels;
  double seconds = 0; ///< the end of the axis
};

/// The chart as a picture that follows the light or dark theme of whoever shows it. Bars that
/// share a pixel of a row are drawn as one, in the colour of the longest. Names appear as text,
/// whatever they contain.
std::string svg(const Gantt &chart);

/// The picture in a page of its own, which loads nothing.
std::string html(const Gantt &chart);

} // namespace aiwc::report
