#include "predict/fitted/fitted_cost_model.h"

#include "predict/fitted/published_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace aiwc::predict {

namespace {

constexpr double kSeconds = 1e-6; // of a microsecond

constexpr bool isTransfer(size_t term) {
  return term == static_cast<size_t>(TimeTerm::kTransferBytes) ||
         term == static_cast<size_t>(TimeTerm::kTransferCalls);
}

/// The demand of a launch, and what the model makes of it.
class FittedCosts : public LaunchCosts {
public:
  FittedCosts(const FittedCostModel &model, LaunchDemand demand)
      : model_(model), demand_(std::move(demand)) {}

  Missing missing(const DeviceProfile &device) const override {
    Missing missing;
    for (const Parameter parameter : kTimeTermParameters)
      if (!device.has(parameter))
        missing.add(parameter);
    if (demand_.doubleOperations > 0 && !device.has(Parameter::kFp64Rate))
      missing.add(Parameter::kFp64Rate);
    return missing;
  }
  Cost on(const DeviceProfile &device, double share) const override {
    // A copy of the demand would allocate.
    return share < 1 ? model_.cost(demand_.scaled(share), device) : model_.cost(demand_, device);
  }
  std::vector<std::string> outsideTrainingRange() const override {
    return featuresOutsideTraining(demand_, model_.model().seen);
  }

private:
  const FittedCostModel &model_;
  LaunchDemand demand_;
};

} // namespace

FittedCostModel::FittedCostModel(std::string name, FittedModel model, Clock clock)
    : name_(std::move(name)), model_(std::move(model)), clock_(clock) {}

std::span<const TermInfo> FittedCostModel::parts() const {
  static const auto all = [] {
    std::array<TermInfo, kTimeTermCount> parts{};
    for (size_t k = 0; k < kTimeTermCount; ++k)
      parts[k] = {timeTerms()[k].key, timeTerms()[k].name, timeTerms()[k].group};
    return parts;
  }();
  static_assert(kTimeTermCount <= kMostParts);
  // The two of transfers are the last; transferSeconds has them.
  static_assert(isTransfer(kTimeTermCount - 1) && isTransfer(kTimeTermCount - 2));
  return std::span(all).first(kTimeTermCount - 2);
}

std::optional<Interval> FittedCostModel::interval(const DeviceProfile &device, const Cost &cost,
                                                  double transferSeconds) const {
  TermTimes times{};
  std::copy_n(cost.parts.begin(), parts().size(), times.begin());
  times[static_cast<size_t>(TimeTerm::kTransferBytes)] = transferSeconds;
  Interval interval =
      intervalOf(errorPartsOf(byCoefficient(times)), model_.errorFactorsFor(device));
  interval.low = std::max(interval.low, std::min(cost.leastSeconds, cost.seconds));
  return interval;
}

Interval FittedCostModel::ratioInterval(const DeviceProfile &device, const Cost &before,
                                        const Cost &after) const {
  const auto partsOf = [&](const Cost &cost) {
    TermTimes times{};
    std::copy_n(cost.parts.begin(), parts().size(), times.begin());
    return errorPartsOf(byCoefficient(times));
  };
  const PartTimes first = partsOf(before), second = partsOf(after);
  if (before.seconds <= 0 || after.seconds <= 0)
    return {1, 1};
  // With this error in this part, of the one, the other or both.
  const auto lnRatio = [&](size_t part, double lnErrorBefore, double lnErrorAfter) {
    double numerator = 0, denominator = 0;
    for (size_t i = 0; i < kErrorPartCount; ++i) {
      numerator += first[i] * (i == part ? std::exp(lnErrorBefore) : 1);
      denominator += second[i] * (i == part ? std::exp(lnErrorAfter) : 1);
    }
    return std::log(numerator / denominator);
  };
  const double middle = std::log(before.seconds / after.seconds), as = lnRatio(0, 0, 0);
  double below = 0, above = 0; // variances
  const auto add = [&](double one, double other) {
    below += std::pow(std::min({one - as, other - as, 0.0}), 2);
    above += std::pow(std::max({one - as, other - as, 0.0}), 2);
  };
  const ErrorFactors &errors = model_.errorFactorsFor(device);
  for (size_t part = 0; part < kErrorPartCount; ++part)
    add(lnRatio(part, errors[part].low, errors[part].low),
        lnRatio(part, errors[part].high, errors[part].high));
  const double likeness = std::min(1.0, std::fabs(middle) / std::numbers::ln2);
  const double own = kHalfInterval * kVariantError * likeness;
  constexpr auto kRest = static_cast<size_t>(ErrorPart::kOther);
  add(lnRatio(kRest, -own, 0), lnRatio(kRest, own, 0));
  add(lnRatio(kRest, 0, -own), lnRatio(kRest, 0, own));
  return {std::exp(middle - std::sqrt(below)), std::exp(middle + std::sqrt(above))};
}

bool FittedCostModel::knows(const DeviceProfile &device) const {
  return model_.knows(device.id);
}

double FittedCostModel::transferSeconds(const HostTraffic &traffic, const DeviceProfile &device,
                                        HostMemory memory) const {
  if (hasTransferCurve(traffic, device))
    return predict::transferSeconds(traffic, device);
  LaunchDemand demand;
  demand.hostBytes = traffic.bytes;
  demand.hostTransfers = static_cast<double>(traffic.transfers);
  const Coefficients coefficients = model_.coefficientsFor(device);
  CoefficientTimes times = byCoefficient(transferTimes(demand, device));
  double micros = 0;
  constexpr auto kBytes = static_cast<size_t>(Coefficient::kTransferBytes);
  const bool isFitted = coefficients[kBytes] != model_.classCoefficients(device)[kBytes];
  if (const auto reached = reachedGbPerS(device, memory); reached && !isFitted) {
    constexpr double kBytesPerMicro = 1e3; // at 1 GB/s
    times[kBytes] = 0;
    micros = traffic.bytes / (*reached * kBytesPerMicro);
  }
  for (size_t k = 0; k < kCoefficientCount; ++k)
    micros += times[k] * std::exp(coefficients[k]);
  return micros * kSeconds;
}

Missing FittedCostModel::missingForTransfers(const HostTraffic & /*traffic*/,
                                             const DeviceProfile & /*device*/) const {
  return {};
}

std::string FittedCostModel::whyNot(const profile::KernelProfile &profile) const {
  return whyNoDemand(profile);
}

std::unique_ptr<const LaunchCosts>
FittedCostModel::prepare(const profile::KernelProfile &profile) const {
  return std::make_unique<FittedCosts>(*this, demandOf(profile));
}

Cost FittedCostModel::cost(const LaunchDemand &demand, const DeviceProfile &device) const {
  if (demand.doubleOperations > 0) // throws for a device without double precision
    (void)device[Parameter::kFp64Rate];
  const TimeEstimate time = estimate(model_, demand, device, false, {}, clock_);
  Cost cost;
  cost.seconds = time.micros * kSeconds;
  cost.boundBy = static_cast<size_t>(time.boundBy);
  cost.leastSeconds = time.leastMicros * kSeconds;
  const auto rows = parts();
  for (size_t k = 0; k < rows.size(); ++k) {
    cost.parts[k] = time.terms[k] * kSeconds;
    cost.terms[static_cast<size_t>(rows[k].term)] += cost.parts[k];
  }
  return cost;
}

const FittedCostModel &publishedModel() {
  // Never destroyed: other threads may predict while the process exits.
  static const auto *model = new FittedCostModel(
      "published", modelFromJson(kPublishedModel, "devices/models/published.json"));
  return *model;
}

} // namespace aiwc::predict
