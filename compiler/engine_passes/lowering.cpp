#include "engine_passes/lowering.h"

#include "decoding/builtins.h"
#include "engine_passes/function_lowering.h"
#include "engine_passes/value_types.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <unordered_map>

namespace aiwc::engine {

namespace {

/// A function, and the indices of the functions that it calls.
struct CalledFunction {
  const llvm::Function *function;
  std::vector<size_t> callees;
};

/// The functions with a body that a kernel can call, directly or not, each after those that it
/// calls, and last the kernel itself.
class CalledFunctions {
public:
  /// Throws if one of them can call itself.
  explicit CalledFunctions(const llvm::Function &kernel) { add(kernel); }

  const std::vector<CalledFunction> &inOrder() const { return functions_; }

private:
  static constexpr size_t kOpen = SIZE_MAX;

  /// Adds a function behind those that it calls, if it is missing, and returns its index.
  size_t add(const llvm::Function &function) {
    const auto [known, isNew] = indices_.try_emplace(&function, kOpen);
    if (!isNew && known->second == kOpen)
      throw NotCompilable("the function " + function.getName().str() +
                          " calls itself, which OpenCL C does not allow");
    if (!isNew)
      return known->second;
    llvm::SetVector<size_t> callees;
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function *callee = call ? decoding::calledFunction(*call) : nullptr;
      if (callee && !callee->isDeclaration())
        callees.insert(add(*callee));
    }
    functions_.push_back({&function, callees.takeVector()});
    return indices_[&function] = functions_.size() - 1;
  }

  std::vector<CalledFunction> functions_;
  std::unordered_map<const llvm::Function *, size_t> indices_;
};

void findPositions(const decoding::DecodedProgram &decoded, ModuleLowering &shared) {
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
                 Tracing tracing, const ArgumentValues &seen, Groups groups,
                 const Accesses &inBounds) {
  KernelCode code;
  const decoding::PointerTargets pointers(decoding::reachableFunctions(kernel));
  ModuleLowering shared{module, kernel, cache, tracing, code, pointers, {}, {}, {}, {}, seen};
  findPositions(decoded, shared);
  std::vector<std::pair<const llvm::Function *, llvm::Function *>> copies;
  const CalledFunctions called(kernel);
  if (tracing != Tracing::kOn) {
    std::vector<const llvm::Function *> originals;
    originals.reserve(called.inOrder().size());
    for (const CalledFunction &one : called.inOrder())
      originals.push_back(one.function);
    shared.usesFrames = canUseFrames(originals);
    if (groups == Groups::kAtOnce)
      findOrder(originals, shared);
    if (groups == Groups::kApart) {
      code.isApart = code.runsAtOnce = true;
      code.inBounds = inBounds;
    }
  }
  for (const auto &[original, callees] : called.inOrder()) {
    llvm::Function *copy = module.getFunction(original->getName());
    if (!copy || copy->isVarArg())
      throw NotCompilable("a function without a name or of variable arguments");
    copies.emplace_back(original, copy);
    llvm::Function *target = declare(*copy, original == &kernel, shared.usesFrames);
    shared.functions[original] = target;
    code.functions.push_back({target->getName().str(), callees});
  }
  for (const auto &[original, copy] : llvm::reverse(copies))
    shared.passArguments(*original);
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
