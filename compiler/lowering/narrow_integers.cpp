#include "lowering/passes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace aiwc::lowering {
namespace {

using llvm::IRBuilder;
using llvm::Value;

/// How the bits above those of a narrow integer are filled.
enum class Fill { kZero, kSign };

bool hasWholeBytes(unsigned bits) {
  return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/// Not a truth value, whose byte Oclgrind keeps 0 or 1 in all that LLVM makes of them.
bool isNarrow(const Value &value) {
  const unsigned bits = value.getType()->getScalarSizeInBits();
  return value.getType()->isIntOrIntVectorTy() && bits > 1 && bits < 64 && !hasWholeBytes(bits);
}

/// The narrow integers of a function in whole bytes.
class WholeBytes {
public:
  explicit WholeBytes(llvm::Function &function) : function_(function) {}

  /// `narrow` in an integer of whole bytes: that of which it is a truncation, or the next larger
  /// one. Computed where `narrow` is, once for all uses.
  Value *of(Value &narrow, Fill fill) {
    Value *&whole = made_[{&narrow, fill}];
    if (!whole)
      whole = make(narrow, fill);
    return whole;
  }

private:
  Value *make(Value &narrow, Fill fill) {
    const unsigned bits = narrow.getType()->getScalarSizeInBits();
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(&narrow))
      return fill == Fill::kSign ? llvm::ConstantExpr::getSExt(constant, wholeType(narrow))
                                 : llvm::ConstantExpr::getZExt(constant, wholeType(narrow));
    llvm::APInt mask = llvm::APInt::getLowBitsSet(bits, bits);
    Value *from = &narrow;
    const auto *masked = llvm::dyn_cast<llvm::BinaryOperator>(&narrow);
    if (masked && masked->getOpcode() == llvm::Instruction::And && fill == Fill::kZero)
      if (const llvm::APInt * constant;
          match(masked->getOperand(1), llvm::PatternMatch::m_APInt(constant))) {
        mask = *constant; // the conjunction becomes the one that clears the bits
        from = masked->getOperand(0);
      }
    IRBuilder<> at(behind(narrow));
    if (auto *definition = llvm::dyn_cast<llvm::Instruction>(&narrow))
      at.SetCurrentDebugLocation(definition->getDebugLoc());
    const auto *truncation = llvm::dyn_cast<llvm::TruncInst>(from);
    Value *whole = truncation && hasWholeBytes(truncation->getSrcTy()->getScalarSizeInBits())
                       ? truncation->getOperand(0)
                       : at.CreateZExt(from, wholeType(narrow));
    const unsigned width = whole->getType()->getScalarSizeInBits();
    if (fill == Fill::kZero)
      return at.CreateAnd(whole, mask.zext(width));
    return at.CreateAShr(at.CreateShl(whole, width - bits), width - bits);
  }

  static llvm::Type *wholeType(const Value &narrow) {
    unsigned width = 8;
    while (width < narrow.getType()->getScalarSizeInBits())
      width *= 2;
    return narrow.getType()->getWithNewBitWidth(width);
  }

  llvm::Instruction *behind(Value &narrow) const {
    auto *definition = llvm::dyn_cast<llvm::Instruction>(&narrow);
    if (!definition)
      return &*function_.getEntryBlock().getFirstInsertionPt();
    return llvm::isa<llvm::PHINode>(definition) ? &*definition->getParent()->getFirstInsertionPt()
                                                : definition->getNextNode();
  }

  llvm::Function &function_;
  std::map<std::pair<Value *, Fill>, Value *> made_;
};

/// Whether the result depends on more bits of its operands than it has itself.
bool looksAbove(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Switch:
  case llvm::Instruction::ICmp:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
    return isNarrow(*instruction.getOperand(0));
  case llvm::Instruction::Shl: // by a number that is narrow, too
    return isNarrow(*instruction.getOperand(1)) &&
           !llvm::isa<llvm::Constant>(instruction.getOperand(1));
  default:
    return false;
  }
}

Fill fillFor(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::SExt:
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::SRem:
  case llvm::Instruction::AShr:
    return Fill::kSign;
  case llvm::Instruction::ICmp:
    return llvm::cast<llvm::ICmpInst>(instruction).isSigned() ? Fill::kSign : Fill::kZero;
  default:
    return Fill::kZero;
  }
}

void widenSwitch(llvm::SwitchInst &choice, Value &number) {
  const auto *type = llvm::cast<llvm::IntegerType>(number.getType());
  llvm::SwitchInst *made =
      IRBuilder<>(&choice).CreateSwitch(&number, choice.getDefaultDest(), choice.getNumCases());
  for (const auto &entry : choice.cases())
    made->addCase(llvm::ConstantInt::get(choice.getContext(), entry.getCaseValue()->getValue().zext(
                                                                  type->getBitWidth())),
                  entry.getCaseSuccessor());
}

/// The same of operands in whole bytes.
Value *widened(llvm::Instruction &instruction, WholeBytes &whole) {
  const bool isSigned = fillFor(instruction) == Fill::kSign;
  IRBuilder<> at(&instruction);
  Value *a = whole.of(*instruction.getOperand(0), fillFor(instruction));
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    if (!cast->getDestTy()->isIntOrIntVectorTy())
      return at.CreateCast(cast->getOpcode(), a, cast->getDestTy());
    return isSigned ? at.CreateSExtOrTrunc(a, cast->getDestTy())
                    : at.CreateZExtOrTrunc(a, cast->getDestTy());
  }
  Value *b = whole.of(*instruction.getOperand(1), fillFor(instruction));
  auto *type = std::max(a->getType(), b->getType(), [](const auto *one, const auto *other) {
    return one->getScalarSizeInBits() < other->getScalarSizeInBits();
  });
  for (Value **operand : {&a, &b})
    *operand = isSigned ? at.CreateSExt(*operand, type) : at.CreateZExt(*operand, type);
  if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    return at.CreateICmp(comparison->getPredicate(), a, b);
  const auto operation = llvm::cast<llvm::BinaryOperator>(instruction).getOpcode();
  return at.CreateTrunc(at.CreateBinOp(operation, a, b), instruction.getType());
}

bool clear(llvm::Function &function) {
  std::vector<llvm::Instruction *> found;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (looksAbove(instruction))
      found.push_back(&instruction);
  WholeBytes whole(function);
  llvm::SmallVector<llvm::WeakTrackingVH> unused;
  for (llvm::Instruction *instruction : found) {
    for (Value *operand : instruction->operands())
      if (llvm::isa<llvm::Instruction>(operand))
        unused.emplace_back(operand);
    if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(instruction)) {
      widenSwitch(*choice, *whole.of(*choice->getCondition(), Fill::kZero));
      choice->eraseFromParent();
      continue;
    }
    Value *made = widened(*instruction, whole);
    made->takeName(instruction);
    instruction->replaceAllUsesWith(made);
    unused.emplace_back(instruction);
  }
  llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(unused);
  return !found.empty();
}

} // namespace

bool clearNarrowIntegers(llvm::Module &module) {
  bool changed = false;
  for (llvm::Function &function : module)
    changed = (!function.isDeclaration() && clear(function)) || changed;
  return changed;
}

} // namespace aiwc::lowering
