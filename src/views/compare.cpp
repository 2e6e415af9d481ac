#include "views/compare.h"

#include "profile/fields.h"
#include "profile/sampling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace aiwc::views {

using namespace profile;

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
  for (const IdentityField &field : kIdentityFields)
    std::visit([&](auto member) { differ(field.key, a.*member, b.*member); }, field.member);
  for (const auto &field : kVersionFields)
    differ(field.key, a.*field.member, b.*field.member);
  for (const auto &field : kOriginFields)
    differ(field.key, a.*field.member, b.*field.member);
  const auto groups = [](const Provenance &provenance) {
    return provenance.sampled() ? sampledGroupsText(provenance) : std::string("all");
  };
  differ("sampled_groups", groups(a), groups(b));
  differ(kOthersLeftOutField.key, a.othersLeftOut, b.othersLeftOut);
  for (const auto &field : kReuseCountFields)
    differ(fmt::format("reuse.{}", field.key), before.reuse.*field.member,
           after.reuse.*field.member);
  if (a.sampled() && b.sampled())
    for (const MetricInfo &metric : catalogue())
      differ(fmt::format("errors.{}", metric.key), errorText(before, metric.metric),
             errorText(after, metric.metric));
  return std::move(differ.changes);
}

std::optional<double> relativeChange(const Value &before, const Value &after) {
  const double relative = difference(before, after) / toDouble(before);
  return std::isfinite(relative) ? std::optional(relative) : std::nullopt;
}

/// For sorting: changes that are no share of anything come first.
double magnitude(const std::optional<double> &relative) {
  return relative ? std::abs(*relative) : std::numeric_limits<double>::infinity();
}

/// The places of those of `before` and `after` that match, in the order of `before`: the n-th of a
/// key matches the n-th of the same key.
template <typename Item, typename Key>
std::vector<std::pair<size_t, size_t>> matching(const std::vector<Item> &before,
                                                const std::vector<Item> &after, const Key &key) {
  std::map<decltype(key(before.front())), std::vector<size_t>> places; // last one first
  for (size_t i = after.size(); i-- > 0;)
    places[key(after[i])].push_back(i);
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < before.size(); ++i)
    if (const auto found = places.find(key(before[i]));
        found != places.end() && !found->second.empty()) {
      pairs.emplace_back(i, found->second.back());
      found->second.pop_back();
    }
  return pairs;
}

/// Moves what matches by `key` from `before` and `after` to `pairs`.
template <typename Item, typename Key>
void match(std::vector<Item> &before, std::vector<Item> &after, const Key &key,
           std::vector<std::pair<Item, Item>> &pairs) {
  if (before.empty() || after.empty())
    return;
  const auto places = matching(before, after, key);
  std::vector<bool> gone(after.size());
  for (const auto &[a, b] : places) {
    pairs.emplace_back(before[a], after[b]);
    gone[b] = true;
  }
  size_t next = 0;
  size_t place = 0;
  std::erase_if(before, [&](const Item &) {
    const bool matched = next < places.size() && places[next].first == place;
    next += matched ? 1 : 0;
    ++place;
    return matched;
  });
  place = 0;
  std::erase_if(after, [&](const Item &) { return gone[place++]; });
}

template <typename Item> std::map<Item, size_t> placesOf(const std::vector<Item> &items) {
  std::map<Item, size_t> places;
  for (size_t i = 0; i < items.size(); ++i)
    places.emplace(items[i], i);
  return places;
}

void mergeFields(std::vector<FieldChange> &all, std::vector<FieldChange> fields) {
  for (FieldChange &field : fields) {
    const auto known = std::ranges::find(all, field.key, &FieldChange::key);
    if (known == all.end())
      all.push_back(std::move(field));
    else
      ++known->launches;
  }
}

bool isSameCode(const KernelProfile &before, const KernelProfile &after) {
  return !before.provenance.codeHash.empty() &&
         before.provenance.codeHash == after.provenance.codeHash;
}

/// Removes what other comments and other kernels in the source of the same code change.
void leaveSourceOut(Comparison &comparison) {
  if (std::erase_if(comparison.fields, [](const FieldChange &field) {
        return field.key == "source_hash" || field.key == "source_kind";
      }) == 0)
    return; // the lines are the same, too
  constexpr std::array<std::string_view, 3> kByLine = {"loops", "lines", "accesses"};
  if (comparison.metrics.empty())
    std::erase_if(comparison.histograms, [&](std::string_view histogram) {
      return std::ranges::find(kByLine, histogram) != kByLine.end();
    });
}

/// The square of the standard error of the metric's sum over the launches; 0 where all are exact,
/// NaN where an error is unknown.
double squaredError(Metric metric, std::span<const KernelProfile *const> launches) {
  double sum = 0;
  for (const KernelProfile *launch : launches)
    if (launch->provenance.sampled() && info(metric).estimate != Estimate::kExact)
      sum += std::pow(launch->standardError(metric), 2);
  return sum;
}

bool isWithinError(const KernelComparison &kernel, Metric metric, const QuantityChange &change) {
  constexpr double kErrors = 2;
  double square = 0;
  if (change.launch) {
    const auto pair = std::ranges::find(kernel.pairs, change.launch, &LaunchPair::after);
    square = squaredError(metric, std::array{pair->before}) +
             squaredError(metric, std::array{pair->after});
  } else {
    square = squaredError(metric, kernel.before) + squaredError(metric, kernel.after);
  }
  return std::abs(difference(change.before, change.after)) <= kErrors * std::sqrt(square);
}

/// Fills in what differs, from the launches and pairs. `ignoreInvocations`: whether the
/// numbers of invocations may differ.
void compareAll(KernelComparison &kernel, bool ignoreInvocations) {
  std::array<bool, kMetricCount> differs{};
  for (const LaunchPair &pair : kernel.pairs) {
    Comparison comparison = compare(*pair.before, *pair.after);
    if (ignoreInvocations)
      std::erase_if(comparison.fields,
                    [](const FieldChange &field) { return field.key == "invocation"; });
    if (isSameCode(*pair.before, *pair.after))
      leaveSourceOut(comparison);
    if (comparison.same())
      continue;
    ++kernel.changed;
    mergeFields(kernel.fields, std::move(comparison.fields));
    for (const MetricChange &change : comparison.metrics)
      differs[index(change.metric)] = true;
    for (const std::string_view histogram : comparison.histograms)
      if (std::ranges::find(kernel.histograms, histogram) == kernel.histograms.end())
        kernel.histograms.push_back(histogram);
  }
  if (!kernel.before.empty() && !kernel.after.empty()) {
    const KernelProfile &before = *kernel.before.front(), &after = *kernel.after.front();
    const bool tell = !before.provenance.codeHash.empty() && !after.provenance.codeHash.empty();
    kernel.sourceChanged = tell ? !isSameCode(before, after)
                                : before.provenance.sourceHash != after.provenance.sourceHash;
  }
  if (kernel.pairs.empty() || kernel.same())
    return;
  for (const MetricInfo &metric : catalogue())
    if (differs[index(metric.metric)] ||
        (addsUp(metric.metric) && !(kernel.onlyBefore.empty() && kernel.onlyAfter.empty())))
      if (auto change = largestChange(kernel, quantityOf(metric.metric))) {
        change->withinError = isWithinError(kernel, metric.metric, *change);
        kernel.metrics.push_back(std::move(*change));
      }
  if (auto change = largestChange(kernel, dramBytes()))
    kernel.metrics.push_back(std::move(*change));
  std::ranges::stable_sort(kernel.metrics, std::ranges::greater{},
                           [](const QuantityChange &change) { return magnitude(change.relative); });
}

KernelComparison compareKernels(const Launches &before, const Launches &after) {
  KernelComparison kernel;
  kernel.before = kernel.onlyBefore = before;
  kernel.after = kernel.onlyAfter = after;
  std::vector<std::pair<const KernelProfile *, const KernelProfile *>> pairs;
  match(
      kernel.onlyBefore, kernel.onlyAfter,
      [](const KernelProfile *launch) {
        const Provenance &of = launch->provenance;
        return std::tuple(of.workDim, of.globalSize, of.localSize);
      },
      pairs);
  match(
      kernel.onlyBefore, kernel.onlyAfter,
      [](const KernelProfile *launch) {
        return std::tuple(launch->provenance.workDim, launch->provenance.globalSize);
      },
      pairs);
  const auto places = placesOf(before);
  std::ranges::sort(pairs, {}, [&](const auto &pair) { return places.at(pair.first); });
  for (const auto &[first, second] : pairs)
    kernel.pairs.push_back({first, second});
  compareAll(kernel, true);
  return kernel;
}

} // namespace

double difference(const Value &before, const Value &after) {
  const auto *a = std::get_if<uint64_t>(&before);
  const auto *b = std::get_if<uint64_t>(&after);
  if (!a || !b)
    return toDouble(after) - toDouble(before);
  return *b >= *a ? static_cast<double>(*b - *a) : -static_cast<double>(*a - *b);
}

Comparison compare(const KernelProfile &before, const KernelProfile &after) {
  Comparison result;
  result.fields = compareFields(before, after);
  for (const MetricInfo &metric : catalogue()) {
    const Value &a = before[metric.metric];
    const Value &b = after[metric.metric];
    if (a != b)
      result.metrics.push_back({metric.metric, a, b, relativeChange(a, b)});
  }
  std::ranges::stable_sort(result.metrics, std::ranges::greater{},
                           [](const MetricChange &change) { return magnitude(change.relative); });
  if (before.histograms.opcodes != after.histograms.opcodes)
    result.histograms.push_back("opcodes");
  for (const auto &field : kHistogramFields)
    if (before.histograms.*field.member != after.histograms.*field.member)
      result.histograms.push_back(field.key);
  if (before.histograms.loops != after.histograms.loops)
    result.histograms.push_back("loops");
  if (before.histograms.lines != after.histograms.lines)
    result.histograms.push_back("lines");
  // A scaled profile has no accesses, which does not say that the kernel has changed.
  if (before.accesses && after.accesses && before.accesses != after.accesses)
    result.histograms.push_back("accesses");
  return result;
}

const std::string &KernelComparison::name() const {
  return (before.empty() ? after : before).front()->provenance.kernel;
}

KernelComparison compareLaunches(const KernelProfile &before, const KernelProfile &after) {
  KernelComparison kernel;
  kernel.before = {&before};
  kernel.after = {&after};
  kernel.pairs = {{&before, &after}};
  compareAll(kernel, false);
  return kernel;
}

std::vector<KernelComparison> compareRuns(std::span<const Launches> before,
                                          std::span<const Launches> after) {
  std::vector<size_t> left(before.size());
  std::vector<size_t> right(after.size());
  std::iota(left.begin(), left.end(), 0);
  std::iota(right.begin(), right.end(), before.size());
  const auto launchesOf = [&](size_t place) -> const Launches & {
    return place < before.size() ? before[place] : after[place - before.size()];
  };
  const auto provenanceOf = [&](size_t place) -> const Provenance & {
    return launchesOf(place).front()->provenance;
  };
  std::vector<std::pair<size_t, size_t>> pairs;
  match(
      left, right,
      [&](size_t place) {
        const Provenance &of = provenanceOf(place);
        return std::pair(std::string_view(of.kernel), identityOf(of));
      },
      pairs);
  match(
      left, right,
      [&](size_t place) {
        const Provenance &of = provenanceOf(place);
        return std::tuple(of.kernel, of.sourceHash, of.buildOptions);
      },
      pairs);
  match(
      left, right, [&](size_t place) { return provenanceOf(place).kernel; }, pairs);
  std::map<size_t, size_t> partner(pairs.begin(), pairs.end());
  std::vector<KernelComparison> kernels;
  for (size_t i = 0; i < before.size(); ++i) {
    const auto found = partner.find(i);
    kernels.push_back(
        compareKernels(before[i], found == partner.end() ? Launches{} : launchesOf(found->second)));
  }
  for (const size_t place : right)
    kernels.push_back(compareKernels({}, launchesOf(place)));
  return kernels;
}

std::optional<QuantityChange>
largestChange(const KernelComparison &kernel, const Quantity &quantity,
              const std::function<bool(const Value &, const Value &)> &counts) {
  QuantityChange largest{quantity.key, quantity.unit, {}, {}, {}};
  bool found = false;
  const auto consider = [&](const Value &before, const Value &after, const KernelProfile *launch) {
    if (before == after || !counts(before, after))
      return;
    const auto relative = relativeChange(before, after);
    if (found && magnitude(relative) <= magnitude(largest.relative))
      return;
    found = true;
    largest.before = before;
    largest.after = after;
    largest.relative = relative;
    largest.launch = launch;
  };
  for (const LaunchPair &pair : kernel.pairs) {
    const Value before = quantity.of(*pair.before);
    const Value after = quantity.of(*pair.after);
    largest.launches += before == after ? 0 : 1;
    if (!quantity.addsUp)
      consider(before, after, pair.after);
  }
  if (quantity.addsUp)
    consider(quantity.sum(kernel.before), quantity.sum(kernel.after), nullptr);
  return found ? std::optional(std::move(largest)) : std::nullopt;
}

std::optional<QuantityChange> largestChange(const KernelComparison &kernel,
                                            const Quantity &quantity) {
  return largestChange(kernel, quantity, [](const Value &, const Value &) { return true; });
}

} // namespace aiwc::views
