#include "decoding/accidental_doubles.h"

#include "decoding/builtins.h"
#include "decoding/related_values.h"

#include <unordered_map>
#include <vector>

namespace aiwc::decoding {

namespace {

bool isDouble(const llvm::Value &value) {
  return value.getType()->getScalarType()->isDoubleTy();
}

/// What is known of values that belong together.
struct RelatedDoubles {
  bool meant = false;
  bool float_ = false; ///< whether a float goes in or comes out
  std::vector<const llvm::Instruction *> operations, conversions;
};

enum class Part : uint8_t { kOperation, kConversion, kMove, kMeant };

Part partOf(const llvm::Instruction &instruction) {
  switch (opcodeOf(instruction)) {
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul:
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FRem:
  case llvm::Instruction::FCmp:
    return Part::kOperation;
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc:
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI:
    return Part::kConversion;
  case llvm::Instruction::FNeg:
  case llvm::Instruction::PHI:
  case llvm::Instruction::Select:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::ExtractElement:
  case llvm::Instruction::InsertElement:
  case llvm::Instruction::ShuffleVector:
    return Part::kMove;
  case llvm::Instruction::Call: {
    // A builtin computes with its arguments, unless it keeps them in memory or prints them.
    const auto &call = llvm::cast<llvm::CallBase>(instruction);
    const llvm::Function *callee = calledFunction(call);
    return callee && callee->isDeclaration() && !callee->isVarArg() &&
                   !call.getType()->isVoidTy() &&
                   llvm::none_of(call.args(),
                                 [](const llvm::Use &use) { return use->getType()->isPointerTy(); })
               ? Part::kOperation
               : Part::kMeant;
  }
  default:
    return Part::kMeant;
  }
}

} // namespace

AccidentalDoubles::AccidentalDoubles(std::span<const llvm::Function *const> functions) {
  for (const llvm::Function *function : functions)
    examine(*function);
}

void AccidentalDoubles::examine(const llvm::Function &function) {
  // The 64-bit value of each instruction that has one, itself or one of its operands.
  std::vector<std::pair<const llvm::Instruction *, const llvm::Value *>> found;
  RelatedValues related;
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block) {
      const llvm::Value *one = isDouble(instruction) ? &instruction : nullptr;
      for (const llvm::Use &operand : instruction.operands()) {
        if (!isDouble(*operand) || llvm::isa<llvm::Constant>(operand))
          continue;
        if (one)
          related.join(one, operand);
        one = operand;
      }
      if (one)
        found.emplace_back(&instruction, one);
    }
  if (found.empty())
    return;
  const llvm::DominatorTree dominators(const_cast<llvm::Function &>(function));
  std::unordered_map<const llvm::Value *, RelatedDoubles> groups;
  for (const auto &[instruction, value] : found) {
    RelatedDoubles &group = groups[related.of(value)];
    const Part part = partOf(*instruction);
    if (part == Part::kMeant)
      group.meant = true;
    if (part == Part::kOperation)
      group.operations.push_back(instruction);
    if (part == Part::kConversion) {
      group.conversions.push_back(instruction);
      group.float_ = group.float_ || llvm::isa<llvm::FPExtInst>(instruction) ||
                     llvm::isa<llvm::FPTruncInst>(instruction);
    }
    // A loop that carries a float carries it as a double if that saves the compiler a conversion.
    const auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction);
    for (unsigned i = 0; phi && i < phi->getNumIncomingValues(); ++i)
      if (dominators.dominates(phi->getParent(), phi->getIncomingBlock(i)) &&
          !llvm::isa<llvm::FPExtInst>(phi->getIncomingValue(i)))
        group.meant = true;
    for (const llvm::Use &operand : instruction->operands())
      if (llvm::isa<llvm::Argument>(operand) && isDouble(*operand))
        group.meant = true;
  }
  for (const auto &[root, group] : groups) {
    if (group.meant || !group.float_)
      continue;
    operations_.insert(group.operations.begin(), group.operations.end());
    conversions_.insert(group.conversions.begin(), group.conversions.end());
  }
}

} // namespace aiwc::decoding
