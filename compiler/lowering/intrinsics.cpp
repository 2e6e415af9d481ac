#include "lowering/inlining.h"
#include "lowering/locations.h"
#include "lowering/passes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <string>
#include <vector>

namespace aiwc::lowering {
namespace {

using llvm::IntrinsicInst;
using llvm::IRBuilder;
using llvm::Value;
using llvm::Intrinsic::ID;
namespace Intrinsic = llvm::Intrinsic;

/// Oclgrind's interpreter has them, or the plugin adds them to it
/// (compiler/simulator/intrinsics.cpp).
bool isKnown(ID id) {
  switch (id) {
  case Intrinsic::abs:
  case Intrinsic::bitreverse:
  case Intrinsic::bswap:
  case Intrinsic::ceil:
  case Intrinsic::copysign:
  case Intrinsic::ctlz:
  case Intrinsic::ctpop:
  case Intrinsic::cttz:
  case Intrinsic::fabs:
  case Intrinsic::floor:
  case Intrinsic::fmuladd:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::lifetime_end:
  case Intrinsic::lifetime_start:
  case Intrinsic::maxnum:
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
  case Intrinsic::memset:
  case Intrinsic::minnum:
  case Intrinsic::nearbyint:
  case Intrinsic::rint:
  case Intrinsic::round:
  case Intrinsic::sadd_sat:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::sqrt:
  case Intrinsic::sshl_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::trap:
  case Intrinsic::trunc:
  case Intrinsic::uadd_sat:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::ushl_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::usub_with_overflow:
    return true;
  default:
    return false;
  }
}

/// Tells the compiler something, and does nothing.
bool isHint(ID id) {
  switch (id) {
  case Intrinsic::assume:
  case Intrinsic::donothing:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::invariant_end:
  case Intrinsic::prefetch:
  case Intrinsic::sideeffect:
  case Intrinsic::var_annotation:
    return true;
  default:
    return llvm::StringRef(Intrinsic::getBaseName(id)).startswith("llvm.dbg.");
  }
}

/// The first argument with a remark about it.
bool isFirstArgument(ID id) {
  return id == Intrinsic::annotation || id == Intrinsic::ptr_annotation ||
         id == Intrinsic::expect || id == Intrinsic::expect_with_probability ||
         id == Intrinsic::launder_invariant_group || id == Intrinsic::strip_invariant_group ||
         id == Intrinsic::ssa_copy || id == Intrinsic::canonicalize;
}

/// OpenCL's function that computes the same, by its name; null if there is none.
const char *functionFor(ID id) {
  switch (id) {
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::fma:
    return "fma";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log10:
    return "log10";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::maximum:
    return "fmax";
  case Intrinsic::minimum:
    return "fmin";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::powi:
    return "pown";
  case Intrinsic::roundeven:
    return "rint";
  case Intrinsic::sin:
    return "sin";
  default:
    return nullptr;
  }
}

/// The letters of a type in mangled names; none for others than half, float, double, int.
std::string lettersOf(const llvm::Type &type) {
  return type.isHalfTy()        ? "Dh"
         : type.isFloatTy()     ? "f"
         : type.isDoubleTy()    ? "d"
         : type.isIntegerTy(32) ? "i"
                                : "";
}

/// Null if the types are no scalars of OpenCL.
Value *callFunction(IRBuilder<> &at, const std::string &name, IntrinsicInst &call) {
  std::string mangled = "_Z" + std::to_string(name.size()) + name;
  std::vector<Value *> arguments(call.arg_begin(), call.arg_end());
  for (const Value *argument : arguments) {
    const std::string letters = lettersOf(*argument->getType());
    if (letters.empty())
      return nullptr;
    mangled += letters;
  }
  llvm::FunctionCallee callee =
      call.getModule()->getOrInsertFunction(mangled, call.getCalledFunction()->getFunctionType());
  llvm::cast<llvm::Function>(callee.getCallee())->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  llvm::CallInst *made = at.CreateCall(callee, arguments);
  made->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return made;
}

/// The value that takes the intrinsic's place; null if there is none.
Value *replacement(IRBuilder<> &at, IntrinsicInst &call) {
  const ID id = call.getIntrinsicID();
  if (isFirstArgument(id))
    return call.getArgOperand(0);
  if (const char *name = functionFor(id))
    return callFunction(at, name, call);
  switch (id) {
  case Intrinsic::is_constant:
    return at.getFalse();
  case Intrinsic::objectsize: // unknown: the largest, or the smallest if that is asked for
    return llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne()
               ? llvm::Constant::getNullValue(call.getType())
               : llvm::Constant::getAllOnesValue(call.getType());
  case Intrinsic::lrint:
  case Intrinsic::llrint:
    return at.CreateFPToSI(at.CreateUnaryIntrinsic(Intrinsic::rint, call.getArgOperand(0)),
                           call.getType());
  case Intrinsic::lround:
  case Intrinsic::llround:
    return at.CreateFPToSI(at.CreateUnaryIntrinsic(Intrinsic::round, call.getArgOperand(0)),
                           call.getType());
  case Intrinsic::memcpy_inline:
    return at.CreateMemCpy(call.getArgOperand(0), llvm::MaybeAlign(), call.getArgOperand(1),
                           llvm::MaybeAlign(), call.getArgOperand(2));
  case Intrinsic::debugtrap:
  case Intrinsic::ubsantrap:
    return at.CreateIntrinsic(Intrinsic::trap, {}, {});
  default:
    return nullptr;
  }
}

void lower(IntrinsicInst &call) {
  const ID id = call.getIntrinsicID();
  if (isHint(id)) {
    call.eraseFromParent();
    return;
  }
  if (isKnown(id))
    return;
  IRBuilder<> at(&call);
  Value *value = replacement(at, call);
  if (!value)
    refuse(call, "LLVM's function " + call.getCalledFunction()->getName().str());
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

} // namespace

void lowerIntrinsics(llvm::Module &module) {
  for (llvm::Function *kernel : kernelsOf(module)) {
    std::vector<IntrinsicInst *> calls;
    for (llvm::Instruction &instruction : llvm::instructions(*kernel))
      if (auto *call = llvm::dyn_cast<IntrinsicInst>(&instruction))
        calls.push_back(call);
    for (IntrinsicInst *call : calls)
      lower(*call);
  }
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
}

} // namespace aiwc::lowering
