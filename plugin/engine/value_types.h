/// Truth values and odd integers, which the interpreter keeps in whole bytes.
#pragma once

#include <llvm/IR/DerivedTypes.h>
#include <llvm/Support/MathExtras.h>

namespace aiwc::plugin::engine {

/// The type as which the interpreter treats a value of `type`: an integer of an odd width is one of
/// all bits of its bytes, whatever they hold. Null where it cannot.
inline llvm::Type *keptType(llvm::Type *type) {
  auto *integer = llvm::dyn_cast<llvm::IntegerType>(type->getScalarType());
  if (!integer)
    return type;
  const unsigned bytes = (integer->getBitWidth() + 7) / 8;
  if (bytes > 8 || !llvm::isPowerOf2_32(bytes))
    return nullptr;
  auto *kept = llvm::IntegerType::get(type->getContext(), 8 * bytes);
  if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return llvm::FixedVectorType::get(kept, vector->getNumElements());
  return kept;
}

} // namespace aiwc::plugin::engine
