#include "lowering/inlining.h"

#include "lowering/locations.h"
#include "lowering/optimisation.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace aiwc::lowering {
namespace {

using llvm::Function;

/// The call of a function that is being called, in what `function` calls; null without recursion.
const llvm::CallBase *findRecursion(const Function &function,
                                    llvm::SmallPtrSetImpl<const Function *> &active,
                                    llvm::SmallPtrSetImpl<const Function *> &done) {
  active.insert(&function);
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isDeclaration() || done.count(callee))
      continue;
    if (active.count(callee))
      return call;
    if (const llvm::CallBase *found = findRecursion(*callee, active, done))
      return found;
  }
  active.erase(&function);
  done.insert(&function);
  return nullptr;
}

/// The location of the error is the call inside of the recursion, its kernel the one that leads
/// there.
void refuseRecursion(const Function &kernel) {
  llvm::SmallPtrSet<const Function *, 16> active, done;
  const llvm::CallBase *call = findRecursion(kernel, active, done);
  if (!call)
    return;
  // A function within the kernel is inlined only afterwards: name the place there, the kernel here.
  auto *here = llvm::cast<llvm::Instruction>(call->clone());
  here->insertBefore(&*const_cast<Function &>(kernel).getEntryBlock().getFirstInsertionPt());
  refuse(*here, "recursion (" + plainName(call->getCalledFunction()->getName()) + " calls itself)");
}

/// Inlines until no call is left of those that are visible as calls of functions.
bool inlineCalls(Function &kernel) {
  bool changed = false;
  std::vector<llvm::CallBase *> calls;
  const auto collect = [&](llvm::CallBase *call) {
    if (Function *callee = call->getCalledFunction(); callee && !callee->isDeclaration())
      calls.push_back(call);
  };
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      collect(call);
  while (!calls.empty()) {
    llvm::CallBase *call = calls.back();
    calls.pop_back();
    // The calling conventions may differ where a kernel calls another one's body.
    call->setCallingConv(call->getCalledFunction()->getCallingConv());
    llvm::InlineFunctionInfo info;
    if (!llvm::InlineFunction(*call, info).isSuccess())
      refuse(*call, "the function " + plainName(call->getCalledFunction()->getName()) +
                        ", which cannot be made part of the kernel");
    changed = true;
    for (llvm::CallBase *inner : info.InlinedCallSites)
      collect(inner);
  }
  return changed;
}

void removeUncalled(llvm::Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() && function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
      function.setComdat(nullptr);
    }
  removeUnused(module);
}

} // namespace

std::vector<Function *> kernelsOf(llvm::Module &module) {
  std::vector<Function *> kernels;
  for (Function &function : module)
    if (!function.isDeclaration() && function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
      kernels.push_back(&function);
  return kernels;
}

void inlineAll(llvm::Module &module) {
  for (Function *kernel : kernelsOf(module)) {
    kernel->setLinkage(llvm::GlobalValue::ExternalLinkage);
    kernel->setVisibility(llvm::GlobalValue::DefaultVisibility);
    kernel->setDSOLocal(false);
    kernel->setComdat(nullptr);
  }
  removeUncalled(module);
  for (Function &function : module) {
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
  }
  // A function that is passed to another one is known only once that one is inlined.
  for (bool changed = true; changed;) {
    changed = false;
    for (Function *kernel : kernelsOf(module)) {
      refuseRecursion(*kernel);
      changed |= inlineCalls(*kernel);
    }
    if (changed)
      simplify(module);
  }
  removeUncalled(module);
}

} // namespace aiwc::lowering
