/// Conversions of half precision in code, with the results of common/half_precision.h. A half is
/// its 16 bits.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace aiwc::engine {

/// Bits of a half.
inline constexpr uint64_t kHalfInfinity = 0x7c00, kHalfQuiet = 0x200, kHalfSign = 0x8000;

/// The double of each half, a number or the lanes of a vector.
llvm::Value *fromHalf(llvm::IRBuilder<> &at, llvm::Value *half);

/// The half of each double or float: the nearest, and of two the even one.
llvm::Value *toHalf(llvm::IRBuilder<> &at, llvm::Value *number);

} // namespace aiwc::engine
