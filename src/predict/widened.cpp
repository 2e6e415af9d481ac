#include "predict/widened.h"

#include <cmath>

namespace aiwc::predict {

Interval widened(const Interval &interval, double seconds, double errorFactor) {
  if (!(errorFactor > 1 && seconds > 0))
    return interval;
  const auto wider = [&](double end) {
    return std::exp(std::hypot(std::log(end / seconds), std::log(errorFactor)));
  };
  return {seconds / wider(interval.low), seconds * wider(interval.high)};
}

} // namespace aiwc::predict
