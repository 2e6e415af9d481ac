#include "decoding/vector_accesses.h"

#include "decoding/builtins.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/KnownBits.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace aiwc::decoding {
namespace {

constexpr uint64_t kWidest = 16; ///< bytes that a lane of a device accesses with one instruction
constexpr size_t kMostOpen = 64; ///< chains, each of which is compared with each access
constexpr unsigned kPrivate = 0; ///< address spaces
constexpr unsigned kLocal = 3;   ///< those above may be any
/// Compilers place arrays of local memory, and align those that are larger than this to 16 bytes:
/// LLVM for AMD (AMDGPULowerModuleLDSPass); NVIDIA's assembler joins the accesses likewise.
constexpr uint64_t kLargestUnaligned = 8;

/// `size` bytes at a constant distance from something.
struct Bytes {
  int64_t offset = 0;
  uint64_t size = 0;

  int64_t end() const { return offset + static_cast<int64_t>(size); }
  bool overlaps(const Bytes &other) const { return offset < other.end() && other.offset < end(); }
  bool contains(const Bytes &other) const { return offset <= other.offset && other.end() <= end(); }
};

/// An index without its constant part: `value`, extended to the width of an address.
struct Index {
  enum class Extension : uint8_t { kNone, kSigned, kUnsigned };

  const llvm::Value *value = nullptr;
  Extension extension = Extension::kNone;

  bool operator==(const Index &) const = default;
  bool operator<(const Index &other) const {
    return std::tie(value, extension) < std::tie(other.value, other.extension);
  }
};

/// An address without its constant part.
struct Base {
  const llvm::Value *pointer = nullptr;
  std::vector<std::pair<Index, int64_t>> scaled; ///< indices and their factors

  auto operator<=>(const Base &) const = default;
};

/// A load or store.
struct SimpleAccess {
  const llvm::Instruction *instruction = nullptr;
  Bytes bytes;
  uint64_t alignment = 1;
  std::optional<Bytes> vector; ///< of which it is an element
};

/// The vector of which the pointer is an element, relative to it.
std::optional<Bytes> vectorAround(const llvm::GEPOperator &pointer,
                                  const llvm::DataLayout &layout) {
  const auto *last = llvm::dyn_cast<llvm::ConstantInt>(pointer.idx_end()[-1].get());
  if (!last || pointer.getNumIndices() < 2)
    return std::nullopt;
  const llvm::SmallVector<llvm::Value *, 4> indices(pointer.idx_begin(), pointer.idx_end());
  const auto *vector =
      llvm::dyn_cast_or_null<llvm::FixedVectorType>(llvm::GetElementPtrInst::getIndexedType(
          pointer.getSourceElementType(), llvm::makeArrayRef(indices).drop_back()));
  if (!vector)
    return std::nullopt;
  const uint64_t element = layout.getTypeAllocSize(vector->getElementType()).getFixedSize();
  return Bytes{-last->getSExtValue() * static_cast<int64_t>(element),
               layout.getTypeAllocSize(const_cast<llvm::FixedVectorType *>(vector)).getFixedSize()};
}

/// Divides `value` into a variable index and what the code adds to that.
std::pair<Index, int64_t> withoutConstant(const llvm::Value &value,
                                          const llvm::DataLayout &layout) {
  using enum Index::Extension;
  Index index{&value};
  if (const auto *cast = llvm::dyn_cast<llvm::CastInst>(&value);
      cast && (llvm::isa<llvm::SExtInst>(cast) || llvm::isa<llvm::ZExtInst>(cast)))
    index = {cast->getOperand(0), llvm::isa<llvm::SExtInst>(cast) ? kSigned : kUnsigned};
  int64_t constant = 0;
  for (;;) {
    const auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(index.value);
    const auto *added = sum ? llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1)) : nullptr;
    if (!added || added->getBitWidth() > 64)
      break;
    const llvm::Value &first = *sum->getOperand(0);
    const bool addsBits = sum->getOpcode() == llvm::Instruction::Or &&
                          llvm::haveNoCommonBitsSet(&first, added, layout);
    const auto *wraps = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(sum);
    const bool isSum =
        sum->getOpcode() == llvm::Instruction::Add &&
        (index.extension == kNone ||
         (index.extension == kSigned ? wraps->hasNoSignedWrap() : wraps->hasNoUnsignedWrap()));
    if (!isSum && !addsBits)
      break;
    constant += index.extension == kUnsigned ? static_cast<int64_t>(added->getZExtValue())
                                             : added->getSExtValue();
    index.value = &first;
  }
  return {index, constant};
}

/// The alignment of the base, as far as the code tells it: at most kWidest.
uint64_t alignmentOf(const Base &base, const llvm::DataLayout &layout) {
  const auto *array = llvm::dyn_cast<llvm::GlobalVariable>(base.pointer);
  const bool isPlaced = array && array->getAddressSpace() == kLocal &&
                        layout.getTypeAllocSize(array->getValueType()) > kLargestUnaligned;
  // The lowest bit that is set is the alignment.
  uint64_t bits = kWidest | (isPlaced ? 0 : base.pointer->getPointerAlignment(layout).value());
  for (const auto &[index, factor] : base.scaled) {
    const unsigned zeros = llvm::computeKnownBits(index.value, layout).countMinTrailingZeros();
    bits |= static_cast<uint64_t>(factor) << std::min(zeros, 4U);
  }
  return bits & -bits;
}

/// Divides the address of a simple load or store into its base and the rest.
std::pair<Base, SimpleAccess> simpleAccess(const llvm::Instruction &instruction) {
  const llvm::DataLayout &layout = instruction.getModule()->getDataLayout();
  Base base;
  SimpleAccess part;
  part.instruction = &instruction;
  // These functions only read, but have no interface for constant instructions.
  auto *const access = const_cast<llvm::Instruction *>(&instruction);
  part.bytes.size = layout.getTypeStoreSize(llvm::getLoadStoreType(access)).getFixedSize();
  part.alignment = llvm::getLoadStoreAlignment(access).value();
  base.pointer = llvm::getLoadStorePointerOperand(&instruction);
  const unsigned width = layout.getIndexTypeSizeInBits(base.pointer->getType());
  std::map<Index, int64_t> scaled;
  for (bool outermost = true;;) {
    if (const auto *cast = llvm::dyn_cast<llvm::BitCastOperator>(base.pointer)) {
      base.pointer = cast->getOperand(0);
      continue;
    }
    const auto *element = llvm::dyn_cast<llvm::GEPOperator>(base.pointer);
    if (!element)
      break;
    llvm::MapVector<llvm::Value *, llvm::APInt> variable;
    llvm::APInt constant(width, 0);
    if (!element->collectOffset(layout, width, variable, constant))
      break;
    if (std::exchange(outermost, false))
      part.vector = vectorAround(*element, layout);
    part.bytes.offset += constant.getSExtValue();
    for (const auto &[value, factor] : variable) {
      const auto [index, added] = withoutConstant(*value, layout);
      scaled[index] += factor.getSExtValue();
      part.bytes.offset += added * factor.getSExtValue();
    }
    base.pointer = element->getPointerOperand();
  }
  base.scaled.assign(scaled.begin(), scaled.end());
  if (part.vector) {
    part.vector->offset += part.bytes.offset;
    if (!part.vector->contains(part.bytes))
      part.vector.reset();
  }
  return {std::move(base), part};
}

/// Whether two bases lead to memory that is known to be different.
bool areApart(const Base &a, const Base &b) {
  const llvm::Value *one = llvm::getUnderlyingObject(a.pointer);
  const llvm::Value *other = llvm::getUnderlyingObject(b.pointer);
  const auto isKnown = [](const llvm::Value *object) {
    return llvm::isa<llvm::Argument>(object) || llvm::isa<llvm::GlobalVariable>(object);
  };
  return one != other && isKnown(one) && isKnown(other) &&
         (llvm::isIdentifiedObject(one) || llvm::isIdentifiedObject(other));
}

/// Loads, or stores, at constant distances, to which later ones can be joined.
struct Chain {
  Base base;
  uint64_t alignment = 1; ///< of the base
  unsigned space = 0;
  bool writes = false;
  std::vector<SimpleAccess> parts;
  std::vector<Bytes> stored; ///< of loads: what stores at the same base have written since
};

class Finder {
public:
  explicit Finder(std::unordered_map<const llvm::Instruction *, const llvm::Instruction *> &firsts)
      : firsts_(firsts) {}

  void examine(const llvm::BasicBlock &block) {
    for (const llvm::Instruction &instruction : block)
      visit(instruction);
    end([](const Chain &) { return true; });
  }

private:
  void visit(const llvm::Instruction &instruction) {
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
      if (intrinsic && intrinsic->isAssumeLikeIntrinsic())
        return;
      const llvm::Function *callee = calledFunction(*call);
      const BuiltinTraits traits = builtinTraits(*call, *callee);
      if (!callee->isDeclaration() || traits.waits()) // the trace's block ends
        return end([](const Chain &) { return true; });
    }
    const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!pointer || (load ? !load->isSimple() : !store->isSimple())) {
      if (instruction.mayWriteToMemory())
        end([](const Chain &) { return true; });
      else if (instruction.mayReadFromMemory())
        end([](const Chain &chain) { return chain.writes; });
      return;
    }
    const unsigned space = pointer->getType()->getPointerAddressSpace();
    if (space == kPrivate)
      return;
    auto [base, part] = simpleAccess(instruction);
    meet(base, part, space, store != nullptr);
    add(std::move(base), part, space, store != nullptr);
  }

  /// Ends the chains to which no later part can be joined because of this access: their loads take
  /// place where the first is, their stores where the last is.
  void meet(const Base &base, const SimpleAccess &part, unsigned space, bool writes) {
    const auto overlaps = [&](const Bytes &bytes) { return bytes.overlaps(part.bytes); };
    end([&](Chain &chain) {
      if (chain.base != base || chain.space != space) {
        const bool mayBeSame = chain.space == space || chain.space > kLocal || space > kLocal;
        return (writes || chain.writes) && mayBeSame && !areApart(chain.base, base);
      }
      if (chain.writes)
        return std::ranges::any_of(chain.parts, overlaps, &SimpleAccess::bytes);
      if (writes)
        chain.stored.push_back(part.bytes);
      return !writes && std::ranges::any_of(chain.stored, overlaps);
    });
  }

  void add(Base base, const SimpleAccess &part, unsigned space, bool writes) {
    const auto chain = std::ranges::find_if(open_, [&](const Chain &one) {
      return one.writes == writes && one.space == space && one.base == base;
    });
    if (chain != open_.end()) {
      chain->parts.push_back(part);
      return;
    }
    if (open_.size() == kMostOpen) {
      join(open_.front());
      open_.erase(open_.begin());
    }
    const uint64_t alignment = alignmentOf(base, part.instruction->getModule()->getDataLayout());
    open_.push_back({std::move(base), alignment, space, writes, {part}, {}});
  }

  /// Joins the parts of the chains for which the condition holds, and forgets these chains.
  template <typename Condition> void end(Condition condition) {
    std::erase_if(open_, [&](Chain &chain) {
      if (!condition(chain))
        return false;
      join(chain);
      return true;
    });
  }

  void join(const Chain &chain) {
    if (chain.parts.size() < 2)
      return;
    uint64_t unit = chain.alignment; // that begins at `aligned`
    int64_t aligned = 0;
    for (const SimpleAccess &part : chain.parts)
      if (!part.vector && part.alignment > unit) {
        unit = part.alignment;
        aligned = part.bytes.offset;
      }
    unit = std::min(kWidest, unit);
    // What a part belongs to: its vector, or its aligned unit.
    std::map<std::tuple<bool, int64_t, uint64_t>, const llvm::Instruction *> firsts;
    for (const SimpleAccess &part : chain.parts) {
      Bytes whole;
      if (part.vector) {
        whole = *part.vector;
      } else {
        whole.size = unit;
        const auto size = static_cast<int64_t>(unit);
        whole.offset = part.bytes.offset - (((part.bytes.offset - aligned) % size) + size) % size;
        if (!whole.contains(part.bytes))
          continue;
      }
      const auto [first, isNew] =
          firsts.try_emplace({part.vector.has_value(), whole.offset, whole.size}, part.instruction);
      if (!isNew)
        firsts_.emplace(part.instruction, first->second);
    }
  }

  std::unordered_map<const llvm::Instruction *, const llvm::Instruction *> &firsts_;
  std::vector<Chain> open_;
};

} // namespace

VectorAccesses::VectorAccesses(std::span<const llvm::Function *const> functions) {
  Finder finder(firsts_);
  for (const llvm::Function *function : functions)
    for (const llvm::BasicBlock &block : *function)
      finder.examine(block);
}

} // namespace aiwc::decoding
