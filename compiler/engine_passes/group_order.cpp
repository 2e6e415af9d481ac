/// Whether the work-groups of a kernel may run at once, as far as its code shows.

#include "decoding/builtins.h"
#include "engine_passes/function_lowering.h"
#include "engine_passes/value_types.h"
#include "simulator/images.h"

#include <llvm/IR/InstIterator.h>

namespace aiwc::engine {
namespace {

bool isGlobal(const llvm::Value &pointer) {
  return pointer.getType()->getPointerAddressSpace() == oclgrind::AddrSpaceGlobal;
}

} // namespace

void findOrder(const std::vector<const llvm::Function *> &functions, ModuleLowering &shared) {
  KernelCode &code = shared.code;
  code.runsAtOnce = shared.tellsOfReads = true;
  std::set<const llvm::Value *> read, readImages; // null: of an unknown buffer
  const auto write = [&](const llvm::Value *pointer) {
    const llvm::Value *base = shared.knownBase(pointer);
    if (base)
      code.written.insert(base);
    else
      shared.writesAnywhere = true;
  };
  for (const llvm::Function *function : functions)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      code.runsAtOnce &= !instruction.isVolatile();
      code.runsAtOnce &= !llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction);
      const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (store && isGlobal(*store->getPointerOperand()))
        write(store->getPointerOperand());
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load && isGlobal(*load->getPointerOperand()))
        read.insert(shared.knownBase(load->getPointerOperand()));
      const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function *callee = call ? decoding::calledFunction(*call) : nullptr;
      if (!callee || !callee->isDeclaration())
        continue;
      const std::string_view name =
          decoding::plainName({callee->getName().data(), callee->getName().size()});
      for (const llvm::Value *argument : call->args()) {
        const llvm::Type &type = *argument->getType();
        if (!type.isPointerTy() || isSampler(type) || !isGlobal(*argument))
          continue;
        const bool isImage = !imageTypeName(type).empty();
        if (!isImage || simulator::writesImage(name))
          write(argument);
        if (!isImage)
          read.insert(shared.knownBase(argument));
        else if (simulator::readsImage(name))
          readImages.insert(shared.knownBase(argument));
      }
    }
  const auto mayBeWritten = [&](const llvm::Value *base) {
    return shared.writesAnywhere || (base ? code.written.contains(base) : !code.written.empty());
  };
  // Code does not report the pixels that it reads.
  code.runsAtOnce &= llvm::none_of(readImages, mayBeWritten);
  // A group may read a value before another group writes it. This is detected only after the group
  // has ended, so its loops must end whatever it reads.
  shared.limitsWork = llvm::any_of(read, mayBeWritten);
}

} // namespace aiwc::engine
