/// Types of values: their lanes, and those that the interpreter keeps in another form than LLVM:
/// truth values and integers with odd widths in whole bytes, and halves as bits.
#pragma once

#include <llvm/IR/DerivedTypes.h>
#include <llvm/Support/MathExtras.h>

#include <string>

namespace aiwc::engine {

/// The number of lanes of a vector; 1 for a scalar.
inline unsigned laneCount(const llvm::Type *type) {
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// `scalar`, or a vector of as many as `type` has lanes.
inline llvm::Type *withLanesOf(llvm::Type *scalar, const llvm::Type *type) {
  return type->isVectorTy() ? llvm::FixedVectorType::get(scalar, laneCount(type)) : scalar;
}

/// The type in which the interpreter keeps a value of `type`: it treats an integer of an odd width
/// as one that has all bits of its bytes. Null if the interpreter does not support the width.
inline llvm::Type *keptType(llvm::Type *type) {
  auto *integer = llvm::dyn_cast<llvm::IntegerType>(type->getScalarType());
  const bool isHalf = type->getScalarType()->isHalfTy();
  if (!integer && !isHalf)
    return type;
  const unsigned bytes = isHalf ? 2 : (integer->getBitWidth() + 7) / 8;
  if (bytes > 8 || !llvm::isPowerOf2_32(bytes))
    return nullptr;
  return withLanesOf(llvm::IntegerType::get(type->getContext(), 8 * bytes), type);
}

/// Whether a value of `type` is an address in global or constant memory.
inline bool pointsToBuffer(const llvm::Type &type) {
  return type.isPointerTy() &&
         (type.getPointerAddressSpace() == 1 || type.getPointerAddressSpace() == 2);
}

/// The name of an image type in OpenCL C, "image2d_array_t"; empty if `type` is another type.
inline std::string imageTypeName(const llvm::Type &type) {
  const auto *pointer = llvm::dyn_cast<llvm::PointerType>(&type);
  const auto *pointee =
      pointer ? llvm::dyn_cast<llvm::StructType>(pointer->getNonOpaquePointerElementType())
              : nullptr;
  llvm::StringRef name = pointee && pointee->hasName() ? pointee->getName() : "";
  if (!name.consume_front("opencl.image")) // opencl.image2d_array_ro_t
    return "";
  return "image" + name.substr(0, name.find("_t")).rsplit('_').first.str() + "_t";
}

/// Whether `type` is that of samplers.
inline bool isSampler(const llvm::Type &type) {
  const auto *pointer = llvm::dyn_cast<llvm::PointerType>(&type);
  const auto *pointee =
      pointer ? llvm::dyn_cast<llvm::StructType>(pointer->getNonOpaquePointerElementType())
              : nullptr;
  return pointee && pointee->hasName() && pointee->getName().startswith("opencl.sampler_t");
}

} // namespace aiwc::engine
