#include "decoding/pointers.h"

#include "decoding/builtins.h"

#include <algorithm>

namespace aiwc::decoding {

const llvm::Value *storedOperand(const llvm::Instruction &instruction, trace::MemoryKind kind) {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getValueOperand();
  if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return update->getValOperand();
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getNewValOperand();
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || call->arg_size() == 0)
    return nullptr;
  if (kind == trace::MemoryKind::kAtomic) // the address comes first; atomic_inc has nothing else
    return call->arg_size() > 1 ? call->getArgOperand(call->arg_size() - 1) : nullptr;
  if (kind != trace::MemoryKind::kStore)
    return nullptr;
  // vstore has the value first; memset the byte after the address.
  for (const llvm::Use &argument : call->args())
    if (!argument->getType()->isPointerTy())
      return argument;
  return nullptr;
}

const llvm::Value *pointerOperand(const llvm::Instruction &instruction) {
  if (const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction))
    return pointer;
  if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  const llvm::Value *found = nullptr;
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    for (const llvm::Use &argument : call->args())
      if (argument->getType()->isPointerTy() &&
          (!found || found->getType()->getPointerAddressSpace() == 0))
        found = argument;
  return found;
}

std::vector<const llvm::Function *> reachableFunctions(const llvm::Function &kernel) {
  std::vector<const llvm::Function *> functions{&kernel};
  for (size_t next = 0; next < functions.size(); ++next) // grows while calls are met
    for (const llvm::BasicBlock &block : *functions[next])
      for (const llvm::Instruction &instruction : block)
        if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (const llvm::Function *callee = calledFunction(*call);
              callee && !callee->isDeclaration() &&
              std::ranges::find(functions, callee) == functions.end())
            functions.push_back(callee);
  return functions;
}

PointerTargets::PointerTargets(std::span<const llvm::Function *const> functions)
    : kernel_(functions.front()) {
  for (const llvm::Function *function : functions)
    for (const llvm::BasicBlock &block : *function)
      for (const llvm::Instruction &instruction : block)
        if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (const llvm::Function *callee = calledFunction(*call);
              callee && !callee->isDeclaration())
            calls_[callee].push_back(call);
}

std::span<const llvm::CallBase *const>
PointerTargets::callsOf(const llvm::Function &function) const {
  const auto calls = calls_.find(&function);
  if (calls == calls_.end())
    return {};
  return calls->second;
}

std::optional<std::vector<const llvm::Value *>>
PointerTargets::of(const llvm::Value &pointer) const {
  std::vector<const llvm::Value *> visited, found;
  if (!find(pointer, visited, found))
    return std::nullopt;
  return found;
}

bool PointerTargets::find(const llvm::Value &pointer, std::vector<const llvm::Value *> &visited,
                          std::vector<const llvm::Value *> &found) const {
  llvm::SmallVector<const llvm::Value *, 4> objects;
  llvm::getUnderlyingObjects(&pointer, objects, nullptr, 0);
  for (const llvm::Value *object : objects) {
    if (std::ranges::find(visited, object) != visited.end())
      continue;
    visited.push_back(object);
    const auto *argument = llvm::dyn_cast<llvm::Argument>(object);
    if (argument && argument->getParent() != kernel_) {
      const auto calls = callsOf(*argument->getParent());
      if (calls.empty() || argument->hasByValAttr())
        return false;
      for (const llvm::CallBase *call : calls)
        if (argument->getArgNo() >= call->arg_size() ||
            !find(*call->getArgOperand(argument->getArgNo()), visited, found))
          return false;
    } else if (argument || llvm::isa<llvm::GlobalVariable>(object) ||
               llvm::isa<llvm::AllocaInst>(object)) {
      found.push_back(object);
    } else {
      return false;
    }
  }
  return true;
}

} // namespace aiwc::decoding
