#include "evaluation/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace aiwc::evaluation {

namespace {

std::string orDash(const std::optional<double> &value) {
  return value ? fmt::format("{:.2f}", *value) : "-";
}

std::string kernelTable(const std::vector<Case> &cases, const std::vector<std::string> &devices) {
  std::string text =
      fmt::format("{:<8} {:<7} {:<28} {:>6} {:>6} {:>7} {:>7} {:>7}  {:<16} {}\n", "app", "size",
                  "kernel", "rho", "tau", "error", "bias", "regret", "predicted best", "fastest");
  for (const Case &both : cases) {
    const CaseScore score = scoreOf(both);
    text +=
        fmt::format("{:<8} {:<7} {:<28} {:>6} {:>6} {:>7.2f} {:>7.3f} {:>7.2f}  {:<16} {}\n",
                    score.id.application, score.id.size, score.id.kernel, orDash(score.spearman),
                    orDash(score.kendall), score.deviation.error, score.deviation.bias,
                    score.choice.regret, devices[score.predictedBest], devices[score.fastest]);
  }
  return text;
}

std::string scoreRow(const std::string &name, const Score &score) {
  return fmt::format(
      "{:<8} {:>7} {:>6} {:>6} {:>6} {:>7.2f} {:>7.3f} {:>7} {:>7} {:>6.2f} {:>7.2f}\n", name,
      score.kernels, orDash(score.spearman), orDash(score.kendall),
      orDash(score.fixedOrderSpearman), score.deviation.error, score.deviation.bias,
      orDash(score.scaledError), orDash(score.deviceScaledError), score.choice.topOne,
      score.choice.regret);
}

std::string applicationTable(const std::string &title, const std::vector<Case> &cases,
                             const std::vector<std::string> &devices) {
  const Summary summary = summarise(std::span<const Case>(cases));
  std::string text = fmt::format(
      "\n{}\n{:<8} {:>7} {:>6} {:>6} {:>6} {:>7} {:>7} {:>7} {:>7} {:>6} {:>7}\n", title, "app",
      "kernels", "rho", "tau", "fixed", "error", "bias", "scaled", "by dev", "top-1", "regret");
  for (const Score &score : summary.applications)
    text += scoreRow(score.application, score);
  text += scoreRow("mean", summary.all);
  text += fmt::format("\n{:<16} {:>7} {:>7}  always taking it: {:>6} {:>7}\n", "device", "error",
                      "bias", "top-1", "regret");
  for (const Habit &habit : summary.habits)
    text +=
        fmt::format("{:<16} {:>7.2f} {:>7.3f}  {:>16}  {:>6.2f} {:>7.2f}\n", devices[habit.device],
                    summary.devices[habit.device].error, summary.devices[habit.device].bias, "",
                    habit.choice.topOne, habit.choice.regret);
  return text;
}

std::string leftOutTable(const std::vector<LeftOut> &leftOut) {
  std::map<std::string, std::vector<std::string>> byReason;
  for (const LeftOut &left : leftOut)
    byReason[left.reason].push_back(
        fmt::format("{} {} {}", left.id.application, left.id.size, left.id.kernel));
  std::string text;
  for (const auto &[reason, names] : byReason)
    text += fmt::format("  {}: {}\n", reason, fmt::join(names, ", "));
  return text.empty() ? text : "\nleft out\n" + text;
}

} // namespace

std::vector<std::pair<std::string, std::vector<Case>>> bySize(const std::vector<Case> &cases) {
  std::vector<std::pair<std::string, std::vector<Case>>> sizes;
  for (const Case &both : cases) {
    const auto found =
        std::ranges::find(sizes, both.id.size, [](const auto &s) { return s.first; });
    if (found == sizes.end())
      sizes.push_back({both.id.size, {both}});
    else
      found->second.push_back(both);
  }
  std::ranges::sort(sizes, {}, [](const auto &size) { return rankOf(size.first); });
  if (sizes.size() > 1)
    sizes.push_back({"all sizes", cases});
  return sizes;
}

std::string publishedTable(const Heading &heading, const Joined &joined,
                           const std::vector<std::string> &devices) {
  std::string text =
      fmt::format("{} on {} devices: {}\n\n", heading.model, devices.size(), heading.protocol);
  text += kernelTable(joined.cases, devices);
  for (const auto &[title, cases] : bySize(joined.cases))
    text += applicationTable(title, cases, devices);
  text += "\nrho, tau: Spearman's and Kendall's rank correlation over the devices; fixed: rho of "
          "the devices' order\non the other applications. error: geometric mean of the factor off; "
          "scaled: after one factor for all,\nby dev: after one per device, both taken from the "
          "other applications. bias: predicted over measured.\nregret: time on the device "
          "predicted to be best over that on the fastest.\n";
  return text + leftOutTable(joined.leftOut);
}

std::string measuredTable(const Heading &heading, const Comparisons &comparisons) {
  std::string text =
      fmt::format("{}: {}\n\n{:<8} {:<7} {:<28} {:>8} {:>11} {:>11} {:>13} {:>10}  "
                  "{}\n",
                  heading.model, heading.protocol, "app", "size", "kernel", "launches",
                  "median, us", "least, us", "predicted, us", "/ measured", "bound by");
  for (const Comparison &both : comparisons.cases)
    text += fmt::format("{:<8} {:<7} {:<28} {:>8} {:>11.5g} {:>11.5g} {:>13.5g} {:>10.3f}  {}\n",
                        both.id.application, both.id.size, both.id.kernel, both.launches,
                        both.median * 1e6, both.minimum * 1e6, both.predicted * 1e6,
                        both.predicted / both.measured, both.boundBy);
  const ComparisonSummary summary = summarise(comparisons.cases);
  const auto row = [](const std::string &name, const ComparisonScore &score) {
    return fmt::format("{:<8} {:>7} {:>7.2f} {:>7.3f}\n", name, score.kernels,
                       score.deviation.error, score.deviation.bias);
  };
  text += fmt::format("\n{:<8} {:>7} {:>7} {:>7}\n", "app", "kernels", "error", "bias");
  for (const ComparisonScore &score : summary.applications)
    text += row(score.application, score);
  text += row("mean", summary.all);
  text +=
      fmt::format("rank correlation over the kernels (Spearman): {}\n", orDash(summary.spearman));
  return text + leftOutTable(comparisons.leftOut);
}

} // namespace aiwc::evaluation
