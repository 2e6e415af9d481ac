// Which NaN an operation gives. LLVM leaves that open, and thus swaps operands, drops operations
// that change NaNs only, moves negations and computes with constants as it likes.
#include "engine_passes/function_lowering.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>

namespace aiwc::engine {

using llvm::Instruction;

namespace {

/// Most operations whose NaNs are chosen together. Their operands are needed again where a NaN is
/// found, so they occupy registers until then.
constexpr size_t kMostTogether = 16;

/// Whether all NaNs are the same to the instruction.
bool ignoresPayload(const Instruction &instruction) {
  return llvm::isa<llvm::FCmpInst>(instruction);
}

} // namespace

/// `result`, but if it is a NaN, the one that the processor gives to Oclgrind's own code: the first
/// of `operands` that is a NaN, made quiet, or if none is, the default one.
llvm::Value *FunctionLowering::withNaNOf(Builder &at, llvm::ArrayRef<llvm::Value *> operands,
                                         llvm::Value *result) {
  if (llvm::isKnownNeverNaN(result, nullptr))
    return result;
  llvm::Type *type = result->getType();
  const unsigned width = type->getScalarSizeInBits();
  llvm::Type *bits = at.getIntNTy(width);
  if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    bits = llvm::FixedVectorType::get(bits, vector->getNumElements());
  const uint64_t exponentAndSign = width == 32 ? 0xff800000 : 0xfff0000000000000;
  const uint64_t quiet = width == 32 ? 0x400000 : 0x8000000000000;
  llvm::Value *nan = llvm::ConstantInt::get(bits, exponentAndSign);
  for (llvm::Value *operand : llvm::reverse(operands))
    if (!llvm::isKnownNeverNaN(operand, nullptr))
      nan =
          at.CreateSelect(at.CreateFCmpUNO(operand, operand), at.CreateBitCast(operand, bits), nan);
  nan = at.CreateBitCast(at.CreateOr(nan, llvm::ConstantInt::get(bits, quiet)), type);
  llvm::Value *exact = at.CreateSelect(at.CreateFCmpUNO(result, result), nan, result);
  auto *first = llvm::dyn_cast<Instruction>(result);
  auto *last = llvm::dyn_cast<Instruction>(exact);
  if (first && last)
    realOperations_.push_back({first, last, currentBlock_});
  return exact;
}

/// Whether Oclgrind's functions that only change the sign leave a NaN of this type as it is. They
/// convert a `float` to `double`, which makes every NaN quiet.
bool FunctionLowering::keepsSignalling(const llvm::Value &value) {
  return value.getType()->getScalarType()->isDoubleTy();
}

/// Takes the choice of NaNs out of the usual path. An operation with a NaN among its operands gives
/// a NaN, so operations that feed one another need one test, of the last result: if that is a NaN,
/// a block of its own computes them all again and chooses the NaN of each.
void FunctionLowering::chooseNaNsApart() {
  std::unordered_map<const llvm::Value *, size_t> owners; // by instruction, its operation
  for (size_t i = 0; i < realOperations_.size(); ++i)
    for (Instruction *part = realOperations_[i].plain;; part = part->getNextNode()) {
      owners[part] = i;
      if (part == realOperations_[i].exact)
        break;
    }

  // An operation joins those that use its result, if they are together and nothing else does.
  struct Group {
    std::vector<size_t> operations; ///< the last one first
    bool chooses;                   ///< whether the NaN matters
  };
  std::vector<Group> groups;
  std::vector<size_t> groupOf(realOperations_.size());
  constexpr size_t kNone = SIZE_MAX;
  for (size_t i = realOperations_.size(); i-- > 0;) {
    size_t joined = kNone;
    bool matters = false;
    for (const llvm::User *user : realOperations_[i].exact->users()) {
      const auto owner = owners.find(user);
      if (owner == owners.end()) {
        matters |= !ignoresPayload(llvm::cast<Instruction>(*user));
        continue;
      }
      const size_t group = groupOf[owner->second];
      const bool near = realOperations_[owner->second].block == realOperations_[i].block;
      if (!near || (joined != kNone && joined != group))
        matters = true;
      joined = group;
    }
    if (joined == kNone || matters || groups[joined].operations.size() == kMostTogether) {
      groups.push_back({{}, joined != kNone || matters});
      joined = groups.size() - 1;
    }
    groups[joined].operations.push_back(i);
    groupOf[i] = joined;
  }

  // In the order of the code, because an operation uses results of groups before.
  std::vector<Instruction *> usual(realOperations_.size());
  for (size_t i = 0; i < realOperations_.size(); ++i) {
    const auto &[plain, exact, block] = realOperations_[i];
    const Group &group = groups[groupOf[i]];
    usual[i] = plain->clone();
    usual[i]->insertBefore(plain);
    for (llvm::Use &operand : usual[i]->operands())
      if (const auto owner = owners.find(operand.get());
          owner != owners.end() && groupOf[owner->second] == groupOf[i])
        operand.set(usual[owner->second]);
    const bool isLast = group.operations.front() == i;
    exact->replaceUsesWithIf(usual[i], [&](const llvm::Use &use) {
      return !owners.contains(use.getUser()) && !(isLast && group.chooses);
    });
    if (isLast)
      finishGroup(group.operations, usual, group.chooses);
  }
  realOperations_.clear();
}

/// Moves the operations, the last one first, to a block that is executed if the last one's usual
/// result is a NaN; removes them if they are not needed.
void FunctionLowering::finishGroup(const std::vector<size_t> &operations,
                                   const std::vector<Instruction *> &usual, bool chooses) {
  Instruction *const exact = realOperations_[operations.front()].exact;
  Instruction *const result = usual[operations.front()];
  Instruction *const next = exact->getNextNode();
  const auto partsOf = [&](size_t operation) {
    std::vector<Instruction *> parts;
    for (Instruction *part = realOperations_[operation].plain;; part = part->getNextNode()) {
      parts.push_back(part);
      if (part == realOperations_[operation].exact)
        return parts;
    }
  };
  if (!chooses) {
    for (const size_t operation : operations) { // each before those whose results it uses
      const std::vector<Instruction *> parts = partsOf(operation);
      for (Instruction *part : llvm::reverse(parts))
        part->eraseFromParent();
    }
    return;
  }
  Builder at(next);
  llvm::Value *isNaN = at.CreateFCmpUNO(result, result);
  if (isNaN->getType()->isVectorTy())
    isNaN = at.CreateOrReduce(isNaN);
  Instruction *end = detourIf(isNaN, *next, "nan");
  llvm::BasicBlock *choice = end->getParent();
  auto *merged = llvm::PHINode::Create(result->getType(), 2, "", &next->getParent()->front());
  exact->replaceAllUsesWith(merged);
  for (const size_t operation : llvm::reverse(operations))
    for (Instruction *part : partsOf(operation))
      part->moveBefore(end);
  merged->addIncoming(result, choice->getSinglePredecessor());
  merged->addIncoming(exact, choice);
}

} // namespace aiwc::engine
