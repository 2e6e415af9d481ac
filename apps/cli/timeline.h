/// Launches and transfers of runs as timelines: measured ones, and predicted ones beside them.
#pragma once

#include "inputs.h"
#include "predict/prediction.h"
#include "report/timeline.h"

#include <span>
#include <vector>

namespace aiwc::cli {

/// "measured on NAME" for each OpenCL device that `aiwc attach` measured, then "predicted on ID"
/// for each device of `prediction` that can run the launches. What was measured has a
/// track for each queue, where it is known when it began; old runs do not say that, and predictions
/// do not either: then launches and transfers of a process follow one another in the order of the
/// launches, the host's writes before a launch and its reads after it.
///
/// The predicted times of a kernel's launches add up to that of the kernel in `prediction`, on a
/// device that was measured as it was predicted. A launch needs the last launch before it that
/// wrote what it reads. `invocations` are those of `profiles`, and what `prediction` was made from.
std::vector<report::Timeline> timelinesOf(const std::vector<NamedProfile> &profiles,
                                          std::span<const predict::Invocation> invocations,
                                          const predict::Prediction &prediction);

} // namespace aiwc::cli
