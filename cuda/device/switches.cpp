#include "switches.h"

#include "inlining.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace aiwc::cuda {
namespace {

bool hasWholeBytes(const llvm::Type &type) {
  return type.isIntegerTy(8) || type.isIntegerTy(16) || type.isIntegerTy(32) ||
         type.isIntegerTy(64);
}

/// As many instructions as before: a conjunction instead of a truncation.
void widen(llvm::SwitchInst &choice) {
  auto *narrow = llvm::dyn_cast<llvm::TruncInst>(choice.getCondition());
  if (!narrow || hasWholeBytes(*narrow->getType()))
    return;
  llvm::IRBuilder<> at(narrow);
  auto *type = llvm::cast<llvm::IntegerType>(narrow->getSrcTy());
  const unsigned bits = narrow->getType()->getIntegerBitWidth();
  llvm::Value *number =
      at.CreateAnd(narrow->getOperand(0), llvm::APInt::getLowBitsSet(type->getBitWidth(), bits));
  std::vector<std::pair<llvm::ConstantInt *, llvm::BasicBlock *>> cases;
  for (const auto &entry : choice.cases())
    cases.emplace_back(
        llvm::ConstantInt::get(type->getContext(),
                               entry.getCaseValue()->getValue().zext(type->getBitWidth())),
        entry.getCaseSuccessor());
  at.SetInsertPoint(&choice);
  llvm::SwitchInst *made =
      at.CreateSwitch(number, choice.getDefaultDest(), static_cast<unsigned>(cases.size()));
  for (const auto &[value, block] : cases)
    made->addCase(value, block);
  choice.eraseFromParent();
  if (narrow->use_empty())
    narrow->eraseFromParent();
}

} // namespace

void widenSwitches(llvm::Module &module) {
  for (llvm::Function *kernel : kernelsOf(module)) {
    std::vector<llvm::SwitchInst *> switches;
    for (llvm::Instruction &instruction : llvm::instructions(*kernel))
      if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
        switches.push_back(choice);
    for (llvm::SwitchInst *choice : switches)
      widen(*choice);
  }
}

} // namespace aiwc::cuda
