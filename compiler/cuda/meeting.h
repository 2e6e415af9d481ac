/// Calls at which the lanes of a warp meet.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace aiwc::cuda {

/// What lanes exchange, by the numbers of simulator::Exchange.
enum class Exchange : unsigned {
  kBarrier = 0,
  kBallot = 1,
  kIndex = 3,
  kUp = 4,
  kDown = 5,
  kAcross = 6
};

/// A call of the meeting function (compiler/simulator/meetings.h) by a warp of 32 lanes. A `mask`
/// of 0 means those that come to the call together.
llvm::CallInst *callMeeting(llvm::IRBuilder<> &at, Exchange exchange, llvm::Value *value,
                            llvm::Value *argument, llvm::Value *width, llvm::Value *mask);

} // namespace aiwc::cuda
