#pragma once

#include "decoding/decoder.h"
#include "simulator/compat.h"

#include <optional>

namespace aiwc::engine {

/// How many instructions a launch executes, estimated before it runs: as many as if each work-item
/// were the first, the middle or the last of the NDRange, whichever executes the most, and executed
/// every block once per iteration of the loops around it. No value if a loop iterates as often as
/// memory or the caller of its function says, or if it is not known how often.
std::optional<double> estimatedInstructions(const oclgrind::KernelInvocation &invocation,
                                            const decoding::DecodedProgram &decoded);

} // namespace aiwc::engine
