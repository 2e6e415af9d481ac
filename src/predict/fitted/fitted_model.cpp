#include "predict/fitted/fitted_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace aiwc::predict {

namespace {

constexpr size_t kLaunch = static_cast<size_t>(Coefficient::kLaunch);
constexpr size_t kDram = static_cast<size_t>(Coefficient::kDram);

/// The mean of coefficients that are added one by one.
class Mean {
public:
  void add(const Coefficients &values) {
    ++count_;
    for (size_t k = 0; k < kCoefficientCount; ++k)
      sum_[k] += values[k];
  }
  bool empty() const { return count_ == 0; }
  Coefficients value() const {
    Coefficients mean = sum_;
    for (double &coefficient : mean)
      coefficient /= static_cast<double>(count_);
    return mean;
  }

private:
  Coefficients sum_{};
  size_t count_ = 0;
};

} // namespace

bool hasMeasuredLaunchOverhead(const DeviceProfile &device) {
  const auto &quantity = device.quantities[static_cast<size_t>(Parameter::kLaunchOverhead)];
  return quantity && quantity->value > 0 && quantity->source.starts_with(kShortestLaunchSource);
}

bool FittedModel::knows(std::string_view device) const {
  return std::ranges::find(devices, device, &DeviceDeviation::device) != devices.end();
}

Coefficients FittedModel::classCoefficients(const DeviceProfile &device) const {
  const DeviceClass wanted = classOf(device);
  const bool gpu = isGpu(device);
  Mean ofKind;
  Mean all;
  for (const ClassCoefficients &row : classes) {
    if (row.deviceClass == wanted)
      return row.values;
    all.add(row.values);
    const bool rowGpu =
        row.deviceClass == DeviceClass::kNvidiaGpu || row.deviceClass == DeviceClass::kAmdGpu;
    if (rowGpu == gpu)
      ofKind.add(row.values);
  }
  return ofKind.empty() ? all.value() : ofKind.value();
}

Coefficients FittedModel::publishedDeviation(std::string_view device, Clock clock) const {
  Mean published;
  Mean ofClock;
  for (const DeviceDeviation &row : devices)
    if (row.device == device && row.dataSet != kOwnMeasurements) {
      published.add(row.values);
      if ((row.clock == Clock::kQueued) == (clock == Clock::kQueued))
        ofClock.add(row.values);
    }
  Coefficients result = published.empty() ? Coefficients{} : published.value();
  result[kLaunch] = ofClock.empty() ? 0 : ofClock.value()[kLaunch];
  return result;
}

std::string_view toString(ErrorPart part) {
  constexpr std::array<std::string_view, kErrorPartCount> kNames = {"launch", "memory", "other"};
  return kNames[static_cast<size_t>(part)];
}

PartTimes errorPartsOf(const CoefficientTimes &times) {
  PartTimes parts{};
  for (size_t k = 0; k < kCoefficientCount; ++k)
    parts[static_cast<size_t>(k == kLaunch ? ErrorPart::kLaunch
                              : k == kDram ? ErrorPart::kMemory
                                           : ErrorPart::kOther)] += times[k];
  return parts;
}

Interval intervalOf(const PartTimes &times, const ErrorFactors &errorFactors) {
  Interval interval{0, 0};
  for (size_t i = 0; i < kErrorPartCount; ++i) {
    interval.low += times[i] * std::exp(errorFactors[i].low);
    interval.high += times[i] * std::exp(errorFactors[i].high);
  }
  return interval;
}

double ClassCorrelation::of(const DeviceProfile &a, const DeviceProfile &b) const {
  return a.id == b.id ? kGreatestCorrelation : classOf(a) == classOf(b) ? same : others;
}

const ErrorFactors &FittedModel::errorFactorsFor(const DeviceProfile &device) const {
  return knows(device.id)                    ? knownDevice
         : hasMeasuredLaunchOverhead(device) ? unknownDeviceMeasuredLaunch
                                             : unknownDevice;
}

Coefficients FittedModel::coefficientsFor(const DeviceProfile &device, std::string_view dataSet,
                                          Clock clock) const {
  Coefficients result = classCoefficients(device);
  const std::string_view wanted = dataSet.empty() ? kOwnMeasurements : dataSet;
  const auto chosen = std::ranges::find_if(devices, [&](const DeviceDeviation &row) {
    return row.device == device.id && row.dataSet == wanted;
  });
  const bool isChosen = chosen != devices.end();
  const bool saysLaunch = isChosen && (!dataSet.empty() || (chosen->clock == Clock::kQueued) ==
                                                               (clock == Clock::kQueued));
  if (isChosen || knows(device.id)) {
    Coefficients deviation = isChosen ? chosen->values : publishedDeviation(device.id, clock);
    if (isChosen && !saysLaunch)
      deviation[kLaunch] = publishedDeviation(device.id, clock)[kLaunch];
    for (size_t k = 0; k < kCoefficientCount; ++k)
      result[k] += deviation[k];
  }
  if (!saysLaunch && hasMeasuredLaunchOverhead(device))
    result[kLaunch] = std::log(device[Parameter::kLaunchOverhead] / launchMicros(device, clock)) +
                      launchAboveShortest;
  result[kDram] = hasMeasuredBandwidth(device) ? 0 : std::max(result[kDram], 0.0);
  return result;
}

TimeEstimate estimate(const FittedModel &model, const LaunchDemand &demand,
                      const DeviceProfile &device, bool transfers, std::string_view dataSet,
                      Clock clock) {
  TimeEstimate result;
  result.terms = unitTimes(demand, device, transfers, clock);
  const Coefficients coefficients = model.coefficientsFor(device, dataSet, clock);
  for (size_t k = 0; k < kTimeTermCount; ++k) {
    result.terms[k] *= std::exp(coefficients[static_cast<size_t>(timeTerms()[k].coefficient)]);
  }
  if (isGpu(device)) {
    const CoefficientTimes alone = byCoefficient(result.terms);
    CoefficientTimes together = alone;
    overlapUnits(together);
    for (size_t k = 0; k < kTimeTermCount; ++k) {
      const auto coefficient = static_cast<size_t>(timeTerms()[k].coefficient);
      if (alone[coefficient] > 0)
        result.terms[k] *= together[coefficient] / alone[coefficient];
    }
  }
  result.micros = std::accumulate(result.terms.begin(), result.terms.end(), 0.0);
  result.leastMicros = peakMicros(demand, device);
  const auto termOf = [&](TimeTerm term) -> double & {
    return result.terms[static_cast<size_t>(term)];
  };
  const double transferred = termOf(TimeTerm::kTransferBytes) + termOf(TimeTerm::kTransferCalls);
  const double lacking =
      result.leastMicros + termOf(TimeTerm::kLaunch) + transferred - result.micros;
  if (lacking > 0) {
    termOf(TimeTerm::kInstructions) += lacking;
    result.micros += lacking;
  }
  const double waiting = launchIntervalMicros(device) - (result.micros - transferred);
  if (clock == Clock::kPipelined && waiting > 0) {
    termOf(TimeTerm::kLaunch) += waiting;
    result.micros += waiting;
  }
  result.boundBy = static_cast<TimeTerm>(
      std::distance(result.terms.begin(), std::ranges::max_element(result.terms)));
  return result;
}

} // namespace aiwc::predict
