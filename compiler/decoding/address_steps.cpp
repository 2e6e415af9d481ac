#include "decoding/address_steps.h"

#include "decoding/builtins.h"

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace aiwc::decoding {

namespace {

/// Whether `a | b` is a sum, as the compiler writes one: b fits below the zeros of a shift.
bool isDisjointOr(const llvm::Instruction &instruction) {
  const auto *shift = llvm::dyn_cast<llvm::Instruction>(instruction.getOperand(0));
  const auto *added = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  if (!shift || !added || shift->getOpcode() != llvm::Instruction::Shl)
    return false;
  const auto *zeros = llvm::dyn_cast<llvm::ConstantInt>(shift->getOperand(1));
  return zeros && added->getValue().getActiveBits() <= zeros->getZExtValue();
}

/// Whether a product of 32 bits may exceed them in an ordinary launch.
bool wraps(const llvm::Instruction &instruction) {
  constexpr uint64_t kLarge = uint64_t{1} << 16;
  const auto *checked = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction);
  const bool neverWraps = checked && (checked->hasNoSignedWrap() || checked->hasNoUnsignedWrap());
  const auto *factor = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
  if (neverWraps || !factor || instruction.getType()->getScalarSizeInBits() > 32)
    return false;
  return instruction.getOpcode() == llvm::Instruction::Shl ? factor->getValue().uge(16)
                                                           : factor->getValue().abs().uge(kLarge);
}

} // namespace

AddressSteps::AddressSteps(std::span<const llvm::Function *const> functions,
                           const UniformValues &uniform)
    : uniform_(uniform) {
  // What is unknown adds nothing to a sum, so that a loop's counter has the parts of its beginning
  // and of its step. Parts only grow, so this ends.
  for (const llvm::Argument &argument : functions.front()->args())
    parts_[&argument] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Function *function : functions) {
      const llvm::ReversePostOrderTraversal<const llvm::Function *> order(function);
      for (const llvm::BasicBlock *block : order)
        for (const llvm::Instruction &instruction : *block) {
          changed = set(instruction, compute(instruction)) || changed;
          const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          const llvm::Function *callee = call ? calledFunction(*call) : nullptr;
          if (!callee || callee->isDeclaration())
            continue;
          for (const llvm::Argument &parameter : callee->args())
            if (parameter.getArgNo() < call->arg_size())
              changed =
                  set(parameter, partsOf(*call->getArgOperand(parameter.getArgNo()), *call)) ||
                  changed;
        }
    }
  }
}

bool AddressSteps::set(const llvm::Value &value, std::optional<Parts> parts) {
  if (!parts)
    return false;
  const auto [known, isNew] = parts_.try_emplace(&value, *parts);
  const Parts all = known->second | *parts;
  return isNew || std::exchange(known->second, all) != all;
}

bool AddressSteps::areAlike(const llvm::Instruction &access, const llvm::Value *stored) const {
  const auto isAlike = [&](const llvm::Value &value) {
    const auto parts = partsOf(value, access);
    return !parts || (*parts & kOther) == 0; // never computed: never executed
  };
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&access)) {
    const unsigned named = call->getFunctionType()->getNumParams(); // without what printf prints
    return std::ranges::all_of(call->args(), [&](const llvm::Use &use) {
      return use == stored || use.getOperandNo() >= named || isAlike(*use);
    });
  }
  const llvm::Value *const pointer =
      llvm::isa<llvm::StoreInst>(access) ? access.getOperand(1) : access.getOperand(0);
  return isAlike(*pointer);
}

std::optional<AddressSteps::Parts> AddressSteps::partsOf(const llvm::Value &value,
                                                         const llvm::Instruction &user) const {
  if (!llvm::isa<llvm::Instruction>(value) && !llvm::isa<llvm::Argument>(value))
    return Parts{0};
  if (!uniform_.leaveAlike(value, user))
    return kOther;
  if (llvm::isa<llvm::Instruction>(value) && uniform_.isUniform(value))
    return Parts{0};
  const auto found = parts_.find(&value);
  return found == parts_.end() ? std::nullopt : std::optional(found->second);
}

/// The parts of all operands together.
std::optional<AddressSteps::Parts> AddressSteps::sum(const llvm::Instruction &instruction) const {
  std::optional<Parts> all;
  const auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
  for (const llvm::Use &operand : instruction.operands()) {
    const llvm::Instruction &user =
        phi ? *phi->getIncomingBlock(operand)->getTerminator() : instruction;
    if (const auto parts = partsOf(*operand, user))
      all = all.value_or(0) | *parts;
  }
  return all;
}

/// Any function of the operands: of the local id if they follow from that alone.
std::optional<AddressSteps::Parts>
AddressSteps::function(const llvm::Instruction &instruction) const {
  Parts all = 0;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const auto operands = call ? llvm::iterator_range(call->arg_begin(), call->arg_end())
                             : llvm::iterator_range(instruction.op_begin(), instruction.op_end());
  for (const llvm::Use &operand : operands)
    if (!llvm::isa<llvm::MetadataAsValue>(operand)) {
      const auto parts = partsOf(*operand, instruction);
      if (!parts)
        return std::nullopt;
      all |= *parts;
    }
  return all <= kOfLane ? all : kOther;
}

std::optional<AddressSteps::Parts>
AddressSteps::product(const llvm::Instruction &instruction) const {
  const auto a = partsOf(*instruction.getOperand(0), instruction);
  const auto b = partsOf(*instruction.getOperand(1), instruction);
  if (!a || !b)
    return std::nullopt;
  if (wraps(instruction))
    return function(instruction);
  if (*b == 0)
    return a;
  return *a == 0 && instruction.getOpcode() == llvm::Instruction::Mul ? b : function(instruction);
}

std::optional<AddressSteps::Parts> AddressSteps::ofCall(const llvm::CallBase &call) const {
  const llvm::Function *callee = calledFunction(call);
  if (!callee)
    return kOther;
  if (!callee->isDeclaration()) {
    const llvm::ReturnInst *only = nullptr;
    for (const llvm::BasicBlock &block : *callee)
      if (const auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
        if (only)
          return kOther;
        only = end;
      }
    return only && only->getReturnValue() ? partsOf(*only->getReturnValue(), *only) : kOther;
  }
  const std::string_view name = plainName({callee->getName().data(), callee->getName().size()});
  const bool isOfOneDimension =
      call.arg_size() == 0 || llvm::isa<llvm::ConstantInt>(call.getArgOperand(0));
  if (isOfOneDimension) {
    if (name == "get_local_id" || name == "get_local_linear_id")
      return kOfLane;
    if (name == "get_group_id")
      return kOfGroup;
    if (name == "get_global_id" || name == "get_global_linear_id")
      return kOfLane | kOfGroup;
  }
  const BuiltinTraits traits = builtinTraits(call, *callee);
  if (traits.memory != trace::MemoryKind::kNone || name.starts_with("atom") ||
      name.starts_with("get_"))
    return kOther;
  return function(call);
}

std::optional<AddressSteps::Parts>
AddressSteps::compute(const llvm::Instruction &instruction) const {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Load: // unless it is uniform, which partsOf asks
  case llvm::Instruction::Alloca:
  case llvm::Instruction::AtomicRMW:
  case llvm::Instruction::AtomicCmpXchg:
    return kOther;
  case llvm::Instruction::Call:
    return ofCall(llvm::cast<llvm::CallBase>(instruction));
  case llvm::Instruction::PHI:
    return uniform_.isChosenAlike(llvm::cast<llvm::PHINode>(instruction)) ? sum(instruction)
                                                                          : kOther;
  case llvm::Instruction::Trunc: {
    constexpr unsigned kIndexBits = 32; // a launch has fewer work-items
    return instruction.getType()->getScalarSizeInBits() >= kIndexBits ? sum(instruction)
                                                                      : function(instruction);
  }
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::BitCast:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::GetElementPtr:
    return sum(instruction);
  case llvm::Instruction::Or:
    return isDisjointOr(instruction) ? sum(instruction) : function(instruction);
  case llvm::Instruction::Mul:
  case llvm::Instruction::Shl:
    return product(instruction);
  case llvm::Instruction::Select: {
    const auto condition = partsOf(*instruction.getOperand(0), instruction);
    if (!condition)
      return std::nullopt;
    return *condition == 0 ? sum(instruction) : function(instruction);
  }
  default:
    return function(instruction);
  }
}

} // namespace aiwc::decoding
