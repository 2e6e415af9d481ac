#include "meeting.h"

#include "decoding/builtins.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace aiwc::cuda {

llvm::CallInst *callMeeting(llvm::IRBuilder<> &at, Exchange exchange, llvm::Value *value,
                            llvm::Value *argument, llvm::Value *width, llvm::Value *mask) {
  constexpr unsigned kWarp = 32;
  llvm::Type *number = at.getInt32Ty();
  llvm::FunctionCallee meet = at.GetInsertBlock()->getModule()->getOrInsertFunction(
      decoding::kMeetingFunction, number, number, number, number, number, number, number, number);
  auto *function = llvm::cast<llvm::Function>(meet.getCallee());
  function->addFnAttr(llvm::Attribute::Convergent);
  llvm::CallInst *call =
      at.CreateCall(meet, {at.getInt32(static_cast<unsigned>(exchange)), value, argument, width,
                           mask, at.getInt32(kWarp), at.getInt32(0)});
  call->setCallingConv(function->getCallingConv());
  return call;
}

} // namespace aiwc::cuda
