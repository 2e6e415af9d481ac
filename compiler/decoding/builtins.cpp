#include "decoding/builtins.h"

#include "decoding/matrix_product.h"

#include <algorithm>
#include <cmath>

namespace aiwc::decoding {
namespace {

using trace::AddressSpace;
using trace::MemoryKind;

template <typename Names> bool contains(const Names &sorted, std::string_view name) {
  return std::ranges::binary_search(sorted, name);
}

/// A function of OpenCL C 1.2, section 6.12.2.
struct MathFunction {
  std::string_view name;
  uint16_t ofFloat, ofDouble; ///< instructions on a GPU for an argument of this type
};

// All but fma and mad (an addition and a multiplication) and fabs, copysign and nan (which only
// move bits, like a negation). The instructions are those of a common argument in AMD's device
// library for gfx1030 (ROCm 5.2, compiled with -O3), less where CUDA's take far fewer.
constexpr auto kMath = std::to_array<MathFunction>(
    {{"acos", 19, 70},      {"acosh", 70, 150},   {"acospi", 19, 70},     {"asin", 19, 70},
     {"asinh", 70, 150},    {"asinpi", 19, 70},   {"atan", 16, 40},       {"atan2", 42, 60},
     {"atan2pi", 42, 60},   {"atanh", 60, 140},   {"atanpi", 16, 40},     {"cbrt", 14, 30},
     {"ceil", 1, 1},        {"cos", 24, 53},      {"cosh", 60, 120},      {"cospi", 32, 40},
     {"divide", 10, 10},    {"erf", 24, 50},      {"erfc", 47, 78},       {"exp", 13, 23},
     {"exp10", 13, 23},     {"exp2", 6, 22},      {"expm1", 23, 30},      {"fdim", 4, 5},
     {"floor", 1, 1},       {"fmax", 1, 1},       {"fmin", 1, 1},         {"fmod", 35, 50},
     {"fract", 4, 5},       {"frexp", 4, 5},      {"hypot", 14, 30},      {"ilogb", 7, 8},
     {"ldexp", 1, 1},       {"lgamma", 140, 400}, {"lgamma_r", 140, 400}, {"log", 12, 65},
     {"log10", 12, 65},     {"log1p", 50, 120},   {"log2", 6, 60},        {"logb", 7, 8},
     {"maxmag", 7, 8},      {"minmag", 7, 8},     {"modf", 4, 5},         {"nextafter", 4, 26},
     {"pow", 40, 100},      {"pown", 40, 100},    {"powr", 40, 100},      {"recip", 8, 10},
     {"remainder", 50, 66}, {"remquo", 70, 86},   {"rint", 1, 1},         {"rootn", 40, 100},
     {"round", 7, 8},       {"rsqrt", 4, 9},      {"sin", 24, 53},        {"sincos", 28, 59},
     {"sinh", 60, 120},     {"sinpi", 32, 40},    {"sqrt", 4, 21},        {"tan", 27, 74},
     {"tanh", 20, 60},      {"tanpi", 40, 51},    {"tgamma", 150, 350},   {"trunc", 1, 1}});
static_assert(std::ranges::is_sorted(kMath, {}, &MathFunction::name));

/// Instructions of a function of the forms native_ and half_.
constexpr uint16_t kNativeInstructions = 2;
/// Those of the square root of length, distance and normalize.
constexpr uint16_t kRootInstructions = 4;

const MathFunction *mathFunction(std::string_view name) {
  const auto *found = std::ranges::lower_bound(kMath, name, {}, &MathFunction::name);
  return found != kMath.end() && found->name == name ? found : nullptr;
}

// The functions of section 6.12.3, one operation per lane.
constexpr auto kInteger = std::to_array<std::string_view>(
    {"abs", "abs_diff", "add_sat", "clz", "ctz", "hadd", "max", "min", "mul24", "mul_hi",
     "popcount", "rhadd", "rotate", "sub_sat", "upsample"});
static_assert(std::ranges::is_sorted(kInteger));

constexpr auto kIntegerMultiplyAdd =
    std::to_array<std::string_view>({"mad24", "mad_hi", "mad_sat"});
static_assert(std::ranges::is_sorted(kIntegerMultiplyAdd));

AddressSpace spaceOf(const llvm::Value *pointer) {
  switch (pointer->getType()->getScalarType()->getPointerAddressSpace()) {
  case 1:
    return AddressSpace::kGlobal;
  case 2:
    return AddressSpace::kConstant;
  case 3:
    return AddressSpace::kLocal;
  default:
    return AddressSpace::kPrivate;
  }
}

/// The last pointer among the arguments, through which vload, vstore, fract, sincos... access
/// memory.
const llvm::Value *lastPointer(const llvm::CallBase &call) {
  const llvm::Value *last = nullptr;
  for (const llvm::Use &argument : call.args())
    if (argument->getType()->isPointerTy())
      last = argument.get();
  return last;
}

struct MemoryTraits {
  MemoryKind kind;
  AddressSpace space;
};

std::optional<MemoryTraits> intrinsicMemory(const llvm::CallBase &call, std::string_view name) {
  if (name.starts_with("llvm.memset"))
    return MemoryTraits{MemoryKind::kStore, spaceOf(call.getArgOperand(0))};
  if (!name.starts_with("llvm.memcpy") && !name.starts_with("llvm.memmove"))
    return std::nullopt;
  // A copy counts as an instruction of the address space that is not private. If the source is
  // constant memory, it counts for constant memory; a destination is never constant.
  const AddressSpace destination = spaceOf(call.getArgOperand(0));
  const AddressSpace source = spaceOf(call.getArgOperand(1));
  const bool useSource = source == AddressSpace::kConstant || destination == AddressSpace::kPrivate;
  return MemoryTraits{MemoryKind::kCopy, useSource ? source : destination};
}

std::optional<MemoryTraits> builtinMemory(const llvm::CallBase &call, std::string_view name) {
  if (name.starts_with("atomic_work_item_fence"))
    return std::nullopt;
  if (name.starts_with("atomic_") || name.starts_with("atom_"))
    return MemoryTraits{MemoryKind::kAtomic, spaceOf(call.getArgOperand(0))};
  if (name.starts_with("async_work_group"))
    return MemoryTraits{MemoryKind::kGroupCopy, AddressSpace::kGlobal};
  if (name.starts_with("read_image") || name.starts_with("write_image"))
    return MemoryTraits{MemoryKind::kImage, AddressSpace::kGlobal};
  const llvm::Value *pointer = lastPointer(call);
  if (!pointer)
    return std::nullopt;
  if (name.starts_with("vload"))
    return MemoryTraits{MemoryKind::kLoad, spaceOf(pointer)};
  if (name.starts_with("vstore"))
    return MemoryTraits{MemoryKind::kStore, spaceOf(pointer)};
  if (name == "printf") // reads its format
    return MemoryTraits{MemoryKind::kLoad, spaceOf(call.getArgOperand(0))};
  if (mathFunction(name)) // fract, frexp, lgamma_r, modf, remquo, sincos
    return MemoryTraits{MemoryKind::kStore, spaceOf(pointer)};
  return std::nullopt;
}

bool isBarrier(std::string_view name) {
  // wait_group_events holds every work-item of the group, as a barrier does.
  return name == "barrier" || name == "work_group_barrier" || name == "wait_group_events";
}

/// Counts geometric and common functions by the arithmetic that defines them (sections 6.12.4,
/// 6.12.5), for `n` lanes. Returns false if `name` is none of them.
bool compositeArithmetic(std::string_view name, uint16_t n, BuiltinTraits &traits) {
  const auto work = [&traits](int add, int mul, int div, int special) {
    traits.fpAdd = static_cast<uint16_t>(add);
    traits.fpMul = static_cast<uint16_t>(mul);
    traits.fpDiv = static_cast<uint16_t>(div);
    traits.fpSpecial = static_cast<uint16_t>(special);
    traits.specialInstructions = static_cast<uint16_t>(special * kRootInstructions);
    return true;
  };
  if (name.starts_with("fast_"))
    name.remove_prefix(5);
  if (name == "dot")
    return work(n - 1, n, 0, 0);
  if (name == "length")
    return work(n - 1, n, 0, 1);
  if (name == "distance")
    return work(2 * n - 1, n, 0, 1);
  if (name == "normalize")
    return work(n - 1, n, n, 1);
  if (name == "cross")
    return work(3, 6, 0, 0);
  if (name == "degrees" || name == "radians")
    return work(0, n, 0, 0);
  if (name == "mix") // x + (y - x) a
    return work(2 * n, n, 0, 0);
  if (name == "smoothstep") // t = (x - e0) / (e1 - e0), t t (3 - 2 t)
    return work(3 * n, 3 * n, n, 0);
  return false;
}

/// Whether the call is one of pow, powr or pown whose exponent is known and a multiple of a half,
/// up to 4 or down to -4.
bool isConstantPower(std::string_view name, const llvm::CallBase &call) {
  if ((name != "pow" && name != "powr" && name != "pown") || call.arg_size() != 2)
    return false;
  const auto *exponent = llvm::dyn_cast<llvm::Constant>(call.getArgOperand(1));
  if (exponent && exponent->getType()->isVectorTy())
    exponent = exponent->getSplatValue();
  double value = 0;
  if (const auto *real = llvm::dyn_cast_or_null<llvm::ConstantFP>(exponent))
    value = real->getValueAPF().convertToDouble();
  else if (const auto *integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(exponent))
    value = static_cast<double>(integer->getSExtValue());
  const double halves = 2 * std::abs(value);
  return halves == std::floor(halves) && halves >= 1 && halves <= 8;
}

void floatingPointWork(std::string_view name, const llvm::Type &type, uint16_t lanes,
                       BuiltinTraits &traits) {
  const bool isNative = name.starts_with("native_") || name.starts_with("half_");
  if (isNative)
    name.remove_prefix(name.find('_') + 1);
  if (name == "fma" || name == "mad" || name == "fmuladd") {
    traits.fpAdd = traits.fpMul = lanes;
  } else if (const MathFunction *function = mathFunction(name)) {
    traits.fpSpecial = lanes;
    const uint16_t ofLane = isNative            ? kNativeInstructions
                            : type.isDoubleTy() ? function->ofDouble
                                                : function->ofFloat;
    traits.specialInstructions = static_cast<uint16_t>(lanes * ofLane);
  } else {
    compositeArithmetic(name, lanes, traits);
  }
}

void integerWork(std::string_view name, uint16_t lanes, BuiltinTraits &traits) {
  if (contains(kInteger, name))
    traits.intOps = lanes;
  else if (contains(kIntegerMultiplyAdd, name) || name == "clamp")
    traits.intOps = static_cast<uint16_t>(2 * lanes);
}

/// "llvm.sqrt.f32" is "sqrt"; LLVM's names of integer operations become OpenCL C's.
std::string_view intrinsicOperation(std::string_view name) {
  name.remove_prefix(std::string_view("llvm.").size());
  const std::string_view operation = name.substr(0, name.find('.'));
  struct Alias {
    std::string_view llvm, opencl;
  };
  static constexpr std::array kAliases = {
      Alias{"minnum", "fmin"},    Alias{"maxnum", "fmax"},  Alias{"minimum", "fmin"},
      Alias{"maximum", "fmax"},   Alias{"powi", "pown"},    Alias{"nearbyint", "rint"},
      Alias{"roundeven", "rint"}, Alias{"smin", "min"},     Alias{"smax", "max"},
      Alias{"umin", "min"},       Alias{"umax", "max"},     Alias{"ctpop", "popcount"},
      Alias{"ctlz", "clz"},       Alias{"cttz", "ctz"},     Alias{"fshl", "rotate"},
      Alias{"fshr", "rotate"},    Alias{"bswap", "rotate"}, Alias{"bitreverse", "rotate"},
      Alias{"sadd", "add_sat"},   Alias{"uadd", "add_sat"}, Alias{"ssub", "sub_sat"},
      Alias{"usub", "sub_sat"},   Alias{"smul", "mul_hi"},  Alias{"umul", "mul_hi"},
      Alias{"sshl", "rotate"},    Alias{"ushl", "rotate"}};
  for (const Alias &alias : kAliases)
    if (operation == alias.llvm)
      return alias.opencl;
  return operation;
}

} // namespace

unsigned opcodeOf(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  const auto id = call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic;
  return id == llvm::Intrinsic::fptosi_sat   ? unsigned{llvm::Instruction::FPToSI}
         : id == llvm::Intrinsic::fptoui_sat ? unsigned{llvm::Instruction::FPToUI}
                                             : instruction.getOpcode();
}

unsigned elementCount(const llvm::Type *type) {
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

const llvm::Function *calledFunction(const llvm::CallBase &call) {
  return llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
}

std::string_view plainName(std::string_view mangled) {
  if (!mangled.starts_with("_Z"))
    return mangled;
  size_t position = 2;
  size_t length = 0;
  while (position < mangled.size() && mangled[position] >= '0' && mangled[position] <= '9')
    length = 10 * length + static_cast<size_t>(mangled[position++] - '0');
  if (length == 0 || length > mangled.size() - position)
    return mangled;
  return mangled.substr(position, length);
}

std::string_view calledName(const llvm::CallBase &call) {
  const llvm::Function *callee = calledFunction(call);
  return callee ? plainName({callee->getName().data(), callee->getName().size()})
                : std::string_view();
}

std::optional<size_t> matrixFunction(llvm::StringRef name) {
  const auto *found = std::ranges::find(kMatrixFunctions, name);
  if (found == kMatrixFunctions.end())
    return std::nullopt;
  return found - kMatrixFunctions.begin();
}

BuiltinTraits builtinTraits(const llvm::CallBase &call, const llvm::Function &callee) {
  BuiltinTraits traits;
  const std::string_view mangled{callee.getName().data(), callee.getName().size()};
  const bool intrinsic = mangled.starts_with("llvm.");
  const std::string_view name = intrinsic ? intrinsicOperation(mangled) : plainName(mangled);
  const auto memory = intrinsic ? intrinsicMemory(call, mangled) : builtinMemory(call, name);
  if (memory) {
    traits.memory = memory->kind;
    traits.space = memory->space;
  }
  traits.barrier = !intrinsic && isBarrier(name);
  traits.meeting = isMeeting(callee.getName());
  if (matrixFunction(callee.getName()).value_or(kSpreadFunction) != kSpreadFunction)
    if (const auto *word = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0))) {
      const auto product = MatrixProduct::of(static_cast<uint32_t>(word->getZExtValue()));
      traits.matrixOps = product.operationsOfLane();
      traits.matrixType = product.matrixType();
    }
  traits.extremum = name == "fmax" || name == "fmin" || name == "max" || name == "min";
  if (call.arg_size() == 0)
    return traits;
  // The operands determine the element type and the number of lanes: dot has a scalar result, ilogb
  // an integer result, and smoothstep and mix take scalars together with vectors.
  unsigned lanes = 1;
  for (const llvm::Use &argument : call.args())
    lanes = std::max(lanes, elementCount(argument->getType()));
  const llvm::Type *type = call.getArgOperand(0)->getType()->getScalarType();
  traits.constantPower = isConstantPower(name, call);
  if (type->isFloatingPointTy())
    floatingPointWork(name, *type, static_cast<uint16_t>(lanes), traits);
  else if (type->isIntegerTy())
    integerWork(name, static_cast<uint16_t>(lanes), traits);
  return traits;
}

} // namespace aiwc::decoding
