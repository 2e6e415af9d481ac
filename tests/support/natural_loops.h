#pragma once

#include "trace/program.h"

namespace aiwc::test {

/// Computes the loops of a program from the definition: a block is a header if it dominates one of
/// its predecessors; its loop is the header and all blocks that reach such a predecessor without
/// passing the header. Simple and slow; independent of LLVM's implementation.
void findNaturalLoops(trace::Program &program);

} // namespace aiwc::test
