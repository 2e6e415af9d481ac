/// Integers of a few bits.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::lowering {

/// LLVM makes integers of few bits of expressions such as `switch (x & 3)` or `x % 4 == 0`.
/// Oclgrind keeps them in whole bytes and does not clear the other bits, neither in a truncation
/// nor in arithmetic. So switches, comparisons, extensions, conversions to real numbers, divisions
/// and shifts to the right, which look at these bits, become those of an integer of whole bytes
/// with cleared bits. Where a truncation is all that gives an operand, as many instructions as
/// before. After all optimisation. Returns whether the module has changed.
bool clearNarrowIntegers(llvm::Module &module);

} // namespace aiwc::lowering
