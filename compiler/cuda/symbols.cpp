#include "symbols.h"

#include "common/error.h"
#include "lowering/address_spaces.h"
#include "lowering/locations.h"
#include "lowering/optimisation.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

#include <set>
#include <vector>

namespace aiwc::cuda {

using namespace lowering; // the passes that all languages share

namespace {

using llvm::Constant;
using llvm::GlobalVariable;

/// Whether an address of another variable or function is in the value.
bool hasAddress(const Constant &value) {
  if (llvm::isa<llvm::GlobalValue>(value))
    return true;
  for (const llvm::Use &operand : value.operands())
    if (hasAddress(*llvm::cast<Constant>(operand.get())))
      return true;
  return false;
}

const GlobalVariable *annotated(const llvm::ConstantStruct &annotation) {
  return llvm::dyn_cast<GlobalVariable>(annotation.getOperand(0)->stripPointerCasts());
}

std::string textOf(const llvm::ConstantStruct &annotation) {
  const auto *text =
      llvm::dyn_cast<GlobalVariable>(llvm::getUnderlyingObject(annotation.getOperand(1)));
  const auto *data = text && text->hasInitializer()
                         ? llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer())
                         : nullptr;
  return data && data->isCString() ? data->getAsCString().str() : "";
}

void keepLaunchBounds(const llvm::ConstantStruct &annotation) {
  auto *kernel = llvm::dyn_cast<llvm::Function>(annotation.getOperand(0)->stripPointerCasts());
  const auto *arguments =
      llvm::dyn_cast<GlobalVariable>(annotation.getOperand(4)->stripPointerCasts());
  if (!kernel || !arguments || !arguments->hasInitializer())
    return;
  if (const auto *most = llvm::dyn_cast_or_null<llvm::ConstantInt>(
          arguments->getInitializer()->getAggregateElement(0U)))
    kernel->addFnAttr(kLaunchBoundsAnnotation, llvm::utostr(most->getZExtValue()));
}

std::set<const GlobalVariable *> readAnnotations(const llvm::Module &module) {
  std::set<const GlobalVariable *> constants;
  const GlobalVariable *list = module.getGlobalVariable("llvm.global.annotations");
  if (!list || !list->hasInitializer())
    return constants;
  for (const llvm::Use &entry : list->getInitializer()->operands())
    if (const auto *annotation = llvm::dyn_cast<llvm::ConstantStruct>(entry.get())) {
      const std::string text = textOf(*annotation);
      if (text == kLaunchBoundsAnnotation)
        keepLaunchBounds(*annotation);
      else if (const GlobalVariable *variable = annotated(*annotation);
               variable && text == kConstantAnnotation)
        constants.insert(variable);
    }
  return constants;
}

void moveToConstants(GlobalVariable &variable) {
  auto *moved = new GlobalVariable(
      *variable.getParent(), variable.getValueType(), variable.isConstant(), variable.getLinkage(),
      variable.getInitializer(), "", &variable, llvm::GlobalValue::NotThreadLocal, kConstantSpace,
      variable.isExternallyInitialized());
  moved->copyAttributesFrom(&variable);
  moved->takeName(&variable);
  variable.replaceAllUsesWith(llvm::ConstantExpr::getAddrSpaceCast(moved, variable.getType()));
  variable.eraseFromParent();
}

bool hasSharedAddress(const Constant &value) {
  if (const auto *variable = llvm::dyn_cast<GlobalVariable>(&value))
    return variable->getAddressSpace() == kLocalSpace;
  return llvm::any_of(value.operands(), [](const llvm::Use &operand) {
    return hasSharedAddress(*llvm::cast<Constant>(operand.get()));
  });
}

void storeParts(llvm::IRBuilder<> &at, Constant &value, llvm::Value *to) {
  if (!value.getType()->isAggregateType()) {
    at.CreateStore(&value, to);
    return;
  }
  for (unsigned i = 0; Constant *part = value.getAggregateElement(i); ++i)
    storeParts(at, *part, at.CreateConstInBoundsGEP2_32(value.getType(), to, 0, i));
}

/// `float *buffers[2] = {a, b}`: clang copies such an array from a constant, but a block learns
/// only when it begins where its shared memory is.
void storeSharedAddresses(llvm::Function &function) {
  std::vector<llvm::MemCpyInst *> copies;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction))
      copies.push_back(copy);
  for (llvm::MemCpyInst *copy : copies) {
    auto *source = llvm::dyn_cast<GlobalVariable>(copy->getRawSource()->stripPointerCasts());
    if (!source || !source->isConstant() || !source->hasInitializer() ||
        !hasSharedAddress(*source->getInitializer()))
      continue;
    llvm::IRBuilder<> at(copy);
    storeParts(at, *source->getInitializer(),
               at.CreateBitCast(copy->getRawDest(),
                                source->getValueType()->getPointerTo(copy->getDestAddressSpace())));
    copy->eraseFromParent();
  }
}

/// Clang copies constants to variables from global memory.
void copyFromConstants(llvm::Function &function) {
  std::vector<llvm::MemTransferInst *> copies;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction);
        copy && copy->getSourceAddressSpace() == kGlobalSpace)
      copies.push_back(copy);
  for (llvm::MemTransferInst *copy : copies) {
    llvm::Value *source = copy->getRawSource()->stripPointerCasts();
    if (source->getType()->getPointerAddressSpace() != kConstantSpace)
      continue;
    llvm::IRBuilder<> at(copy);
    at.CreateMemTransferInst(llvm::isa<llvm::MemMoveInst>(copy) ? llvm::Intrinsic::memmove
                                                                : llvm::Intrinsic::memcpy,
                             copy->getRawDest(), copy->getDestAlign(),
                             at.CreateBitCast(source, at.getInt8PtrTy(kConstantSpace)),
                             copy->getSourceAlign(), copy->getLength(), copy->isVolatile());
    copy->eraseFromParent();
  }
}

/// The variables that `value` has addresses of.
void collectAddresses(const Constant &value, std::vector<const GlobalVariable *> &found) {
  if (const auto *variable = llvm::dyn_cast<GlobalVariable>(&value)) {
    found.push_back(variable);
    return;
  }
  if (!llvm::isa<llvm::GlobalValue>(value))
    for (const llvm::Use &operand : value.operands())
      collectAddresses(*llvm::cast<Constant>(operand.get()), found);
}

SymbolSpace spaceOf(const GlobalVariable &variable) {
  return variable.getAddressSpace() == kConstantSpace ? SymbolSpace::kConstant
                                                      : SymbolSpace::kGlobal;
}

/// Lays the symbols out and writes their initial bytes.
class Layout {
public:
  Layout(llvm::Module &module, DeviceCode &code)
      : module_(module), layout_(module.getDataLayout()), code_(code) {}

  Symbols place() {
    for (GlobalVariable &variable : module_.globals())
      if (isSymbol(variable))
        add(variable);
    // What their initial values have addresses of lies in the buffers, too: also literals.
    for (size_t i = 0; i < order_.size(); ++i) {
      std::vector<const GlobalVariable *> found;
      collectAddresses(*order_[i]->getInitializer(), found);
      for (const GlobalVariable *variable : found)
        if (variable->hasInitializer() && variable->getAddressSpace() != kLocalSpace &&
            !offsets_.count(variable))
          add(*variable);
    }
    for (const GlobalVariable *variable : order_)
      write(*variable->getInitializer(), spaceOf(*variable), offsets_.at(variable));
    for (const SymbolSpace space : kSymbolSpaces)
      symbols_.types[indexOf(space)] = llvm::StructType::create(
          module_.getContext(), members_[indexOf(space)],
          space == SymbolSpace::kGlobal ? "device_variables" : "constant_variables", true);
    return symbols_;
  }

private:
  static bool isSymbol(const GlobalVariable &variable) {
    return (variable.getAddressSpace() == kGlobalSpace ||
            variable.getAddressSpace() == kConstantSpace) &&
           variable.hasInitializer() && !isLiteralOnly(variable);
  }

  void add(const GlobalVariable &variable) {
    const size_t space = indexOf(spaceOf(variable));
    std::string &bytes = code_.initial[space];
    std::vector<llvm::Type *> &members = members_[space];
    llvm::Type *type = variable.getValueType();
    const uint64_t align =
        std::max(variable.getAlign().valueOrOne(), layout_.getABITypeAlign(type)).value();
    const uint64_t offset = llvm::alignTo(bytes.size(), align);
    const uint64_t size = layout_.getTypeAllocSize(type);
    if (offset > bytes.size())
      members.push_back(
          llvm::ArrayType::get(llvm::Type::getInt8Ty(module_.getContext()), offset - bytes.size()));
    symbols_.places[&variable] = {spaceOf(variable), static_cast<unsigned>(members.size())};
    members.push_back(type);
    bytes.resize(offset + size);
    offsets_[&variable] = offset;
    order_.push_back(&variable);
    if (!isLiteralOnly(variable))
      code_.symbols.push_back({variable.getName().str(), spaceOf(variable), offset, size});
  }

  void writeInteger(const llvm::APInt &value, SymbolSpace space, uint64_t offset) {
    std::string &bytes = code_.initial[indexOf(space)];
    for (unsigned bit = 0; bit < value.getBitWidth(); bit += 8)
      bytes[offset + bit / 8] = static_cast<char>(
          value.extractBitsAsZExtValue(std::min(8U, value.getBitWidth() - bit), bit));
  }

  void write(const Constant &value, SymbolSpace space, uint64_t offset) {
    llvm::Type *type = value.getType();
    if (value.isNullValue() || llvm::isa<llvm::UndefValue>(value))
      return;
    if (const auto *integer = llvm::dyn_cast<llvm::ConstantInt>(&value))
      return writeInteger(integer->getValue(), space, offset);
    if (const auto *real = llvm::dyn_cast<llvm::ConstantFP>(&value))
      return writeInteger(real->getValueAPF().bitcastToAPInt(), space, offset);
    if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
      for (unsigned i = 0; i < structure->getNumElements(); ++i)
        write(*value.getAggregateElement(i), space,
              offset + layout_.getStructLayout(structure)->getElementOffset(i));
      return;
    }
    if (type->isArrayTy() || type->isVectorTy()) {
      llvm::Type *element = type->isArrayTy() ? type->getArrayElementType() : type->getScalarType();
      const uint64_t size = layout_.getTypeAllocSize(element);
      const uint64_t count = type->isArrayTy()
                                 ? type->getArrayNumElements()
                                 : llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
      for (uint64_t i = 0; i < count; ++i)
        write(*value.getAggregateElement(i), space, offset + i * size);
      return;
    }
    writeAddress(value, space, offset);
  }

  /// An address of a function stays 0: a call through it is refused.
  void writeAddress(const Constant &value, SymbolSpace space, uint64_t offset) {
    const Constant *address = &value;
    if (const auto *number = llvm::dyn_cast<llvm::ConstantExpr>(address);
        number && number->getOpcode() == llvm::Instruction::PtrToInt)
      address = number->getOperand(0);
    if (!address->getType()->isPointerTy())
      throw Error(module_.getSourceFileName() +
                  ": error: the initial value of a variable is an address with arithmetic, which "
                  "the simulator has not");
    const auto [base, distance] = resolve(*address);
    const auto *variable = llvm::dyn_cast_or_null<GlobalVariable>(base);
    if (variable && variable->getAddressSpace() == kLocalSpace)
      throw Error(module_.getSourceFileName() +
                  ": error: the initial value of a variable is an address of shared memory, which "
                  "the simulator has not");
    if (!variable || !offsets_.count(variable))
      return;
    code_.pointers.push_back({space, offset, spaceOf(*variable),
                              offsets_.at(variable) + static_cast<uint64_t>(distance)});
  }

  /// The variable and the distance in bytes that make up an address.
  std::pair<const Constant *, int64_t> resolve(const Constant &address) const {
    const Constant *at = &address;
    int64_t distance = 0;
    while (const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(at)) {
      if (const auto *step = llvm::dyn_cast<llvm::GEPOperator>(expression)) {
        llvm::APInt bytes(64, 0);
        if (!step->accumulateConstantOffset(layout_, bytes))
          return {nullptr, 0};
        distance += bytes.getSExtValue();
      } else if (!expression->isCast()) {
        return {nullptr, 0};
      }
      at = expression->getOperand(0);
    }
    return {at, distance};
  }

  llvm::Module &module_;
  const llvm::DataLayout &layout_;
  DeviceCode &code_;
  Symbols symbols_;
  std::vector<llvm::Type *> members_[2];
  std::vector<const GlobalVariable *> order_;
  std::map<const GlobalVariable *, uint64_t> offsets_;
};

} // namespace

bool isLiteralOnly(const GlobalVariable &variable) {
  return variable.isConstant() && variable.hasInitializer() &&
         !variable.isExternallyInitialized() && !hasAddress(*variable.getInitializer());
}

void refuseUndefined(llvm::Function &kernel) {
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    for (const llvm::Use &operand : instruction.operands())
      if (const auto *variable = llvm::dyn_cast<GlobalVariable>(operand.get());
          variable && variable->isDeclaration() && variable->getAddressSpace() != kLocalSpace)
        failWith(instruction, "uses the variable " + plainName(variable->getName()) +
                                  ", which is defined nowhere");
}

void separateConstants(llvm::Module &module) {
  const std::set<const GlobalVariable *> constants = readAnnotations(module);
  std::vector<GlobalVariable *> moved;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == kGlobalSpace &&
        (constants.count(&variable) || isLiteralOnly(variable)))
      moved.push_back(&variable);
  if (GlobalVariable *list = module.getGlobalVariable("llvm.global.annotations"))
    list->eraseFromParent();
  for (GlobalVariable *variable : moved) {
    if (constants.count(variable)) // the host may write it
      variable->setExternallyInitialized(true);
    moveToConstants(*variable);
  }
  for (llvm::Function &function : module) {
    copyFromConstants(function);
    storeSharedAddresses(function);
  }
}

Symbols placeSymbols(llvm::Module &module, DeviceCode &code) {
  removeUnused(module);
  return Layout(module, code).place();
}

} // namespace aiwc::cuda
