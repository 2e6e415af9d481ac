/// Larger sizes for buffers that were made up, after a launch that accessed them beyond their ends.
#pragma once

#include "kernel_launch/simulator_errors.h"
#include "kernel_launch/sizes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::kernel_launch {

/// The most bytes that a buffer is made larger to: an index beyond them is no size but a wrong one.
inline constexpr uint64_t kMostGrownBytes = uint64_t{1} << 30;

/// The count of a buffer, as --arg takes it, that has `needed` values or more: a product of the
/// global size that is just as many, such as gx*gx; else `needed` itself. If the launch was ended
/// early (`isPart`), more accesses may follow: the least of these products that is at least
/// `needed`.
std::string countFor(uint64_t needed, bool isPart, const Sizes &sizes);

/// For each parameter the count with which its buffer would hold all accesses that `errors` report
/// beyond its end; empty where none is, where the buffer may not grow (`growable`), or where it
/// would become larger than `kMostGrownBytes`.
std::vector<std::string> grownCounts(const std::vector<SimulatorError> &errors, bool isPart,
                                     const LaunchedArguments &launch,
                                     const std::vector<bool> &growable, const Sizes &sizes);

} // namespace aiwc::kernel_launch
