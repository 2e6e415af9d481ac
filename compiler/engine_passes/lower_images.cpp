// Functions of images. In compiled code, an image is the address of its ImageEntry, and a sampler
// is its bits.
#include "engine_passes/function_lowering.h"
#include "engine_passes/image_entry.h"
#include "engine_passes/runtime_calls.h"
#include "engine_passes/value_types.h"
#include "simulator/images.h"

namespace aiwc::engine {

bool FunctionLowering::lowerImageFunction(const Site &site,
                                          const oclgrind::InterpreterCache::Builtin &builtin) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  const auto &original = llvm::cast<llvm::CallInst>(*site.original);
  const llvm::StringRef name = builtin.name;
  Builder at(&made);
  if (name == "__translate_sampler_initializer") {
    const auto *bits = llvm::dyn_cast<llvm::ConstantInt>(original.getArgOperand(0));
    if (!bits)
      refuse("a sampler that is no constant");
    replace(made, at.CreateIntToPtr(number(bits->getZExtValue()), made.getType()));
    return true;
  }
  if (simulator::readsImage(builtin.name) || simulator::writesImage(builtin.name)) {
    lowerImageAccess(site, builtin);
    return true;
  }
  if (!name.startswith("get_image_"))
    return false;
  if (lowerImageQuery(site, name))
    return true;
  PreparedCall prepared = prepareCall(site, builtin);
  at.SetInsertPoint(&made);
  call(at, &calls::builtin, at.getVoidTy(),
       {keep(at, std::move(prepared.site)), prepared.arguments, prepared.result});
  replace(made, loadNative(at, prepared.result, made.getType()));
  return true;
}

void FunctionLowering::lowerImageAccess(const Site &site,
                                        const oclgrind::InterpreterCache::Builtin &builtin) {
  const auto &original = llvm::cast<llvm::CallInst>(*site.original);
  const bool writes = simulator::writesImage(builtin.name);
  const std::string type = imageTypeName(*original.getArgOperand(0)->getType());
  // The forms of OpenCL C 1.2: image, coordinates and colour; image and coordinates; image, sampler
  // and coordinates. A colour has four channels, of float or an integer here; Oclgrind overruns
  // that of a depth image.
  const unsigned count = original.arg_size();
  const llvm::Value *colour = &original;
  if (writes && count == 3)
    colour = original.getArgOperand(2);
  const auto *channels = llvm::dyn_cast<llvm::FixedVectorType>(colour->getType());
  const bool isKnown =
      channels && channels->getNumElements() == 4 && !isHalf(*channels) &&
      (writes || count == 2 || (count == 3 && original.getArgOperand(1)->getType()->isPointerTy()));
  if (type.empty() || llvm::isa<llvm::Constant>(original.getArgOperand(0)) || !isKnown)
    refuse("images: " + builtin.name + " on " + (type.empty() ? "an unknown type" : type));
  if (!lowerPixel(site, builtin, writes, type))
    callImageFunction(site, builtin, writes);
}

/// Returns false if Oclgrind's own function has to answer.
bool FunctionLowering::lowerImageQuery(const Site &site, llvm::StringRef name) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  if (!llvm::isa<llvm::Argument>(llvm::cast<llvm::CallInst>(site.original)->getArgOperand(0)))
    return false;
  llvm::Value *image = made.getArgOperand(0);
  Builder at(&made);
  std::vector<llvm::Value *> answers;
  if (name == "get_image_width" || name == "get_image_dim")
    answers.push_back(imageSize(image, 0));
  if (name == "get_image_height" || name == "get_image_dim")
    answers.push_back(imageSize(image, 1));
  if (name == "get_image_depth" || (name == "get_image_dim" && laneCount(made.getType()) > 2))
    answers.push_back(imageSize(image, 2));
  if (name == "get_image_array_size")
    answers.push_back(imageSize(image, 3));
  if (name == "get_image_channel_order" || name == "get_image_channel_data_type") {
    static_assert(sizeof(cl_image_format) == 2 * sizeof(cl_uint)); // the order first
    llvm::Value *format = imageField(image, offsetof(ImageEntry, image.format));
    answers.push_back(name.endswith("order") ? format : at.CreateLShr(format, 32));
  }
  if (answers.empty())
    return false;
  failIf(at.CreateICmpEQ(imageField(image, offsetof(ImageEntry, isImage)), number(0)), made,
         Failure::kNoImage);
  at.SetInsertPoint(&made);
  llvm::Type *element = made.getType()->getScalarType();
  llvm::Value *result = llvm::Constant::getNullValue(made.getType());
  for (unsigned i = 0; i < answers.size(); ++i) {
    llvm::Value *answer = at.CreateTrunc(answers[i], element);
    result = made.getType()->isVectorTy() ? at.CreateInsertElement(result, answer, i) : answer;
  }
  replace(made, result);
  return true;
}

/// Has the engine access the image.
void FunctionLowering::callImageFunction(const Site &site,
                                         const oclgrind::InterpreterCache::Builtin &builtin,
                                         bool writes) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  auto imageSite = std::make_unique<BuiltinSite>();
  imageSite->call = llvm::cast<llvm::CallInst>(site.original);
  imageSite->builtin = builtin;
  imageSite->colour = colourOf(builtin.name);
  imageSite->hasRealCoordinates = builtin.overload.back() == 'f'; // of reads: it is the last
  const auto [resultSize, resultLanes] = oclgrind::getValueSize(site.original);
  imageSite->resultSize = resultSize;
  imageSite->resultLanes = resultLanes;
  imageSite->argumentBytes = sizeof(ImageCall);
  Builder inPrologue(&*prologue_->begin());
  Builder at(&made);
  llvm::AllocaInst *buffer = inPrologue.CreateAlloca(at.getInt8Ty(), number(sizeof(ImageCall)));
  buffer->setAlignment(llvm::Align(16));
  const auto place = [&](size_t offset) {
    return at.CreateConstGEP1_64(at.getInt8Ty(), buffer, offset);
  };
  const auto pass = [&](unsigned argument, size_t offset) {
    storeNative(at, place(offset), made.getArgOperand(argument));
    const llvm::Value *operand = imageSite->call->getArgOperand(argument);
    if (llvm::isa<llvm::Constant>(operand))
      return;
    const auto [size, lanes] = oclgrind::getValueSize(operand);
    imageSite->arguments.push_back({operand, static_cast<uint32_t>(offset), size, lanes});
  };
  const unsigned count = made.arg_size();
  pass(0, offsetof(ImageCall, image));
  if (!writes && count == 3)
    pass(1, offsetof(ImageCall, sampler));
  else
    storeNative(at, place(offsetof(ImageCall, sampler)),
                number(CLK_ADDRESS_NONE | CLK_FILTER_NEAREST));
  // Coordinates that the call does not have are 0.
  storeNative(at, place(offsetof(ImageCall, coordinates)),
              llvm::Constant::getNullValue(llvm::FixedVectorType::get(at.getInt32Ty(), 4)));
  pass(writes ? 1 : count - 1, offsetof(ImageCall, coordinates));
  if (writes)
    pass(2, offsetof(ImageCall, colour));
  reserveAccesses(writes ? 1 : simulator::Pixels::kMost);
  spill(at);
  const AccessKind kind{oclgrind::AddrSpaceGlobal, writes};
  call(at, &calls::accessImage, at.getVoidTy(),
       {keep(at, std::move(imageSite)), buffer, number(accessWord(site.position, kind)),
        number(shared_.tracing == Tracing::kOn)});
  reload(at);
  if (writes)
    made.eraseFromParent();
  else
    replace(made, loadNative(at, place(offsetof(ImageCall, result)), made.getType()));
}

} // namespace aiwc::engine
