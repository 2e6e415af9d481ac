#include "eod/common/csv.h"
#include "eod/common/opencl.h"
#include "eod/runner/command.h"
#include "eod/runner/json.h"
#include "eod/runner/statistics.h"
#include "eod/statistics/quantile.h"

#include <fmt/format.h>

#include <set>

namespace aiwc::eod {
namespace {

std::set<std::string> devicesOf(const std::vector<Result> &results) {
  std::set<std::string> devices;
  for (const Result &result : results)
    devices.insert(result.device);
  return devices;
}

std::vector<Result> withoutDevice(std::vector<Result> results) {
  for (Result &result : results)
    result.device.clear();
  return results;
}

/// What the interval allows to say.
const char *verdict(const Ratio &ratio) {
  if (!ratio.confidence)
    return "too few samples";
  if (ratio.confidence->low > 1)
    return "slower";
  return ratio.confidence->high < 1 ? "faster" : "no difference";
}

struct Row {
  Series series;
  double before; ///< median, us
  double after;
  Ratio ratio;
};

std::string label(const Series &series) {
  return fmt::format("{} {} {}{}{}", series.application, series.size, series.kernel,
                     series.invocation ? fmt::format(" {}", *series.invocation) : "",
                     series.device.empty() ? "" : " on " + series.device);
}

Json jsonOf(const Row &row) {
  const auto &interval = row.ratio.confidence;
  return {{"device", row.series.device.empty() ? Json() : Json(row.series.device)},
          {"application", row.series.application},
          {"size", row.series.size},
          {"kernel", row.series.kernel},
          {"invocation", row.series.invocation ? Json(*row.series.invocation) : Json()},
          {"before_median_us", row.before},
          {"after_median_us", row.after},
          {"ratio", row.ratio.medians},
          {"ci95_low", interval ? Json(interval->low) : Json()},
          {"ci95_high", interval ? Json(interval->high) : Json()},
          {"verdict", verdict(row.ratio)}};
}

std::string textOf(const Row &row) {
  const auto &interval = row.ratio.confidence;
  return fmt::format("{:<48} {:>12.5g} {:>12.5g} {:>7.3f} {:>13}  {}\n", label(row.series),
                     row.before, row.after, row.ratio.medians,
                     interval ? fmt::format("{:.3f}-{:.3f}", interval->low, interval->high) : "",
                     verdict(row.ratio));
}

std::string csvOf(const Row &row) {
  const auto &interval = row.ratio.confidence;
  return fmt::format("{},{},{},{},{},{:.6g},{:.6g},{:.6g},{},{},{}\n", csvField(row.series.device),
                     row.series.application, row.series.size, row.series.kernel,
                     row.series.invocation ? std::to_string(*row.series.invocation) : "",
                     row.before, row.after, row.ratio.medians,
                     interval ? fmt::format("{:.6g}", interval->low) : "",
                     interval ? fmt::format("{:.6g}", interval->high) : "", verdict(row.ratio));
}

} // namespace

std::string compareResults(const std::vector<Result> &before, const std::vector<Result> &after,
                           bool perInvocation, Format format) {
  const auto devicesBefore = devicesOf(before);
  const auto devicesAfter = devicesOf(after);
  // One device each: they are what is compared, or the same one under another driver.
  const bool pair = devicesBefore.size() == 1 && devicesAfter.size() == 1;
  const Times a = timesOf(pair ? withoutDevice(before) : before, perInvocation);
  const Times b = timesOf(pair ? withoutDevice(after) : after, perInvocation);

  std::vector<Row> rows;
  std::vector<std::string> alone;
  for (const auto &[series, times] : a) {
    const auto other = b.find(series);
    if (other == b.end())
      alone.push_back("only before: " + label(series));
    else if (const auto ratio = compare(times, other->second))
      rows.push_back(
          {series, statistics::median(times), statistics::median(other->second), *ratio});
    else
      alone.push_back("no time before: " + label(series));
  }
  for (const auto &[series, times] : b)
    if (!a.contains(series))
      alone.push_back("only after: " + label(series));
  if (rows.empty())
    throw UsageError("the two have no kernel in common: expected the same application, size and, "
                     "if one has several, device");

  if (format == Format::kJson) {
    Json json{{"rows", Json::array()}, {"unmatched", alone}};
    for (const Row &row : rows)
      json["rows"].push_back(jsonOf(row));
    return dump(json);
  }
  std::string text;
  if (format == Format::kCsv) {
    text =
        "device,application,size,kernel,invocation,before_median_us,after_median_us,ratio,ci95_low,"
        "ci95_high,verdict\n";
    for (const Row &row : rows)
      text += csvOf(row);
    return text;
  }
  if (pair)
    text = fmt::format("before: {}\nafter:  {}\n\n", *devicesBefore.begin(), *devicesAfter.begin());
  text += fmt::format("{:<48} {:>12} {:>12} {:>7} {:>13}\n", "kernel", "before, us", "after, us",
                      "ratio", "95 %");
  for (const Row &row : rows)
    text += textOf(row);
  for (const std::string &line : alone)
    text += line + '\n';
  return text;
}

} // namespace aiwc::eod
