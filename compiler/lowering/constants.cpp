#include "lowering/inlining.h"
#include "lowering/passes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <vector>

namespace aiwc::lowering {
namespace {

using llvm::Constant;
using llvm::Instruction;
using llvm::Value;

using Condition = bool (*)(const Constant &);

bool isReplaceable(const Constant &constant) {
  if (llvm::isa<llvm::GlobalVariable>(constant))
    return true;
  if (llvm::isa<llvm::GlobalValue>(constant))
    return false;
  if (llvm::Operator::getOpcode(&constant) == Instruction::AddrSpaceCast)
    return true;
  for (const llvm::Use &operand : constant.operands())
    if (const auto *inner = llvm::dyn_cast<Constant>(&operand); inner && isReplaceable(*inner))
      return true;
  return false;
}

bool computes(const Constant &constant) {
  if (llvm::isa<llvm::GlobalValue>(constant))
    return false;
  if (const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
      expression && !expression->isCast() && !llvm::isa<llvm::GEPOperator>(expression))
    return true;
  for (const llvm::Use &operand : constant.operands())
    if (const auto *inner = llvm::dyn_cast<Constant>(&operand); inner && computes(*inner))
      return true;
  return false;
}

/// The value of `constant`, computed before `before`.
Value *expand(Constant &constant, Instruction *before, Condition condition) {
  if (llvm::isa<llvm::GlobalVariable>(constant) || !condition(constant))
    return &constant;
  if (auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
    Instruction *made = expression->getAsInstruction();
    for (llvm::Use &operand : made->operands())
      if (auto *inner = llvm::dyn_cast<Constant>(operand.get()))
        operand.set(expand(*inner, before, condition));
    made->insertBefore(before);
    made->setDebugLoc(before->getDebugLoc());
    return made;
  }
  llvm::IRBuilder<> at(before);
  Value *result = llvm::UndefValue::get(constant.getType());
  for (unsigned i = 0; i < constant.getNumOperands(); ++i) {
    Value *element = expand(*llvm::cast<Constant>(constant.getOperand(i)), before, condition);
    result = constant.getType()->isVectorTy() ? at.CreateInsertElement(result, element, i)
                                              : at.CreateInsertValue(result, element, i);
  }
  return result;
}

void expandOperands(Instruction &instruction, Condition condition) {
  std::map<std::pair<const llvm::BasicBlock *, Constant *>, Value *> ofBlock; // one value per edge
  for (llvm::Use &operand : instruction.operands()) {
    auto *constant = llvm::dyn_cast<Constant>(operand.get());
    if (!constant || !condition(*constant))
      continue;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      llvm::BasicBlock *from = phi->getIncomingBlock(operand);
      Value *&value = ofBlock[{from, constant}];
      if (!value)
        value = expand(*constant, from->getTerminator(), condition);
      operand.set(value);
    } else {
      operand.set(expand(*constant, &instruction, condition));
    }
  }
}

void expandAll(llvm::Function &function, Condition condition) {
  std::vector<Instruction *> instructions;
  for (Instruction &instruction : llvm::instructions(function))
    instructions.push_back(&instruction);
  for (Instruction *instruction : instructions)
    expandOperands(*instruction, condition);
}

} // namespace

void expandConstants(llvm::Function &function) {
  expandAll(function, isReplaceable);
}

void expandAddressArithmetic(llvm::Module &module) {
  for (llvm::Function *kernel : kernelsOf(module))
    expandAll(*kernel, computes);
}

} // namespace aiwc::lowering
