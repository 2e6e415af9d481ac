#include "eod/common/csv.h"
#include "eod/runner/command.h"
#include "eod/runner/json.h"
#include "eod/runner/statistics.h"

#include <fmt/format.h>

namespace aiwc::eod {
namespace {

std::string number(const std::optional<double> &value) {
  return value ? fmt::format("{:.6g}", *value) : "";
}

std::optional<double> low(const Statistics &s) {
  return s.confidence ? std::optional(s.confidence->low) : std::nullopt;
}

std::optional<double> high(const Statistics &s) {
  return s.confidence ? std::optional(s.confidence->high) : std::nullopt;
}

std::string invocationText(const Series &series) {
  return series.invocation ? std::to_string(*series.invocation) : "";
}

Json orNull(const std::optional<double> &value) {
  return value ? Json(*value) : Json();
}

std::string csvRow(const Series &series, const Statistics &s) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csvField(series.device),
                     series.application, series.size, series.kernel, invocationText(series),
                     s.count, number(s.median), number(s.mean), number(s.standardDeviation),
                     number(low(s)), number(high(s)), number(s.variation));
}

Json jsonRow(const Series &series, const Statistics &s) {
  return {{"device", series.device},
          {"application", series.application},
          {"size", series.size},
          {"kernel", series.kernel},
          {"invocation", series.invocation ? Json(*series.invocation) : Json()},
          {"samples", s.count},
          {"median_us", s.median},
          {"mean_us", s.mean},
          {"sd_us", orNull(s.standardDeviation)},
          {"ci95_low_us", orNull(low(s))},
          {"ci95_high_us", orNull(high(s))},
          {"coefficient_of_variation", orNull(s.variation)}};
}

std::string textRow(const Series &series, const Statistics &s) {
  const std::string kernel =
      series.kernel + (series.invocation ? " " + invocationText(series) : std::string());
  const std::string interval =
      s.confidence ? fmt::format("{:.5g}-{:.5g}", s.confidence->low, s.confidence->high) : "";
  return fmt::format("{:<10} {:<7} {:<28} {:>7} {:>12.5g} {:>12.5g} {:>10} {:>23} {:>7}\n",
                     series.application, series.size, kernel, s.count, s.median, s.mean,
                     s.standardDeviation ? fmt::format("{:.3g}", *s.standardDeviation) : "",
                     interval, s.variation ? fmt::format("{:.3f}", *s.variation) : "");
}

} // namespace

std::string summarise(const Times &times, Format format) {
  Json json = Json::array();
  std::string text;
  std::string device;
  if (format == Format::kCsv)
    text = "device,application,size,kernel,invocation,samples,median_us,mean_us,sd_us,ci95_low_us,"
           "ci95_high_us,coefficient_of_variation\n";
  for (const auto &[series, values] : times) {
    const Statistics statistics = statisticsOf(values);
    if (format == Format::kJson) {
      json.push_back(jsonRow(series, statistics));
    } else if (format == Format::kCsv) {
      text += csvRow(series, statistics);
    } else {
      if (series.device != device)
        text +=
            fmt::format("{}{}\n{:<10} {:<7} {:<28} {:>7} {:>12} {:>12} {:>10} {:>23} {:>7}\n",
                        text.empty() ? "" : "\n", series.device, "app", "size", "kernel", "samples",
                        "median, us", "mean, us", "sd, us", "95 % of mean, us", "cv");
      device = series.device;
      text += textRow(series, statistics);
    }
  }
  return format == Format::kJson ? dump(json) : text;
}

} // namespace aiwc::eod
