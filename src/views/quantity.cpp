#include "views/quantity.h"

#include "common/error.h"
#include "common/wide.h"
#include "profile/reuse.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::views {

using namespace profile;

namespace {

constexpr std::string_view kDramBytes = "dram_bytes";

/// The length of the longest common start.
size_t commonStart(std::string_view a, std::string_view b) {
  return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

[[noreturn]] void refuseQuantity(std::string_view key, std::string_view where) {
  std::string_view similar = kDramBytes;
  for (const MetricInfo &metric : catalogue())
    if (commonStart(metric.key, key) > commonStart(similar, key))
      similar = metric.key;
  throw Error(
      fmt::format("{}: {} is not a metric: expected the key of a metric (aiwc show --metrics "
                  "lists them) such as {}, or time, dram_bytes, launches or "
                  "simulator_errors",
                  where, text::printable(key, 60), similar));
}

} // namespace

bool addsUp(Metric metric) {
  const MetricInfo &row = info(metric);
  // Totals over work-groups, and what the host copies for each launch.
  return row.type == MetricType::kCount &&
         (row.estimate == Estimate::kTotal || row.family == "host_transfers");
}

Value Quantity::sum(const std::vector<const KernelProfile *> &launches) const {
  Wide counts = 0;
  double reals = 0;
  bool exact = true;
  for (const KernelProfile *launch : launches) {
    const Value value = of(*launch);
    if (const auto *count = std::get_if<uint64_t>(&value)) {
      counts += *count;
    } else if (const auto *real = std::get_if<double>(&value)) {
      reals += *real;
      exact = false;
    } else {
      return {};
    }
  }
  if (exact && counts <= kLargestCount)
    return static_cast<uint64_t>(counts);
  return static_cast<double>(counts) + reals;
}

Quantity quantityOf(Metric metric) {
  const MetricInfo &row = info(metric);
  return {std::string(row.key), row.unit, addsUp(metric),
          [metric](const KernelProfile &profile) { return profile[metric]; }};
}

Quantity dramBytes(uint64_t cacheBytes) {
  std::string size = text::formatBytes(cacheBytes);
  std::erase(size, ' ');
  if (text::parseBytes(size) != cacheBytes)
    size = fmt::format("{}B", cacheBytes);
  return {fmt::format("{}@{}", kDramBytes, size), "bytes", true,
          [cacheBytes](const KernelProfile &profile) -> Value {
            if (profile.reuse.lineBytes == 0)
              return {};
            const Wide bytes = Wide{cacheMisses(profile, cacheBytes)} * profile.reuse.lineBytes;
            if (bytes > kLargestCount)
              return static_cast<double>(bytes);
            return static_cast<uint64_t>(bytes);
          }};
}

Quantity quantityOf(std::string_view key, std::string_view where) {
  if (const MetricInfo *metric = findMetric(key))
    return quantityOf(metric->metric);
  if (key == "launches")
    return {std::string(key), "launches", true,
            [](const KernelProfile &) -> Value { return uint64_t{1}; }};
  if (key == "simulator_errors")
    return {std::string(key), "errors", true,
            [](const KernelProfile &profile) -> Value { return profile.simulatorErrors; }};
  const size_t at = key.find('@');
  if (key.substr(0, at) != kDramBytes)
    refuseQuantity(key, where);
  if (at == std::string_view::npos)
    return dramBytes();
  const std::string_view size = key.substr(at + 1);
  const auto bytes = text::parseBytes(size);
  if (!bytes)
    throw Error(fmt::format("{}: the cache of {} is {}: expected a size above 0 such as 49152, "
                            "32KiB or 4MiB",
                            where, kDramBytes, text::printable(size, 60)));
  return dramBytes(*bytes);
}

} // namespace aiwc::views
