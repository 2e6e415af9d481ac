#include "profile/compare.h"

#include "profile/fields.h"
#include "profile/sampling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace aiwc::profile {

namespace {

class FieldComparer {
public:
  template <typename T> void operator()(std::string_view key, const T &before, const T &after) {
    if (before == after)
      return;
    if constexpr (std::is_same_v<T, Size3>)
      changes.push_back({std::string(key), fmt::format("[{}]", fmt::join(before, ", ")),
                         fmt::format("[{}]", fmt::join(after, ", "))});
    else
      changes.push_back({std::string(key), fmt::format("{}", before), fmt::format("{}", after)});
  }

  std::vector<FieldChange> changes;
};

std::vector<FieldChange> compareFields(const KernelProfile &before, const KernelProfile &after) {
  FieldComparer differ;
  differ("complete", before.complete, after.complete);
  differ("reason", before.reason, after.reason);
  differ("simulator_errors", before.simulatorErrors, after.simulatorErrors);
  const Provenance &a = before.provenance;
  const Provenance &b = after.provenance;
  differ("kernel", a.kernel, b.kernel);
  differ("invocation", a.invocation, b.invocation);
  differ("work_dim", a.workDim, b.workDim);
  for (const auto &field : kSizeFields)
    differ(field.key, a.*field.member, b.*field.member);
  differ("scaled_from", a.scaledFrom, b.scaledFrom);
  const auto groups = [](const Provenance &provenance) {
    return provenance.sampled() ? sampledGroupsText(provenance) : std::string("all");
  };
  differ("sampled_groups", groups(a), groups(b));
  for (const auto &field : kTextFields)
    if (field.key != "kernel")
      differ(field.key, a.*field.member, b.*field.member);
  differ(kEngineReasonField.key, a.engineReason, b.engineReason);
  for (const auto &field : kReuseCountFields)
    differ(fmt::format("reuse.{}", field.key), before.reuse.*field.member,
           after.reuse.*field.member);
  if (a.sampled() && b.sampled())
    for (const MetricInfo &metric : catalogue())
      differ(fmt::format("errors.{}", metric.key), errorText(before, metric.metric),
             errorText(after, metric.metric));
  return std::move(differ.changes);
}

/// after - before. Counts are subtracted as integers, because converting large counts to double
/// first would lose digits.
double difference(const Value &before, const Value &after) {
  const auto *a = std::get_if<uint64_t>(&before);
  const auto *b = std::get_if<uint64_t>(&after);
  if (!a || !b)
    return toDouble(after) - toDouble(before);
  return *b >= *a ? static_cast<double>(*b - *a) : -static_cast<double>(*a - *b);
}

std::optional<double> relativeChange(const Value &before, const Value &after) {
  const double relative = difference(before, after) / toDouble(before);
  return std::isfinite(relative) ? std::optional(relative) : std::nullopt;
}

} // namespace

Comparison compare(const KernelProfile &before, const KernelProfile &after) {
  Comparison result;
  result.fields = compareFields(before, after);
  for (const MetricInfo &metric : catalogue()) {
    const Value &a = before[metric.metric];
    const Value &b = after[metric.metric];
    if (a != b)
      result.metrics.push_back({metric.metric, a, b, relativeChange(a, b)});
  }
  std::ranges::stable_sort(result.metrics, std::ranges::greater{}, [](const MetricChange &change) {
    return change.relative ? std::abs(*change.relative) : std::numeric_limits<double>::infinity();
  });
  if (before.histograms.opcodes != after.histograms.opcodes)
    result.histograms.push_back("opcodes");
  for (const auto &field : kHistogramFields)
    if (before.histograms.*field.member != after.histograms.*field.member)
      result.histograms.push_back(field.key);
  if (before.histograms.loops != after.histograms.loops)
    result.histograms.push_back("loops");
  if (before.histograms.lines != after.histograms.lines)
    result.histograms.push_back("lines");
  // A profile of an older version does not say that the kernel has changed.
  if (before.accesses && after.accesses && before.accesses != after.accesses)
    result.histograms.push_back("accesses");
  return result;
}

} // namespace aiwc::profile
