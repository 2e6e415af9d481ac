/// Conditions that differ between the threads of a block.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>

#include <vector>

namespace aiwc::lowering {

/// Changes the branches of `function` so that all threads of a block come to the same instructions
/// of those for which `isMeetingPoint` holds: where a condition leads there that may differ between
/// threads, all take that way, and the threads for which it does not hold do nothing there: they
/// neither load nor store, and leave at the first further such condition. Loops with such a
/// condition are refused.
///
/// A value is taken for different if it is computed from the thread's index, from private memory,
/// or from what was chosen by such a value. What is loaded by an equal address is taken for equal;
/// if it is not, the simulator reports a barrier that not all threads reach.
/// `words`: what errors call warps and threads.
struct PathWords {
  const char *warps = "warps", *thread = "thread";
};
void takeCommonPath(llvm::Function &function, bool (*isMeetingPoint)(const llvm::Instruction &),
                    const PathWords &words = {});

/// Those of `instructions` that all threads of a block can come to by such changes.
std::vector<llvm::Instruction *> onCommonPath(llvm::Function &function,
                                              const std::vector<llvm::Instruction *> &instructions);

} // namespace aiwc::lowering
