/// Types of truth values and of integers with odd widths, which the interpreter keeps in whole
/// bytes.
#pragma once

#include <llvm/IR/DerivedTypes.h>
#include <llvm/Support/MathExtras.h>

namespace aiwc::plugin::engine {

/// The type in which the interpreter keeps a value of `type`: it treats an integer of an odd width
/// as one that has all bits of its bytes. Null if the interpreter does not support the width.
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
