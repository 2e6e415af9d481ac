#include "decoding/builtins.h"
#include "lowering/address_spaces.h"
#include "lowering/builtins.h"
#include "lowering/inlining.h"
#include "lowering/locations.h"
#include "lowering/passes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <vector>

namespace aiwc::lowering {
namespace {

using llvm::CallBase;
using llvm::Value;

bool isAllocation(llvm::StringRef name) {
  return name == "malloc" || name == "free" || name.startswith("_Znw") || name.startswith("_Zna") ||
         name.startswith("_Zdl") || name.startswith("_Zda");
}

void checkCallee(const CallBase &call, llvm::StringRef name) {
  if (isAllocation(name))
    refuse(call, "dynamic memory (" + plainName(name) + ")");
  if (decoding::isMeeting(name) || name == decoding::kWarpSizeFunction)
    return;
  if (name == "__aiwc_grid_barrier")
    refuse(call, "a barrier of the whole grid");
  if (name == "__aiwc_pipeline_roles")
    refuse(call, "a pipeline of producers and consumers");
  if (name == "__aiwc_pipeline_of_part")
    refuse(call, "a pipeline of a part of the block");
  if (name.startswith("__aiwc_"))
    refuse(call, "the warp function " + name.substr(7).str());
  if (name.startswith("__atomic_"))
    refuse(call, "the atomic operation " + name.substr(9).str());
  if (!isOpenClFunction(name))
    failWith(call, "uses the function " + plainName(name) + ", which is defined nowhere");
}

void checkCall(const CallBase &call) {
  if (call.isInlineAsm())
    refuse(call, "inline assembly");
  const auto *callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  if (!callee)
    refuse(call, "a call through a pointer (a virtual function or a function pointer)");
  if (!callee->isIntrinsic())
    checkCallee(call, callee->getName());
  else if (callee != call.getCalledFunction())
    refuse(call, "the function " + callee->getName().str() + " with other types");
}

void checkType(const llvm::Instruction &where, const llvm::Type *type) {
  type = type->getScalarType();
  if (type->isBFloatTy())
    refuse(where, "arithmetic of bfloat16");
  if (type->isFP128Ty() || type->isX86_FP80Ty() || type->isPPC_FP128Ty())
    refuse(where, "real numbers of more than 64 bits");
  if (type->isIntegerTy() && type->getIntegerBitWidth() > 64)
    refuse(where, "integers of more than 64 bits");
}

bool isSupported(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::IndirectBr:
  case llvm::Instruction::Invoke:
  case llvm::Instruction::CallBr:
  case llvm::Instruction::VAArg:
    return false;
  default:
    return true;
  }
}

void check(const llvm::Instruction &instruction) {
  if (const auto *call = llvm::dyn_cast<CallBase>(&instruction))
    checkCall(*call);
  if (!isSupported(instruction))
    refuse(instruction, std::string("the instruction ") + instruction.getOpcodeName());
  if (const auto *allocation = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      allocation && !allocation->isStaticAlloca())
    refuse(instruction, "an array of variable length (alloca)");
  checkType(instruction, instruction.getType());
  for (const llvm::Use &operand : instruction.operands())
    checkType(instruction, operand->getType());
}

/// The address of constant data that `value` is, in the constant address space; null if it is
/// another address.
llvm::Constant *literal(Value *value, const llvm::DataLayout &layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(value->getType()), 0);
  auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(
      value->stripAndAccumulateConstantOffsets(layout, offset, true));
  if (!variable || variable->getAddressSpace() != kConstantSpace)
    return nullptr;
  llvm::LLVMContext &context = value->getContext();
  const auto number = [&](uint64_t n) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), n);
  };
  llvm::Type *type = variable->getValueType();
  if (type->isArrayTy() && type->getArrayElementType()->isIntegerTy(8))
    return llvm::ConstantExpr::getInBoundsGetElementPtr(
        type, variable, llvm::ArrayRef<llvm::Constant *>{number(0), number(offset.getZExtValue())});
  llvm::Type *byte = llvm::Type::getInt8Ty(context);
  return llvm::ConstantExpr::getGetElementPtr(
      byte, llvm::ConstantExpr::getBitCast(variable, byte->getPointerTo(kConstantSpace)),
      llvm::ArrayRef<llvm::Constant *>{number(offset.getZExtValue())});
}

std::vector<llvm::CallInst *> callsOf(llvm::Function &function) {
  std::vector<llvm::CallInst *> calls;
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user);
        call && call->getCalledOperand() == &function)
      calls.push_back(call);
  return calls;
}

/// Replaces the call by one of `callee`. Attributes stay.
llvm::CallInst *callInstead(llvm::CallInst &call, llvm::FunctionCallee callee,
                            llvm::ArrayRef<Value *> arguments) {
  llvm::CallInst *made = llvm::CallInst::Create(callee, arguments, "", &call);
  made->setCallingConv(call.getCallingConv());
  made->setDebugLoc(call.getDebugLoc());
  made->setAttributes(llvm::AttributeList::get(call.getContext(), call.getAttributes().getFnAttrs(),
                                               llvm::AttributeSet(), {}));
  return made;
}

llvm::Function *declareInstead(llvm::Function &function, llvm::FunctionType *type) {
  auto *made = llvm::Function::Create(type, function.getLinkage(), "", function.getParent());
  made->setAttributes(llvm::AttributeList::get(
      function.getContext(), function.getAttributes().getFnAttrs(), llvm::AttributeSet(), {}));
  made->setCallingConv(function.getCallingConv());
  made->takeName(&function);
  return made;
}

void lowerPrintf(llvm::Function &function) {
  llvm::LLVMContext &context = function.getContext();
  llvm::Type *format = llvm::Type::getInt8PtrTy(context, kConstantSpace);
  llvm::Type *count = llvm::Type::getInt32Ty(context);
  llvm::Function *made = declareInstead(function, llvm::FunctionType::get(count, {format}, true));
  const llvm::DataLayout &layout = function.getParent()->getDataLayout();
  for (llvm::CallInst *call : callsOf(function)) {
    llvm::IRBuilder<> at(call);
    std::vector<Value *> arguments;
    for (Value *argument : call->args()) {
      llvm::Constant *text = isGeneric(argument->getType()) ? literal(argument, layout) : nullptr;
      arguments.push_back(text ? text : argument);
    }
    if (arguments[0]->getType() != format)
      arguments[0] = at.CreatePointerBitCastOrAddrSpaceCast(arguments[0], format);
    callInstead(*call, made, arguments);
    // Oclgrind returns nothing; CUDA's printf returns the number of arguments.
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), call->arg_size() - 1));
    call->eraseFromParent();
  }
  function.eraseFromParent();
}

/// Passes the address of a variable, and stores from there to where the caller wants the result.
void lowerSecondResult(llvm::Function &function) {
  std::vector<llvm::Type *> types(function.getFunctionType()->params());
  llvm::Type *result = types.back()->getPointerElementType();
  types.back() = result->getPointerTo(kPrivateSpace);
  llvm::Function *made =
      declareInstead(function, llvm::FunctionType::get(function.getReturnType(), types, false));
  for (llvm::CallInst *call : callsOf(function)) {
    std::vector<Value *> arguments(call->arg_begin(), call->arg_end());
    auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(arguments.back());
    const bool isPrivate = cast && cast->getSrcAddressSpace() == kPrivateSpace;
    llvm::BasicBlock &entry = call->getFunction()->getEntryBlock();
    Value *there = arguments.back();
    arguments.back() = isPrivate ? cast->getPointerOperand()
                                 : llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(result);
    llvm::CallInst *replaced = callInstead(*call, made, arguments);
    if (!isPrivate) {
      llvm::IRBuilder<> at(call);
      at.CreateStore(at.CreateLoad(result, arguments.back()), there);
    }
    call->replaceAllUsesWith(replaced);
    call->eraseFromParent();
  }
  function.eraseFromParent();
}

/// The generic pointer in the space that the code tells it to be in, made again before `at`'s
/// place; null if it comes from several places, or from memory.
Value *inItsSpace(Value *pointer, llvm::IRBuilder<> &at) {
  llvm::Type *element = pointer->getType()->getPointerElementType();
  if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer))
    return at.CreateBitCast(cast->getPointerOperand(),
                            element->getPointerTo(cast->getSrcAddressSpace()));
  if (auto *cast = llvm::dyn_cast<llvm::BitCastOperator>(pointer)) {
    Value *base = inItsSpace(cast->getOperand(0), at);
    return base ? at.CreateBitCast(base,
                                   element->getPointerTo(base->getType()->getPointerAddressSpace()))
                : nullptr;
  }
  if (auto *offset = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    Value *base = inItsSpace(offset->getPointerOperand(), at);
    const std::vector<Value *> indices(offset->idx_begin(), offset->idx_end());
    if (!base)
      return nullptr;
    return offset->isInBounds()
               ? at.CreateInBoundsGEP(offset->getSourceElementType(), base, indices)
               : at.CreateGEP(offset->getSourceElementType(), base, indices);
  }
  return nullptr;
}

/// The function for a pointer to `space`, under the name that OpenCL C 1.2 has for it.
llvm::Function *declareForSpace(llvm::Function &function, unsigned parameter, unsigned space) {
  constexpr llvm::StringLiteral kGenericName = "PU3AS4";
  std::string name = function.getName().str();
  if (const size_t place = name.find(kGenericName); place != std::string::npos)
    name.replace(place, kGenericName.size(),
                 space == kPrivateSpace ? "P" : "PU3AS" + std::to_string(space));
  std::vector<llvm::Type *> types(function.getFunctionType()->params());
  types[parameter] = types[parameter]->getPointerElementType()->getPointerTo(space);
  auto *made = llvm::cast<llvm::Function>(
      function.getParent()
          ->getOrInsertFunction(name,
                                llvm::FunctionType::get(function.getReturnType(), types, false))
          .getCallee());
  made->setCallingConv(function.getCallingConv());
  made->setAttributes(function.getAttributes());
  return made;
}

/// Calls functions that read or write vectors, as OpenCL C 1.2 has them, where the space of the
/// pointer is told. Other calls stay.
void lowerVectorAccess(llvm::Function &function) {
  unsigned parameter = 0;
  while (!isGeneric(function.getArg(parameter)->getType()))
    ++parameter;
  for (llvm::CallInst *call : callsOf(function)) {
    llvm::IRBuilder<> at(call);
    Value *there = inItsSpace(call->getArgOperand(parameter), at);
    if (!there)
      continue;
    std::vector<Value *> arguments(call->arg_begin(), call->arg_end());
    arguments[parameter] = there;
    call->replaceAllUsesWith(callInstead(
        *call, declareForSpace(function, parameter, there->getType()->getPointerAddressSpace()),
        arguments));
    call->eraseFromParent();
  }
}

bool isVectorAccess(llvm::StringRef plain) {
  return plain.startswith("vload") || plain.startswith("vstore");
}

bool takesGenericPointer(const llvm::Function &function) {
  return std::ranges::any_of(function.args(), [](const llvm::Argument &argument) {
    return isGeneric(argument.getType());
  });
}

} // namespace

void checkCalls(llvm::Module &module) {
  for (llvm::Function *kernel : kernelsOf(module))
    for (const llvm::Instruction &instruction : llvm::instructions(*kernel))
      check(instruction);
}

void lowerCalls(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty())
      continue;
    if (function.getName() == "printf") {
      lowerPrintf(function);
      continue;
    }
    if (!takesGenericPointer(function) || asksForAddressSpace(function.getName()))
      continue;
    const std::string name = plainName(function.getName());
    if (writesThroughPointer(function.getName())) {
      lowerSecondResult(function);
      continue;
    }
    if (isVectorAccess(name))
      lowerVectorAccess(function);
    if (const std::vector<llvm::CallInst *> calls = callsOf(function); !calls.empty())
      refuse(*calls.front(), "the function " + name + " with a pointer");
  }
}

} // namespace aiwc::lowering
