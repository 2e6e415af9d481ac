// LLVM's intrinsics. LLVM compiles those for which it computes the same results as Oclgrind.
#include "engine_passes/function_lowering.h"

namespace aiwc::engine {
namespace {

bool isLeftToLlvm(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::abs:
  case llvm::Intrinsic::bitreverse:
  case llvm::Intrinsic::bswap:
  case llvm::Intrinsic::ctlz:
  case llvm::Intrinsic::ctpop:
  case llvm::Intrinsic::cttz:
  case llvm::Intrinsic::fshl:
  case llvm::Intrinsic::fshr:
  case llvm::Intrinsic::sadd_sat:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::ssub_sat:
  case llvm::Intrinsic::uadd_sat:
  case llvm::Intrinsic::umax:
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::usub_sat:
    return true;
  default:
    return false;
  }
}

bool isWholeInteger(const llvm::Type &type) {
  const unsigned bits = type.getScalarSizeInBits();
  return type.isIntOrIntVectorTy() && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
}

} // namespace

bool FunctionLowering::lowerIntegerIntrinsic(const Site &site) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  const auto &original = llvm::cast<llvm::CallInst>(*site.original);
  const llvm::Intrinsic::ID id = original.getIntrinsicID();
  if (const auto *pair = llvm::dyn_cast<llvm::WithOverflowInst>(&original)) {
    if (!isWholeInteger(*pair->getLHS()->getType()))
      refuse("a call of " + pair->getCalledFunction()->getName().str());
    return true; // as it is: LLVM computes the same
  }
  if (id == llvm::Intrinsic::fptosi_sat || id == llvm::Intrinsic::fptoui_sat) {
    Builder at(&made);
    llvm::Value *real = computedArguments(at, site).front();
    replace(made, at.CreateIntrinsic(id, {made.getType(), real->getType()}, {real}));
    return true;
  }
  if (!isLeftToLlvm(id) || !isWholeInteger(*made.getType()))
    return false;
  Builder at(&made);
  std::vector<llvm::Value *> operands;
  for (unsigned i = 0; i < made.arg_size(); ++i) // a truth value: whether a case is undefined
    operands.push_back(original.getArgOperand(i)->getType()->isIntegerTy(1)
                           ? at.getFalse()
                           : made.getArgOperand(i));
  replace(made, at.CreateIntrinsic(id, {made.getType()}, operands));
  return true;
}

} // namespace aiwc::engine
