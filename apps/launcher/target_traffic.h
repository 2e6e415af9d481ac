/// Private memory that the characterised kernels access in the code for other devices.
#pragma once

#include "launcher/recording.h"

namespace aiwc::launcher {

/// Adds profile::TargetTraffic to the profiles that processes of the run have asked it for, after
/// the application has ended. A kernel that cannot be compiled for a family, or not in ten seconds,
/// leaves its profiles as they are; one line on standard error says so. Throws Interrupted.
void addTargetTraffic(const Recording &recording);

} // namespace aiwc::launcher
