/// Which arguments of a kernel only say how far it goes and where it begins.
#pragma once

#include "decoding/llvm.h"

#include <vector>

namespace aiwc::decoding {

/// For each argument, whether it is a number that changes nothing but
///
/// - how far loops and work-items go: comparisons that end a loop, or that tell some work-items
/// from
///   others (`if (get_global_id(0) < n)`);
/// - where in memory all work-items begin: a term of addresses that all work-items add alike, in
/// all
///   iterations;
/// - data: what is computed and stored.
///
/// Strides, divisors, masks, modes (`if (transpose)`) and what goes into local or private memory or
/// into functions with bodies is none of these. Static: looks at the kernel's code only, and says
/// no where it cannot tell. Takes time in proportion to the code times the arguments.
std::vector<bool> boundsAndOffsets(const llvm::Function &kernel);

} // namespace aiwc::decoding
