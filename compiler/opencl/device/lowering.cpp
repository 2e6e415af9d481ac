#include "lowering.h"

#include "functions.h"
#include "lowering/address_spaces.h"
#include "lowering/inlining.h"
#include "lowering/local_variables.h"
#include "lowering/passes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace aiwc::opencl {
namespace {

using llvm::CallInst;
using llvm::Function;
using llvm::IRBuilder;

constexpr const char *kSizeFunction = "_Z18get_sub_group_sizev";

std::vector<CallInst *> callsOf(Function &kernel, llvm::StringRef name) {
  std::vector<CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *call = llvm::dyn_cast<CallInst>(&instruction);
        call && call->getCalledFunction() && call->getCalledFunction()->getName() == name)
      calls.push_back(call);
  return calls;
}

/// The work-items of a group, as the kernel's attribute fixes them, or at most.
uint64_t itemsOf(const Function &kernel, unsigned mostItems) {
  const llvm::MDNode *size = kernel.getMetadata("reqd_work_group_size");
  if (!size || size->getNumOperands() != 3)
    return mostItems;
  uint64_t items = 1;
  for (const llvm::MDOperand &operand : size->operands())
    items *= llvm::mdconst::extract<llvm::ConstantInt>(operand)->getZExtValue();
  return items;
}

void replaceSlots(Function &kernel, llvm::StringRef name, unsigned bytes, unsigned mostItems) {
  const std::vector<CallInst *> calls = callsOf(kernel, name);
  if (calls.empty())
    return;
  llvm::Module &module = *kernel.getParent();
  auto *type = llvm::ArrayType::get(llvm::Type::getIntNTy(module.getContext(), bytes * 8),
                                    itemsOf(kernel, mostItems));
  // Oclgrind recognises the local variables of a kernel by their names.
  auto *slots = new llvm::GlobalVariable(
      module, type, false, llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type),
      kernel.getName() + (bytes == 4 ? ".exchanged" : ".exchanged_long"), nullptr,
      llvm::GlobalValue::NotThreadLocal, lowering::kLocalSpace);
  slots->setAlignment(llvm::Align(bytes));
  for (CallInst *call : calls) {
    call->replaceAllUsesWith(llvm::ConstantExpr::getBitCast(slots, call->getType()));
    call->eraseFromParent();
  }
}

/// OpenCL's get_sub_group_size: the last sub-group of a group may be smaller.
void placeSizes(Function &kernel, unsigned subGroupSize) {
  const bool isFixed =
      kernel.getMetadata("reqd_work_group_size") && itemsOf(kernel, 0) % subGroupSize == 0;
  for (CallInst *call : callsOf(kernel, kSizeFunction)) {
    IRBuilder<> at(call);
    llvm::Value *size = at.getInt32(subGroupSize);
    if (!isFixed) {
      const auto ask = [&](const char *function, llvm::ArrayRef<llvm::Value *> arguments) {
        std::vector<llvm::Type *> types;
        for (const llvm::Value *argument : arguments)
          types.push_back(argument->getType());
        llvm::FunctionCallee callee = kernel.getParent()->getOrInsertFunction(
            function, llvm::FunctionType::get(at.getInt64Ty(), types, false));
        llvm::cast<Function>(callee.getCallee())->setCallingConv(llvm::CallingConv::SPIR_FUNC);
        CallInst *made = at.CreateCall(callee, arguments);
        made->setCallingConv(llvm::CallingConv::SPIR_FUNC);
        return at.CreateTrunc(made, at.getInt32Ty());
      };
      llvm::Value *items = at.getInt32(1);
      for (unsigned i = 0; i < 3; ++i)
        items = at.CreateMul(items, ask("_Z14get_local_sizej", {at.getInt32(i)}));
      llvm::Value *item = ask("_Z19get_local_linear_idv", {});
      llvm::Value *first = at.CreateSub(item, at.CreateURem(item, size));
      llvm::Value *rest = at.CreateSub(items, first);
      size = at.CreateSelect(at.CreateICmpULT(rest, size), rest, size);
    }
    call->replaceAllUsesWith(size);
    call->eraseFromParent();
  }
}

/// Replaces what the library takes for given: places in local memory, which become variables of the
/// kernel, and the number of work-items of a sub-group. `mostItems`: of a work-group. After
/// inlining.
void lowerExchanges(llvm::Module &module, unsigned subGroupSize, unsigned mostItems) {
  for (Function *kernel : lowering::kernelsOf(module)) {
    for (CallInst *call : callsOf(*kernel, "__aiwc_sub_group_size")) {
      call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), subGroupSize));
      call->eraseFromParent();
    }
    replaceSlots(*kernel, "__aiwc_slots4", 4, mostItems);
    replaceSlots(*kernel, "__aiwc_slots8", 8, mostItems);
    placeSizes(*kernel, subGroupSize);
  }
}

bool usesGenericPointers(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      if (lowering::isGeneric(instruction.getType()))
        return true;
      for (const llvm::Use &operand : instruction.operands())
        if (lowering::isGeneric(operand->getType()))
          return true;
    }
  return false;
}

/// The attributes that Oclgrind's compiler gives all functions with -Oz, on which the passes
/// depend.
void askForSmallCode(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr(llvm::Attribute::MinSize);
    function.addFnAttr(llvm::Attribute::OptimizeForSize);
  }
}

/// Compilers of other languages to SPIR-V call local variables as they like.
void takeForeignLocalVariables(llvm::Module &module) {
  if (!lowering::hasForeignLocalVariables(module))
    return;
  for (llvm::Function *kernel : lowering::kernelsOf(module)) {
    lowering::expandConstants(*kernel);
    lowering::takeLocalVariables(*kernel);
  }
}

} // namespace

lowering::LanguagePasses languagePasses(const Target &target) {
  return {.onFunctions = {},
          .onKernels = {{"local_variables", takeForeignLocalVariables},
                        {"exchange", [target](llvm::Module &module) {
                           lowerExchanges(module, target.subGroupSize, target.workItems);
                         }}}};
}

bool lower(llvm::Module &module, const Target &target) {
  if (target.fromSpirv)
    useNamesOfOclgrind(module);
  useEventsOfOclgrind(module);
  const bool callsLibrary = linkLibrary(module);
  const bool hasAtomics = replaceAtomicFunctions(module);
  const bool needsAll = hasAtomics || callsLibrary || usesGenericPointers(module) ||
                        lowering::hasForeignLocalVariables(module);
  if (!needsAll && !target.fromSpirv)
    return false;
  askForSmallCode(module);
  run(needsAll ? lowering::pipeline(languagePasses(target)) : lowering::finalPasses(), module);
  return true;
}

} // namespace aiwc::opencl
