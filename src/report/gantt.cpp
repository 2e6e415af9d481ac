#include "report/gantt.h"

#include "report/page_parts.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace aiwc::report {

namespace {

constexpr double kWidth = 1000, kRight = 24, kTop = 28, kLineHeight = 18;
constexpr double kRowHeight = 24, kThinHeight = 14, kPanelTitle = 26, kAxisHeight = 34;
constexpr size_t kColours = 8; ///< c0 to c7 of page.css
constexpr size_t kShownBytes = 60;
constexpr double kLetter = 7; ///< about the width of a letter; it only keeps texts apart

std::string text(std::string_view name) {
  std::string escaped;
  for (const char c : text::printable(name, kShownBytes * 4))
    switch (c) {
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '&':
      escaped += "&amp;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += c;
    }
  return escaped;
}

std::string shortened(const std::string &name) {
  return name.size() > kShownBytes ? name.substr(0, kShownBytes - 3) + "..." : name;
}

/// Between ticks: 1, 2 or 5 times a power of ten, at most ten of them.
double stepOf(double seconds) {
  const double rough = std::max(seconds, 1e-12) / 10;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * (1 - 1e-9))
      return factor * power;
  return 10 * power;
}

class Drawing {
public:
  explicit Drawing(const Gantt &chart) : chart_(chart) {
    size_t longest = 4;
    for (const GanttPanel &panel : chart.panels)
      for (const GanttRow &row : panel.rows)
        longest = std::max(longest, shortened(row.name).size());
    left_ = 16 + kLetter * static_cast<double>(longest);
    head();
    for (const GanttPanel &panel : chart.panels)
      add(panel);
  }

  std::string result() const {
    return fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )"
        R"(role="img" aria-label="{2}" font-family="system-ui, 'DejaVu Sans', sans-serif" )"
        R"(font-size="12">)"
        "\n<title>{2}</title>\n<style>{3}\n.sheet {{ fill: var(--paper); }}\n"
        ".heading {{ font-weight: 600; }}\n</style>\n"
        R"(<rect class="sheet" width="{0}" height="{1}"/>)"
        "\n{4}</svg>\n",
        kWidth, number(y_ + 4), text(chart_.title), kStyle, body_);
  }

private:
  static std::string number(double value) {
    return fmt::format("{:.7g}", std::round(100 * value) / 100);
  }
  double at(double seconds) const {
    return left_ + (chart_.seconds > 0 ? seconds / chart_.seconds : 0) * (kWidth - left_ - kRight);
  }
  static size_t colour(size_t kind) { return kind % kColours; }

  void write(double x, double y, const std::string &words, std::string_view style,
             std::string_view anchor = "start") {
    body_ += fmt::format(R"(<text x="{}" y="{}" class="{}" text-anchor="{}">{}</text>)"
                         "\n",
                         number(x), number(y), style, anchor, text(words));
  }

  void head() {
    y_ = kTop;
    write(8, y_, chart_.title, "name heading");
    for (const std::string &line : chart_.said) {
      y_ += kLineHeight;
      write(8, y_, line, "tick");
    }
    y_ += kLineHeight;
    double x = 8;
    for (size_t kind = 0; kind < chart_.kinds.size(); ++kind) {
      const std::string name = fmt::format("{} {}", kind + 1, shortened(chart_.kinds[kind]));
      const double width = 28 + kLetter * static_cast<double>(name.size());
      if (x > 8 && x + width > kWidth) {
        x = 8;
        y_ += kLineHeight;
      }
      body_ += fmt::format(R"(<rect x="{}" y="{}" width="12" height="12" class="bar c{}"/>)"
                           "\n",
                           number(x), number(y_ - 10), colour(kind));
      write(x + 16, y_, name, "tick");
      x += width;
    }
  }

  void add(const GanttPanel &panel) {
    y_ += kPanelTitle;
    write(8, y_, panel.title, "name heading");
    y_ += 8;
    double height = 0;
    for (const GanttRow &row : panel.rows)
      height += row.thin ? kThinHeight : kRowHeight;
    axis(height);
    for (const GanttRow &row : panel.rows)
      add(row);
    y_ += kAxisHeight - 10;
  }

  void axis(double height) {
    const double step = stepOf(chart_.seconds);
    const auto [unit, size] = step >= 0.5      ? std::pair("s", 1.0)
                              : step >= 0.5e-3 ? std::pair("ms", 1e-3)
                                               : std::pair("us", 1e-6);
    for (size_t i = 0; static_cast<double>(i) * step <= chart_.seconds * (1 + 1e-9); ++i) {
      const double tick = static_cast<double>(i) * step;
      body_ += fmt::format(R"(<line x1="{0}" x2="{0}" y1="{1}" y2="{2}" class="grid"/>)"
                           "\n",
                           number(at(tick)), number(y_), number(y_ + height));
      write(at(tick), y_ + height + 14, fmt::format("{:.4g} {}", tick / size, unit), "tick",
            "middle");
    }
  }

  void add(const GanttRow &row) {
    const double height = row.thin ? kThinHeight : kRowHeight;
    write(left_ - 8, y_ + height / 2 + 4, shortened(row.name), row.thin ? "tick" : "name", "end");
    for (size_t i = 0; i < row.bars.size();) {
      const double begin = at(row.bars[i].begin);
      double end = at(row.bars[i].end);
      size_t next = i + 1;
      size_t longest = i; // what stands for bars that share a pixel
      for (; next < row.bars.size() && at(row.bars[next].end) < begin + 1; ++next) {
        end = at(row.bars[next].end);
        if (lengthOf(row.bars[next]) > lengthOf(row.bars[longest]))
          longest = next;
      }
      draw(row, longest, next - i, begin, std::max(end, begin + 0.5), height);
      i = next;
    }
    y_ += height;
  }

  static double lengthOf(const GanttBar &bar) { return bar.end - bar.begin; }

  void draw(const GanttRow &row, size_t shown, size_t bars, double begin, double end,
            double height) {
    const GanttBar &bar = row.bars[shown];
    const std::string title =
        bars == 1 ? bar.title : fmt::format("{} and {} more", bar.title, bars - 1);
    body_ += fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" class="bar c{}">)"
                         "<title>{}</title></rect>\n",
                         number(begin), number(y_ + 1.5), number(end - begin), number(height - 3),
                         colour(bar.kind), text(title));
    const std::string label = std::to_string(bar.kind + 1);
    if (!row.thin && end - begin > 10 + kLetter * static_cast<double>(label.size()))
      write((begin + end) / 2, y_ + height / 2 + 4, label, "inside", "middle");
  }

  const Gantt &chart_;
  double left_ = 0, y_ = 0;
  std::string body_;
};

} // namespace

std::string svg(const Gantt &chart) {
  return Drawing(chart).result();
}

std::string html(const Gantt &chart) {
  return fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'\">\n<title>{}: schedule of aiwc</title>\n"
                     "</head>\n<body>\n<div id=\"page\"><div class=\"chart\">\n{}</div></div>\n"
                     "</body>\n</html>\n",
                     text(chart.title), svg(chart));
}

} // namespace aiwc::report
