#include "report.h"

#include "common/version.h"
#include "eod/statistics/quantile.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

namespace aiwc::overhead {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMiB = 1024.0 * 1024.0;

struct Summary {
  double cpuSeconds = 0; ///< median
  double ratio = 0, ratioMin = 0, ratioMax = 0;
  double peakMiB = 0;
  double extraMiB = 0; ///< beyond the first variant's
};

double peakMiB(const std::vector<Usage> &rounds) {
  uint64_t most = 0;
  for (const Usage &round : rounds)
    most = std::max(most, round.peakMemoryBytes);
  return static_cast<double>(most) / kMiB;
}

double cpuSeconds(const Usage &usage) {
  return static_cast<double>(usage.cpuUs) / 1e6;
}

/// Of rounds that there are. Without ratios where the first variant has no rounds.
Summary summarize(const std::vector<Usage> &rounds, const std::vector<Usage> &bare) {
  std::vector<double> costs;
  std::vector<double> ratios;
  for (size_t round = 0; round < rounds.size(); ++round) {
    costs.push_back(cpuSeconds(rounds[round]));
    if (!bare.empty())
      ratios.push_back(costs.back() / cpuSeconds(bare[round]));
  }
  Summary summary;
  summary.cpuSeconds = statistics::median(costs);
  if (!ratios.empty()) {
    summary.ratio = statistics::median(ratios);
    summary.ratioMin = std::ranges::min(ratios);
    summary.ratioMax = std::ranges::max(ratios);
  }
  summary.peakMiB = peakMiB(rounds);
  summary.extraMiB = summary.peakMiB - peakMiB(bare);
  return summary;
}

std::string row(const std::string &workload, const Variant &variant, const Summary &summary,
                bool first) {
  if (first)
    return fmt::format("{:<11} {:<25} {:>8.2f} {:>8} {:>13} {:>9.1f} {:>9}\n", workload,
                       variant.name, summary.cpuSeconds, "1", "", summary.peakMiB, "");
  return fmt::format("{:<11} {:<25} {:>8.2f} {:>8.3f} {:>13} {:>9.1f} {:>+9.1f}\n", "",
                     variant.name, summary.cpuSeconds, summary.ratio,
                     fmt::format("{:.3f}-{:.3f}", summary.ratioMin, summary.ratioMax),
                     summary.peakMiB, summary.extraMiB);
}

Json runJson(const Usage &round) {
  Json run = {{"cpu_us", round.cpuUs},
              {"wall_us", round.wallUs},
              {"peak_memory_bytes", round.peakMemoryBytes}};
  if (round.kernels) {
    run["launches"] = round.kernels->launches;
    run["kernels_wall_us"] = round.kernels->wallUs;
    run["first_launch_wall_us"] = round.kernels->firstWallUs;
    if (round.kernels->cpuUs > 0) {
      run["kernels_cpu_us"] = round.kernels->cpuUs;
      run["first_launch_cpu_us"] = round.kernels->firstCpuUs;
    }
  }
  return run;
}

Json resultJson(const std::string &variant, const std::vector<Usage> &rounds,
                const std::vector<Usage> &bare, const Settings &settings) {
  Json result = {{"variant", variant}};
  if (rounds.empty()) {
    result["over_cpu_limit_s"] = settings.cpuLimitS;
    return result;
  }
  const Summary summary = summarize(rounds, bare);
  result["cpu_us_median"] = summary.cpuSeconds * 1e6;
  if (!bare.empty()) {
    result["ratio_median"] = summary.ratio;
    result["ratio_min"] = summary.ratioMin;
    result["ratio_max"] = summary.ratioMax;
  }
  result["peak_memory_bytes"] = summary.peakMiB * kMiB;
  if (!bare.empty())
    result["extra_memory_bytes"] = summary.extraMiB * kMiB;
  for (const Usage &round : rounds)
    result["runs"].push_back(runJson(round));
  return result;
}

} // namespace

std::string textHead() {
  return fmt::format("{:<11} {:<25} {:>8} {:>8} {:>13} {:>9} {:>9}\n", "workload", "variant",
                     "CPU s", "ratio", "min-max", "peak MiB", "+ MiB");
}

std::string textRows(const Workload &workload, const std::vector<Variant> &variants,
                     const Usages &usages) {
  std::string text;
  for (size_t v = 0; v < variants.size(); ++v)
    text += row(workload.name, variants[v], summarize(usages[v], usages[0]), v == 0);
  return text;
}

std::string toJson(const Plan &plan, const Settings &settings, const std::vector<Usages> &usages) {
  Json document;
  document["tool"] = "aiwc-overhead";
  document["tool_version"] = kVersion;
  document["hardware_threads"] = std::thread::hardware_concurrency();
  document["rounds"] = settings.rounds;
  document["reference"] = plan.variants.front().name;
  for (const Variant &variant : plan.variants)
    document["variants"].push_back({{"name", variant.name}, {"what", variant.what}});
  for (size_t w = 0; w < plan.workloads.size(); ++w) {
    const Workload &workload = plan.workloads[w];
    Json entry = {{"name", workload.name}, {"what", workload.what}};
    if (workload.repetitions > 0)
      entry["repetitions"] = workload.repetitions;
    for (size_t v = 0; v < plan.variants.size(); ++v)
      entry["results"].push_back(
          resultJson(plan.variants[v].name, usages[w][v], usages[w][0], settings));
    document["workloads"].push_back(std::move(entry));
  }
  return document.dump(2) + "\n";
}

} // namespace aiwc::overhead
