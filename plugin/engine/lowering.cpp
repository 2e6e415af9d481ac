#include "plugin/engine/lowering.h"

#include "plugin/engine/function_lowering.h"
#include "plugin/engine/value_types.h"

#include <algorithm>

namespace aiwc::plugin::engine {

namespace {

/// The functions with a body that `kernel` can call, directly or not, and first the kernel itself.
std::vector<const llvm::Function *> reachableFunctions(const llvm::Function &kernel) {
  std::vector<const llvm::Function *> functions = {&kernel};
  for (size_t next = 0; next < functions.size(); ++next)
    for (const llvm::BasicBlock &block : *functions[next])
      for (const llvm::Instruction &instruction : block) {
        const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call)
          continue;
        const auto *callee =
            llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
        if (callee && !callee->isDeclaration() &&
            std::ranges::find(functions, callee) == functions.end())
          functions.push_back(callee);
      }
  return functions;
}

void findPositions(const DecodedProgram &decoded, ModuleLowering &shared) {
  for (size_t i = 0; i < decoded.program().blocks.size(); ++i) {
    const auto block = static_cast<trace::BlockId>(i);
    const llvm::Instruction *const *instruction = decoded.instructions(block);
    for (uint32_t offset = 0; instruction[offset]; ++offset)
      shared.positions[instruction[offset]] = {block, offset, !instruction[offset + 1]};
  }
}

/// The type in which values of `type` are passed.
llvm::Type *passedType(llvm::Type *type) {
  llvm::Type *kept = keptType(type);
  return kept ? kept : type; // a use of an unsupported type is refused
}

/// The function that takes over the body of `copy`.
llvm::Function *declare(llvm::Function &copy, bool isKernel) {
  llvm::LLVMContext &context = copy.getContext();
  std::vector<llvm::Type *> parameters = {llvm::Type::getInt8PtrTy(context)};
  if (!isKernel)
    for (llvm::Type *parameter : copy.getFunctionType()->params())
      parameters.push_back(passedType(parameter));
  auto *type = llvm::FunctionType::get(passedType(copy.getReturnType()), parameters, false);
  llvm::Function *target = llvm::Function::Create(
      type, isKernel ? llvm::Function::ExternalLinkage : llvm::Function::InternalLinkage,
      isKernel ? kEntryName : "aiwc." + copy.getName(), copy.getParent());
  target->setDoesNotThrow();
  return target;
}

/// Removes everything except the lowered functions from `module`.
void removeTheRest(llvm::Module &module, const ModuleLowering &shared) {
  std::vector<llvm::Function *> others;
  for (llvm::Function &function : module) {
    const bool kept = std::ranges::any_of(
        shared.functions, [&](const auto &entry) { return entry.second == &function; });
    if (!kept && !function.isIntrinsic())
      others.push_back(&function);
  }
  for (llvm::Function *function : others)
    function->dropAllReferences();
  while (!module.named_metadata_empty())
    module.eraseNamedMetadata(&*module.named_metadata_begin());
  const auto eraseUnused = [](llvm::GlobalObject &object) {
    object.removeDeadConstantUsers();
    if (!object.use_empty())
      throw NotCompilable("internal error: a global object is still in use");
    object.eraseFromParent();
  };
  std::vector<llvm::GlobalVariable *> variables;
  for (llvm::GlobalVariable &variable : module.globals()) {
    variable.dropAllReferences();
    variables.push_back(&variable);
  }
  for (llvm::Function *function : others)
    eraseUnused(*function);
  for (llvm::GlobalVariable *variable : variables)
    eraseUnused(*variable);
}

} // namespace

KernelCode lower(llvm::Module &module, const llvm::Function &kernel, const DecodedProgram &decoded,
                 const oclgrind::InterpreterCache &cache, Tracing tracing) {
  KernelCode code;
  ModuleLowering shared{module, kernel, cache, tracing, code, {}, {}, {}};
  findPositions(decoded, shared);
  std::vector<std::pair<const llvm::Function *, llvm::Function *>> copies;
  for (const llvm::Function *original : reachableFunctions(kernel)) {
    llvm::Function *copy = module.getFunction(original->getName());
    if (!copy || copy->isVarArg())
      throw NotCompilable("a function without a name or of variable arguments");
    copies.emplace_back(original, copy);
    shared.functions[original] = declare(*copy, original == &kernel);
  }
  for (const auto &[original, copy] : copies)
    FunctionLowering(shared, *original, *copy).run();
  llvm::StripDebugInfo(module);
  removeTheRest(module, shared);
  return code;
}

} // namespace aiwc::plugin::engine
