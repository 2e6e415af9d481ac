/// What curves over sizes say: the sizes of caches, and the parts of a transfer.
#pragma once

#include "predict/device_measurements.h"

#include <vector>

namespace aiwc::device_measurement {

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
