#include "lowering/local_variables.h"

#include "lowering/address_spaces.h"
#include "lowering/inlining.h"
#include "lowering/names.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

namespace aiwc::lowering {
namespace {

bool isNamedAfter(const llvm::GlobalVariable &variable, const llvm::Function &kernel) {
  llvm::StringRef name = variable.getName();
  return name.consume_front(kernel.getName()) && name.startswith(".");
}

std::vector<llvm::Use *> usesIn(llvm::GlobalVariable &variable, const llvm::Function &kernel) {
  std::vector<llvm::Use *> uses;
  for (llvm::Use &use : variable.uses())
    if (auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
        user && user->getFunction() == &kernel)
      uses.push_back(&use);
  return uses;
}

} // namespace

bool hasForeignLocalVariables(const llvm::Module &module) {
  const auto isFound = [&](const llvm::GlobalVariable &variable) {
    return std::any_of(module.begin(), module.end(), [&](const llvm::Function &function) {
      return function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL &&
             isNamedAfter(variable, function);
    });
  };
  return std::any_of(module.global_begin(), module.global_end(),
                     [&](const llvm::GlobalVariable &variable) {
                       return variable.getAddressSpace() == kLocalSpace && !variable.use_empty() &&
                              !isFound(variable);
                     });
}

uint64_t takeLocalVariables(llvm::Function &kernel) {
  llvm::Module &module = *kernel.getParent();
  std::vector<llvm::GlobalVariable *> known;
  for (llvm::GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == kLocalSpace && variable.hasInitializer())
      known.push_back(&variable);
  uint64_t bytes = 0;
  for (llvm::GlobalVariable *variable : known) {
    const std::vector<llvm::Use *> uses = usesIn(*variable, kernel);
    if (uses.empty())
      continue;
    llvm::Type *type = variable->getValueType();
    bytes += module.getDataLayout().getTypeAllocSize(type);
    if (isNamedAfter(*variable, kernel))
      continue;
    auto *own = new llvm::GlobalVariable(
        module, type, false, llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type),
        kernel.getName() + "." + readableVariableName(variable->getName().str()), variable,
        llvm::GlobalValue::NotThreadLocal, kLocalSpace);
    own->setAlignment(variable->getAlign());
    for (llvm::Use *use : uses)
      use->set(own);
  }
  return bytes;
}

} // namespace aiwc::lowering
