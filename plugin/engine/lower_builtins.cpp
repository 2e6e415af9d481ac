// Builtins that access memory, and builtins that only compute a result.
#include "plugin/engine/function_lowering.h"
#include "plugin/engine/runtime_calls.h"

#include <llvm/ADT/StringSwitch.h>

#include <optional>

namespace aiwc::plugin::engine {

namespace {

unsigned laneCount(const llvm::Type *type) {
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

bool isReal(const llvm::Type *type) {
  return type->getScalarType()->isFloatingPointTy();
}

/// Bytes per element of the value that a function returns through its last argument; 0 if they are
/// the same as for its result. Empty if the function returns no such value.
std::optional<uint64_t> secondResultSize(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<uint64_t>>(name)
      .Cases("fract", "modf", "sincos", 0)
      .Cases("frexp", "lgamma_r", "remquo", 4)
      .Default(std::nullopt);
}

/// Whether Oclgrind implements the builtin by the same wrapper as `example`, so that `op` is a
/// function of the same type.
bool sameWrapper(const oclgrind::BuiltinFunction &function, const char *example) {
  const auto found = oclgrind::workItemBuiltins.find(example);
  return found != oclgrind::workItemBuiltins.end() && found->second.func == function.func;
}

} // namespace

bool FunctionLowering::lowerMemoryBuiltin(const Site &site,
                                          const oclgrind::InterpreterCache::Builtin &builtin) {
  const llvm::StringRef name = builtin.name;
  if (name.startswith("llvm.memcpy") || name.startswith("llvm.memmove"))
    lowerCopy(site);
  else if (name.startswith("llvm.memset"))
    lowerFill(site);
  else if (name.startswith("vload") || name.startswith("vstore"))
    lowerVectorAccess(site, builtin);
  else if (name == "printf")
    lowerPrintf(site, builtin);
  else if (lowerImageFunction(site, builtin))
    return true;
  else if (const auto size = secondResultSize(name))
    lowerSecondResult(site, builtin, *size);
  else
    return false;
  return true;
}

/// The size that the trace records for an access of `size` bytes.
llvm::Value *FunctionLowering::tracedSize(Builder &at, llvm::Value *size) {
  llvm::Value *most = number(UINT32_MAX);
  return at.CreateSelect(at.CreateICmpUGT(size, most), most, size);
}

void FunctionLowering::lowerCopy(const Site &site) {
  auto &made = llvm::cast<llvm::MemTransferInst>(*site.instruction);
  const AccessKind reads{made.getSourceAddressSpace()};
  const AccessKind writes{made.getDestAddressSpace(), true};
  Builder at(&made);
  llvm::Value *source = at.CreatePtrToInt(made.getRawSource(), int64_);
  llvm::Value *destination = at.CreatePtrToInt(made.getRawDest(), int64_);
  llvm::Value *size = at.CreateZExtOrTrunc(made.getLength(), int64_);
  recordAccess(at, source, tracedSize(at, size), site.position, reads);
  recordAccess(at, destination, tracedSize(at, size), site.position, writes);
  call(at, &calls::copy, at.getVoidTy(),
       {processAddress(at, site.original), number(writes.space), destination, number(reads.space),
        source, size});
  made.eraseFromParent();
}

void FunctionLowering::lowerFill(const Site &site) {
  auto &made = llvm::cast<llvm::MemSetInst>(*site.instruction);
  const AccessKind writes{made.getDestAddressSpace(), true};
  Builder at(&made);
  llvm::Value *destination = at.CreatePtrToInt(made.getRawDest(), int64_);
  llvm::Value *size = at.CreateZExtOrTrunc(made.getLength(), int64_);
  recordAccess(at, destination, tracedSize(at, size), site.position, writes);
  call(at, &calls::fill, at.getVoidTy(),
       {processAddress(at, site.original), number(writes.space), destination,
        at.CreateZExt(made.getValue(), int64_), size});
  made.eraseFromParent();
}

void FunctionLowering::lowerVectorAccess(const Site &site,
                                         const oclgrind::InterpreterCache::Builtin &builtin) {
  const llvm::StringRef name = builtin.name;
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  const auto *original = llvm::cast<llvm::CallInst>(site.original);
  const bool stores = name.startswith("vstore");
  const bool half = name.contains("_half");
  llvm::Type *type = stores ? made.getArgOperand(0)->getType() : made.getType();
  const unsigned lanes = laneCount(type);
  const uint64_t elementSize = half ? 2 : type->getScalarSizeInBits() / 8;
  const uint64_t size = elementSize * lanes;
  const bool aligned = name.startswith("vloada") || name.startswith("vstorea");
  const uint64_t stride = aligned && lanes == 3 ? elementSize * 4 : size;
  const llvm::Value *pointer = original->getArgOperand(stores ? 2 : 1);
  const AccessKind kind{pointer->getType()->getPointerAddressSpace(), stores};
  if (elementSize == 0)
    refuse("a call of " + name.str());
  Builder at(&made);
  llvm::Value *index = at.CreateZExtOrTrunc(made.getArgOperand(stores ? 1 : 0), int64_);
  llvm::Value *address = at.CreateAdd(at.CreatePtrToInt(made.getArgOperand(stores ? 2 : 1), int64_),
                                      at.CreateMul(index, number(stride)));
  llvm::Value *native = nativePointer(site, pointer, address, size, 1, kind);
  at.SetInsertPoint(&made);
  recordAccess(at, address, number(size), site.position, kind);
  if (stores && half)
    return callStoring(site, builtin, address, native, size);
  if (stores) {
    storeNative(at, native, made.getArgOperand(0));
    made.eraseFromParent();
    return;
  }
  if (!half)
    return replace(made, loadNative(at, native, type));
  llvm::Value *result = llvm::Constant::getNullValue(type);
  for (unsigned i = 0; i < lanes; ++i) {
    llvm::Value *bits = loadNative(
        at, at.CreateConstGEP1_64(at.getInt8Ty(), native, uint64_t{2} * i), at.getInt16Ty());
    llvm::Value *real =
        call(at, &calls::halfToFloat, at.getFloatTy(), {at.CreateZExt(bits, int64_)});
    result = lanes == 1 ? real : at.CreateInsertElement(result, real, i);
  }
  replace(made, result);
}

/// The result of a function that Oclgrind computes in double precision, by a division or so; null
/// if `name` is another one.
llvm::Value *FunctionLowering::inDoublePrecision(Builder &at, llvm::StringRef name,
                                                 const llvm::CallInst &call) {
  enum class Function { kOther, kReciprocal, kReciprocalRoot, kQuotient };
  const auto function = llvm::StringSwitch<Function>(name)
                            .Cases("native_recip", "half_recip", Function::kReciprocal)
                            .Cases("rsqrt", "native_rsqrt", "half_rsqrt", Function::kReciprocalRoot)
                            .Cases("native_divide", "half_divide", Function::kQuotient)
                            .Default(Function::kOther);
  if (function == Function::kOther)
    return nullptr;
  llvm::Type *type = call.getType(), *wide = at.getDoubleTy();
  if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    wide = llvm::FixedVectorType::get(wide, vector->getNumElements());
  const auto widened = [&](llvm::Value *value) {
    if (type == wide)
      return value;
    llvm::Value *result = at.CreateFPExt(value, wide);
    return withNaNOf(at, result, result);
  };
  llvm::Value *dividend = function == Function::kQuotient ? widened(call.getArgOperand(0))
                                                          : llvm::ConstantFP::get(wide, 1.0);
  llvm::Value *divisor = widened(call.getArgOperand(function == Function::kQuotient ? 1 : 0));
  if (function == Function::kReciprocalRoot)
    divisor = withNaNOf(at, divisor, at.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, divisor));
  llvm::Value *result = withNaNOf(at, {dividend, divisor}, at.CreateFDiv(dividend, divisor));
  if (type == wide)
    return result;
  result = at.CreateFPTrunc(result, type);
  return withNaNOf(at, result, result);
}

/// Functions for which every correct implementation has the same result as Oclgrind's.
bool FunctionLowering::lowerInline(const Site &site, llvm::StringRef name) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  llvm::Type *type = made.getType();
  Builder at(&made);
  const auto argument = [&](unsigned i) { return made.getArgOperand(i); };
  if (isReal(type)) {
    static const std::pair<llvm::StringRef, llvm::Intrinsic::ID> kUnary[] = {
        {"sqrt", llvm::Intrinsic::sqrt},      {"native_sqrt", llvm::Intrinsic::sqrt},
        {"half_sqrt", llvm::Intrinsic::sqrt}, {"fabs", llvm::Intrinsic::fabs},
        {"floor", llvm::Intrinsic::floor},    {"ceil", llvm::Intrinsic::ceil},
        {"trunc", llvm::Intrinsic::trunc},    {"rint", llvm::Intrinsic::rint}};
    for (const auto &[function, intrinsic] : kUnary)
      if (name == function || (name.startswith("llvm.fabs.") && function == "fabs")) {
        llvm::Value *result = at.CreateUnaryIntrinsic(intrinsic, argument(0));
        const bool onlySign = intrinsic == llvm::Intrinsic::fabs;
        if (!onlySign || !keepsSignalling(*result))
          result = withNaNOf(at, onlySign ? result : argument(0), result);
        replace(made, result);
        return true;
      }
    if (llvm::Value *result = inDoublePrecision(at, name, made)) {
      replace(made, result);
      return true;
    }
    if (name == "fma" || name == "mad" || name.startswith("llvm.fmuladd")) {
      const std::vector<llvm::Value *> operands = {argument(0), argument(1), argument(2)};
      replace(made,
              withNaNOf(at, operands, at.CreateIntrinsic(llvm::Intrinsic::fma, {type}, operands)));
      return true;
    }
    return false;
  }
  const auto *callee = llvm::cast<llvm::CallInst>(site.original)->getCalledFunction();
  const std::string overload = shared_.cache.getBuiltin(callee).overload;
  for (unsigned i = 0; i < made.arg_size(); ++i)
    if (argument(i)->getType() != type)
      return false;
  if (!type->isIntOrIntVectorTy() || overload.empty())
    return false;
  char element = overload[0];
  if (element == 'D') // Dv<count>_<type>
    element = overload[overload.find('_') + 1];
  const bool isSigned = llvm::StringRef("csil").contains(element);
  const auto least = [&](llvm::Value *a, llvm::Value *b) {
    return at.CreateSelect(isSigned ? at.CreateICmpSLT(a, b) : at.CreateICmpULT(a, b), a, b);
  };
  const auto greatest = [&](llvm::Value *a, llvm::Value *b) {
    return at.CreateSelect(isSigned ? at.CreateICmpSGT(a, b) : at.CreateICmpUGT(a, b), a, b);
  };
  llvm::Value *result = nullptr;
  if (name == "min")
    result = least(argument(0), argument(1));
  else if (name == "max")
    result = greatest(argument(0), argument(1));
  else if (name == "clamp")
    result = least(greatest(argument(0), argument(1)), argument(2));
  else if (name == "mul24")
    result = at.CreateMul(argument(0), argument(1));
  else if (name == "mad24")
    result = at.CreateAdd(at.CreateMul(argument(0), argument(1)), argument(2));
  else if (name == "popcount")
    result = at.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, argument(0));
  else if (name == "clz")
    result = at.CreateIntrinsic(llvm::Intrinsic::ctlz, {type}, {argument(0), at.getFalse()});
  if (!result)
    return false;
  replace(made, result);
  return true;
}

/// Functions of real numbers that Oclgrind computes lane by lane in double precision. The compiled
/// code calls the same C++ function as Oclgrind.
bool FunctionLowering::lowerThroughPointer(const Site &site,
                                           const oclgrind::InterpreterCache::Builtin &builtin) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  llvm::Type *type = made.getType();
  const unsigned count = sameWrapper(builtin.function, "acos")    ? 1
                         : sameWrapper(builtin.function, "atan2") ? 2
                                                                  : 0;
  if (count == 0 || !isReal(type) || made.arg_size() != count)
    return false;
  for (const llvm::Use &argument : made.args())
    if (argument->getType() != type)
      return false;
  Builder at(&made);
  const std::vector<llvm::Value *> arguments(made.arg_begin(), made.arg_end());
  replace(made, callByLane(at, reinterpret_cast<const void *>(builtin.function.op), arguments));
  return true;
}

} // namespace aiwc::plugin::engine
