#include "warp_functions.h"

#include "lowering/address_spaces.h"
#include "lowering/common_path.h"
#include "lowering/inlining.h"
#include "lowering/locations.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace aiwc::cuda {

using namespace lowering; // the passes that all languages share

namespace {

using llvm::IRBuilder;
using llvm::Value;

constexpr unsigned kThreads = 1024, kWarp = 32; // of a block at most, of a warp
bool isPrimitive(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return false;
  const llvm::StringRef name = callee->getName();
  return (name == "__aiwc_shuffle32" && call->arg_size() >= 2) ||
         (name == "__aiwc_ballot" && call->arg_size() >= 1) || name == "__aiwc_warp_barrier";
}

void addBarriers(llvm::Function &kernel) {
  std::vector<llvm::Instruction *> stores;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        store && store->isVolatile() && store->getPointerAddressSpace() == kLocalSpace)
      stores.push_back(&instruction);
  if (stores.empty())
    return;
  llvm::FunctionCallee barrier = kernel.getParent()->getOrInsertFunction(
      "__aiwc_warp_barrier", llvm::Type::getVoidTy(kernel.getContext()),
      llvm::Type::getInt32Ty(kernel.getContext()));
  for (llvm::Instruction *store : onCommonPath(kernel, stores))
    for (llvm::Instruction *before : {store, store->getNextNode()}) {
      IRBuilder<> at(before);
      at.SetCurrentDebugLocation(store->getDebugLoc());
      at.CreateCall(barrier, at.getInt32(0));
    }
}

/// Makes calls of OpenCL's functions and the variables of the exchange.
class Exchange {
public:
  explicit Exchange(llvm::Module &module) : module_(module) {}

  void lower(llvm::CallInst &call) {
    IRBuilder<> at(&call);
    const llvm::StringRef name = call.getCalledFunction()->getName();
    if (name == "__aiwc_warp_barrier")
      barrier(at);
    else if (name == "__aiwc_ballot")
      call.replaceAllUsesWith(at.CreateZExtOrTrunc(ballot(at, call), call.getType()));
    else
      call.replaceAllUsesWith(at.CreateZExtOrTrunc(shuffle(at, call), call.getType()));
    call.eraseFromParent();
  }

private:
  Value *shuffle(IRBuilder<> &at, llvm::CallInst &call) {
    Value *thread = threadInBlock(at);
    Value *own = at.CreateZExtOrTrunc(call.getArgOperand(0), at.getInt32Ty());
    at.CreateStore(own, slot(at, values_, kThreads, thread));
    barrier(at);
    Value *lane = at.CreateZExtOrTrunc(call.getArgOperand(1), at.getInt64Ty());
    Value *warp = at.CreateAnd(thread, kThreads - kWarp);
    Value *source = at.CreateOr(warp, at.CreateAnd(lane, kWarp - 1));
    Value *result = at.CreateLoad(at.getInt32Ty(), slot(at, values_, kThreads, source));
    barrier(at); // before the next exchange
    return result;
  }

  Value *ballot(IRBuilder<> &at, llvm::CallInst &call) {
    Value *thread = threadInBlock(at);
    Value *word = slot(at, words_, kThreads / kWarp, at.CreateLShr(thread, 5));
    at.CreateStore(at.getInt32(0), word); // all of them store the same
    barrier(at);
    Value *predicate = at.CreateICmpNE(
        call.getArgOperand(0), llvm::Constant::getNullValue(call.getArgOperand(0)->getType()));
    Value *bit = at.CreateShl(at.getInt32(1),
                              at.CreateTrunc(at.CreateAnd(thread, kWarp - 1), at.getInt32Ty()));
    at.CreateAtomicRMW(llvm::AtomicRMWInst::Or, word,
                       at.CreateSelect(predicate, bit, at.getInt32(0)), llvm::Align(4),
                       llvm::AtomicOrdering::Monotonic);
    barrier(at);
    Value *bits = at.CreateLoad(at.getInt32Ty(), word);
    barrier(at);
    if (call.arg_size() < 2)
      return bits;
    Value *mask = at.CreateZExtOrTrunc(call.getArgOperand(1), at.getInt32Ty());
    Value *isWhole = at.CreateICmpEQ(mask, at.getInt32(0));
    return at.CreateSelect(isWhole, bits, at.CreateAnd(bits, mask));
  }

  Value *slot(IRBuilder<> &at, llvm::GlobalVariable *&variable, unsigned count, Value *index) {
    auto *type = llvm::ArrayType::get(at.getInt32Ty(), count);
    if (!variable) {
      variable = new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::InternalLinkage,
                                          llvm::UndefValue::get(type),
                                          count == kThreads ? "warp_values" : "warp_votes", nullptr,
                                          llvm::GlobalValue::NotThreadLocal, kLocalSpace);
      variable->setAlignment(llvm::Align(4));
    }
    return at.CreateInBoundsGEP(type, variable, {at.getInt64(0), index});
  }

  llvm::CallInst *call(IRBuilder<> &at, const char *name, llvm::FunctionType *type,
                       llvm::ArrayRef<Value *> arguments) {
    llvm::FunctionCallee callee = module_.getOrInsertFunction(name, type);
    auto *function = llvm::cast<llvm::Function>(callee.getCallee()->stripPointerCasts());
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    function->addFnAttr(llvm::Attribute::Convergent);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    llvm::CallInst *made = at.CreateCall(callee, arguments);
    made->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    return made;
  }

  Value *threadInBlock(IRBuilder<> &at) {
    return call(at, "_Z19get_local_linear_idv", llvm::FunctionType::get(at.getInt64Ty(), false),
                {});
  }

  void barrier(IRBuilder<> &at) {
    constexpr unsigned kLocalAndGlobal = 3;
    call(at, "_Z7barrierj", llvm::FunctionType::get(at.getVoidTy(), {at.getInt32Ty()}, false),
         {at.getInt32(kLocalAndGlobal)});
  }

  llvm::Module &module_;
  llvm::GlobalVariable *values_ = nullptr, *words_ = nullptr;
};

} // namespace

void lowerWarpFunctions(llvm::Module &module) {
  Exchange exchange(module);
  for (llvm::Function *kernel : kernelsOf(module)) {
    addBarriers(*kernel);
    takeCommonPath(*kernel, isPrimitive);
    std::vector<llvm::CallInst *> calls;
    for (llvm::Instruction &instruction : llvm::instructions(*kernel))
      if (isPrimitive(instruction))
        calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
    for (llvm::CallInst *call : calls)
      exchange.lower(*call);
  }
}

} // namespace aiwc::cuda
