#include "advice/ranking.h"

#include "advice/words.h"
#include "predict/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

namespace aiwc::advice {

namespace {

/// The predicted time on a device; 0 if it is not one of `devices`.
double on(const std::string &device, std::span<const double> seconds,
          std::span<const std::string> devices) {
  const auto place = static_cast<size_t>(std::ranges::find(devices, device) - devices.begin());
  return place < seconds.size() ? seconds[place] : 0;
}

/// The gains on the time of the run.
std::vector<Gain> ofRun(const Finding &finding, std::span<const double> seconds,
                        std::span<const std::string> devices) {
  std::vector<Gain> gains = finding.gains;
  for (Gain &gain : gains) {
    const double all = on(gain.device, seconds, devices);
    gain.factor = factorOf(all, gain.savedSeconds);
    if (gain.likely)
      gain.likely = factorOf(all, gain.likelySavedSeconds);
  }
  return gains;
}

double shareOf(double factor) {
  return 1 - 1 / factor;
}

/// Of large factors nobody believes more than that they are.
constexpr double kMostFactor = 10;

std::string times(double factor) {
  return factor > kMostFactor ? std::string("more than 10 times")
                              : fmt::format("{:.2g} times", factor);
}

/// " (likely 1.4 to 2.1)", " (likely up to 2.1)", " (likely nothing)"; empty if it is not known.
std::string likelyFactor(const Gain &gain) {
  if (!gain.likely)
    return "";
  const auto [low, high] = gain.likelyRange();
  if (high < kLeastGain)
    return " (likely nothing)";
  const std::string from = fmt::format("{:.2g}", low);
  const std::string to = fmt::format("{:.2g}", high);
  if (low > kMostFactor)
    return " (likely)";
  if (high > kMostFactor)
    return fmt::format(" (likely {} or more)", from);
  return low < kLeastGain ? fmt::format(" (likely up to {})", to)
         : from == to     ? fmt::format(" (likely {})", to)
                          : fmt::format(" (likely {} to {})", from, to);
}

/// " (likely 12 to 40 %)", with the same other forms.
std::string likelyShare(const Gain &gain) {
  if (!gain.likely)
    return "";
  const predict::Interval range = gain.likelyRange();
  const double low = shareOf(range.low);
  const double high = shareOf(range.high);
  if (high < kLeastShare)
    return " (likely nothing)";
  const std::string to = percent(high);
  return low < kLeastShare    ? fmt::format(" (likely up to {})", to)
         : percent(low) == to ? fmt::format(" (likely {})", to)
                              : fmt::format(" (likely {:.0f} to {})", 100 * low, to);
}

/// The gains of which `isEnough` says so, the largest first.
template <typename Enough>
std::vector<Gain> largest(std::vector<Gain> gains, const Enough &isEnough) {
  std::erase_if(gains, [&](const Gain &gain) { return !isEnough(gain); });
  std::ranges::stable_sort(gains, std::ranges::greater{}, &Gain::mostFactor);
  return gains;
}

std::string savesText(const std::vector<Gain> &gains, std::span<const double> seconds,
                      std::span<const std::string> devices) {
  std::vector<std::string> parts;
  for (const Gain &gain :
       largest(gains, [](const Gain &one) { return shareOf(one.mostFactor()) >= kLeastShare; })) {
    const std::string run =
        fmt::format(" of the run's {}", predict::duration(on(gain.device, seconds, devices)));
    parts.push_back(fmt::format("{}{} on {}{}", percent(shareOf(gain.mostFactor())),
                                parts.empty() ? run : "", gain.device, likelyShare(gain)));
  }
  return parts.empty() ? "" : fmt::format(": saves at most {}", fmt::join(parts, ", "));
}

} // namespace

std::string gainText(const Finding &finding) {
  std::vector<std::string> parts;
  for (const Gain &gain :
       largest(finding.gains, [](const Gain &one) { return one.factor >= kLeastGain; }))
    parts.push_back(fmt::format("{}{} on {}{}", times(gain.mostFactor()),
                                parts.empty() ? " faster" : "", gain.device, likelyFactor(gain)));
  return parts.empty() ? "" : fmt::format(": at most {}", fmt::join(parts, ", "));
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
                                  std::span<const std::string> devices) {
  const std::vector<double> seconds = secondsOfRun(kernels, devices.size());
  struct Row {
    RankedFinding finding;
    std::pair<bool, double> weight; ///< has gains; its expected share, or that of its kernel
  };
  std::vector<Row> rows;
  for (size_t k = 0; k < kernels.size(); ++k) {
    const double ofKernel = largestShare(kernels[k].seconds, seconds);
    for (size_t f = 0; f < kernels[k].findings.size(); ++f) {
      const Finding &finding = kernels[k].findings[f];
      const std::vector<Gain> gains = ofRun(finding, seconds, devices);
      double most = 0;
      double expected = 0;
      for (const Gain &gain : gains) {
        most = std::max(most, shareOf(gain.factor));
        expected = std::max(expected, shareOf(gain.expected()));
      }
      const bool hasGains = !gains.empty();
      rows.push_back({{.kernel = k,
                       .finding = f,
                       .notable = (hasGains ? most : ofKernel) >= kLeastShare,
                       .saves = savesText(gains, seconds, devices)},
                      {hasGains, hasGains ? expected : ofKernel}});
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
