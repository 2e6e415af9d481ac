/// The order of the calls at which work-items of a sub-group wait for one another.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::lowering {

/// The function of the simulator for them, `__aiwc_meet`; its arguments: simulator::Meeting.
inline constexpr const char *kMeetingFunction = "__aiwc_meet";

/// Gives each call of it in a kernel its place, the last argument: calls in a loop come before
/// those that follow it, others in the order in which they are reached. To be done when no pass
/// copies calls any more.
void numberMeetings(llvm::Module &module);

} // namespace aiwc::lowering
