/// Where in its buffers a kernel can access memory, computed before a launch from its code, its
/// arguments and its sizes.
///
/// Integers are followed as sums of the ids of a work-item, counters of loops and numbers that
/// nothing is known of but bounds. A sum is congruent to the number that the interpreter has,
/// modulo 2 to the power of its width; flags such as `nsw` are not trusted. Where the width or the
/// sign matters, as in extensions, comparisons and addresses, the bounds of the sum have to show
/// that nothing wraps.
#pragma once

#include "simulator/compat.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace aiwc::engine {

/// What a launch says of itself before it runs.
struct LaunchNumbers {
  std::array<uint64_t, 3> globalSize = {1, 1, 1}, globalOffset = {}, localSize = {1, 1, 1};
  uint64_t workDim = 1;
  std::map<const llvm::Value *, uint64_t> integers = {}; ///< the kernel's integer arguments

  uint64_t groups(unsigned dimension) const {
    return (globalSize[dimension] + localSize[dimension] - 1) / localSize[dimension];
  }
};

/// A load or store of global or constant memory.
struct GlobalAccess {
  const llvm::Instruction *instruction = nullptr;
  const llvm::Value *pointer = nullptr; ///< its operand
  const llvm::Value *base = nullptr;    ///< the argument or variable from which it is computed
  uint64_t size = 0;                    ///< in bytes
  uint64_t alignment = 1;
  bool writes = false;
};

/// All accesses of global and constant memory by the kernel; none if its code does not show them
/// all, or if their order matters: it passes pointers to functions, loads them, has atomics or
/// volatile accesses, or calls functions with bodies.
std::optional<std::vector<GlobalAccess>> globalAccesses(const llvm::Function &kernel);

/// A part of a sum: a number from `low` to `high`, times the coefficient.
struct Term {
  /// What the number is: an id without its offset, the iterations of a loop before this one, or a
  /// number that nothing else is known of, and that differs between work-items.
  enum class Kind : uint8_t { kGlobalId, kLocalId, kGroupId, kIteration, kOther };

  Kind kind = Kind::kOther;
  unsigned dimension = 0;
  int64_t coefficient = 1;
  int64_t low = 0, high = 0;
};

/// The distance of an access from what its base points to, in bytes: the constant and the terms.
struct AccessOffset {
  int64_t constant = 0;
  std::vector<Term> terms = {};
  int64_t low = 0, high = 0; ///< bounds of the sum

  /// By how much it is larger in the next work-item in x, if both are in the same iterations; none
  /// if that is not known.
  std::optional<int64_t> stepInX() const;
};

/// What LLVM knows of a function's loops. The analyses do not change the function, which outlives
/// them.
struct FunctionAnalyses {
  explicit FunctionAnalyses(const llvm::Function &of)
      : function(const_cast<llvm::Function &>(of)), dominators(function), loops(dominators),
        target(library), assumptions(function),
        evolution(function, target, assumptions, dominators, loops) {}

  /// Whether the function jumps into the middle of a cycle, which `loops` does not contain then.
  bool hasOtherCycles() const {
    const llvm::ReversePostOrderTraversal<const llvm::Function *> order(&function);
    return llvm::containsIrreducibleCFG<const llvm::BasicBlock *>(order, loops);
  }

  llvm::Function &function;
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::TargetLibraryInfoImpl library;
  llvm::TargetLibraryInfo target;
  llvm::AssumptionCache assumptions;
  llvm::ScalarEvolution evolution;
};

class AffineOffsets {
public:
  /// The kernel outlives the object.
  explicit AffineOffsets(const llvm::Function &kernel);
  ~AffineOffsets();
  AffineOffsets(const AffineOffsets &) = delete;
  AffineOffsets &operator=(const AffineOffsets &) = delete;

  /// By access: its offset whenever a work-item of the launch executes it; none if it is not known.
  std::vector<std::optional<AccessOffset>> of(std::span<const GlobalAccess> accesses,
                                              const LaunchNumbers &launch) const;

private:
  FunctionAnalyses code_;
  bool isReducible_;
};

/// An access of a buffer: its offset from the begin of the buffer, and its bytes.
struct BufferAccess {
  AccessOffset offset;
  uint64_t size = 0;
};

/// Whether no two work-groups of the launch access the same byte by these accesses. False where
/// that is not known.
bool areGroupsApart(std::span<const BufferAccess> accesses, const LaunchNumbers &launch);

} // namespace aiwc::engine
