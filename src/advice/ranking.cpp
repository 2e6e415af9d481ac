#include "advice/ranking.h"

#include "advice/words.h"
#include "predict/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace aiwc::advice {

namespace {

/// The gain on the time of the run, of which the kernel takes a part that no change exceeds.
struct SavedShare {
  predict::Interval range = {0, 0};
  double most = 0;     ///< as predicted
  double expected = 0; ///< likewise
};
SavedShare savedOfRun(const Gain &gain, double kernelSeconds, double seconds) {
  const double ofRun = seconds > 0 ? kernelSeconds / seconds : 0;
  const auto share = [&](double factor) { return ofRun * (1 - 1 / factor); };
  const predict::Interval range = gain.range();
  return {{share(range.low), share(range.high)}, share(gain.factor), share(gain.expected())};
}

/// "12 to 40 %", "up to 40 %" where the low end is less than 1 %, "40 %" where both are the same.
std::string shareRange(const predict::Interval &range) {
  const std::string to = percent(range.high);
  return range.low < kLeastShare    ? fmt::format("up to {}", to)
         : percent(range.low) == to ? to
                                    : fmt::format("{:.0f} to {}", 100 * range.low, to);
}

/// "1.4 to 2.1 times", in the same forms. Of large factors nobody believes more than that they are.
std::string factorRange(const predict::Interval &range) {
  constexpr double kMostFactor = 10;
  const std::string from = fmt::format("{:.2g}", range.low);
  const std::string to = fmt::format("{:.2g}", range.high);
  if (range.low > kMostFactor)
    return "more than 10 times";
  if (range.low < kLeastGain)
    return range.high > kMostFactor ? "up to more than 10 times"
                                    : fmt::format("up to {} times", to);
  if (range.high > kMostFactor)
    return fmt::format("{} to more than 10 times", from);
  return from == to ? fmt::format("{} times", to) : fmt::format("{} to {} times", from, to);
}

std::string withoutGains(const Finding &finding) {
  return finding.isCosted ? ": saves less than 5 % here" : ": not costed";
}

/// The lead device, if the change saves 1 % of its run or more, else that of the largest share.
size_t spokenOf(const std::vector<SavedShare> &shares, size_t lead) {
  if (lead < shares.size() && shares[lead].range.high >= kLeastShare)
    return lead;
  return static_cast<size_t>(
      std::ranges::max_element(shares, {},
                               [](const SavedShare &share) { return share.range.high; }) -
      shares.begin());
}

} // namespace

std::string gainText(const Finding &finding) {
  if (finding.gains.empty())
    return withoutGains(finding);
  const auto worth = std::ranges::find_if(
      finding.gains, [](const Gain &gain) { return gain.factor >= kLeastGain; });
  return worth == finding.gains.end()
             ? ""
             : fmt::format(": {} faster on {}", factorRange(worth->range()), worth->device);
}

size_t leadDevice(std::span<const double> seconds) {
  size_t lead = 0;
  for (size_t i = 1; i < seconds.size(); ++i)
    if (seconds[i] > 0 && (seconds[lead] == 0 || seconds[i] < seconds[lead]))
      lead = i;
  return lead;
}

std::vector<double> secondsOfRun(std::span<const KernelFindings> kernels, size_t devices) {
  std::vector<double> seconds(devices);
  for (const KernelFindings &kernel : kernels)
    for (size_t i = 0; i < kernel.seconds.size() && i < devices; ++i)
      seconds[i] += kernel.seconds[i];
  return seconds;
}

double largestShare(std::span<const double> part, std::span<const double> seconds) {
  double largest = 0;
  for (size_t i = 0; i < part.size() && i < seconds.size(); ++i)
    if (seconds[i] > 0)
      largest = std::max(largest, part[i] / seconds[i]);
  return largest;
}

std::vector<RankedFinding> ranked(std::span<const KernelFindings> kernels,
                                  std::span<const std::string> devices,
                                  std::optional<size_t> first) {
  const std::vector<double> seconds = secondsOfRun(kernels, devices.size());
  const size_t lead = first.value_or(leadDevice(seconds));
  struct Row {
    RankedFinding finding;
    /// Has gains; the expected share on the lead device; the largest one, or that of its kernel.
    std::tuple<bool, double, double> weight;
  };
  std::vector<Row> rows;
  for (size_t k = 0; k < kernels.size(); ++k) {
    const double ofKernel = largestShare(kernels[k].seconds, seconds);
    for (size_t f = 0; f < kernels[k].findings.size(); ++f) {
      const Finding &finding = kernels[k].findings[f];
      RankedFinding row = {.kernel = k, .finding = f};
      if (finding.gains.empty()) {
        row.notable = ofKernel >= kLeastShare;
        row.saves = withoutGains(finding);
        rows.push_back({std::move(row), {false, 0, ofKernel}});
        continue;
      }
      std::vector<SavedShare> shares(devices.size());
      double most = 0;
      double expected = 0;
      for (const Gain &gain : finding.gains)
        if (const auto place =
                static_cast<size_t>(std::ranges::find(devices, gain.device) - devices.begin());
            place < devices.size()) {
          shares[place] = savedOfRun(gain, kernels[k].seconds[place], seconds[place]);
          most = std::max(most, shares[place].most);
          expected = std::max(expected, shares[place].expected);
        }
      row.notable = most >= kLeastShare;
      for (const SavedShare &share : shares)
        row.byDevice.push_back(share.range.high >= kLeastShare   ? shareRange(share.range)
                               : share.range.high > -kLeastShare ? "-"
                                                                 : "slower");
      if (const size_t on = spokenOf(shares, lead); shares[on].range.high >= kLeastShare)
        row.saves = fmt::format(": saves {} of the run's {} on {}", row.byDevice[on],
                                predict::duration(seconds[on]), devices[on]);
      rows.push_back({std::move(row), {true, shares[lead].expected, expected}});
    }
  }
  std::ranges::stable_sort(rows, std::ranges::greater{}, &Row::weight);
  std::vector<RankedFinding> result;
  result.reserve(rows.size());
  for (Row &row : rows)
    result.push_back(std::move(row.finding));
  return result;
}

} // namespace aiwc::advice
