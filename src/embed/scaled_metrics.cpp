#include "embed/scaled_metrics.h"

#include "common/error.h"
#include "common/wide.h"
#include "embed/scaled_histograms.h"
#include "profile/scaling.h"
#include "profile/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

namespace aiwc::embed {

using profile::KernelProfile;
using profile::Metric;
using profile::Scaling;

namespace {

bool isNone(const KernelProfile &profile, Metric metric) {
  return std::holds_alternative<std::monostate>(profile[metric]);
}

/// By definition the first is not above the second.
constexpr std::array<std::pair<Metric, Metric>, 11> kOrdered = {{
    {Metric::kItbMin, Metric::kItbMax},
    {Metric::kItbMedian, Metric::kItbMax},
    {Metric::kItbMin, Metric::kItbMedian},
    {Metric::kIptMin, Metric::kIptMax},
    {Metric::kIptMedian, Metric::kIptMax},
    {Metric::kIptMin, Metric::kIptMedian},
    {Metric::kUniqueReads, Metric::kTotalReads},
    {Metric::kUniqueWrites, Metric::kTotalWrites},
    {Metric::kUniqueReads, Metric::kMemoryFootprint},
    {Metric::kUniqueWrites, Metric::kMemoryFootprint},
    {Metric::kMemoryFootprint90, Metric::kMemoryFootprint},
}};

class MetricScaler {
public:
  MetricScaler(const KernelProfile &nearest, const KernelProfile *second, const ScalingLaw &law,
               ScaledProfile &to)
      : nearest_(nearest), second_(second), law_(law), to_(to) {}

  void scale() {
    setLaunchMetric(Metric::kWorkItems); // messages name them
    for (const profile::MetricInfo &row : profile::catalogue())
      if (profile::scalingOf(row.metric) != Scaling::kDerived)
        scale(row.metric);
    scaleLevels();
    scaleDistances();
    order();
    derive();
    if (to_.otherLocalSize)
      for (const profile::MetricInfo &row : profile::catalogue())
        if (profile::dependsOnWorkGroups(row.metric) && origin(row.metric) != Origin::kUnknown)
          origin(row.metric) = Origin::kAssumed;
  }

private:
  Origin &origin(Metric metric) { return to_.origins[static_cast<size_t>(metric)]; }
  KernelProfile &result() { return to_.profile; }

  /// Of a count as it is in both launches. `field` names it in messages.
  uint64_t scaledCountOf(uint64_t nearest, uint64_t second, double otherwise,
                         std::string_view field) const {
    const double exponent =
        law_.exponent(static_cast<double>(nearest), static_cast<double>(second), otherwise);
    const auto count = law_.count(nearest, exponent);
    if (!count)
      throw Error(fmt::format("kernel {}: {} would be above 2^64 - 1 for {} work-items: expected "
                              "fewer",
                              profile::printable(nearest_.provenance.kernel, 60), field,
                              to_.profile.count(Metric::kWorkItems)));
    return *count;
  }

  static std::string_view nameOf(Metric metric) { return profile::info(metric).key; }

  void scale(Metric metric) {
    const Scaling scaling = profile::scalingOf(metric);
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
      value *= metric == Metric::kWorkItems       ? global
               : metric == Metric::kWorkGroupSize ? local
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
    } else if (profile::isFraction(metric)) {
      result().setReal(metric, law_.between(nearest, second));
    } else {
      result().setReal(metric, law_.real(nearest, law_.exponent(nearest, second, 0)));
    }
  }

  /// The multiset of level widths, and what has to sum up to the same as it.
  void scaleLevels() {
    const auto &levels = nearest_.histograms.asapFpLevels;
    const auto from = sumsOf(levels);
    if (!from || from->levels == 0 || levels.front().first == 0)
      return;
    const auto second = second_ ? sumsOf(second_->histograms.asapFpLevels) : std::nullopt;
    LevelSums sums = {
        scaledCountOf(from->levels, second ? second->levels : 0, 0, nameOf(Metric::kAsapFpDepth)),
        scaledCountOf(from->operations, second ? second->operations : 0, 1,
                      nameOf(Metric::kFpOps))};
    sums.operations = std::max(sums.operations, sums.levels); // each level has one
    result().histograms.asapFpLevels = scaledLevels(levels, sums);
    // A profile that contradicts itself keeps doing so: that is for its reader to find out.
    if (nearest_.count(Metric::kAsapFpDepth) == from->levels)
      result().setCount(Metric::kAsapFpDepth, sums.levels);
    if (nearest_.count(Metric::kFpOps) != from->operations)
      return;
    result().setCount(Metric::kFpOps, sums.operations);
    distribute(sums.operations,
               std::array{Metric::kFpAdd, Metric::kFpMul, Metric::kFpDiv, Metric::kFpSpecial});
    distribute(sums.operations,
               std::array{Metric::kFpOpsF16, Metric::kFpOpsF32, Metric::kFpOpsF64});
  }

  /// Makes `parts` sum up to `whole`, in the proportions that they have: those of the nearest
  /// launch summed up to its W.
  void distribute(uint64_t whole, std::span<const Metric> parts) {
    uint64_t all = 0;
    uint64_t allNearest = 0;
    for (const Metric part : parts) {
      all += result().count(part);
      allNearest += nearest_.count(part);
    }
    if (all == 0 || all == whole || allNearest != nearest_.count(Metric::kFpOps))
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
    result().setRatio(metric, numerator, denominator);
    origin(metric) = isNone(result(), metric) ? Origin::kUnknown : Origin::kDerived;
  }

  void derive() {
    const KernelProfile &r = result();
    const double adds = r.real(Metric::kFpAdd);
    const double muls = r.real(Metric::kFpMul);
    const double instructions = r.real(Metric::kTotalInstructionCount);
    const double operands = r.real(Metric::kSimdOperandSum);
    if (std::max(adds, muls) > 0)
      ratio(Metric::kInstructionMixFactor, adds + muls, 2 * std::max(adds, muls));
    else
      keep(Metric::kInstructionMixFactor);
    ratio(Metric::kGranularity, 1, r.real(Metric::kWorkItems));
    ratio(Metric::kBarriersPerInstruction,
          r.real(Metric::kBarriersHit) + r.real(Metric::kWorkItems), instructions);
    ratio(Metric::kInstructionsPerOperand, instructions, operands);
    ratio(Metric::kSimdWidthMean, operands, instructions);
    ratio(Metric::kAsapFpParallelism, r.real(Metric::kFpOps), r.real(Metric::kAsapFpDepth));
    ratio(Metric::kAsapParallelism, static_cast<double>(nodes()), r.real(Metric::kAsapDepth));
    ratio(Metric::kUniqueReadWriteRatio, r.real(Metric::kUniqueReads),
          r.real(Metric::kUniqueWrites));
    ratio(Metric::kRereadRatio, r.real(Metric::kUniqueReads), r.real(Metric::kTotalReads));
    ratio(Metric::kRewriteRatio, r.real(Metric::kUniqueWrites), r.real(Metric::kTotalWrites));
    if (isNone(nearest_, Metric::kLoadImbalance)) {
      origin(Metric::kLoadImbalance) = Origin::kUnknown;
    } else {
      origin(Metric::kLoadImbalance) = Origin::kDerived;
      result().setCount(Metric::kLoadImbalance,
                        r.count(Metric::kIptMax) -
                            std::min(r.count(Metric::kIptMin), r.count(Metric::kIptMax)));
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
          std::round(profile.real(Metric::kAsapParallelism) * profile.real(Metric::kAsapDepth));
      constexpr double kMost = 9e18; // below 2^63
      return nodes > 0 ? static_cast<uint64_t>(std::min(nodes, kMost)) : 0;
    };
    return std::max(scaledCountOf(nodesOf(nearest_), second_ ? nodesOf(*second_) : 0, 1,
                                  nameOf(Metric::kAsapParallelism)),
                    to_.profile.count(Metric::kAsapDepth));
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

} // namespace aiwc::embed
