// Inline code that reads and writes pixels of images, for the formats and samplers that launches of
// the kernel have had so far. It computes the same as compiler/simulator/images.cpp and
// compiler/engine_passes/image_pixels.cpp for one pixel, without the cases of other formats and
// samplers.
#include "engine_passes/function_lowering.h"
#include "engine_passes/image_entry.h"
#include "engine_passes/value_types.h"
#include "simulator/images.h"

#include <array>

namespace aiwc::engine {

namespace {

using Builder = llvm::IRBuilder<>;

/// A coordinate of a pixel, 32 bits. It is inside of the image even if the pixel is not.
struct Index {
  llvm::Value *index = nullptr;
  llvm::Value *isInside = nullptr; ///< null: always
};

/// What a sampler does along one dimension of an image.
class AxisCode {
public:
  /// `size`: of the image, 64 bits; `coordinate`: an integer of 32 bits or a float.
  AxisCode(Builder &at, uint32_t sampler, llvm::Value *size, llvm::Value *coordinate)
      : at_(at), addressing_(sampler & CLK_ADDRESS_MASK), given_(coordinate),
        isNormalized_(sampler & CLK_NORMALIZED_COORDS_TRUE) {
    size_ = at.CreateTrunc(size, at.getInt32Ty());
    realSize_ = at.CreateSIToFP(size_, at.getFloatTy());
  }

  /// The coordinate of the pixel that the filter CLK_FILTER_NEAREST takes.
  Index nearest() {
    if (given_->getType()->isIntegerTy() && !isNormalized_ && !folds())
      return nearestOfInteger();
    return folds() ? foldedNearest() : place(at_.CreateUnaryIntrinsic(kFloor, inPixels()));
  }

  /// The two coordinates between which a linear filter interpolates.
  std::array<Index, 2> adjacent() {
    llvm::Value *lower = below(addressing_ == CLK_ADDRESS_NONE ? inPixels() : shifted());
    if (!folds())
      return {place(lower), place(at_.CreateFAdd(lower, real(1)))};
    llvm::Value *first = toInteger(lower), *second = at_.CreateAdd(first, at_.getInt32(1));
    llvm::Value *isBelow = at_.CreateICmpSLT(first, at_.getInt32(0));
    llvm::Value *isAbove = at_.CreateICmpSGE(second, size_);
    const bool repeats = addressing_ == CLK_ADDRESS_REPEAT;
    llvm::Value *wrapped = repeats ? at_.CreateAdd(first, size_) : at_.getInt32(0);
    llvm::Value *end = repeats ? at_.CreateSub(second, size_) : last();
    return {Index{at_.CreateSelect(isBelow, wrapped, first)},
            Index{at_.CreateSelect(isAbove, end, second)}};
  }

  /// The weight of the second of `adjacent`.
  llvm::Value *weight() { return at_.CreateFSub(shifted(), below(shifted())); }

  /// The index of the layer, if the coordinate is that of an array of images.
  llvm::Value *layer() {
    if (given_->getType()->isIntegerTy())
      return edge(given_);
    return clampedReal(at_.CreateUnaryIntrinsic(llvm::Intrinsic::rint, given_));
  }

  /// Whether this code is correct for the coordinate; null: for all. It is not if folding a NaN
  /// gives a NaN.
  llvm::Value *isUsual(bool isLinear) {
    if (isLinear)
      return at_.CreateFCmpORD(weight(), real(0));
    return folds() ? at_.CreateFCmpORD(folded(), real(0)) : nullptr;
  }

private:
  static constexpr auto kFloor = llvm::Intrinsic::floor;

  bool folds() const {
    return addressing_ == CLK_ADDRESS_REPEAT || addressing_ == CLK_ADDRESS_MIRRORED_REPEAT;
  }
  llvm::Constant *real(double value) const {
    return llvm::ConstantFP::get(at_.getFloatTy(), value);
  }
  llvm::Value *last() { return at_.CreateSub(size_, at_.getInt32(1)); }
  llvm::Value *below(llvm::Value *value) { return at_.CreateUnaryIntrinsic(kFloor, value); }
  /// Converts a float whose value is known to fit 32 bits.
  llvm::Value *toInteger(llvm::Value *value) { return at_.CreateFPToSI(value, at_.getInt32Ty()); }

  llvm::Value *asReal() {
    return given_->getType()->isIntegerTy() ? at_.CreateSIToFP(given_, at_.getFloatTy()) : given_;
  }
  llvm::Value *inPixels() { return isNormalized_ ? at_.CreateFMul(asReal(), realSize_) : asReal(); }
  /// The coordinate in the image, in pixels, for an addressing mode that folds.
  llvm::Value *folded() {
    llvm::Value *n = asReal();
    if (addressing_ == CLK_ADDRESS_REPEAT)
      return at_.CreateFMul(at_.CreateFSub(n, below(n)), realSize_);
    llvm::Value *even = at_.CreateFMul(
        real(2), at_.CreateUnaryIntrinsic(llvm::Intrinsic::rint, at_.CreateFMul(real(0.5), n)));
    llvm::Value *distance =
        at_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, at_.CreateFSub(n, even));
    return at_.CreateFMul(distance, realSize_);
  }
  /// The coordinate relative to the centres of pixels: a linear filter takes the pixels below and
  /// above it.
  llvm::Value *shifted() { return at_.CreateFSub(folds() ? folded() : inPixels(), real(0.5)); }

  /// `index` is what Oclgrind converts to an integer before it clamps.
  Index place(llvm::Value *index) {
    if (addressing_ == CLK_ADDRESS_CLAMP_TO_EDGE)
      return {clampedReal(index)};
    llvm::Value *inside =
        at_.CreateAnd(at_.CreateFCmpOGE(index, real(0)), at_.CreateFCmpOLT(index, realSize_));
    return {toInteger(at_.CreateSelect(inside, index, real(0))), inside};
  }

  /// What does not fit 32 bits, or is no number, becomes the least integer in Oclgrind, and then 0.
  llvm::Value *clampedReal(llvm::Value *value) {
    llvm::Value *most = at_.CreateFSub(realSize_, real(1));
    llvm::Value *fits = at_.CreateAnd(at_.CreateFCmpOGE(value, real(0)),
                                      at_.CreateFCmpOLT(value, real(2147483648.0)));
    llvm::Value *less = at_.CreateSelect(at_.CreateFCmpOLT(value, most), value, most);
    return toInteger(at_.CreateSelect(fits, less, real(0)));
  }

  /// Oclgrind converts integers to floats and back: the greatest do not fit 32 bits then.
  llvm::Value *edge(llvm::Value *value) {
    llvm::Value *zero = at_.getInt32(0);
    llvm::Value *less = at_.CreateSelect(at_.CreateICmpSLT(value, last()), value, last());
    llvm::Value *fits = at_.CreateAnd(at_.CreateICmpSGE(value, zero),
                                      at_.CreateICmpSLT(value, at_.getInt32(2147483584)));
    return at_.CreateSelect(fits, less, zero);
  }

  Index nearestOfInteger() {
    if (addressing_ == CLK_ADDRESS_CLAMP_TO_EDGE)
      return {edge(given_)};
    llvm::Value *inside = at_.CreateICmpULT(given_, size_);
    return {at_.CreateSelect(inside, given_, at_.getInt32(0)), inside};
  }

  Index foldedNearest() {
    llvm::Value *whole = toInteger(below(folded()));
    llvm::Value *isInside = at_.CreateICmpSLT(whole, size_);
    llvm::Value *end = addressing_ == CLK_ADDRESS_REPEAT ? at_.CreateSub(whole, size_) : last();
    return {at_.CreateSelect(isInside, whole, end)};
  }

  Builder &at_;
  uint32_t addressing_;
  llvm::Value *given_, *size_, *realSize_;
  bool isNormalized_;
};

/// The bits of a float, as Oclgrind passes it through double precision: every NaN is quiet.
llvm::Value *quiet(Builder &at, llvm::Value *bits) {
  llvm::Value *value = at.CreateBitCast(bits, at.getFloatTy());
  return at.CreateSelect(at.CreateFCmpUNO(value, value), at.CreateOr(bits, at.getInt32(0x400000)),
                         bits);
}

/// "x > least ? x : least", then "x < most ? x : most", as Oclgrind compares.
llvm::Value *clamped(Builder &at, llvm::Value *x, llvm::Value *least, llvm::Value *most) {
  x = at.CreateSelect(at.CreateFCmpOGT(x, least), x, least);
  return at.CreateSelect(at.CreateFCmpOLT(x, most), x, most);
}

/// The greatest integer of a normalized type.
double scaleOf(cl_channel_type type) {
  return type == CL_UNORM_INT8    ? 255
         : type == CL_SNORM_INT8  ? 127
         : type == CL_UNORM_INT16 ? 65535
                                  : 32767;
}

bool isSignedType(cl_channel_type type) {
  return type == CL_SNORM_INT8 || type == CL_SNORM_INT16 || type == CL_SIGNED_INT8 ||
         type == CL_SIGNED_INT16 || type == CL_SIGNED_INT32;
}

bool isNormalizedType(cl_channel_type type) {
  return type == CL_SNORM_INT8 || type == CL_SNORM_INT16 || type == CL_UNORM_INT8 ||
         type == CL_UNORM_INT16;
}

/// The type as which a pixel is loaded and stored: an integer, or four channels of 32 bits.
llvm::Type *pixelType(Builder &at, const PixelFormat &format) {
  if (format.bytes() == 16)
    return llvm::FixedVectorType::get(at.getInt32Ty(), 4);
  return at.getIntNTy(8 * format.bytes());
}

/// A component of the colour of a pixel: a float, or an integer of 32 bits.
llvm::Value *decode(Builder &at, const PixelFormat &format, llvm::Value *pixel,
                    unsigned component) {
  const bool isReal = format.colour() == Colour::kReal;
  llvm::Type *type = isReal ? at.getFloatTy() : static_cast<llvm::Type *>(at.getInt32Ty());
  const int8_t chosen = format.channelOf(component);
  if (chosen == PixelFormat::kZero)
    return llvm::Constant::getNullValue(type);
  if (chosen == PixelFormat::kOne)
    return isReal ? llvm::ConstantFP::get(type, 1) : static_cast<llvm::Value *>(at.getInt32(1));
  const auto channel = static_cast<uint8_t>(chosen); // not negative here
  llvm::Value *bits = pixel;
  if (pixel->getType()->isVectorTy()) {
    bits = at.CreateExtractElement(pixel, channel);
  } else if (format.channels() > 1) {
    const uint64_t shift = uint64_t{8} * format.channelBytes() * channel;
    bits = at.CreateTrunc(at.CreateLShr(pixel, shift), at.getIntNTy(8 * format.channelBytes()));
  }
  bits = isSignedType(format.type()) ? at.CreateSExt(bits, at.getInt32Ty())
                                     : at.CreateZExt(bits, at.getInt32Ty());
  if (!isReal)
    return bits;
  if (!isNormalizedType(format.type()))
    return at.CreateBitCast(quiet(at, bits), type);
  llvm::Value *value = at.CreateFDiv(at.CreateSIToFP(bits, type),
                                     llvm::ConstantFP::get(type, scaleOf(format.type())));
  if (!isSignedType(format.type()))
    return value;
  llvm::Value *least = llvm::ConstantFP::get(type, -1);
  return at.CreateSelect(at.CreateFCmpOGT(value, least), value, least);
}

/// The bits of a channel of a pixel, 32 bits of which count those that it has.
llvm::Value *encode(Builder &at, const PixelFormat &format, llvm::Value *value) {
  const unsigned bits = 8 * format.channelBytes();
  if (isNormalizedType(format.type())) {
    llvm::Type *type = at.getFloatTy();
    const double scale = scaleOf(format.type());
    llvm::Value *most = llvm::ConstantFP::get(type, scale);
    llvm::Value *least = llvm::ConstantFP::get(type, isSignedType(format.type()) ? -scale - 1 : 0);
    llvm::Value *scaled = clamped(at, at.CreateFMul(value, most), least, most);
    return at.CreateFPToSI(at.CreateUnaryIntrinsic(llvm::Intrinsic::rint, scaled), at.getInt32Ty());
  }
  if (format.colour() == Colour::kReal)
    return quiet(at, at.CreateBitCast(value, at.getInt32Ty()));
  if (bits == 32)
    return value;
  if (format.colour() == Colour::kUnsigned) {
    llvm::Value *most = at.getInt32((1U << bits) - 1);
    return at.CreateSelect(at.CreateICmpULT(value, most), value, most);
  }
  llvm::Value *most = at.getInt32((1U << (bits - 1)) - 1);
  llvm::Value *least = at.CreateNot(most);
  value = at.CreateSelect(at.CreateICmpSGT(value, least), value, least);
  return at.CreateSelect(at.CreateICmpSLT(value, most), value, most);
}

/// As Oclgrind's function computes it. The bits of a corner's number, x first, say whether it is
/// the second pixel in a dimension; `weights` are those of the second pixels.
std::array<llvm::Value *, 4> interpolate(Builder &at,
                                         const std::array<std::array<llvm::Value *, 4>, 8> &corners,
                                         const std::array<llvm::Value *, 3> &weights) {
  llvm::Value *one = llvm::ConstantFP::get(at.getFloatTy(), 1);
  std::array<llvm::Value *, 4> sums{};
  for (unsigned corner = 0; corner < 8; ++corner) {
    llvm::Value *factor = nullptr;
    for (unsigned d = 0; d < 3; ++d) {
      llvm::Value *weight = corner >> d & 1 ? weights[d] : at.CreateFSub(one, weights[d]);
      factor = factor ? at.CreateFMul(factor, weight) : weight;
    }
    for (unsigned component = 0; component < 4; ++component) {
      llvm::Value *term = at.CreateFMul(factor, corners[corner][component]);
      sums[component] = corner ? at.CreateFAdd(sums[component], term) : term;
    }
  }
  return sums;
}

/// The dimensions of an image of the type, without the layers of an array.
unsigned dimensionsOf(llvm::StringRef type) {
  return type.startswith("image3d") ? 3 : type.startswith("image2d") ? 2 : 1;
}

/// The bits of a sampler that is a constant; null for another.
const llvm::ConstantInt *constantSampler(const llvm::Value *value) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(value);
  const auto *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == "__translate_sampler_initializer"
             ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0))
             : nullptr;
}

} // namespace

void ModuleLowering::passArguments(const llvm::Function &caller) {
  for (const llvm::BasicBlock &block : caller)
    for (const llvm::Instruction &instruction : block) {
      const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration() || callee->arg_size() != call->arg_size())
        continue;
      for (unsigned i = 0; i < call->arg_size(); ++i) {
        const llvm::Value *passed = call->getArgOperand(i);
        std::set<uint64_t> &values = seen[callee->getArg(i)];
        if (const llvm::ConstantInt *bits = constantSampler(passed))
          values.insert(bits->getZExtValue());
        else if (const auto found = seen.find(passed); found != seen.end())
          values.insert(found->second.begin(), found->second.end());
      }
    }
}

/// Loaded once, in the prologue.
llvm::Value *FunctionLowering::imageField(llvm::Value *image, size_t offset) {
  llvm::Value *&field = imageFields_[{image, offset}];
  if (!field) {
    Builder at(prologue_->getTerminator());
    // The address of an ImageEntry, which is the host's, whatever the address space of the image.
    llvm::Value *bytes = at.CreateIntToPtr(at.CreatePtrToInt(image, int64_), bytePointer_);
    llvm::Value *place = at.CreateConstGEP1_64(at.getInt8Ty(), bytes, offset);
    llvm::LoadInst *load = at.CreateLoad(int64_, at.CreateBitCast(place, int64_->getPointerTo()));
    load->setMetadata(llvm::LLVMContext::MD_tbaa, tableTag_);
    field = load;
  }
  return field;
}

llvm::Value *FunctionLowering::imageSize(llvm::Value *image, unsigned dimension) {
  constexpr size_t kSizes[] = {
      offsetof(cl_image_desc, image_width), offsetof(cl_image_desc, image_height),
      offsetof(cl_image_desc, image_depth), offsetof(cl_image_desc, image_array_size)};
  return imageField(image, offsetof(ImageEntry, image) + offsetof(oclgrind::Image, desc) +
                               kSizes[dimension]);
}

bool FunctionLowering::lowerPixel(const Site &site,
                                  const oclgrind::InterpreterCache::Builtin &builtin, bool writes,
                                  llvm::StringRef type) {
  const auto &original = llvm::cast<llvm::CallInst>(*site.original);
  const llvm::Value *argument = original.getArgOperand(0);
  if (!llvm::isa<llvm::Argument>(argument))
    return false;
  // The first format that the image had and for which there is code.
  uint64_t code = 0;
  PixelFormat format;
  for (const uint64_t seen : shared_.seen[argument]) {
    format = PixelFormat(
        {static_cast<cl_channel_order>(seen >> 32), static_cast<cl_channel_type>(seen)});
    if (format.isValid() && format.colour() == colourOf(builtin.name) && format.channels() != 3 &&
        format.type() != CL_HALF_FLOAT) {
      code = seen;
      break;
    }
  }
  if (code == 0)
    return false;
  return writes ? lowerPixelWrite(site, builtin, format, code)
                : lowerPixelRead(site, builtin, type, format, code);
}

/// The native pointer to a place in the image's buffer.
llvm::Value *FunctionLowering::bufferPointer(Builder &at, llvm::Value *image, llvm::Value *offset) {
  llvm::Value *data = imageField(image, offsetof(ImageEntry, buffer) + offsetof(BufferEntry, data));
  return at.CreateIntToPtr(at.CreateAdd(data, offset), bytePointer_);
}

bool FunctionLowering::lowerPixelRead(const Site &site,
                                      const oclgrind::InterpreterCache::Builtin &builtin,
                                      llvm::StringRef type, const PixelFormat &format,
                                      uint64_t code) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  const auto &original = llvm::cast<llvm::CallInst>(*site.original);
  llvm::Value *image = made.getArgOperand(0);
  Builder at(&made);
  llvm::Value *usual =
      at.CreateICmpEQ(imageField(image, offsetof(ImageEntry, readable)), number(code));
  uint64_t sampler = CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
  if (made.arg_size() == 3) {
    const llvm::Value *given = original.getArgOperand(1);
    if (const llvm::ConstantInt *bits = constantSampler(given)) {
      sampler = bits->getZExtValue();
    } else if (shared_.seen[given].empty()) {
      return false;
    } else {
      sampler = *shared_.seen[given].begin();
      llvm::Value *bits = at.CreatePtrToInt(made.getArgOperand(1), int64_);
      usual = at.CreateAnd(usual, at.CreateICmpEQ(bits, number(sampler)));
    }
  }
  if ((sampler & CLK_ADDRESS_MASK) > CLK_ADDRESS_MIRRORED_REPEAT)
    return false; // not OpenCL's
  const bool isLinear = format.colour() == Colour::kReal && sampler & CLK_FILTER_LINEAR;
  if (isLinear && shared_.tracing == Tracing::kOn)
    return false; // the engine finds out which of the pixels are different, and in which order
  const unsigned dimensions = dimensionsOf(type);
  if (isLinear && (sampler & CLK_ADDRESS_MASK) == CLK_ADDRESS_NONE && dimensions < 3)
    return false; // Oclgrind looks beyond the border, in the dimensions that the image lacks
  const bool isArray = type.endswith("_array_t");
  llvm::Value *given = made.getArgOperand(made.arg_size() - 1);
  const auto coordinate = [&](unsigned dimension) {
    return given->getType()->isVectorTy() ? at.CreateExtractElement(given, dimension) : given;
  };
  if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(given->getType());
      (vector ? vector->getNumElements() : 1) < dimensions + (isArray ? 1 : 0) ||
      (!given->getType()->getScalarType()->isIntegerTy(32) &&
       !given->getType()->getScalarType()->isFloatTy()))
    return false;
  std::vector<AxisCode> axes;
  for (unsigned d = 0; d < dimensions; ++d) {
    axes.emplace_back(at, static_cast<uint32_t>(sampler), imageSize(image, d), coordinate(d));
    if (llvm::Value *condition = axes.back().isUsual(isLinear))
      usual = at.CreateAnd(usual, condition);
  }
  const PixelBlocks blocks = branchToPixel(made, at.CreateNot(usual));
  at.SetInsertPoint(blocks.pixel);
  llvm::Value *layer = nullptr;
  if (isArray)
    layer =
        AxisCode(at, static_cast<uint32_t>(sampler), imageSize(image, 3), coordinate(dimensions))
            .layer();
  std::vector<std::array<Index, 2>> indices;
  indices.reserve(axes.size());
  for (AxisCode &axis : axes)
    indices.push_back(isLinear ? axis.adjacent() : std::array<Index, 2>{axis.nearest()});

  // A pixel by the number, 0 or 1, of its index in each dimension.
  const auto colourAt = [&](std::array<unsigned, 3> which) {
    llvm::Value *row = layer, *isInside = nullptr;
    for (unsigned d = dimensions; d-- > 0;) {
      const Index &index = indices[d][which[d]];
      llvm::Value *size = at.CreateTrunc(imageSize(image, d), at.getInt32Ty());
      row = row ? at.CreateAdd(index.index, at.CreateMul(row, size)) : index.index;
      if (index.isInside)
        isInside = isInside ? at.CreateAnd(isInside, index.isInside) : index.isInside;
    }
    llvm::Value *begin = at.CreateSub(imageField(image, offsetof(ImageEntry, image.address)),
                                      imageField(image, offsetof(ImageEntry, bufferBegin)));
    llvm::Value *offset = at.CreateMul(at.CreateZExt(row, int64_), number(format.bytes()));
    if (shared_.tracing == Tracing::kOn)
      recordReserved(at,
                     at.CreateAdd(imageField(image, offsetof(ImageEntry, image.address)), offset),
                     number(format.bytes()), site.position, {oclgrind::AddrSpaceGlobal}, isInside);
    llvm::Value *pixel = loadNative(at, bufferPointer(at, image, at.CreateAdd(begin, offset)),
                                    pixelType(at, format));
    std::array<llvm::Value *, 4> colour{};
    for (unsigned component = 0; component < 4; ++component) {
      llvm::Value *value = decode(at, format, pixel, component);
      const bool isOne = format.beyondBorder(component) != 0;
      llvm::Constant *border = value->getType()->isFloatTy()
                                   ? llvm::ConstantFP::get(value->getType(), isOne ? 1 : 0)
                                   : static_cast<llvm::Constant *>(at.getInt32(isOne ? 1 : 0));
      colour[component] = isInside ? at.CreateSelect(isInside, value, border) : value;
    }
    return colour;
  };

  std::array<llvm::Value *, 4> colour{};
  llvm::Value *isNaN = nullptr;
  if (isLinear) {
    std::array<llvm::Value *, 3> weights{};
    for (unsigned d = 0; d < 3; ++d) // where there is no dimension, between two equal pixels
      weights[d] = d < dimensions ? axes[d].weight() : llvm::ConstantFP::get(at.getFloatTy(), 0.5);
    std::array<std::array<llvm::Value *, 4>, 8> corners{};
    for (unsigned i = 0; i < 8; ++i) {
      const bool isNew = (i >> dimensions) == 0;
      corners[i] =
          isNew ? colourAt({i & 1, i >> 1 & 1, i >> 2}) : corners[i & ((1 << dimensions) - 1)];
    }
    colour = interpolate(at, corners, weights);
    if (!isNormalizedType(format.type()))
      for (llvm::Value *value : colour) {
        llvm::Value *unordered = at.CreateFCmpUNO(value, value);
        isNaN = isNaN ? at.CreateOr(isNaN, unordered) : unordered;
      }
  } else {
    colour = colourAt({0, 0, 0});
  }
  llvm::Value *result = llvm::UndefValue::get(made.getType());
  for (unsigned component = 0; component < 4; ++component)
    result = at.CreateInsertElement(result, colour[component], component);
  if (isNaN) // which one it is depends on how Oclgrind was compiled
    at.CreateCondBr(isNaN, blocks.left, blocks.tail,
                    llvm::MDBuilder(context_).createBranchWeights(1, 1 << 20));
  else
    at.CreateBr(blocks.tail);
  auto *merged = llvm::PHINode::Create(made.getType(), 2, "", &blocks.tail->front());
  made.replaceAllUsesWith(merged);
  merged->addIncoming(result, at.GetInsertBlock());
  merged->addIncoming(&made, blocks.left);
  made.moveBefore(Builder(blocks.left).CreateBr(blocks.tail));
  callImageFunction(site, builtin, false);
  return true;
}

bool FunctionLowering::lowerPixelWrite(const Site &site,
                                       const oclgrind::InterpreterCache::Builtin &builtin,
                                       const PixelFormat &format, uint64_t code) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  llvm::Value *image = made.getArgOperand(0), *given = made.getArgOperand(1);
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(given->getType());
  if (!given->getType()->getScalarType()->isIntegerTy(32))
    return false;
  Builder at(&made);
  const auto coordinate = [&](unsigned dimension) {
    return at.CreateSExt(vector ? at.CreateExtractElement(given, dimension) : given, int64_);
  };
  // Sums wrap around, as in Oclgrind, which does not compare the coordinates with the sizes.
  llvm::Value *index = coordinate(0);
  if (vector) {
    llvm::Value *row = coordinate(1);
    if (vector->getNumElements() > 2)
      row = at.CreateAdd(row, at.CreateMul(coordinate(2), imageSize(image, 1)));
    index = at.CreateAdd(index, at.CreateMul(row, imageSize(image, 0)));
  }
  const uint64_t bytes = format.bytes();
  llvm::Value *begin = at.CreateSub(imageField(image, offsetof(ImageEntry, image.address)),
                                    imageField(image, offsetof(ImageEntry, bufferBegin)));
  llvm::Value *offset = at.CreateAdd(begin, at.CreateMul(index, number(bytes)));
  const auto bufferField = [&](size_t member) {
    return imageField(image, offsetof(ImageEntry, buffer) + member);
  };
  llvm::Value *limit = bufferField(offsetof(BufferEntry, writeSize));
  llvm::Value *starts = at.CreateSelect(at.CreateICmpUGE(limit, number(bytes)),
                                        at.CreateSub(limit, number(bytes - 1)), number(0));
  llvm::Value *unusual =
      at.CreateOr(at.CreateICmpNE(imageField(image, offsetof(ImageEntry, writable)), number(code)),
                  at.CreateICmpUGE(offset, starts));
  // A granule that is written for the first time is saved by the engine.
  const auto isFresh = [&](llvm::Value *byte) {
    llvm::Value *place = at.CreateIntToPtr(
        at.CreateAdd(bufferField(offsetof(BufferEntry, dirty)), at.CreateLShr(byte, kGranuleBits)),
        bytePointer_);
    llvm::LoadInst *load = at.CreateLoad(at.getInt8Ty(), place);
    load->setMetadata(llvm::LLVMContext::MD_tbaa, stateTag_);
    return at.CreateICmpEQ(load, at.getInt8(0));
  };
  PixelBlocks blocks = branchToPixel(made, unusual);
  at.SetInsertPoint(blocks.pixel);
  llvm::Value *fresh = isFresh(offset);
  if (bytes > 1)
    fresh = at.CreateOr(fresh, isFresh(at.CreateAdd(offset, number(bytes - 1))));
  llvm::BasicBlock *saved = llvm::BasicBlock::Create(context_, "saved", target_, blocks.tail);
  at.CreateCondBr(fresh, blocks.left, saved,
                  llvm::MDBuilder(context_).createBranchWeights(1, 1 << 10));
  at.SetInsertPoint(saved);
  llvm::Type *type = pixelType(at, format);
  llvm::Value *pixel = llvm::Constant::getNullValue(type);
  for (unsigned channel = 0; channel < format.channels(); ++channel) {
    llvm::Value *value = at.CreateExtractElement(made.getArgOperand(2), format.storedIn(channel));
    llvm::Value *bits = encode(at, format, value);
    if (type->isVectorTy()) {
      pixel = at.CreateInsertElement(pixel, bits, channel);
      continue;
    }
    llvm::Type *channelType = at.getIntNTy(8 * format.channelBytes());
    bits = at.CreateZExt(at.CreateTrunc(bits, channelType), type);
    pixel = at.CreateOr(pixel, at.CreateShl(bits, uint64_t{8} * format.channelBytes() * channel));
  }
  if (shared_.tracing == Tracing::kOn)
    recordReserved(at, at.CreateAdd(imageField(image, offsetof(ImageEntry, bufferBegin)), offset),
                   number(bytes), site.position, {oclgrind::AddrSpaceGlobal, true});
  storeNative(at, bufferPointer(at, image, offset), pixel);
  at.CreateBr(blocks.tail);
  made.moveBefore(Builder(blocks.left).CreateBr(blocks.tail));
  callImageFunction(site, builtin, true);
  return true;
}

/// Branches to `left`, which will have the call of the engine, if `unusual` holds, else to `pixel`.
FunctionLowering::PixelBlocks FunctionLowering::branchToPixel(llvm::Instruction &made,
                                                              llvm::Value *unusual) {
  llvm::BasicBlock *head = splitBefore(made), *tail = made.getParent();
  const PixelBlocks blocks{llvm::BasicBlock::Create(context_, "pixel", target_, tail),
                           llvm::BasicBlock::Create(context_, "left", target_, tail), tail};
  Builder(head).CreateCondBr(unusual, blocks.left, blocks.pixel,
                             llvm::MDBuilder(context_).createBranchWeights(1, 1 << 20));
  return blocks;
}

} // namespace aiwc::engine
