/// What changed between two profiles, and between two runs of a program.
#pragma once

#include "profile/kernel_profile.h"
#include "views/quantity.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::views {

using profile::KernelProfile;
using profile::Metric;
using profile::Value;

struct MetricChange {
  Metric metric;
  Value before;
  Value after;
  /// (after - before) / before; no value if `before` is 0 or one of the two metrics has no value.
  std::optional<double> relative;
};

/// A changed field that is not a metric, with both values as text.
struct FieldChange {
  std::string key; ///< its key in the JSON file
  std::string before;
  std::string after;
  /// Of the launches that are compared: in how many it changed. The texts are the first one's.
  size_t launches = 1;
};

struct Comparison {
  /// Changes in completeness, simulator errors and provenance.
  std::vector<FieldChange> fields;
  /// The metrics that differ: first those without a relative change, then by decreasing absolute
  /// relative change; ties are in the catalogue's order.
  std::vector<MetricChange> metrics;
  /// The keys of the histograms that differ.
  std::vector<std::string_view> histograms;

  bool same() const { return fields.empty() && metrics.empty() && histograms.empty(); }
};

Comparison compare(const KernelProfile &before, const KernelProfile &after);

/// after - before; NaN if one of them has no value. Counts are subtracted as integers, since large
/// ones lose digits as doubles.
double difference(const Value &before, const Value &after);

/// What a quantity of a kernel was in two runs.
struct QuantityChange {
  std::string key;
  std::string_view unit;
  Value before, after;
  std::optional<double> relative; ///< as in MetricChange
  /// The number of matched launches in which it differs.
  size_t launches = 0;
  /// The launch of the second run that the values are of; null if they are sums over all launches.
  const KernelProfile *launch = nullptr;
  /// Whether launches that were sampled explain it: it is at most twice the standard error of the
  /// difference. False where an error is unknown, and of what has none.
  bool withinError = false;
};

/// Launches of one kernel in one run, in the order in which they ran.
using Launches = std::vector<const KernelProfile *>;

struct LaunchPair {
  const KernelProfile *before, *after;
};

/// A kernel in two runs. Where it ran in one of them only, there are launches of that one only.
struct KernelComparison {
  Launches before, after;         ///< all launches of either run; one may be empty
  std::vector<LaunchPair> pairs;  ///< the launches that match, in the order of `before`
  Launches onlyBefore, onlyAfter; ///< those that do not
  size_t changed = 0;             ///< pairs that differ in anything

  /// Changes in completeness, simulator errors and provenance, in the order of Comparison::fields.
  std::vector<FieldChange> fields;
  /// The metrics that differ, and the bytes from memory (dramBytes()), in the order of
  /// Comparison::metrics.
  std::vector<QuantityChange> metrics;
  /// The keys of the histograms that differ in any pair.
  std::vector<std::string_view> histograms;
  /// Whether the kernel's code changed, or, where a profile does not tell, the source of its
  /// program. Where the code is the same, neither the source nor the numbers of its lines are
  /// compared.
  bool sourceChanged = false;

  const std::string &name() const;
  bool same() const { return changed == 0 && onlyBefore.empty() && onlyAfter.empty(); }
};

/// Compares two launches, whatever they are launches of.
KernelComparison compareLaunches(const KernelProfile &before, const KernelProfile &after);

/// Compares two runs, each the launches of one kernel after another. Kernels match if they have the
/// same name and code; of those left over, if they have the same name, source and build options; of
/// those left over, the first of a name in one run matches the first of that name in the other, and
/// so on. Launches of matching kernels match if they are
/// the n-th with the same dimensions, global size and local size; of those left over, if they are
/// the n-th with the same dimensions and global size. The result has the kernels of `before` in
/// their order, then those that ran in `after` only. The numbers of invocations are not compared.
/// The profiles must live as long as the result.
std::vector<KernelComparison> compareRuns(std::span<const Launches> before,
                                          std::span<const Launches> after);

/// The change of the kernel's sum over all launches if the quantity adds up, else that of the
/// matched launch with the largest relative change; the first if there are several. Only changes
/// for which `counts(before, after)` is true are considered; no value if there are none.
std::optional<QuantityChange>
largestChange(const KernelComparison &kernel, const Quantity &quantity,
              const std::function<bool(const Value &, const Value &)> &counts);

/// The same of all that differ.
std::optional<QuantityChange> largestChange(const KernelComparison &kernel,
                                            const Quantity &quantity);

} // namespace aiwc::views
