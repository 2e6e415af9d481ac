#include "shared_memory.h"

#include "lowering/address_spaces.h"
#include "lowering/names.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace aiwc::cuda {

using namespace lowering; // the passes that all languages share

namespace {

std::vector<llvm::Use *> usesIn(llvm::GlobalVariable &variable, const llvm::Function &kernel) {
  std::vector<llvm::Use *> uses;
  for (llvm::Use &use : variable.uses())
    if (auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
        user && user->getFunction() == &kernel)
      uses.push_back(&use);
  return uses;
}

} // namespace

bool isDynamicShared(const llvm::GlobalVariable &variable) {
  return variable.getAddressSpace() == kLocalSpace && variable.isDeclaration();
}

llvm::PointerType *dynamicPointerType(const llvm::GlobalVariable &variable) {
  llvm::Type *type = variable.getValueType();
  while (type->isArrayTy())
    type = type->getArrayElementType();
  return type->getPointerTo(kLocalSpace);
}

uint64_t takeShared(llvm::Function &kernel) {
  llvm::Module &module = *kernel.getParent();
  std::vector<llvm::GlobalVariable *> shared;
  for (llvm::GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == kLocalSpace && variable.hasInitializer())
      shared.push_back(&variable);
  uint64_t bytes = 0;
  for (llvm::GlobalVariable *variable : shared) {
    const std::vector<llvm::Use *> uses = usesIn(*variable, kernel);
    if (uses.empty())
      continue;
    llvm::Type *type = variable->getValueType();
    auto *own = new llvm::GlobalVariable(
        module, type, false, llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type),
        kernel.getName() + "." + readableVariableName(variable->getName().str()), variable,
        llvm::GlobalValue::NotThreadLocal, kLocalSpace);
    own->setAlignment(variable->getAlign());
    for (llvm::Use *use : uses)
      use->set(own);
    bytes += module.getDataLayout().getTypeAllocSize(type);
  }
  return bytes;
}

} // namespace aiwc::cuda
