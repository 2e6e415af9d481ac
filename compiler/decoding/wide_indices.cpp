#include "decoding/wide_indices.h"

#include "decoding/builtins.h"
#include "decoding/related_values.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace aiwc::decoding {

namespace {

constexpr unsigned kHalf = 32; // bits

bool isWide(const llvm::Value &value) {
  return value.getType()->isIntegerTy(64);
}

bool isProductOf(const llvm::Instruction &instruction) {
  return instruction.getOpcode() == llvm::Instruction::Mul;
}

/// The name of the builtin that a call without a body calls; empty for anything else.
std::string_view builtinOf(const llvm::Value &value) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&value);
  const llvm::Function *callee = call ? calledFunction(*call) : nullptr;
  if (!callee || !callee->isDeclaration())
    return {};
  return plainName({callee->getName().data(), callee->getName().size()});
}

template <size_t N>
bool isOneOf(std::string_view name, const std::array<std::string_view, N> &names) {
  return std::ranges::find(names, name) != names.end();
}

bool isWorkItemFunction(const llvm::Value &value) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"get_global_id", "get_local_id", "get_group_id", "get_global_size", "get_local_size",
       "get_num_groups", "get_global_offset", "get_global_linear_id", "get_local_linear_id",
       "get_enqueued_local_size"});
  return isOneOf(builtinOf(value), kNames);
}

/// Whether it computes a 64-bit integer from others as indices are computed.
bool isArithmetic(const llvm::Instruction &instruction) {
  if (!isWide(instruction))
    return false;
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::Mul:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SDiv:
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
  case llvm::Instruction::And:
  case llvm::Instruction::Or:
  case llvm::Instruction::PHI:
  case llvm::Instruction::Select:
  case llvm::Instruction::Freeze:
    return true;
  case llvm::Instruction::Shl:
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr: {
    const auto *distance = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
    return !distance || distance->getValue().ult(kHalf);
  }
  case llvm::Instruction::Call: {
    static constexpr auto kNames = std::to_array<std::string_view>({"min", "max", "clamp", "abs"});
    if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      switch (intrinsic->getIntrinsicID()) {
      case llvm::Intrinsic::smin:
      case llvm::Intrinsic::smax:
      case llvm::Intrinsic::umin:
      case llvm::Intrinsic::umax:
      case llvm::Intrinsic::abs:
        return true;
      default:
        return false;
      }
    return isOneOf(builtinOf(instruction), kNames);
  }
  default:
    return false;
  }
}

/// Whether the compiler knows that it has no more than 32 bits.
bool isNarrow(const llvm::Value &value) {
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&value))
    return constant->getValue().isIntN(kHalf) || constant->getValue().isSignedIntN(kHalf);
  if (const auto *extension = llvm::dyn_cast<llvm::CastInst>(&value))
    return (llvm::isa<llvm::SExtInst>(extension) || llvm::isa<llvm::ZExtInst>(extension)) &&
           extension->getSrcTy()->isIntegerTy() &&
           extension->getSrcTy()->getIntegerBitWidth() <= kHalf;
  return llvm::isa<llvm::UndefValue>(value);
}

/// Whether an index may be made of it.
bool isSource(const llvm::Value &value, bool isKernel) {
  return isNarrow(value) || isWorkItemFunction(value) ||
         (isKernel && llvm::isa<llvm::Argument>(value));
}

enum class Use : uint8_t { kAddress, kNumber, kOther };

/// What an instruction that computes no index does with an index.
Use useOf(const llvm::Instruction &user, const llvm::Value &index) {
  switch (user.getOpcode()) {
  case llvm::Instruction::GetElementPtr:
    return Use::kAddress;
  case llvm::Instruction::ICmp: {
    const llvm::Value &other = *user.getOperand(user.getOperand(0) == &index ? 1 : 0);
    return isNarrow(other) || !llvm::isa<llvm::Constant>(other) ? Use::kNumber : Use::kOther;
  }
  case llvm::Instruction::Trunc:
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
    return Use::kNumber;
  case llvm::Instruction::Call:
    return builtinOf(user).starts_with("convert_") ? Use::kNumber : Use::kOther;
  default:
    return Use::kOther;
  }
}

/// How values depend on the counter of a loop.
class Degrees {
public:
  explicit Degrees(const llvm::Loop &loop) : loop_(loop) {}

  /// 0 if the loop does not change the value, 1 if it changes by the same in each iteration, 2
  /// otherwise.
  unsigned of(const llvm::Value &value) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || !loop_.contains(instruction) || isWorkItemFunction(value))
      return 0;
    // What depends on itself otherwise than by a step of the counter has the last degree.
    const auto [known, isNew] = degrees_.try_emplace(&value, 2);
    if (!isNew)
      return known->second;
    const unsigned degree = compute(*instruction);
    degrees_[&value] = degree;
    return degree;
  }

private:
  unsigned compute(const llvm::Instruction &instruction) {
    const auto operand = [&](unsigned i) { return of(*instruction.getOperand(i)); };
    switch (instruction.getOpcode()) {
    case llvm::Instruction::PHI:
      return ofPhi(llvm::cast<llvm::PHINode>(instruction));
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
      return std::max(operand(0), operand(1));
    case llvm::Instruction::Mul:
      return std::min(2U, operand(0) + operand(1));
    case llvm::Instruction::Shl:
      return operand(1) == 0 ? operand(0) : 2;
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::Freeze:
      return operand(0);
    default:
      return 2;
    }
  }

  unsigned ofPhi(const llvm::PHINode &phi) {
    if (phi.getParent() != loop_.getHeader() || !loop_.getLoopLatch())
      return 2;
    const auto *step =
        llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(loop_.getLoopLatch()));
    if (!step || (step->getOpcode() != llvm::Instruction::Add &&
                  step->getOpcode() != llvm::Instruction::Sub))
      return 2;
    if (step->getOperand(0) == &phi)
      return of(*step->getOperand(1)) == 0 ? 1 : 2;
    const bool adds = step->getOpcode() == llvm::Instruction::Add && step->getOperand(1) == &phi;
    return adds && of(*step->getOperand(0)) == 0 ? 1 : 2;
  }

  const llvm::Loop &loop_;
  std::unordered_map<const llvm::Value *, unsigned> degrees_;
};

/// What is known of values that belong together.
struct RelatedIndices {
  bool other = false; ///< something that is no index goes in or comes out
  bool index = false; ///< an address comes out, or a work-item function goes in
  std::vector<const llvm::Instruction *> all, products, divisions;
};

/// Whether a product in a loop is computed from itself. Yes where that takes long to find out.
bool multipliesItself(const llvm::Instruction &product) {
  constexpr size_t kMost = 10000;
  std::vector<const llvm::Instruction *> open = {&product};
  std::unordered_set<const llvm::Instruction *> seen;
  while (!open.empty()) {
    if (seen.size() > kMost)
      return true;
    const llvm::Instruction *instruction = open.back();
    open.pop_back();
    for (const llvm::User *user : instruction->users()) {
      const auto *next = llvm::dyn_cast<llvm::Instruction>(user);
      if (next == &product)
        return true;
      if (next && isArithmetic(*next) && seen.insert(next).second)
        open.push_back(next);
    }
  }
  return false;
}

} // namespace

WideIndices::WideIndices(std::span<const llvm::Function *const> functions) {
  for (const llvm::Function *function : functions)
    examine(*function, function == functions.front());
}

void WideIndices::examine(const llvm::Function &function, bool isKernel) {
  std::vector<const llvm::Instruction *> found, products;
  RelatedValues related;
  for (const llvm::BasicBlock &block : function)
    for (const llvm::Instruction &instruction : block) {
      if (isProductOf(instruction))
        products.push_back(&instruction);
      if (!isArithmetic(instruction))
        continue;
      found.push_back(&instruction);
      for (const llvm::Use &operand : instruction.operands())
        if (const auto *from = llvm::dyn_cast<llvm::Instruction>(operand);
            from && isArithmetic(*from))
          related.join(&instruction, from);
    }
  if (found.empty() && products.empty())
    return;
  const llvm::DominatorTree dominators(const_cast<llvm::Function &>(function));
  const llvm::LoopInfo loops(dominators);
  for (const llvm::Instruction *product : products)
    if (const llvm::Loop *loop = loops.getLoopFor(product->getParent());
        loop && Degrees(*loop).of(*product) <= 1)
      replaced_.insert(product);
  std::unordered_map<const llvm::Value *, RelatedIndices> groups;
  for (const llvm::Instruction *instruction : found) {
    RelatedIndices &group = groups[related.of(instruction)];
    group.all.push_back(instruction);
    size_t operands = 0;
    size_t narrow = 0;
    size_t ids = 0;
    for (const llvm::Use &operand : instruction->operands()) {
      if (!isWide(*operand)) // a condition, a function
        continue;
      ++operands;
      narrow += isNarrow(*operand) ? 1 : 0;
      ids += isWorkItemFunction(*operand) ? 1 : 0;
      const auto *from = llvm::dyn_cast<llvm::Instruction>(operand);
      if (!(from && isArithmetic(*from)) && !isSource(*operand, isKernel))
        group.other = true;
    }
    group.index = group.index || ids > 0;
    for (const llvm::User *user : instruction->users()) {
      const auto *next = llvm::dyn_cast<llvm::Instruction>(user);
      if (next && isArithmetic(*next))
        continue;
      if (next && llvm::isa<llvm::ICmpInst>(next))
        group.all.push_back(next);
      const Use use = next ? useOf(*next, *instruction) : Use::kOther;
      group.index = group.index || use == Use::kAddress;
      group.other = group.other || use == Use::kOther;
    }
    if (instruction->isIntDivRem() && narrow < operands)
      group.divisions.push_back(instruction);
    if (!isProductOf(*instruction))
      continue;
    const llvm::Loop *loop = loops.getLoopFor(instruction->getParent());
    group.other = group.other || (loop && multipliesItself(*instruction));
    if (narrow + ids < operands && !isReplaced(*instruction))
      group.products.push_back(instruction);
  }
  for (const auto &[root, group] : groups) {
    if (group.other || !group.index)
      continue;
    indices_.insert(group.all.begin(), group.all.end());
    products_.insert(group.products.begin(), group.products.end());
    divisions_.insert(group.divisions.begin(), group.divisions.end());
  }
}

} // namespace aiwc::decoding
