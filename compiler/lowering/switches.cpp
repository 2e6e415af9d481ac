#include "lowering/switches.h"

#include "lowering/inlining.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace aiwc::lowering {
namespace {

bool hasWholeBytes(const llvm::Type &type) {
  return type.isIntegerTy(8) || type.isIntegerTy(16) || type.isIntegerTy(32) ||
         type.isIntegerTy(64);
}

/// As many instructions as before, or one fewer: a conjunction instead of a truncation, which may
/// have a conjunction of its own.
void widen(llvm::SwitchInst &choice) {
  auto *condition = llvm::dyn_cast<llvm::Instruction>(choice.getCondition());
  if (!condition || hasWholeBytes(*condition->getType()))
    return;
  auto *narrow = llvm::dyn_cast<llvm::TruncInst>(condition);
  const llvm::ConstantInt *mask = nullptr;
  if (condition->getOpcode() == llvm::Instruction::And) {
    narrow = llvm::dyn_cast<llvm::TruncInst>(condition->getOperand(0));
    mask = llvm::dyn_cast<llvm::ConstantInt>(condition->getOperand(1));
    if (!mask)
      return;
  }
  if (!narrow)
    return;
  llvm::IRBuilder<> at(condition);
  auto *type = llvm::cast<llvm::IntegerType>(narrow->getSrcTy());
  const unsigned bits = narrow->getType()->getIntegerBitWidth();
  llvm::Value *number = at.CreateAnd(narrow->getOperand(0),
                                     mask ? mask->getValue().zext(type->getBitWidth())
                                          : llvm::APInt::getLowBitsSet(type->getBitWidth(), bits));
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
  if (condition != narrow && condition->use_empty())
    condition->eraseFromParent();
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

} // namespace aiwc::lowering
