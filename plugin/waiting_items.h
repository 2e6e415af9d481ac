/// Work-items that wait in the interpreter, where Oclgrind does not know what they wait for.
#pragma once

#include "simulator/compat.h"

namespace aiwc::plugin {

/// Has the preloaded library, if there is one, pass on to the plugin from now on
/// - the ends of barriers: in CUDA, a thread that has returned counts as arrived. In OpenCL C the
///   language does not allow that, and Oclgrind reports it, with the line of the barrier;
/// - the choice of the next work-item: if no other can go on, those of a sub-group that have met at
///   `__aiwc_meet` (compiler/simulator/meetings.h), a function that Oclgrind has from now on.
void takeWaitingItems();

/// Call it when a work-group begins: forgets what another one at its address has waited for.
void forgetMeetings(const oclgrind::WorkGroup *group);

} // namespace aiwc::plugin
