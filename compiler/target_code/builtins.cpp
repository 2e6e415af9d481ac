#include "lowering/builtins.h"

#include "common/error.h"
#include "target_code/retarget.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace aiwc::target_code {
namespace {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;
using Ids = std::array<Intrinsic::ID, 3>;

constexpr Ids kAmdItem = {Intrinsic::amdgcn_workitem_id_x, Intrinsic::amdgcn_workitem_id_y,
                          Intrinsic::amdgcn_workitem_id_z};
constexpr Ids kAmdGroup = {Intrinsic::amdgcn_workgroup_id_x, Intrinsic::amdgcn_workgroup_id_y,
                           Intrinsic::amdgcn_workgroup_id_z};
constexpr Ids kNvidiaItem = {Intrinsic::nvvm_read_ptx_sreg_tid_x,
                             Intrinsic::nvvm_read_ptx_sreg_tid_y,
                             Intrinsic::nvvm_read_ptx_sreg_tid_z};
constexpr Ids kNvidiaGroup = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                              Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                              Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
constexpr Ids kNvidiaItems = {Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                              Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                              Intrinsic::nvvm_read_ptx_sreg_ntid_z};
constexpr Ids kNvidiaGroups = {Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                               Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                               Intrinsic::nvvm_read_ptx_sreg_nctaid_z};

struct Named {
  const char *name;
  Intrinsic::ID intrinsic;
};
/// Functions of which LLVM has one with the same operands.
constexpr auto kIntrinsics = std::to_array<Named>({{"ceil", Intrinsic::ceil},
                                                   {"copysign", Intrinsic::copysign},
                                                   {"fabs", Intrinsic::fabs},
                                                   {"floor", Intrinsic::floor},
                                                   {"fma", Intrinsic::fma},
                                                   {"fmax", Intrinsic::maxnum},
                                                   {"fmin", Intrinsic::minnum},
                                                   {"mad", Intrinsic::fmuladd},
                                                   {"rint", Intrinsic::rint},
                                                   {"trunc", Intrinsic::trunc}});

class Call {
public:
  Call(llvm::CallInst &call, const Target &target)
      : call_(call), target_(target), build_(&call),
        name_(lowering::baseName(call.getCalledFunction()->getName())) {}

  void lower() {
    Value *const result = replacement();
    if (!call_.getType()->isVoidTy())
      call_.replaceAllUsesWith(result);
    call_.eraseFromParent();
  }

private:
  Value *replacement() {
    if (name_ == "barrier" || name_ == "work_group_barrier")
      return target_.isAmd ? intrinsic(Intrinsic::amdgcn_s_barrier)
                           : intrinsic(Intrinsic::nvvm_barrier0);
    if (Value *id = workItemFunction())
      return id;
    for (const Named &named : kIntrinsics)
      if (name_ == named.name && hasOneType())
        return build_.CreateIntrinsic(named.intrinsic, {call_.getType()}, operands());
    if (name_.startswith("vload") && !name_.contains("half"))
      return build_.CreateAlignedLoad(call_.getType(), element(1, 0, call_.getType()),
                                      scalarAlignment(call_.getType()));
    if (name_.startswith("vstore") && !name_.contains("half")) {
      llvm::Type *const type = call_.getArgOperand(0)->getType();
      return build_.CreateAlignedStore(call_.getArgOperand(0), element(2, 1, type),
                                       scalarAlignment(type));
    }
    if (name_.startswith("atom"))
      return atomic();
    for (const llvm::Use &argument : call_.args())
      if (lowering::writesThroughPointer(call_.getCalledFunction()->getName()) &&
          argument->getType()->isPointerTy())
        build_.CreateStore(opaque(argument->getType()->getPointerElementType()), argument);
    return call_.getType()->isVoidTy() ? nullptr : opaque(call_.getType());
  }

  Value *intrinsic(Intrinsic::ID id) { return build_.CreateIntrinsic(id, {}, {}); }

  std::vector<Value *> operands() const { return {call_.arg_begin(), call_.arg_end()}; }

  bool hasOneType() const {
    return std::ranges::all_of(call_.args(), [&](const llvm::Use &argument) {
      return argument->getType() == call_.getType();
    });
  }

  size_t dimension() const {
    const auto *number =
        call_.arg_size() > 0 ? llvm::dyn_cast<llvm::ConstantInt>(call_.getArgOperand(0)) : nullptr;
    return number ? std::min<size_t>(number->getZExtValue(), 2) : 0;
  }

  /// Of the packet by which HSA dispatches a kernel, which all work-items share.
  Value *ofDispatch(uint64_t byte, unsigned bits) {
    Value *const packet = intrinsic(Intrinsic::amdgcn_dispatch_ptr);
    Value *const place = build_.CreateConstGEP1_64(build_.getInt8Ty(), packet, byte);
    llvm::Type *const type = build_.getIntNTy(bits);
    return build_.CreateZExt(
        build_.CreateLoad(type, build_.CreateBitCast(place, type->getPointerTo(4))),
        build_.getInt32Ty());
  }

  Value *groupSize(size_t d) {
    return target_.isAmd ? ofDispatch(4 + 2 * d, 16) : intrinsic(kNvidiaItems[d]);
  }
  Value *globalSize(size_t d) {
    return target_.isAmd ? ofDispatch(12 + 4 * d, 32)
                         : build_.CreateMul(groupSize(d), intrinsic(kNvidiaGroups[d]));
  }

  Value *workItemFunction() {
    const size_t d = dimension();
    const auto item = [&] { return intrinsic((target_.isAmd ? kAmdItem : kNvidiaItem)[d]); };
    const auto group = [&] { return intrinsic((target_.isAmd ? kAmdGroup : kNvidiaGroup)[d]); };
    Value *id = nullptr;
    if (name_ == "get_local_id" || name_ == "get_local_linear_id")
      id = item();
    else if (name_ == "get_group_id")
      id = group();
    else if (name_ == "get_global_id" || name_ == "get_global_linear_id")
      id = build_.CreateAdd(build_.CreateMul(group(), groupSize(d)), item());
    else if (name_ == "get_local_size" || name_ == "get_enqueued_local_size")
      id = groupSize(d);
    else if (name_ == "get_global_size")
      id = globalSize(d);
    else if (name_ == "get_num_groups")
      id = build_.CreateUDiv(globalSize(d), groupSize(d));
    else if (name_ == "get_global_offset")
      return llvm::Constant::getNullValue(call_.getType());
    else if (name_ == "get_work_dim")
      return llvm::ConstantInt::get(call_.getType(), 3);
    return id ? build_.CreateZExtOrTrunc(id, call_.getType()) : nullptr;
  }

  static llvm::Align scalarAlignment(llvm::Type *type) {
    return llvm::Align(std::max<uint64_t>(1, type->getScalarSizeInBits() / 8));
  }

  /// The address of the vector of number `offset` behind `pointer`.
  Value *element(unsigned pointer, unsigned offset, llvm::Type *type) {
    Value *const base = call_.getArgOperand(pointer);
    const unsigned space = base->getType()->getPointerAddressSpace();
    Value *const scalars = build_.CreateBitCast(base, type->getScalarType()->getPointerTo(space));
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    Value *const index = build_.CreateMul(
        call_.getArgOperand(offset), llvm::ConstantInt::get(call_.getArgOperand(offset)->getType(),
                                                            vector ? vector->getNumElements() : 1));
    return build_.CreateBitCast(build_.CreateGEP(type->getScalarType(), scalars, index),
                                type->getPointerTo(space));
  }

  Value *atomic() {
    Value *const pointer = call_.getArgOperand(0);
    llvm::Type *const type = build_.getIntNTy(
        std::max(32U, pointer->getType()->getPointerElementType()->getScalarSizeInBits()));
    Value *const place = build_.CreateBitCast(
        pointer, type->getPointerTo(pointer->getType()->getPointerAddressSpace()));
    Value *const old = build_.CreateAtomicRMW(
        name_.endswith("xchg") ? llvm::AtomicRMWInst::Xchg : llvm::AtomicRMWInst::Add, place,
        opaque(type), llvm::MaybeAlign(), llvm::AtomicOrdering::Monotonic);
    if (call_.getType()->isVoidTy())
      return nullptr;
    return build_.CreateBitCast(
        build_.CreateZExtOrTrunc(old, build_.getIntNTy(call_.getType()->getScalarSizeInBits())),
        call_.getType());
  }

  /// In a register of 32 or 64 bits.
  Value *wide(Value *value) {
    const unsigned bits = value->getType()->getScalarSizeInBits();
    if (!value->getType()->isIntegerTy())
      value = build_.CreateBitCast(value, build_.getIntNTy(bits));
    return build_.CreateZExt(value, build_.getIntNTy(bits > 32 ? 64 : 32));
  }

  const char *constraint(llvm::Type *type) const {
    return target_.isAmd ? "v" : type->getIntegerBitWidth() == 64 ? "l" : "r";
  }

  Value *opaqueElement(llvm::Type *type, unsigned index) {
    const unsigned bits = type->getScalarSizeInBits();
    if (bits == 0 || bits > 64)
      throw Error("no code stands for a call of " + name_.str());
    llvm::Type *const result = build_.getIntNTy(bits > 32 ? 64 : 32);
    std::string constraints = std::string("=") + constraint(result);
    std::vector<Value *> values;
    std::vector<llvm::Type *> types;
    for (Value *argument : call_.args()) {
      if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(argument->getType()))
        argument = build_.CreateExtractElement(
            argument, uint64_t{std::min(index, vector->getNumElements() - 1)});
      const unsigned size = argument->getType()->getScalarSizeInBits();
      if (size == 0 || size > 64)
        continue; // a pointer
      values.push_back(wide(argument));
      types.push_back(values.back()->getType());
      constraints += std::string(",") + constraint(types.back());
    }
    const auto *const code =
        llvm::InlineAsm::get(llvm::FunctionType::get(result, types, false), "", constraints, false);
    llvm::CallInst *const made = build_.CreateCall(llvm::FunctionType::get(result, types, false),
                                                   const_cast<llvm::InlineAsm *>(code), values);
    made->setDoesNotAccessMemory();
    made->setDoesNotThrow();
    Value *const narrow = build_.CreateTrunc(made, build_.getIntNTy(bits));
    return build_.CreateBitCast(narrow, type);
  }

  Value *opaque(llvm::Type *type) {
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    if (!vector)
      return opaqueElement(type, 0);
    Value *result = llvm::UndefValue::get(type);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = build_.CreateInsertElement(result, opaqueElement(vector->getElementType(), i),
                                          uint64_t{i});
    return result;
  }

  llvm::CallInst &call_;
  const Target &target_;
  llvm::IRBuilder<> build_;
  llvm::StringRef name_;
};

} // namespace

void lowerBuiltins(llvm::Module &module, const Target &target) {
  std::vector<llvm::CallInst *> calls;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && !call->isInlineAsm()) {
        const llvm::Function *const callee = call->getCalledFunction();
        if (!callee)
          throw Error("the kernel has an indirect call");
        if (callee->isDeclaration() && !callee->isIntrinsic())
          calls.push_back(call);
      }
  for (llvm::CallInst *call : calls)
    Call(*call, target).lower();
}

} // namespace aiwc::target_code
