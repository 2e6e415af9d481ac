/// Which of a module's local variables a kernel has.
#pragma once

namespace aiwc::plugin {

/// From now on Oclgrind adds up the local memory of a launch from the kernel's own variables and
/// arguments. By itself it also takes the variables of kernels whose names begin with this one's
/// (`scan` has those of `scan_large`, too), and refuses launches for want of local memory.
void measureOwnLocalMemory();

} // namespace aiwc::plugin
