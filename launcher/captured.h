#pragma once

#include "launcher/child.h"
#include "run/run.h"
#include "session/options.h"

#include <cstdint>
#include <map>

/// The launches that the layer captured (attach/captures.h), on their way to profiles.
namespace aiwc::launcher {

/// Runs the captures in the folder of the run in the simulator, gives their launches the profiles,
/// and the launches that are alike the same ones; then removes the captures. What fails is added to
/// the errors of the run. `processes`: the numbers of the run's processes, by their ids. Throws
/// Interrupted if a signal ends it: the captures remain.
void characteriseCaptures(run::Run &run, const std::map<uint64_t, uint64_t> &processes,
                          const SessionOptions &options, Children &children);

} // namespace aiwc::launcher
