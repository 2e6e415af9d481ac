#include "shared_memory.h"

#include "lowering/address_spaces.h"

#include <llvm/IR/DerivedTypes.h>

namespace aiwc::cuda {

using namespace lowering; // the passes that all languages share

bool isDynamicShared(const llvm::GlobalVariable &variable) {
  return variable.getAddressSpace() == kLocalSpace && variable.isDeclaration();
}

llvm::PointerType *dynamicPointerType(const llvm::GlobalVariable &variable) {
  llvm::Type *type = variable.getValueType();
  while (type->isArrayTy())
    type = type->getArrayElementType();
  return type->getPointerTo(kLocalSpace);
}

} // namespace aiwc::cuda
