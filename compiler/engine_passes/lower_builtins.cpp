// Builtins that access memory.
#include "engine_passes/function_lowering.h"
#include "engine_passes/half_numbers.h"
#include "engine_passes/runtime_calls.h"
#include "engine_passes/value_types.h"

#include <llvm/ADT/StringSwitch.h>

#include <optional>

namespace aiwc::engine {

namespace {

/// Bytes per element of the value that a function returns through its last argument; 0 if they are
/// the same as for its result. Empty if the function returns no such value.
std::optional<uint64_t> secondResultSize(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<uint64_t>>(name)
      .Cases("fract", "modf", "sincos", 0)
      .Cases("frexp", "lgamma_r", "remquo", 4)
      .Default(std::nullopt);
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
  const auto &original = llvm::cast<llvm::MemTransferInst>(*site.original);
  if (frames_.contains(original.getRawSource()) || frames_.contains(original.getRawDest()))
    return copyInFrames(site);
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
  if (frames_.contains(llvm::cast<llvm::MemSetInst>(*site.original).getRawDest()))
    return fillInFrame(site);
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
  AccessKind kind{pointer->getType()->getPointerAddressSpace(), stores};
  kind.mayBeOutside = !half;
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
  llvm::Value *bits = loadNative(at, native, withLanesOf(at.getInt16Ty(), type));
  replace(made, at.CreateFPCast(fromHalf(at, bits), type));
}

} // namespace aiwc::engine
