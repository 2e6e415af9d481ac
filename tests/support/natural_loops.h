#pragma once

#include "trace/program.h"

namespace aiwc::test {

/// Fills in the loops of a program that was written down by hand, from the definition: a block is a
/// header if it dominates a predecessor of its own; its loop is whatever reaches such a predecessor
/// without passing the header. Slow and obvious; shares nothing with LLVM's.
void findNaturalLoops(trace::Program &program);

} // namespace aiwc::test
