#include "profile/summary.h"

#include "profile/reuse.h"
#include "profile/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace aiwc::profile {

namespace {

/// Metrics that stand in a row of the catalogue and are read together: one line instead of many.
struct Fold {
  Metric first;
  size_t count;
  std::string_view label;
};

constexpr std::array<Fold, 11> kFolds = {{
    {Metric::kFpAdd, 4, "fp add / mul / div / special"},
    {Metric::kFpOpsF16, 3, "fp_ops 16 / 32 / 64 bits"},
    {Metric::kItbMin, 3, "Instructions To Barrier min / median / max"},
    {Metric::kIptMin, 3, "Instructions Per Thread min / median / max"},
    {Metric::kSimdWidthMax, 3, "SIMD Width max / mean / sd"},
    {Metric::kBytesReadGlobal, 3, "read global / local / constant"},
    {Metric::kBytesWrittenGlobal, 3, "written global / local / constant"},
    {Metric::kLocalMemoryAddressEntropy1, 5, "LMAE -- Skipped 1 / 2 / 3 / 4 / 5 LSBs"},
    {Metric::kLocalMemoryAddressEntropy6, 5, "LMAE -- Skipped 6 / 7 / 8 / 9 / 10 LSBs"},
    {Metric::kHostToDeviceBytes, 2, "host to device bytes / transfers"},
    {Metric::kDeviceToHostBytes, 2, "device to host bytes / transfers"},
}};

std::string sizes(const Size3 &size, uint32_t dimensions) {
  std::string text = fmt::format("{}", size[0]);
  for (uint32_t i = 1; i < std::min<uint32_t>(dimensions, 3); ++i)
    text += fmt::format(" x {}", size[i]);
  return text;
}

std::string title(const Provenance &provenance) {
  std::string text = fmt::format("{}, invocation {}: {} work-items in groups of {}",
                                 printable(provenance.kernel, 60), provenance.invocation,
                                 sizes(provenance.globalSize, provenance.workDim),
                                 sizes(provenance.localSize, provenance.workDim));
  if (provenance.globalOffset != Size3{})
    text += fmt::format(" from {}", sizes(provenance.globalOffset, provenance.workDim));
  return text + "\n";
}

/// Entropies and ratios in a fold keep their columns when they have four digits each.
std::string foldedValue(const Value &value) {
  if (const auto *real = std::get_if<double>(&value); real && *real < 1e6)
    return fmt::format("{:.4g}", *real);
  return formatReadable(value);
}

std::string line(std::string_view label, const std::string &value, std::string_view unit) {
  if (value == "-")
    unit = "";
  return fmt::format("  {:<42}  {}{}{}\n", label, value, unit.empty() ? "" : " ", unit);
}

/// "64 B", "32 KiB", "1.5 MiB".
std::string readableBytes(uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit)
    value /= 1024;
  return fmt::format("{:.4g} {}", value, kUnits[unit]);
}

/// What the reuse distances say: how often caches of some usual sizes would hit, and at which sizes
/// something begins to fit.
std::string reuseText(const KernelProfile &profile) {
  if (lineAccesses(profile) == 0)
    return "";
  constexpr std::array<uint64_t, 3> kCaches = {uint64_t{32} << 10U, uint64_t{256} << 10U,
                                               uint64_t{8} << 20U};
  std::string ratios;
  for (const uint64_t cache : kCaches)
    ratios += fmt::format("{}{:.4g}", ratios.empty() ? "" : " / ", *hitRatio(profile, cache));
  std::string text = line("hit ratio of 32 KiB / 256 KiB / 8 MiB, LRU", ratios, "");
  std::string knees;
  for (const Knee &knee : workingSetKnees(profile))
    knees += fmt::format("{}{} ({:.3g} -> {:.3g})", knees.empty() ? "" : ", ",
                         readableBytes(knee.cacheBytes), knee.missRatioBefore, knee.missRatio);
  text += line("working sets (miss ratio at half -> there)", knees.empty() ? "-" : knees, "");
  if (profile.reuse.sampleRate < 1)
    text +=
        line("reuse is of a sample: rate, error at most",
             fmt::format("{} / {:.2g}", profile.reuse.sampleRate, profile.reuse.errorBound), "");
  return text;
}

} // namespace

std::string toText(const KernelProfile &profile) {
  std::string text = title(profile.provenance);
  if (!profile.complete)
    text += fmt::format("  INCOMPLETE: {}\n",
                        profile.reason.empty() ? "no reason given" : printable(profile.reason));
  if (profile.simulatorErrors > 0)
    text += fmt::format("  The simulator reported {} error{} in this invocation.\n",
                        formatReadable(profile.simulatorErrors),
                        profile.simulatorErrors == 1 ? "" : "s");

  const auto metrics = catalogue();
  for (size_t i = 0; i < metrics.size();) {
    const MetricInfo &metric = metrics[i];
    // Behind the last of the memory metrics.
    if (i > 0 && metrics[i - 1].category == Category::kMemory &&
        metric.category != Category::kMemory)
      text += reuseText(profile);
    if (i == 0 || metrics[i - 1].category != metric.category)
      text += fmt::format("{}\n", toString(metric.category));
    const auto *const fold = std::ranges::find(kFolds, metric.metric, &Fold::first);
    if (fold == kFolds.end()) {
      text += line(metric.name, formatReadable(profile[metric.metric]), metric.unit);
      ++i;
      continue;
    }
    std::string values;
    bool any = false;
    for (size_t k = 0; k < fold->count; ++k) {
      const Value &value = profile[metrics[i + k].metric];
      any = any || !std::holds_alternative<std::monostate>(value);
      values += (k ? " / " : "") + foldedValue(value);
    }
    if (!any)
      values = "-";
    // Bytes and transfers share a line, and its label has both units.
    const bool oneUnit = metrics[i + fold->count - 1].unit == metric.unit;
    text += line(fold->label, values, oneUnit ? metric.unit : "");
    i += fold->count;
  }
  return text;
}

} // namespace aiwc::profile
