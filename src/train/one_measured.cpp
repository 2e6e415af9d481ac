#include "train/one_measured.h"

#include "predict/correlated_errors.h"

#include <cmath>
#include <map>

namespace aiwc::train {

namespace {

double deviationOf(const LeftOutPrediction &predicted) {
  return (predicted.errorFactor.high - predicted.errorFactor.low) / (2 * predict::kHalfInterval);
}

/// The prediction for a device, given that for another one and the ln of its measured over its
/// predicted time.
LeftOutPrediction conditionedOn(const LeftOutPrediction &measured, double error, double correlation,
                                const LeftOutPrediction &before) {
  const predict::ObservedError observed =
      predict::observedErrorOf({{.seconds = std::exp(error), .predicted = 1}});
  const double deviation = deviationOf(measured);
  const double noise = observed.noise / deviation;
  predict::CorrelatedErrors errors(2, [&](size_t, size_t) { return correlation; });
  errors.observe(0, error / deviation, noise);
  LeftOutPrediction after = before;
  after.lnMicros += errors.mean(1) * deviationOf(before);
  after.errorFactor.low *= errors.deviation(1);
  after.errorFactor.high *= errors.deviation(1);
  after.withMeasured = correlation / std::sqrt(1 + noise * noise);
  return after;
}

} // namespace

OneMeasured oneMeasured(const TrainingSet &set, std::span<const LeftOutPrediction> predicted) {
  std::map<size_t, std::vector<size_t>> ofWorkload;
  for (size_t i = 0; i < set.times.size(); ++i)
    if (!std::isnan(predicted[i].lnMicros))
      ofWorkload[set.times[i].workload].push_back(i);
  OneMeasured result;
  result.set.devices = set.devices;
  for (const auto &[workload, times] : ofWorkload) {
    if (times.size() < 2)
      continue;
    for (const size_t measured : times) {
      const auto &device = set.devices[set.times[measured].device].profile;
      const double error = std::log(set.times[measured].micros) - predicted[measured].lnMicros;
      result.set.workloads.push_back(set.workloads[workload]);
      for (const size_t other : times) {
        if (other == measured)
          continue;
        MeasuredTime time = set.times[other];
        time.workload = result.set.workloads.size() - 1;
        result.set.times.push_back(time);
        result.time.push_back(other);
        const LeftOutPrediction &before = result.unconditioned.emplace_back(predicted[other]);
        result.scaled.push_back(before);
        result.scaled.back().lnMicros += error;
        const auto &otherDevice = set.devices[set.times[other].device].profile;
        result.sameClass.push_back(predict::classOf(device) == predict::classOf(otherDevice));
        const double correlation = before.classCorrelation.of(device, otherDevice);
        result.conditioned.push_back(
            conditionedOn(predicted[measured], error, correlation, before));
      }
    }
  }
  return result;
}

} // namespace aiwc::train
