#pragma once

#include "decoding/llvm.h"

namespace aiwc::decoding {

/// Whether the result of an atomic serves only to try it again until the memory has the value that
/// was expected: it is a compare-and-swap in a loop of one block, which goes on while its result
/// differs from the value that it expected, which is the result of the time before. What is
/// computed from the result is used in that block only, and by no other access of memory.
bool onlyTriesAgain(const llvm::Instruction &atomic);

} // namespace aiwc::decoding
