/// The order of the calls at which work-items of a sub-group wait for one another.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::lowering {

/// Gives each call in a kernel at which decoding::isMeeting its place, the last argument: calls in
/// a loop come before those that follow it, others in the order in which they are reached. To be
/// done when no pass copies calls any more.
void numberMeetings(llvm::Module &module);

} // namespace aiwc::lowering
