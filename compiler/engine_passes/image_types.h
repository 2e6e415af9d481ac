/// The types of images and samplers in LLVM's IR: pointers to opaque structures.
#pragma once

#include <llvm/IR/DerivedTypes.h>

#include <string>

namespace aiwc::engine {

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
