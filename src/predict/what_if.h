/// Devices that do not exist: a parameter of one that does set to another value, or swept over a
/// range.
#pragma once

#include "predict/prediction.h"

#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

/// `n_p=128`: the parameter has this value. `beta_s=2x`: this multiple of what the device has.
struct Change {
  Parameter parameter = Parameter::kCores;
  double value = 0;
  bool relative = false;
};

/// `beta_s=2x,n_p=128`. Throws Error, beginning with `what` (the option that the text is of), for
/// another form, an unknown symbol, a parameter named twice, a value out of its range, a multiple
/// that is not positive.
std::vector<Change> parseChanges(std::string_view text, std::string_view what);

/// `device` with the changes; an integer parameter is rounded to the nearest. A multiple of what
/// the device does not have changes nothing: it goes on lacking it. Throws Error where a result is
/// out of its parameter's range, naming the device.
DeviceProfile changed(const DeviceProfile &device, const std::vector<Change> &changes);

/// `beta_s=10:1000` or `beta_s=10:1000:9`: values of a parameter from the first to the second, both
/// included, each a constant factor above the one before it, or a constant step where the
/// first is 0. Integers are rounded, and each stands there once.
struct Sweep {
  Parameter parameter = Parameter::kCores;
  std::vector<double> values; ///< increasing
};
inline constexpr size_t kDefaultSweepSteps = 9; ///< four per decade of two decades
inline constexpr size_t kMaximumSweepSteps = 1000;
/// Throws Error, beginning with `what`, for another form, an unknown symbol, bounds that are not
/// increasing or out of the parameter's range, and steps that are not from 2 to kMaximumSweepSteps.
Sweep parseSweep(std::string_view text, std::string_view what);

/// The prediction for each value of the sweep, on devices that differ in it alone.
std::vector<Prediction> predictSweep(std::span<const Invocation> invocations,
                                     std::span<const Candidate> devices, const Sweep &sweep,
                                     const CostModel &model, double exposed = 0);

} // namespace aiwc::predict
