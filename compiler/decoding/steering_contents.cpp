#include "decoding/steering_contents.h"

#include "decoding/builtins.h"
#include "decoding/pointers.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace aiwc::decoding {
namespace {

constexpr unsigned kPrivateMemory = 0, kConstantMemory = 2, kLocalMemory = 3;

/// The call of a function without a body; null for other instructions.
const llvm::CallBase *builtinCall(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function *callee = call ? calledFunction(*call) : nullptr;
  return callee && callee->isDeclaration() ? call : nullptr;
}

/// A backward slice: the values and the contents of memory from which addresses and conditions
/// follow. Which value a branch or the end of a loop chooses needs no place in it: the conditions
/// of all branches are in the slice.
class Slice {
public:
  explicit Slice(const llvm::Function &kernel)
      : functions_(reachableFunctions(kernel)), targets_(functions_) {
    forEach([this](const llvm::Instruction &instruction) { addWrite(instruction); });
  }

  SteeringContents find() {
    forEach([this](const llvm::Instruction &instruction) { addPath(instruction); });
    follow();
    SteeringContents found;
    for (const llvm::Argument &argument : functions_.front()->args())
      found.arguments.push_back(contents_.contains(&argument));
    found.others = others_;
    return found;
  }

private:
  struct Write {
    const llvm::Instruction *instruction;
    unsigned space;
    std::optional<std::vector<const llvm::Value *>> targets; ///< as PointerTargets::of
  };

  template <typename Visit> static void forEach(const llvm::Function &function, Visit visit) {
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block)
        visit(instruction);
  }
  template <typename Visit> void forEach(Visit visit) const {
    for (const llvm::Function *function : functions_)
      forEach(*function, visit);
  }

  void addWrite(const llvm::Instruction &instruction) {
    const auto add = [&](const llvm::Value &pointer) {
      writes_.push_back(
          {&instruction, pointer.getType()->getPointerAddressSpace(), targets_.of(pointer)});
    };
    if (const llvm::CallBase *call = builtinCall(instruction)) {
      const auto memory = builtinTraits(*call, *calledFunction(*call)).memory;
      for (const llvm::Use &argument : call->args())
        if (argument->getType()->isPointerTy() && memory != trace::MemoryKind::kLoad)
          add(*argument);
    } else if (!llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::LoadInst>(instruction)) {
      if (const llvm::Value *pointer = pointerOperand(instruction))
        add(*pointer);
    }
  }

  /// Adds the addresses that the instruction accesses, and the condition of a branch.
  void addPath(const llvm::Instruction &instruction) {
    if (instruction.isTerminator()) {
      if (instruction.getNumSuccessors() > 1)
        add(*instruction.getOperand(0));
      return;
    }
    if (const llvm::CallBase *call = builtinCall(instruction))
      return addAccess(*call);
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call) {
      others_ = others_ || !calledFunction(*call);
      return;
    }
    if (const llvm::Value *pointer = pointerOperand(instruction);
        pointer && pointer->getType()->getPointerAddressSpace() != kPrivateMemory)
      add(*pointer);
  }

  void addAccess(const llvm::CallBase &call) {
    const std::string_view name = calledName(call);
    const auto memory = builtinTraits(call, *calledFunction(call)).memory;
    if (memory == trace::MemoryKind::kNone || name == "printf" ||
        std::ranges::none_of(call.args(), [](const llvm::Use &argument) {
          return argument->getType()->isPointerTy() &&
                 argument->getType()->getPointerAddressSpace() != kPrivateMemory;
        }))
      return;
    const llvm::Value *data = name.starts_with("write_image")
                                  ? call.getArgOperand(call.arg_size() - 1)
                                  : storedOperand(call, memory);
    for (const llvm::Use &argument : call.args())
      if (argument.get() != data)
        add(*argument);
  }

  void add(const llvm::Value &value) {
    if (values_.insert(&value).second)
      open_.push_back(&value);
  }
  void addOperands(const llvm::Instruction &instruction) {
    for (const llvm::Use &operand : instruction.operands())
      add(*operand);
  }

  void follow() {
    while (!open_.empty()) {
      const llvm::Value &value = *open_.back();
      open_.pop_back();
      if (const auto *argument = llvm::dyn_cast<llvm::Argument>(&value))
        followArgument(*argument);
      else if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value))
        followInstruction(*instruction);
    }
  }

  void followArgument(const llvm::Argument &argument) {
    for (const llvm::CallBase *call : targets_.callsOf(*argument.getParent()))
      add(*call->getArgOperand(argument.getArgNo()));
  }

  void followInstruction(const llvm::Instruction &instruction) {
    if (llvm::isa<llvm::AllocaInst>(instruction))
      return;
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        call && !builtinCall(instruction)) {
      const llvm::Function *callee = calledFunction(*call);
      others_ = others_ || !callee;
      if (callee)
        forEach(*callee, [this](const llvm::Instruction &in) {
          if (llvm::isa<llvm::ReturnInst>(in))
            addOperands(in);
        });
      return;
    }
    addOperands(instruction);
    if (const llvm::CallBase *call = builtinCall(instruction)) {
      for (const llvm::Use &argument : call->args())
        if (argument->getType()->isPointerTy())
          addContents(*argument);
    } else if (const llvm::Value *pointer = pointerOperand(instruction)) {
      addContents(*pointer);
    }
  }

  void addContents(const llvm::Value &pointer) {
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&pointer);
        call && calledName(*call) == "__translate_sampler_initializer")
      return;
    const auto targets = targets_.of(pointer);
    if (!targets) {
      others_ = true;
      return;
    }
    for (const llvm::Value *target : *targets)
      if (contents_.insert(target).second)
        addWritesOf(*target);
  }

  /// Adds what the kernel writes to a variable or to the memory behind an argument.
  void addWritesOf(const llvm::Value &target) {
    const unsigned space = target.getType()->getPointerAddressSpace();
    if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&target);
        variable && !variable->isConstant() && space != kLocalMemory)
      others_ = true;
    if (space == kConstantMemory)
      return;
    for (const Write &write : writes_) {
      if (write.space != space ||
          (write.targets && std::ranges::find(*write.targets, &target) == write.targets->end()))
        continue;
      addOperands(*write.instruction);
      if (const llvm::CallBase *call = builtinCall(*write.instruction))
        for (const llvm::Use &argument : call->args())
          if (argument->getType()->isPointerTy())
            addContents(*argument);
    }
  }

  std::vector<const llvm::Function *> functions_; ///< the kernel first
  PointerTargets targets_;
  std::vector<Write> writes_;
  std::unordered_set<const llvm::Value *> values_;   ///< in the slice
  std::unordered_set<const llvm::Value *> contents_; ///< variables and arguments likewise
  std::vector<const llvm::Value *> open_;            ///< of `values_`, those to follow
  bool others_ = false;
};

} // namespace

SteeringContents steeringContents(const llvm::Function &kernel) {
  return Slice(kernel).find();
}

} // namespace aiwc::decoding
