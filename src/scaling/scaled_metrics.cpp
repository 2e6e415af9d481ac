#include "common/error.h"
#include "common/wide.h"
#include "profile/reuse.h"
#include "scaling/scaled_histograms.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

namespace aiwc::scaling {

using profile::KernelProfile;
using profile::Metric;
using profile::Scaling;

namespace {

bool isNone(const KernelProfile &profile, Metric metric) {
  return std::holds_alternative<std::monostate>(profile[metric]);
}

/// Pairs of metrics of which, by definition, the first is not above the second.
constexpr std::array<std::pair<Metric, Metric>, 25> kOrdered = {{
    {"machine_instruction_count"_metric, "total_instruction_count"_metric},
    {"int_ops_64"_metric, "int_ops"_metric},
    {"int_mul"_metric, "int_ops"_metric},
    {"int_mul_64"_metric, "int_mul"_metric},
    {"int_mul_64"_metric, "int_ops_64"_metric},
    {"fp_div_f64"_metric, "fp_div"_metric},
    {"fp_special_instructions_f64"_metric, "fp_special_instructions"_metric},
    {"chained_loads"_metric, "total_reads"_metric},
    {"load_rounds"_metric, "total_reads"_metric},
    {"matrix_ops_f16"_metric, "matrix_ops"_metric},
    {"matrix_ops_tf32"_metric, "matrix_ops"_metric},
    {"matrix_ops_i8"_metric, "matrix_ops"_metric},
    {"matrix_ops_f64"_metric, "matrix_ops"_metric},
    {"machine_ipt_min"_metric, "machine_ipt_max"_metric},
    {"itb_min"_metric, "itb_max"_metric},
    {"itb_median"_metric, "itb_max"_metric},
    {"itb_min"_metric, "itb_median"_metric},
    {"ipt_min"_metric, "ipt_max"_metric},
    {"ipt_median"_metric, "ipt_max"_metric},
    {"ipt_min"_metric, "ipt_median"_metric},
    {"unique_reads"_metric, "total_reads"_metric},
    {"unique_writes"_metric, "total_writes"_metric},
    {"unique_reads"_metric, "memory_footprint"_metric},
    {"unique_writes"_metric, "memory_footprint"_metric},
    {"memory_footprint_90"_metric, "memory_footprint"_metric},
}};

class MetricScaler {
public:
  MetricScaler(const KernelProfile &nearest, const KernelProfile *second, const ScalingLaw &law,
               ScaledProfile &to)
      : nearest_(nearest), second_(second), law_(law), to_(to) {}

  void scale() {
    setLaunchMetric("work_items"_metric); // messages name them
    for (const profile::MetricInfo &row : profile::catalogue())
      if (row.scaling != Scaling::kDerived)
        scale(row.metric);
    scaleLevels();
    scaleDistances();
    order();
    derive();
    if (to_.otherLocalSize)
      for (const profile::MetricInfo &row : profile::catalogue())
        if (row.localSize == profile::LocalSize::kMatters && origin(row.metric) != Origin::kUnknown)
          origin(row.metric) = Origin::kAssumed;
  }

private:
  Origin &origin(Metric metric) { return to_.origins[index(metric)]; }
  KernelProfile &result() { return to_.profile; }

  /// Of a count as it is in both launches. `field` names it in messages.
  uint64_t scaledCountOf(uint64_t nearest, uint64_t second, double otherwise,
                         std::string_view field) const {
    const double exponent =
        law_.exponent(static_cast<double>(nearest), static_cast<double>(second), otherwise);
    const auto count = law_.count(nearest, exponent);
    if (!count)
      refuse(field);
    return *count;
  }

  [[noreturn]] void refuse(std::string_view field) const {
    throw Error(fmt::format("kernel {}: {} would be above 2^64 - 1 for {} work-items: expected "
                            "fewer",
                            text::printable(nearest_.provenance.kernel, 60), field,
                            to_.profile.count("work_items"_metric)));
  }

  static std::string_view nameOf(Metric metric) { return profile::info(metric).key; }

  void scale(Metric metric) {
    const Scaling scaling = profile::info(metric).scaling;
    const bool fitted = second_ != nullptr && !isNone(*second_, metric);
    if (scaling == Scaling::kLaunch) {
      origin(metric) = Origin::kLaunch;
      setLaunchMetric(metric);
    } else if (isNone(nearest_, metric) || (scaling == Scaling::kUnknown && !fitted)) {
      origin(metric) = Origin::kUnknown;
    } else {
      origin(metric) = fitted                       ? Origin::kFitted
                       : scaling == Scaling::kStays ? Origin::kKept
                                                    : Origin::kScaled;
      if (profile::info(metric).type == profile::MetricType::kCount)
        scaleCount(metric, fitted, scaling);
      else
        scaleReal(metric, fitted, scaling);
    }
  }

  void setLaunchMetric(Metric metric) {
    const profile::Provenance &launch = result().provenance;
    uint64_t value = 1;
    for (size_t i = 0; i < launch.globalSize.size(); ++i) {
      const uint64_t global = launch.globalSize[i];
      const uint64_t local = std::max<uint64_t>(1, launch.localSize[i]);
      value *= metric == "work_items"_metric        ? global
               : metric == "work_group_size"_metric ? local
                                                    : global / local + (global % local ? 1 : 0);
    }
    result().setCount(metric, value);
  }

  void scaleCount(Metric metric, bool fitted, Scaling scaling) {
    const double otherwise = scaling == Scaling::kWorkItems ? 1 : 0;
    result().setCount(metric,
                      scaledCountOf(nearest_.count(metric), fitted ? second_->count(metric) : 0,
                                    otherwise, nameOf(metric)));
  }

  void scaleReal(Metric metric, bool fitted, Scaling scaling) {
    const double nearest = nearest_.real(metric);
    const double second = fitted ? second_->real(metric) : nearest;
    if (scaling == Scaling::kLogarithm) {
      result().setReal(
          metric,
          std::max(0.0, law_.logarithmic(nearest, fitted ? std::optional(second) : std::nullopt)));
    } else if (profile::info(metric).range == profile::Range::kFraction) {
      result().setReal(metric, law_.between(nearest, second));
    } else {
      result().setReal(metric, law_.real(nearest, law_.exponent(nearest, second, 0)));
    }
  }

  /// Scales the multiset of level widths, and the metrics that must equal its sums.
  void scaleLevels() {
    const auto &levels = nearest_.histograms.asapFpLevels;
    const auto from = sumsOf(levels);
    if (!from || from->levels == 0 || levels.front().first == 0)
      return;
    const auto second = second_ ? sumsOf(second_->histograms.asapFpLevels) : std::nullopt;
    LevelSums sums = {
        scaledCountOf(from->levels, second ? second->levels : 0, 0, nameOf("asap_fp_depth"_metric)),
        scaledCountOf(from->operations, second ? second->operations : 0, 1,
                      nameOf("fp_ops"_metric))};
    sums.operations = std::max(sums.operations, sums.levels); // each level has one
    result().histograms.asapFpLevels = scaledLevels(levels, sums);
    // If the original profile contradicts itself, so does the scaled one; readers of profiles
    // detect that.
    if (nearest_.count("asap_fp_depth"_metric) == from->levels)
      result().setCount("asap_fp_depth"_metric, sums.levels);
    if (nearest_.count("fp_ops"_metric) != from->operations)
      return;
    result().setCount("fp_ops"_metric, sums.operations);
    distribute(sums.operations,
               std::array{"fp_add"_metric, "fp_mul"_metric, "fp_div"_metric, "fp_special"_metric});
    distribute(sums.operations,
               std::array{"fp_ops_f16"_metric, "fp_ops_f32"_metric, "fp_ops_f64"_metric});
  }

  /// Scales `parts` so that they sum to `whole`, in their present proportions. Does nothing unless
  /// those of the nearest launch sum to its fp_ops.
  void distribute(uint64_t whole, std::span<const Metric> parts) {
    uint64_t all = 0;
    uint64_t allNearest = 0;
    for (const Metric part : parts) {
      all += result().count(part);
      allNearest += nearest_.count(part);
    }
    if (all == 0 || all == whole || allNearest != nearest_.count("fp_ops"_metric))
      return;
    uint64_t read = 0;
    uint64_t written = 0;
    for (const Metric part : parts) {
      read += result().count(part);
      const uint64_t upTo = scaledCount(read, whole, all).value_or(whole);
      if (!isNone(result(), part))
        result().setCount(part, upTo - written);
      written = upTo;
    }
  }

  void scaleDistances() {
    result().reuse = nearest_.reuse;
    const auto &distances = nearest_.histograms.reuseDistances;
    result().reuse.coldAccesses =
        scaledCountOf(nearest_.reuse.coldAccesses, second_ ? second_->reuse.coldAccesses : 0, 1,
                      "reuse.cold_accesses");
    const uint64_t counted = sumOf(distances).value_or(0);
    if (counted == 0)
      return;
    const profile::Histogram none;
    const profile::Histogram &other = second_ ? second_->histograms.reuseDistances : none;
    const uint64_t accesses =
        scaledCountOf(counted, sumOf(other).value_or(0), 1, "histograms.reuse_distances");
    if (accesses > kLargestCount - result().reuse.coldAccesses) // which cache ratios divide by
      refuse("accesses of cache lines");
    result().histograms.reuseDistances =
        scaledDistances(distances, other, law_, accesses, result().reuse.coldAccesses);
  }

  void order() {
    for (const auto &[less, more] : kOrdered) {
      if (isNone(result(), less) || isNone(result(), more) ||
          !(nearest_.real(less) <= nearest_.real(more)) ||
          result().real(less) <= result().real(more))
        continue;
      if (profile::info(less).type == profile::MetricType::kReal)
        result().setReal(less, result().real(more));
      else
        result().setCount(less, static_cast<uint64_t>(result().real(more)));
    }
  }

  void ratio(Metric metric, double numerator, double denominator) {
    if (isNone(nearest_, metric)) {
      origin(metric) = Origin::kUnknown;
      return;
    }
    // Counts that grow by different powers can cross, and those of a profile that contradicts
    // itself are in any order.
    const bool fraction = profile::info(metric).range == profile::Range::kFraction;
    result().setRatio(metric, fraction ? std::min(numerator, denominator) : numerator, denominator);
    origin(metric) = isNone(result(), metric) ? Origin::kUnknown : Origin::kDerived;
  }

  void derive() {
    const KernelProfile &r = result();
    const double adds = r.real("fp_add"_metric);
    const double muls = r.real("fp_mul"_metric);
    const double instructions = r.real("total_instruction_count"_metric);
    const double operands = r.real("simd_operand_sum"_metric);
    if (std::max(adds, muls) > 0)
      ratio("instruction_mix_factor"_metric, adds + muls, 2 * std::max(adds, muls));
    else
      keep("instruction_mix_factor"_metric);
    ratio("granularity"_metric, 1, r.real("work_items"_metric));
    ratio("barriers_per_instruction"_metric,
          r.real("barriers_hit"_metric) + r.real("work_items"_metric), instructions);
    ratio("instructions_per_operand"_metric, instructions, operands);
    ratio("simd_width_mean"_metric, operands, instructions);
    ratio("asap_fp_parallelism"_metric, r.real("fp_ops"_metric), r.real("asap_fp_depth"_metric));
    ratio("asap_parallelism"_metric, static_cast<double>(nodes()), r.real("asap_depth"_metric));
    ratio("unique_read_write_ratio"_metric, r.real("unique_reads"_metric),
          r.real("unique_writes"_metric));
    ratio("reread_ratio"_metric, r.real("unique_reads"_metric), r.real("total_reads"_metric));
    ratio("rewrite_ratio"_metric, r.real("unique_writes"_metric), r.real("total_writes"_metric));
    if (isNone(nearest_, "load_imbalance"_metric)) {
      origin("load_imbalance"_metric) = Origin::kUnknown;
    } else {
      origin("load_imbalance"_metric) = Origin::kDerived;
      result().setCount("load_imbalance"_metric,
                        r.count("ipt_max"_metric) -
                            std::min(r.count("ipt_min"_metric), r.count("ipt_max"_metric)));
    }
  }

  void keep(Metric metric) {
    origin(metric) = isNone(nearest_, metric) ? Origin::kUnknown : Origin::kKept;
    if (!isNone(nearest_, metric))
      result().setReal(metric, nearest_.real(metric));
  }

  /// Of the schedule behind asap_depth: the profile has them as a ratio alone. At least one a
  /// level.
  uint64_t nodes() const {
    const auto nodesOf = [](const KernelProfile &profile) {
      const double nodes =
          std::round(profile.real("asap_parallelism"_metric) * profile.real("asap_depth"_metric));
      constexpr double kMost = 9e18; // below 2^63
      return nodes > 0 ? static_cast<uint64_t>(std::min(nodes, kMost)) : 0;
    };
    return std::max(scaledCountOf(nodesOf(nearest_), second_ ? nodesOf(*second_) : 0, 1,
                                  nameOf("asap_parallelism"_metric)),
                    to_.profile.count("asap_depth"_metric));
  }

  const KernelProfile &nearest_;
  const KernelProfile *second_;
  const ScalingLaw &law_;
  ScaledProfile &to_;
};

} // namespace

void scaleMetrics(const KernelProfile &nearest, const KernelProfile *second, const ScalingLaw &law,
                  ScaledProfile &to) {
  MetricScaler(nearest, second, law, to).scale();
}

using profile::Histogram;

namespace {

/// part / whole of `of`, to the nearest integer; `part` is at most `whole`.
uint64_t shareOf(uint64_t of, uint64_t part, uint64_t whole) {
  return scaledCount(part, of, whole).value_or(of);
}

Histogram histogramOf(const std::map<uint64_t, uint64_t> &counts) {
  Histogram histogram;
  for (const auto &[value, count] : counts)
    if (count > 0)
      histogram.emplace_back(value, count);
  return histogram;
}

/// The bin of a distance that was in the bin `lowest` and grows by `factor`; a distance of 0 is one
/// line apart.
uint64_t movedBin(uint64_t lowest, double factor, uint64_t most) {
  if (factor == 1)
    return lowest;
  constexpr double kFarthest = 9e18; // below 2^63
  const double moved = std::round((static_cast<double>(lowest) + 1) * factor) - 1;
  return profile::reuseBin(
      std::min(most, static_cast<uint64_t>(std::clamp(moved, 0.0, kFarthest))));
}

} // namespace

std::optional<uint64_t> sumOf(const Histogram &distances) {
  Wide sum = 0;
  for (const auto &[lowest, accesses] : distances)
    sum += accesses;
  if (sum > kLargestCount)
    return std::nullopt;
  return static_cast<uint64_t>(sum);
}

Histogram scaledDistances(const Histogram &nearest, const Histogram &second, const ScalingLaw &law,
                          uint64_t accesses, uint64_t lines) {
  const uint64_t allNearest = sumOf(nearest).value_or(0);
  const uint64_t allSecond = law.fitted() ? sumOf(second).value_or(0) : 0;
  std::map<uint64_t, uint64_t> result;
  size_t i = 0;
  size_t k = 0;
  uint64_t nearestUpTo = nearest.front().second;
  uint64_t secondUpTo = allSecond > 0 ? second.front().second : 0;
  uint64_t written = 0;
  while (i < nearest.size()) {
    const uint64_t lowest = nearest[i].first;
    // The quantiles of the accesses end wherever a bin of either launch ends.
    const Wide nearestEnd = Wide{nearestUpTo} * std::max<uint64_t>(1, allSecond);
    const Wide secondEnd = Wide{secondUpTo} * allNearest;
    const bool secondFirst = allSecond > 0 && secondEnd < nearestEnd;
    const uint64_t upTo = secondFirst ? shareOf(accesses, secondUpTo, allSecond)
                                      : shareOf(accesses, nearestUpTo, allNearest);
    double exponent = 0;
    if (allSecond > 0)
      exponent = std::max(0.0, law.exponent(static_cast<double>(lowest) + 1,
                                            static_cast<double>(second[k].first) + 1, 0));
    const uint64_t farthest = lines > 0 ? lines - 1 : 0;
    const uint64_t most = law.ratio() < 1 ? farthest : std::max(farthest, lowest);
    result[std::min(movedBin(lowest, law.real(1, exponent), most), profile::reuseBin(most))] +=
        upTo - std::min(upTo, written);
    written = std::max(written, upTo);
    if (!secondFirst && ++i < nearest.size())
      nearestUpTo += nearest[i].second;
    if (allSecond > 0 && secondEnd <= nearestEnd && k + 1 < second.size())
      secondUpTo += second[++k].second;
  }
  return histogramOf(result);
}

} // namespace aiwc::scaling
