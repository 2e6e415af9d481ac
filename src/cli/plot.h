#pragma once

#include "predict/device_profile.h"

#include <string>

namespace aiwc::cli {

/// The commands for gnuplot that draw what is known of the device on standard output: bandwidth
/// over the footprint for each idiom, the latency staircase, transfers, and the roofline, as far as
/// the profile has them. `format` is "svg" or "png". Throws Error if it has none of them.
std::string plotCommands(const predict::DeviceProfile &device, const std::string &format);

} // namespace aiwc::cli
