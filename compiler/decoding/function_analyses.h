/// What LLVM knows of a function's loops.
#pragma once

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>

namespace aiwc::decoding {

/// The analyses do not change the function, which outlives them.
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

} // namespace aiwc::decoding
