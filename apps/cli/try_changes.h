/// Makes the changes that advice has as edits of the text, and says what they change.
#pragma once

#include "advice/report.h"

#include <span>
#include <string>

namespace aiwc::cli {

/// Tries the edits of these findings, each by itself and, if several leave the results as they are,
/// all of these together: builds a copy of the kernel with them, runs it in the simulator on the
/// launches of the run, compares buffers and images with those of the kernel as it is, and appends
/// what `aiwc diff` says. `folder` is that of a run of `aiwc kernel`, of a program or of captures;
/// copies, runs and what they print stay in `folder`/try. Throws Error for any other run, and if
/// its program is no longer the one that ran.
std::string triedChanges(const std::string &folder, std::span<const advice::Advised> kernels,
                         const std::string &devices);

} // namespace aiwc::cli
