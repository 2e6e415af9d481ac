/// From what was measured to a device profile.
#pragma once

#include "device_measurement/item.h"
#include "device_measurement/opencl.h"
#include "predict/device_measurements.h"
#include "predict/device_profile.h"

#include <string>
#include <vector>

namespace aiwc::device_measurement {

/// Something short that a file can be called, from the name of an OpenCL device.
std::string idFrom(const std::string &name);

/// `value` with four significant digits: a measurement has no more.
double fourDigits(double value);

/// The profile of a device. What was not measured is that of `like`, if it is not nullptr, else
/// what OpenCL says of the device, which each number's source says. `lanes` is what the size of a
/// work-group should be a multiple of.
predict::DeviceProfile deviceOf(const Results &results, const DeviceFacts &facts, size_t lanes,
                                const predict::DeviceProfile *like, std::string id, std::string by);

/// A level of the memory: sizes over which a latency stays about the same.
struct Level {
  double bytes = 0; ///< the largest size of the level; of the last level, the largest measured
  double value = 0; ///< the median over the level
};

/// The levels of a staircase, which rises with the size. A level begins where the value from one
/// size to the next rises by less than 15 %, and ends at the last size at which the value is below
/// 1.4 times the level's median; a stair of one point between two levels is none of them. Noise of
/// up to 10 % makes no stairs. `curve` must not be empty.
std::vector<Level> levelsOf(const predict::Curve &curve);

/// Fits pieces of latency + bytes / bandwidth to `points` (us), by least squares of the relative
/// error: as many pieces, up to three of three points or more each, as the Bayesian information
/// criterion asks for, in which errors below 1 % count as 1 %. Latencies are not negative.
/// `points` must not be empty.
predict::TransferCurve fitTransfer(predict::Curve points);

} // namespace aiwc::device_measurement
