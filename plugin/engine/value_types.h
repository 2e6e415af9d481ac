/// Truth values and odd integers, which the interpreter keeps in whole bytes and machine code in
/// bits.
#pragma once

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Instructions.h>

namespace aiwc::plugin::engine {

inline bool isBool(const llvm::Type *type) {
  return type->getScalarType()->isIntegerTy(1);
}

inline bool isVectorOfBool(const llvm::Type *type) {
  return type->isVectorTy() && isBool(type);
}

/// An integer of an odd width that the compiler made to switch on, as of `x & 3`.
inline bool isSwitchSelector(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::TruncInst>(instruction) && !isBool(instruction.getType()) &&
         instruction.getType()->isIntegerTy() &&
         (instruction.getType()->getIntegerBitWidth() < 8 ||
          !llvm::isPowerOf2_32(instruction.getType()->getIntegerBitWidth())) &&
         llvm::all_of(instruction.users(),
                      [](const llvm::User *user) { return llvm::isa<llvm::SwitchInst>(user); });
}

} // namespace aiwc::plugin::engine
