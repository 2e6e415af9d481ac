/// Makes hypothetical devices: a real device with one parameter set to another value, or swept over
/// a range.
#pragma once

#include "predict/prediction.h"

#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

/// A change to one parameter. `cores=128` sets it to this value; `dram_bandwidth=2x` multiplies the
/// device's value.
struct Change {
  Parameter parameter = Parameter::kCores;
  double value = 0;
  bool relative = false;
};

/// Parses `dram_bandwidth=2x,cores=128`. Throws Error, beginning with `what` (the name of the
/// option), for a syntax error, an unknown name, a duplicate parameter, a value out of its range,
/// or a factor that is not positive.
std::vector<Change> parseChanges(std::string_view text, std::string_view what);

/// `device` with the changes applied; integer parameters are rounded to the nearest integer. A
/// factor has no effect on a parameter that the device lacks. Throws Error, naming the device, if a
/// result is out of its parameter's range.
DeviceProfile changed(const DeviceProfile &device, const std::vector<Change> &changes);

/// A sweep, `dram_bandwidth=10:1000` or `dram_bandwidth=10:1000:9`: values of a parameter from the
/// first bound to the second, both included. Consecutive values differ by a constant factor, or by
/// a constant step if the first bound is 0. Integers are rounded, and duplicates removed.
struct Sweep {
  Parameter parameter = Parameter::kCores;
  std::vector<double> values; ///< increasing
};
inline constexpr size_t kDefaultSweepSteps = 9; ///< two decades with four values each, and the end
inline constexpr size_t kMaximumSweepSteps = 1000;
/// Throws Error, beginning with `what`, for a syntax error, an unknown name, bounds that are not
/// increasing or out of the parameter's range, and a number of steps outside 2 to
/// kMaximumSweepSteps.
Sweep parseSweep(std::string_view text, std::string_view what);

/// Predicts for each value of the sweep, on devices that differ only in the swept parameter, as
/// `predict` does.
std::vector<Prediction> predictSweep(std::span<const Invocation> invocations,
                                     std::span<const Candidate> devices, const Sweep &sweep,
                                     double exposed = 0,
                                     std::span<const DeviceProfile> measuredOn = {});

} // namespace aiwc::predict
