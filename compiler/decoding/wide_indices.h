/// 64-bit operations that compute indices, and those of them for which 32 bits would do.
#pragma once

#include "decoding/llvm.h"

#include <span>
#include <unordered_set>

namespace aiwc::decoding {

/// Static: it looks at the code only. 64-bit integers that are computed from one another belong
/// together. They are indices if
///
/// - they are made of work-item functions (`get_global_id` returns a size_t), arguments of the
///   kernel, and integers and constants of 32 bits;
/// - they become addresses, comparisons, and numbers of 32 bits; none is loaded or stored;
/// - one of them is an address, or follows from a work-item function;
/// - no loop multiplies what it has multiplied before, as random numbers and hashes do, and nothing
///   is shifted by 32 bits or more.
///
/// GPUs calculate in 32 bits: a 64-bit product takes four instructions, a 64-bit division a hundred
/// or more. Sums take one more, which the addresses, of 64 bits, need anyway; so they do not count.
/// Nor do products that a compiler replaces by a sum in each iteration (`k * n + i` in a loop over
/// k), and those of two numbers of 32 bits, which are one instruction.
class WideIndices {
public:
  /// `functions`: the kernel, then those that it calls.
  explicit WideIndices(std::span<const llvm::Function *const> functions);

  /// Whether the instruction calculates with such indices, or compares one.
  bool isIndex(const llvm::Instruction &instruction) const {
    return indices_.contains(&instruction);
  }
  /// Whether a compiler replaces a product of integers of any width by a sum in each iteration, or
  /// takes it out of the loop.
  bool isReplaced(const llvm::Instruction &product) const { return replaced_.contains(&product); }
  /// Whether the instruction is such a product.
  bool isProduct(const llvm::Instruction &instruction) const {
    return products_.contains(&instruction);
  }
  /// Whether it is such a division or remainder.
  bool isDivision(const llvm::Instruction &instruction) const {
    return divisions_.contains(&instruction);
  }

private:
  void examine(const llvm::Function &function, bool isKernel);

  std::unordered_set<const llvm::Instruction *> indices_, products_, divisions_, replaced_;
};

} // namespace aiwc::decoding
