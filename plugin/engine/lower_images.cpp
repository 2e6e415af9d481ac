// Functions of images: Oclgrind's own execute them.
#include "plugin/engine/function_lowering.h"
#include "plugin/engine/image_types.h"
#include "plugin/engine/runtime_calls.h"
#include "plugin/program/images.h"

namespace aiwc::plugin::engine {

bool FunctionLowering::lowerImageFunction(const Site &site,
                                          const oclgrind::InterpreterCache::Builtin &builtin) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  const auto &original = llvm::cast<llvm::CallInst>(*site.original);
  const llvm::StringRef name = builtin.name;
  Builder at(&made);
  if (name == "__translate_sampler_initializer") {
    // A sampler is the address of the constant with its bits, in Oclgrind's module.
    const auto *bits = llvm::dyn_cast<llvm::ConstantInt>(original.getArgOperand(0));
    if (!bits)
      refuse("a sampler that is no constant");
    llvm::Value *address = at.CreatePtrToInt(processAddress(at, bits), int64_);
    replace(made, at.CreateIntToPtr(address, made.getType()));
    return true;
  }
  if (readsImage(builtin.name) || writesImage(builtin.name)) {
    lowerImageAccess(site, builtin);
    return true;
  }
  if (!name.startswith("get_image_"))
    return false;
  PreparedCall prepared = prepareCall(site, builtin);
  at.SetInsertPoint(&made);
  call(at, &calls::builtin, at.getVoidTy(),
       {keep(at, std::move(prepared.site)), prepared.arguments, prepared.result});
  replace(made, loadNative(at, prepared.result, made.getType()));
  return true;
}

void FunctionLowering::lowerImageAccess(const Site &site,
                                        const oclgrind::InterpreterCache::Builtin &builtin) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  const auto &original = llvm::cast<llvm::CallInst>(*site.original);
  const bool writes = writesImage(builtin.name);
  const std::string type = imageTypeName(*original.getArgOperand(0)->getType());
  // The forms of OpenCL C 1.2: image, coordinates and colour; image and coordinates; image, sampler
  // and coordinates. A colour has four channels; Oclgrind overruns that of a depth image.
  const unsigned count = original.arg_size();
  const llvm::Value *colour = &original;
  if (writes && count == 3)
    colour = original.getArgOperand(2);
  const auto *channels = llvm::dyn_cast<llvm::FixedVectorType>(colour->getType());
  const bool isKnown =
      channels && channels->getNumElements() == 4 &&
      (writes || count == 2 || (count == 3 && original.getArgOperand(1)->getType()->isPointerTy()));
  if (type.empty() || llvm::isa<llvm::Constant>(original.getArgOperand(0)) || !isKnown)
    refuse("images: " + builtin.name + " on " + (type.empty() ? "an unknown type" : type));
  PreparedCall prepared = prepareCall(site, builtin);
  reserveAccesses(writes ? 1 : Pixels::kMost);
  Builder at(&made);
  spill(at);
  const AccessKind kind{oclgrind::AddrSpaceGlobal, writes};
  call(at, &calls::accessImage, at.getVoidTy(),
       {keep(at, std::move(prepared.site)), prepared.arguments, prepared.result,
        number(accessWord(site.position, kind)), number(shared_.tracing == Tracing::kOn)});
  reload(at);
  if (writes)
    made.eraseFromParent();
  else
    replace(made, loadNative(at, prepared.result, made.getType()));
}

} // namespace aiwc::plugin::engine
