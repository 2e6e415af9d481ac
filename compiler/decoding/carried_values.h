#pragma once

#include "decoding/llvm.h"

namespace aiwc::decoding {

/// Whether an iteration of the loop needs a value that the one before left in a register: one that
/// is neither a counter, which changes by the same in each iteration, nor a sum, product or
/// extremum of which nothing else in the loop depends.
bool carriesValue(const llvm::Loop &loop);

} // namespace aiwc::decoding
