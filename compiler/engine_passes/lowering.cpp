#include "engine_passes/lowering.h"

#include "engine_passes/function_lowering.h"
#include "engine_passes/value_types.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <unordered_map>

namespace aiwc::engine {

namespace {

/// The functions with a body that `function` calls, each once.
std::vector<const llvm::Function *> calleesOf(const llvm::Function &function) {
  llvm::SetVector<const llvm::Function *> callees;
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const auto *callee =
          call ? llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts())
               : nullptr;
      if (callee && !callee->isDeclaration())
        callees.insert(callee);
    }
  return {callees.begin(), callees.end()};
}

/// A function, and the indices of the functions that it calls.
struct CalledFunction {
  const llvm::Function *function;
  std::vector<size_t> callees;
};

/// The functions with a body that `kernel` can call, directly or not, each after those that it
/// calls, and last the kernel itself. Throws if one of them can call itself.
std::vector<CalledFunction> calledFunctions(const llvm::Function &kernel) {
  struct Visit {
    const llvm::Function *function;
    std::vector<const llvm::Function *> callees;
    size_t next;
  };
  constexpr size_t kOpen = SIZE_MAX;
  std::vector<CalledFunction> functions;
  std::unordered_map<const llvm::Function *, size_t> indices = {{&kernel, kOpen}};
  std::vector<Visit> path = {{&kernel, calleesOf(kernel), 0}};
  while (!path.empty()) {
    Visit &visit = path.back();
    if (visit.next < visit.callees.size()) {
      const llvm::Function *callee = visit.callees[visit.next++];
      const auto [entry, isNew] = indices.try_emplace(callee, kOpen);
      if (isNew)
        path.push_back({callee, calleesOf(*callee), 0});
      else if (entry->second == kOpen)
        throw NotCompilable("the function " + callee->getName().str() +
                            " calls itself, which OpenCL C does not allow");
      continue;
    }
    CalledFunction called{visit.function, {}};
    for (const llvm::Function *callee : visit.callees)
      called.callees.push_back(indices.at(callee));
    indices[visit.function] = functions.size();
    functions.push_back(std::move(called));
    path.pop_back();
  }
  return functions;
}

void findPositions(const decoding::DecodedProgram &decoded, ModuleLowering &shared) {
  for (size_t i = 0; i < decoded.program().blocks.size(); ++i) {
    const auto block = static_cast<trace::BlockId>(i);
    const llvm::Instruction *const *instruction = decoded.instructions(block);
    for (uint32_t offset = 0; instruction[offset]; ++offset)
      shared.positions[instruction[offset]] = {block, offset, !instruction[offset + 1]};
  }
}

/// Finds the buffers of the arguments of the functions, each of which comes after those that it
/// calls.
void findPassedBases(const std::vector<CalledFunction> &functions, ModuleLowering &shared) {
  for (auto caller = functions.rbegin(); caller != functions.rend(); ++caller)
    for (const llvm::Instruction &instruction : llvm::instructions(caller->function)) {
      const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const auto *callee =
          call ? llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts())
               : nullptr;
      if (!callee || callee->isDeclaration() || callee->arg_size() != call->arg_size())
        continue; // a call with other arguments is refused
      for (unsigned i = 0; i < callee->arg_size(); ++i) {
        const llvm::Type *type = callee->getArg(i)->getType();
        if (!type->isPointerTy() || isPrivatePointer(*type))
          continue;
        const llvm::Value *base = shared.knownBase(call->getArgOperand(i));
        if (base && (base->getType()->getPointerAddressSpace() != type->getPointerAddressSpace()))
          base = nullptr;
        const auto [entry, isNew] = shared.passedBases.try_emplace(callee->getArg(i), base);
        if (!isNew && entry->second != base)
          entry->second = nullptr;
      }
    }
}

/// The type in which values of `type` are passed.
llvm::Type *passedType(llvm::Type *type) {
  llvm::Type *kept = keptType(type);
  return kept ? kept : type; // a use of an unsupported type is refused
}

/// The function that takes over the body of `copy`.
llvm::Function *declare(llvm::Function &copy, bool isKernel, bool usesFrames) {
  llvm::LLVMContext &context = copy.getContext();
  llvm::Type *pointer = llvm::Type::getInt8PtrTy(context);
  std::vector<llvm::Type *> parameters = {pointer, pointer->getPointerTo()};
  if (!isKernel) {
    for (llvm::Type *parameter : copy.getFunctionType()->params()) {
      if (usesFrames && isPrivatePointer(*parameter)) {
        llvm::Type *number = llvm::Type::getInt64Ty(context);
        parameters.insert(parameters.end(), {pointer, number, number});
        static_assert(kFrameArguments == 3);
      } else {
        parameters.push_back(passedType(parameter));
      }
    }
  }
  auto *type = llvm::FunctionType::get(passedType(copy.getReturnType()), parameters, false);
  llvm::Function *target = llvm::Function::Create(
      type, isKernel ? llvm::Function::ExternalLinkage : llvm::Function::InternalLinkage,
      isKernel ? kEntryName : "aiwc." + copy.getName(), copy.getParent());
  target->setDoesNotThrow();
  target->addFnAttr("warn-stack-size", "0"); // has the code generator report its frame
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

KernelCode lower(llvm::Module &module, const llvm::Function &kernel,
                 const decoding::DecodedProgram &decoded, const oclgrind::InterpreterCache &cache,
                 Tracing tracing, Groups groups, const Accesses &inBounds) {
  KernelCode code;
  ModuleLowering shared{module, kernel, cache, tracing, code, {}, {}, {}, {}, {}};
  findPositions(decoded, shared);
  std::vector<std::pair<const llvm::Function *, llvm::Function *>> copies;
  const std::vector<CalledFunction> functions = calledFunctions(kernel);
  findPassedBases(functions, shared);
  if (tracing != Tracing::kOn) {
    std::vector<const llvm::Function *> originals;
    originals.reserve(functions.size());
    for (const CalledFunction &called : functions)
      originals.push_back(called.function);
    shared.usesFrames = canUseFrames(originals);
    if (groups == Groups::kAtOnce)
      findOrder(originals, shared);
    if (groups == Groups::kApart) {
      code.isApart = code.runsAtOnce = true;
      code.inBounds = inBounds;
    }
  }
  for (const CalledFunction &called : functions) {
    const llvm::Function *original = called.function;
    llvm::Function *copy = module.getFunction(original->getName());
    if (!copy || copy->isVarArg())
      throw NotCompilable("a function without a name or of variable arguments");
    copies.emplace_back(original, copy);
    llvm::Function *target = declare(*copy, original == &kernel, shared.usesFrames);
    shared.functions[original] = target;
    code.functions.push_back({target->getName().str(), called.callees});
  }
  for (const auto &[original, copy] : copies)
    FunctionLowering(shared, *original, *copy).run();
  llvm::StripDebugInfo(module);
  removeTheRest(module, shared);
  code.runsAtOnce &= !shared.copiesInGroups;
  if (shared.writesAnywhere) // then code tells of all that it reads
    for (const ValueSlot &slot : code.slots)
      code.written.insert(slot.value);
  if (tracing != Tracing::kOn) {
    lowerGroup(shared, *shared.functions.at(&kernel));
    code.triedWide = !code.runsGroups || tracing == Tracing::kOffAndWide;
  }
  return code;
}

} // namespace aiwc::engine
