#include "decoding/carried_values.h"

#include "decoding/builtins.h"

#include <llvm/ADT/SetVector.h>

namespace aiwc::decoding {
namespace {

bool isCounter(const llvm::PHINode &phi, const llvm::Loop &loop) {
  const llvm::BasicBlock *latch = loop.getLoopLatch();
  const auto *step =
      latch ? llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(latch)) : nullptr;
  if (!step)
    return false;
  const unsigned opcode = step->getOpcode();
  const bool commutes = opcode == llvm::Instruction::Add || opcode == llvm::Instruction::FAdd;
  const bool adds = commutes || opcode == llvm::Instruction::Sub ||
                    opcode == llvm::Instruction::FSub || opcode == llvm::Instruction::GetElementPtr;
  return adds && llvm::is_contained(step->operands(), &phi) &&
         (commutes || step->getOperand(0) == &phi) &&
         llvm::count_if(step->operands(), [&](const llvm::Use &operand) {
           return !loop.isLoopInvariant(operand);
         }) == 1;
}

/// How an instruction combines the operand of this number with others: the same name for what may
/// come in any order, as the summands of a sum; empty for what does anything else.
llvm::StringRef combination(const llvm::Instruction &instruction, unsigned operand) {
  const unsigned opcode = instruction.getOpcode();
  if (opcode == llvm::Instruction::Sub || opcode == llvm::Instruction::FSub)
    return operand > 0 ? "" : opcode == llvm::Instruction::Sub ? "add" : "fadd";
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const llvm::Function *callee = calledFunction(*call);
    if (!callee || !callee->isDeclaration())
      return "";
    const BuiltinTraits traits = builtinTraits(*call, *callee);
    if (traits.extremum)
      return callee->getName();
    const bool isFused = traits.fpAdd > 0 && traits.fpAdd == traits.fpMul && traits.fpDiv == 0 &&
                         call->arg_size() == 3;
    return isFused && operand == 2 ? "fadd" : "";
  }
  // The larger or smaller of two that are compared.
  if (const auto *compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
    return llvm::all_of(compare->users(),
                        [&](const llvm::User *user) {
                          const auto *select = llvm::dyn_cast<llvm::SelectInst>(user);
                          return select && select->getCondition() == compare &&
                                 llvm::is_contained(compare->operands(), select->getTrueValue()) &&
                                 llvm::is_contained(compare->operands(), select->getFalseValue());
                        })
               ? llvm::CmpInst::getPredicateName(compare->getPredicate())
               : "";
  const bool isAny = instruction.isCommutative() && instruction.isBinaryOp();
  return isAny ? llvm::Instruction::getOpcodeName(opcode) : "";
}

/// Whether the loop only combines the value with others, in any order, and uses nothing of it for
/// anything else.
bool isReduction(const llvm::PHINode &phi, const llvm::Loop &loop) {
  llvm::StringRef how;
  llvm::SetVector<const llvm::Value *> parts;
  parts.insert(&phi);
  for (size_t i = 0; i < parts.size(); ++i) // which grows
    for (const llvm::Use &use : parts[i]->uses()) {
      const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      if (!loop.contains(user))
        continue;
      parts.insert(user);
      if (llvm::isa<llvm::PHINode>(user) ||
          (llvm::isa<llvm::SelectInst>(user) &&
           (use.getOperandNo() > 0 || llvm::isa<llvm::CmpInst>(parts[i]))))
        continue;
      const llvm::StringRef combines = combination(*user, use.getOperandNo());
      if (combines.empty() || (!how.empty() && combines != how))
        return false;
      how = combines;
    }
  return llvm::all_of(parts, [&](const llvm::Value *part) {
    const auto *instruction = llvm::cast<llvm::Instruction>(part);
    return llvm::isa<llvm::PHINode>(part) || llvm::isa<llvm::SelectInst>(part) ||
           llvm::count_if(instruction->operands(),
                          [&](const llvm::Use &operand) { return parts.contains(operand); }) == 1;
  });
}

} // namespace

bool carriesValue(const llvm::Loop &loop) {
  return llvm::any_of(loop.getHeader()->phis(), [&](const llvm::PHINode &phi) {
    return !isCounter(phi, loop) && !isReduction(phi, loop);
  });
}

} // namespace aiwc::decoding
