#include "decoding/builtins.h"
#include "decoding/matrix_product.h"
#include "lowering/address_spaces.h"
#include "lowering/inlining.h"
#include "lowering/locations.h"
#include "passes.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::cuda {
namespace {

using decoding::Spread;
using llvm::IRBuilder;
using llvm::Value;
using Words = std::vector<std::string>;
using lowering::kGenericSpace, lowering::kGlobalSpace, lowering::kLocalSpace;

/// `@!p ld.global.v2.u32 {a, b}, [c + 4];`
struct Statement {
  std::string predicate; ///< a register, or nothing
  bool isNegated = false;
  std::string name; ///< ld.global.v2.u32
  Words parts;      ///< ld, global, v2, u32
  Words operands;   ///< {a, b} and [c + 4], without blanks
};

/// `$(`, `$)` and `$|` of LLVM are braces and bars, `$$` is `$`; `$0` stays, as a register.
std::string asWritten(llvm::StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    const size_t special = std::string_view("()|").find(next);
    if (text[i] == '$' && next != '\0' && special != std::string_view::npos) {
      result += "{}|"[special];
      ++i;
    } else if (text[i] == '/' && next == '/') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else {
      result += text[i];
    }
  }
  return result;
}

Words split(std::string_view text, char at) {
  Words parts(1);
  int open = 0;
  for (const char c : text) {
    open += c == '{' || c == '[';
    open -= c == '}' || c == ']';
    if (c == at && open == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::string withoutBlanks(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
  return text;
}

std::vector<Statement> statementsOf(const std::string &text) {
  std::vector<Statement> statements;
  std::string rest;
  int open = 0;
  // A brace that begins a statement encloses several, and means nothing here.
  for (const char c : text + ";") { // the last one may lack it
    const bool begins = rest.find_first_not_of(" \t\n\r") == std::string::npos;
    if ((c == '{' && begins) || (c == '}' && open == 0))
      continue;
    open += c == '{';
    open -= c == '}';
    if (c != ';') {
      rest += c;
      continue;
    }
    Statement statement;
    llvm::StringRef line = llvm::StringRef(rest).trim();
    if (line.consume_front("@")) {
      statement.isNegated = line.consume_front("!");
      statement.predicate = line.take_until([](char c) { return std::isspace(c); }).str();
      line = line.drop_front(statement.predicate.size()).ltrim();
    }
    statement.name = line.take_until([](char c) { return std::isspace(c); }).str();
    const std::string operands = withoutBlanks(line.drop_front(statement.name.size()).str());
    statement.parts = split(statement.name, '.');
    if (!operands.empty())
      statement.operands = split(operands, ',');
    if (!statement.name.empty())
      statements.push_back(statement);
    rest.clear();
  }
  return statements;
}

/// A type of PTX: u32, s32, b32, f32, pred.
struct Type {
  char kind = 'b';
  unsigned bits = 32;
  bool isFloat() const { return kind == 'f'; }
  bool isSigned() const { return kind == 's'; }
  /// 0 to 2: of unsigned, signed and floating-point numbers.
  size_t variant() const { return isFloat() ? 2 : isSigned() ? 1 : 0; }
};
std::optional<Type> typeOf(const std::string &part) {
  if (part == "pred")
    return Type{'b', 1};
  unsigned bits = 0;
  if (part.size() < 2 || std::string_view("usbf").find(part[0]) == std::string_view::npos ||
      llvm::StringRef(part).drop_front().getAsInteger(10, bits))
    return std::nullopt;
  const bool isKnown = part[0] == 'f' ? bits == 32 || bits == 64
                                      : bits == 8 || bits == 16 || bits == 32 || bits == 64;
  return isKnown ? std::optional(Type{part[0], bits}) : std::nullopt;
}

/// One block of assembly.
class Translation {
public:
  explicit Translation(llvm::CallInst &call) : call_(call), at_(&call) {
    const auto &assembly = *llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
    statements_ = statementsOf(asWritten(assembly.getAsmString()));
    unsigned operand = 0, argument = 0;
    for (const llvm::InlineAsm::ConstraintInfo &constraint : assembly.ParseConstraints()) {
      if (constraint.Type == llvm::InlineAsm::isClobber)
        continue;
      if (constraint.isIndirect)
        refuse("memory operands");
      const std::string name = "$" + std::to_string(operand++);
      if (constraint.Type == llvm::InlineAsm::isOutput) {
        outputs_.push_back(name);
        continue;
      }
      registers_[name] = call.getArgOperand(argument++);
      // Of "+r", the value before.
      if (unsigned output = 0; !constraint.Codes.empty() &&
                               !llvm::StringRef(constraint.Codes[0]).getAsInteger(10, output))
        registers_[outputs_.at(output)] = registers_[name];
    }
  }

  void run() {
    for (const Statement &statement : statements_) {
      now_ = &statement;
      translate();
    }
    llvm::Type *type = call_.getType();
    Value *result = nullptr;
    if (const auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
      result = llvm::UndefValue::get(type);
      for (unsigned i = 0; i < outputs_.size(); ++i)
        result = at_.CreateInsertValue(result, as(outputValue(i), structure->getElementType(i)), i);
    } else if (!outputs_.empty()) {
      result = as(outputValue(0), type);
    }
    if (result)
      call_.replaceAllUsesWith(result);
    call_.eraseFromParent();
  }

private:
  [[noreturn]] void refuse(const std::string &what) const {
    lowering::refuse(call_, "inline assembly with " + what);
  }
  [[noreturn]] void refuseStatement() const { refuse("the PTX instruction " + now_->name); }
  bool has(std::string_view part) const {
    return std::ranges::find(now_->parts, part) != now_->parts.end();
  }
  /// The type that the instruction's name ends with, or the one before it.
  Type type(unsigned fromEnd = 0) const {
    if (fromEnd < now_->parts.size())
      if (const auto known = typeOf(now_->parts[now_->parts.size() - 1 - fromEnd]))
        return *known;
    refuseStatement();
  }

  // == Values: registers have bits, which an instruction takes as its type says.

  llvm::Type *llvmType(Type type) {
    if (type.isFloat())
      return type.bits == 32 ? at_.getFloatTy() : at_.getDoubleTy();
    return at_.getIntNTy(type.bits);
  }
  Value *as(Value *value, llvm::Type *type) {
    if (value->getType() == type)
      return value;
    if (value->getType()->isPointerTy() && type->isPointerTy())
      return at_.CreatePointerBitCastOrAddrSpaceCast(value, type);
    if (value->getType()->isPointerTy())
      value = at_.CreatePtrToInt(value, at_.getInt64Ty());
    const unsigned bits = type->isPointerTy() ? 64 : type->getPrimitiveSizeInBits();
    if (!value->getType()->isIntegerTy())
      value = at_.CreateBitCast(value, at_.getIntNTy(value->getType()->getPrimitiveSizeInBits()));
    value = at_.CreateZExtOrTrunc(value, at_.getIntNTy(bits));
    return type->isPointerTy()   ? at_.CreateIntToPtr(value, type)
           : type->isIntegerTy() ? value
                                 : at_.CreateBitCast(value, type);
  }
  Value *outputValue(unsigned i) {
    if (Value *value = registers_[outputs_[i]])
      return value;
    refuse("the operand " + outputs_[i].substr(1) + ", which gets no value");
  }
  /// A number, or what a register has.
  Value *value(const std::string &name, Type type) {
    llvm::StringRef text = name;
    if (text.startswith("0f") || text.startswith("0F") || text.startswith("0d") ||
        text.startswith("0D")) {
      uint64_t bits = 0;
      if (text.drop_front(2).getAsInteger(16, bits))
        refuseStatement();
      return as(at_.getIntN(text.size() > 10 ? 64 : 32, bits), llvmType(type));
    }
    if (!text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-')) {
      text.consume_back("U");
      long long number = 0;
      double real = 0;
      if (uint64_t large = 0; !text.getAsInteger(0, large))
        return as(at_.getInt64(large), llvmType(type.isFloat() ? Type{'b', 64} : type));
      if (!text.getAsInteger(0, number))
        return as(at_.getInt64(static_cast<uint64_t>(number)), llvmType(type));
      if (type.isFloat() && !text.getAsDouble(real))
        return llvm::ConstantFP::get(llvmType(type), real);
      refuseStatement();
    }
    if (const auto found = registers_.find(name); found != registers_.end() && found->second)
      return as(found->second, llvmType(type));
    if (text.startswith("%"))
      return as(specialRegister(text.drop_front()), llvmType(type));
    refuse("the register " + name + " before it has a value");
  }
  Value *operand(unsigned i, Type type) {
    if (i >= now_->operands.size())
      refuseStatement();
    return value(now_->operands[i], type);
  }
  /// The registers of `{a, b}`, or the one of `a`.
  Words registersOf(unsigned i) const {
    if (i >= now_->operands.size())
      refuseStatement();
    const std::string &text = now_->operands[i];
    return text.starts_with("{") ? split(text.substr(1, text.size() - 2), ',') : Words{text};
  }
  void set(const std::string &name, Value *value) {
    Value *&now = registers_[name];
    if (!now_->predicate.empty() && now && name != "_")
      value = at_.CreateSelect(condition(), value, as(now, value->getType()));
    now = value;
  }
  Value *condition() {
    Value *holds = value(now_->predicate, {'b', 1});
    return now_->isNegated ? at_.CreateNot(holds) : holds;
  }

  /// What is not done unless the predicate holds.
  void guarded(const std::function<void()> &effect) {
    if (now_->predicate.empty())
      return effect();
    at_.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(condition(), &call_, false));
    effect();
    at_.SetInsertPoint(&call_);
  }

  // == The machine

  Value *callOpenCl(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<Value *> arguments) {
    std::vector<llvm::Type *> types;
    for (const Value *argument : arguments)
      types.push_back(argument->getType());
    llvm::FunctionCallee callee =
        call_.getModule()->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
    llvm::CallInst *made = at_.CreateCall(callee, arguments);
    if (auto *function = llvm::dyn_cast<llvm::Function>(callee.getCallee()))
      made->setCallingConv(function->getCallingConv());
    return made;
  }
  /// Lanes meet. Not merged: the same call on two ways is two meetings.
  Value *meet(Exchange exchange, Value *value, Value *argument, Value *width, Value *mask) {
    llvm::CallInst *made = callMeeting(at_, exchange, value, argument, width, mask);
    made->addFnAttr(llvm::Attribute::NoMerge);
    return made;
  }
  /// Without an argument, all lanes of the warp.
  Value *meet(Exchange exchange, Value *value, Value *mask) {
    return meet(exchange, value, at_.getInt32(0), at_.getInt32(32), mask);
  }
  Value *threadInBlock() {
    return at_.CreateTrunc(callOpenCl("_Z19get_local_linear_idv", at_.getInt64Ty(), {}),
                           at_.getInt32Ty());
  }
  Value *specialRegister(llvm::StringRef name) {
    constexpr std::pair<const char *, const char *> kIndices[] = {
        {"tid", "_Z12get_local_idj"},
        {"ntid", "_Z14get_local_sizej"},
        {"ctaid", "_Z12get_group_idj"},
        {"nctaid", "_Z14get_num_groupsj"}};
    const auto [base, dimension] = name.split('.');
    for (const auto &[index, function] : kIndices)
      if (base == index && dimension.size() == 1 && dimension[0] >= 'x' && dimension[0] <= 'z')
        return callOpenCl(function, at_.getInt64Ty(),
                          {at_.getInt32(static_cast<uint32_t>(dimension[0] - 'x'))});
    if (name == "warpid")
      return at_.CreateLShr(threadInBlock(), 5);
    if (name == "clock" || name == "clock64" || name == "globaltimer" || name == "smid")
      return at_.getInt64(0); // the simulator has no time, and one multiprocessor
    Value *lane = at_.CreateAnd(threadInBlock(), 31);
    if (name == "laneid")
      return lane;
    Value *bit = at_.CreateShl(at_.getInt32(1), lane), *below = at_.CreateSub(bit, at_.getInt32(1));
    if (name == "lanemask_eq")
      return bit;
    if (name == "lanemask_lt")
      return below;
    if (name == "lanemask_le")
      return at_.CreateOr(below, bit);
    if (name == "lanemask_ge")
      return at_.CreateNot(below);
    if (name == "lanemask_gt")
      return at_.CreateNot(at_.CreateOr(below, bit));
    refuse("the register %" + name.str());
  }

  // == Memory

  /// The pointer that a number was made of, moved by what was added to it; null if there is none.
  Value *pointerIn(Value *number) {
    if (number->getType()->isPointerTy())
      return at_.CreatePointerCast(number,
                                   bytePointer(number->getType()->getPointerAddressSpace()));
    const auto *made = llvm::dyn_cast<llvm::Operator>(number);
    if (!made)
      return nullptr;
    switch (made->getOpcode()) {
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
      return pointerIn(made->getOperand(0));
    case llvm::Instruction::Add:
      for (const unsigned i : {0u, 1u})
        if (Value *pointer = pointerIn(made->getOperand(i)))
          return at_.CreateGEP(at_.getInt8Ty(), pointer,
                               at_.CreateSExt(made->getOperand(1 - i), at_.getInt64Ty()));
      return nullptr;
    default:
      return nullptr;
    }
  }
  /// Adds the shared variables whose addresses a number is computed of.
  static void addShared(Value *number, llvm::SmallPtrSetImpl<Value *> &seen,
                        llvm::SmallPtrSetImpl<Value *> &found) {
    if (!seen.insert(number).second)
      return;
    if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(number);
        variable && variable->getAddressSpace() == kLocalSpace)
      found.insert(number);
    if (number->getType()->isPointerTy() &&
        llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(number)))
      for (llvm::User *user : number->users()) // what is stored in an array of addresses
        addShared(user, seen, found);
    if (auto *user = llvm::dyn_cast<llvm::User>(number);
        user && !llvm::isa<llvm::GlobalValue>(user))
      for (llvm::Use &operand : user->operands())
        addShared(operand, seen, found);
  }
  /// Of a number that is computed of the address of one shared variable, in any way: the pointer
  /// to that, and as many bytes behind it as the number is above its address.
  Value *sharedPointer(Value *number) {
    llvm::SmallPtrSet<Value *, 16> seen;
    llvm::SmallPtrSet<Value *, 2> found;
    addShared(number, seen, found);
    if (found.size() != 1)
      refuse("an address of shared memory that is not computed of that of one variable");
    Value *variable = *found.begin();
    Value *distance = at_.CreateSub(as(number, at_.getInt32Ty()), as(variable, at_.getInt32Ty()));
    return at_.CreateGEP(at_.getInt8Ty(), at_.CreateBitCast(variable, bytePointer(kLocalSpace)),
                         at_.CreateSExt(distance, at_.getInt64Ty()));
  }
  llvm::Type *bytePointer(unsigned space) { return at_.getInt8PtrTy(space); }
  /// The address of `[a + 4]` in the space that the instruction names, or in any.
  Value *address(unsigned i) {
    const bool isShared = has("shared") || has("shared::cta");
    return address(i, isShared ? kLocalSpace : has("global") ? kGlobalSpace : kGenericSpace);
  }
  Value *address(unsigned i, unsigned space) {
    if (i >= now_->operands.size() || !now_->operands[i].starts_with("["))
      refuseStatement();
    llvm::StringRef text = now_->operands[i];
    text = text.drop_front().drop_back();
    const auto [name, offset] = text.split('+');
    const auto found = registers_.find(name.str());
    if (found == registers_.end() || !found->second)
      refuse("the address " + text.str());
    Value *pointer = pointerIn(found->second);
    if (!pointer)
      pointer = space == kLocalSpace ? sharedPointer(found->second)
                                     : as(found->second, bytePointer(space));
    if (long long bytes = 0; !offset.empty()) {
      if (offset.getAsInteger(0, bytes))
        refuse("the address " + text.str());
      pointer = at_.CreateGEP(at_.getInt8Ty(), pointer, at_.getInt64(static_cast<uint64_t>(bytes)));
    }
    return pointer;
  }
  Value *elementAt(Value *address, llvm::Type *type, unsigned i) {
    Value *typed = at_.CreatePointerCast(
        address, type->getPointerTo(address->getType()->getPointerAddressSpace()));
    return i == 0 ? typed : at_.CreateGEP(type, typed, at_.getInt64(i));
  }
  /// Of element i of a vector.
  static llvm::Align alignmentOf(llvm::Type *element, unsigned i, size_t count) {
    const uint64_t bytes = element->getPrimitiveSizeInBits() / 8;
    return llvm::commonAlignment(llvm::Align(bytes * count), bytes * i);
  }
  /// Registers of a load or a store.
  Words vectorAt(unsigned position) {
    Words registers = registersOf(position);
    if (registers.size() != (has("v4") ? 4 : has("v2") ? 2 : 1))
      refuse(now_->name + " of other than its number of registers");
    return registers;
  }
  /// Elements of a vector are accessed one after the other, as clang has them; they count as one.
  void load() {
    guarded([&] {
      Value *from = address(1);
      const Words to = vectorAt(0);
      llvm::Type *loaded = llvmType(type());
      for (unsigned i = 0; i < to.size(); ++i) {
        Value *value = at_.CreateAlignedLoad(loaded, elementAt(from, loaded, i),
                                             alignmentOf(loaded, i, to.size()), has("volatile"));
        if (type().isSigned() && type().bits < 32)
          value = at_.CreateSExt(value, at_.getInt32Ty());
        loadedTo(to[i], value);
      }
    });
  }
  /// Under a predicate, the value of the block that loads it meets the one before.
  void loadedTo(const std::string &name, Value *value) {
    if (now_->predicate.empty()) {
      registers_[name] = value;
      return;
    }
    Value *before = registers_[name];
    llvm::BasicBlock *block = at_.GetInsertBlock();
    IRBuilder<> behind(&call_.getParent()->front());
    llvm::PHINode *phi = behind.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, block);
    IRBuilder<>::InsertPointGuard guard(at_);
    llvm::BasicBlock *from = block->getSinglePredecessor();
    at_.SetInsertPoint(from->getTerminator());
    phi->addIncoming(
        before ? as(before, value->getType()) : llvm::UndefValue::get(value->getType()), from);
    registers_[name] = phi;
  }
  void store() {
    guarded([&] {
      Value *to = address(0);
      const Words from = vectorAt(1);
      llvm::Type *stored = llvmType(type());
      for (unsigned i = 0; i < from.size(); ++i)
        at_.CreateAlignedStore(value(from[i], type()), elementAt(to, stored, i),
                               alignmentOf(stored, i, from.size()), has("volatile"));
    });
  }
  /// Of 4, 8 or 16 bytes, done at once.
  void copyAsync() {
    if (now_->operands.size() != 3)
      refuse("cp.async with a size of the source");
    const auto *size = llvm::dyn_cast<llvm::ConstantInt>(operand(2, {}));
    const uint64_t bytes = size ? size->getZExtValue() : 0;
    if (bytes != 4 && bytes != 8 && bytes != 16)
      refuse("cp.async of other than 4, 8 or 16 bytes");
    guarded([&] {
      Value *to = address(0, kLocalSpace), *from = address(1, kGlobalSpace);
      llvm::Type *word = at_.getInt32Ty();
      for (unsigned i = 0; i < bytes / 4; ++i)
        at_.CreateAlignedStore(
            at_.CreateAlignedLoad(word, elementAt(from, word, i), alignmentOf(word, i, bytes / 4)),
            elementAt(to, word, i), alignmentOf(word, i, bytes / 4));
    });
  }

  // == Matrices, as simulator::Fragments has them

  /// A call of a function of decoding::kMatrixFunctions.
  Value *callForMatrices(size_t function, unsigned what, bool saturates,
                         llvm::ArrayRef<Value *> factors, Value *sum) {
    std::vector<Value *> arguments = {at_.getInt32(what), at_.getInt32(saturates)};
    arguments.insert(arguments.end(), factors.begin(), factors.end());
    arguments.insert(arguments.end(), {sum, at_.getInt32(0)});
    auto *made = llvm::cast<llvm::CallInst>(
        callOpenCl(decoding::kMatrixFunctions[function], sum->getType(), arguments));
    made->addFnAttr(llvm::Attribute::NoMerge);
    if (auto *callee = made->getCalledFunction())
      callee->addFnAttr(llvm::Attribute::Convergent);
    return made;
  }
  Value *vectorOf(const std::vector<Value *> &elements, unsigned size) {
    Value *vector =
        llvm::UndefValue::get(llvm::FixedVectorType::get(elements.front()->getType(), size));
    for (size_t i = 0; i < elements.size(); ++i)
      vector = at_.CreateInsertElement(vector, elements[i], i);
    return vector;
  }
  void setEach(const Words &names, Value *vector) {
    for (size_t i = 0; i < names.size(); ++i)
      registers_[names[i]] = at_.CreateExtractElement(vector, i);
  }
  /// `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`
  void multiplyMatrices() {
    struct Form {
      std::string_view sum, factor;
      unsigned m, k;
    };
    constexpr Form kForms[] = {
        {"f32", "f16", 16, 16}, {"f32", "f16", 16, 8},   {"f16", "f16", 16, 16},
        {"f16", "f16", 16, 8},  {"f32", "bf16", 16, 16}, {"f32", "bf16", 16, 8},
        {"f32", "tf32", 16, 8}, {"f32", "tf32", 16, 4},  {"s32", "s8", 16, 32},
        {"s32", "s8", 16, 16},  {"s32", "s8", 8, 16},    {"s32", "u8", 16, 32},
        {"s32", "u8", 16, 16},  {"s32", "u8", 8, 16},    {"f64", "f64", 8, 4}};
    // In the order of decoding::FactorType, with the bits, and of decoding::kMatrixFunctions.
    using Factor = std::pair<std::string_view, unsigned>;
    constexpr Factor kFactors[] = {{"f16", 16}, {"bf16", 16}, {"tf32", 32},
                                   {"s8", 8},   {"u8", 8},    {"f64", 64}};
    constexpr std::string_view kSums[] = {"f32", "f16", "s32", "f64"};
    const bool saturates = now_->name.find(".satfinite.s32.") != std::string::npos;
    const auto *form = std::ranges::find_if(kForms, [&](const Form &known) {
      const std::string factor(known.factor), sum(known.sum);
      return now_->name == "mma.sync.aligned.m" + std::to_string(known.m) + "n8k" +
                               std::to_string(known.k) + ".row.col." +
                               (saturates ? "satfinite." : "") + sum + "." + factor + "." + factor +
                               "." + sum;
    });
    if (form == std::end(kForms) || now_->operands.size() != 4 || !now_->predicate.empty())
      refuseStatement();
    const auto *factor = std::ranges::find(kFactors, form->factor, &Factor::first);
    const auto function = static_cast<size_t>(std::ranges::find(kSums, form->sum) - kSums);
    const bool isDouble = form->sum == "f64", isHalf = form->sum == "f16";
    const Type word{form->sum[0] == 'f' && !isHalf ? 'f' : 'b', isDouble ? 64U : 32U};
    const auto valuesOf = [&](unsigned operand, Type type, unsigned count) {
      std::vector<Value *> values;
      for (const std::string &name : registersOf(operand))
        values.push_back(value(name, type));
      if (values.size() != count)
        refuseStatement();
      return values;
    };
    std::vector<Value *> factors;
    for (const unsigned i : {1U, 2U}) {
      const unsigned elements = (i == 1 ? form->m : 8) * form->k / 32;
      for (Value *passed : valuesOf(i, isDouble ? word : Type{},
                                    isDouble ? elements : elements * factor->second / 32))
        factors.push_back(passed);
      while (!isDouble && factors.size() % 8 != 0)
        factors.push_back(at_.getInt32(0));
    }
    Value *sum = vectorOf(valuesOf(3, word, form->m / (isHalf ? 8 : 4)), isDouble ? 2
                                                                         : isHalf ? 4
                                                                                  : 8);
    llvm::Type *vector = sum->getType();
    if (isHalf)
      sum = at_.CreateBitCast(sum, llvm::FixedVectorType::get(at_.getHalfTy(), 8));
    const auto product =
        static_cast<unsigned>(factor - kFactors) | form->m << 8 | 8U << 16 | form->k << 24;
    setEach(registersOf(0),
            at_.CreateBitCast(callForMatrices(function, product, saturates, factors, sum), vector));
  }
  Value *spread(Spread how, Value *words) {
    return callForMatrices(decoding::kSpreadFunction, static_cast<unsigned>(how), false, {}, words);
  }
  /// ldmatrix: each lane loads the row that it has the address of.
  void loadMatrices() {
    constexpr unsigned kWords = 4, kRows = 8;
    const Words to = registersOf(0);
    const auto count = static_cast<unsigned>(to.size());
    if (!has("m8n8") || !has("b16") || !has("x" + std::to_string(count)) ||
        !now_->predicate.empty())
      refuseStatement();
    Value *from = address(1);
    const auto row = [&] {
      std::vector<Value *> words;
      for (unsigned i = 0; i < kWords; ++i)
        words.push_back(at_.CreateAlignedLoad(at_.getInt32Ty(),
                                              elementAt(from, at_.getInt32Ty(), i),
                                              alignmentOf(at_.getInt32Ty(), i, kWords)));
      return vectorOf(words, kWords);
    };
    Value *rows = nullptr;
    if (count == kWords) {
      rows = row();
    } else { // the others' addresses mean nothing
      Value *isOfMatrix = at_.CreateICmpULT(specialRegister("laneid"), at_.getInt32(kRows * count));
      llvm::BasicBlock *before = at_.GetInsertBlock();
      llvm::Instruction *end = llvm::SplitBlockAndInsertIfThen(isOfMatrix, &call_, false);
      at_.SetInsertPoint(end);
      Value *loaded = row();
      at_.SetInsertPoint(&call_);
      llvm::PHINode *phi = at_.CreatePHI(loaded->getType(), 2);
      phi->addIncoming(loaded, end->getParent());
      phi->addIncoming(llvm::Constant::getNullValue(loaded->getType()), before);
      rows = phi;
    }
    setEach(to, spread(has("trans") ? Spread::kColumns : Spread::kRows, rows));
  }
  void transposeMatrix() {
    if (now_->name != "movmatrix.sync.aligned.m8n8.trans.b16" || !now_->predicate.empty())
      refuseStatement();
    setEach({destination()}, spread(Spread::kTransposed, vectorOf({operand(1, {})}, 4)));
  }
  /// atom and red.
  void atomic() {
    using Rmw = llvm::AtomicRMWInst;
    const bool hasResult = now_->parts[0] == "atom";
    const Type of = type();
    const std::map<std::string_view, Rmw::BinOp> operations = {
        {"add", of.isFloat() ? Rmw::FAdd : Rmw::Add},
        {"min", of.isSigned() ? Rmw::Min : Rmw::UMin},
        {"max", of.isSigned() ? Rmw::Max : Rmw::UMax},
        {"and", Rmw::And},
        {"or", Rmw::Or},
        {"xor", Rmw::Xor},
        {"exch", Rmw::Xchg}};
    const auto operation =
        std::ranges::find_if(operations, [&](const auto &known) { return has(known.first); });
    if (operation == operations.end() || !now_->predicate.empty())
      refuseStatement();
    Value *before = at_.CreateAtomicRMW(
        operation->second, elementAt(address(hasResult), llvmType(of), 0),
        operand(hasResult + 1, of), llvm::MaybeAlign(), llvm::AtomicOrdering::Monotonic);
    if (hasResult)
      set(now_->operands[0], before);
  }

  // == Instructions

  Value *intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Value *> arguments) {
    return at_.CreateIntrinsic(id, {arguments[0]->getType()}, arguments);
  }
  Value *smaller(Value *a, Value *b, Type of, bool wantsLarger) {
    Value *isLess = of.isSigned() ? at_.CreateICmpSLT(a, b) : at_.CreateICmpULT(a, b);
    return wantsLarger ? at_.CreateSelect(isLess, b, a) : at_.CreateSelect(isLess, a, b);
  }
  /// A function of two words by its truth table, whose bit 2 b + c is the result.
  Value *ofTwo(unsigned table, Value *b, Value *c) {
    const bool isInverted = table & 1; // of 0 and 0
    Value *result = nullptr;
    switch (isInverted ? ~table & 15 : table) {
    case 0:
      result = at_.getInt32(0);
      break;
    case 2:
      result = at_.CreateAnd(at_.CreateNot(b), c);
      break;
    case 4:
      result = at_.CreateAnd(b, at_.CreateNot(c));
      break;
    case 6:
      result = at_.CreateXor(b, c);
      break;
    case 8:
      result = at_.CreateAnd(b, c);
      break;
    case 10:
      result = c;
      break;
    case 12:
      result = b;
      break;
    default:
      result = at_.CreateOr(b, c);
    }
    return isInverted ? at_.CreateNot(result) : result;
  }
  Value *lop3() {
    const Type word;
    Value *a = operand(1, word), *b = operand(2, word), *c = operand(3, word);
    const auto *table = llvm::dyn_cast<llvm::ConstantInt>(operand(4, word));
    if (!table)
      refuseStatement();
    const unsigned with = table->getZExtValue() >> 4 & 15, without = table->getZExtValue() & 15;
    if (with == without)
      return ofTwo(with, b, c);
    if (with == (~without & 15))
      return at_.CreateXor(a, ofTwo(without, b, c));
    if (without == 0)
      return at_.CreateAnd(a, ofTwo(with, b, c));
    return at_.CreateOr(at_.CreateAnd(a, ofTwo(with, b, c)),
                        at_.CreateAnd(at_.CreateNot(a), ofTwo(without, b, c)));
  }
  /// The bytes that the four selectors name, of 8; bit 3 of a selector asks for the sign.
  Value *permutedBytes() {
    const Type word, wide{'b', 64};
    if (now_->parts.size() > 2)
      refuseStatement();
    Value *bytes = at_.CreateOr(operand(1, wide), at_.CreateShl(operand(2, wide), 32));
    Value *selectors = operand(3, word), *result = at_.getInt32(0);
    for (unsigned i = 0; i < 4; ++i) {
      Value *selector = at_.CreateLShr(selectors, uint64_t{4} * i);
      Value *shift = at_.CreateZExt(at_.CreateShl(at_.CreateAnd(selector, 7), 3), at_.getInt64Ty());
      Value *byte = at_.CreateTrunc(at_.CreateLShr(bytes, shift), at_.getInt8Ty());
      Value *sign = at_.CreateAShr(byte, 7);
      byte = at_.CreateSelect(at_.CreateICmpNE(at_.CreateAnd(selector, 8), at_.getInt32(0)), sign,
                              byte);
      result = at_.CreateOr(result,
                            at_.CreateShl(at_.CreateZExt(byte, at_.getInt32Ty()), uint64_t{8} * i));
    }
    return result;
  }
  Value *funnelShift() {
    const Type word, wide{'b', 64};
    Value *both = at_.CreateOr(operand(1, wide), at_.CreateShl(operand(2, wide), 32));
    Value *by = operand(3, word);
    by = has("wrap") ? at_.CreateAnd(by, 31) : smaller(by, at_.getInt32(32), {'u', 32}, false);
    by = at_.CreateZExt(by, at_.getInt64Ty());
    return has("l") ? at_.CreateLShr(at_.CreateShl(both, by), 32) : at_.CreateLShr(both, by);
  }
  Value *lowBits(Value *count) {
    Value *one = at_.getInt64(1);
    return at_.CreateSub(at_.CreateShl(one, smaller(count, at_.getInt64(63), {'u', 64}, false)),
                         one);
  }
  /// Of words of 32 bits.
  Value *extractedBits() {
    const Type of = type(), wide{'b', 64};
    if (of.bits != 32)
      refuseStatement();
    Value *value = operand(1, of);
    value = of.isSigned() ? at_.CreateSExt(value, at_.getInt64Ty())
                          : at_.CreateZExt(value, at_.getInt64Ty());
    Value *begin = at_.CreateAnd(operand(2, wide), 255),
          *count = at_.CreateAnd(operand(3, wide), 255);
    begin = smaller(begin, at_.getInt64(63), {'u', 64}, false);
    value = at_.CreateAShr(value, begin);
    Value *field = at_.CreateAnd(value, lowBits(count));
    if (!of.isSigned())
      return field;
    Value *above =
        at_.CreateSub(at_.getInt64(64), smaller(count, at_.getInt64(63), {'u', 64}, false));
    Value *extended =
        at_.CreateAShr(at_.CreateShl(field, at_.CreateAnd(above, 63)), at_.CreateAnd(above, 63));
    return at_.CreateSelect(at_.CreateICmpEQ(count, at_.getInt64(0)), at_.getInt64(0), extended);
  }
  Value *insertedBits() {
    const Type wide{'b', 64};
    if (type().bits != 32)
      refuseStatement();
    Value *begin = at_.CreateAnd(operand(3, wide), 255),
          *count = at_.CreateAnd(operand(4, wide), 255);
    begin = smaller(begin, at_.getInt64(63), {'u', 64}, false);
    Value *mask = at_.CreateShl(lowBits(count), begin);
    return at_.CreateOr(at_.CreateAnd(operand(2, wide), at_.CreateNot(mask)),
                        at_.CreateAnd(at_.CreateShl(operand(1, wide), begin), mask));
  }
  /// mul and mad: the low or high half, or all of it.
  Value *product(bool isSummed) {
    const Type of = type();
    if (of.isFloat()) {
      Value *a = operand(1, of), *b = operand(2, of);
      return isSummed ? function("_Z3fma", {a, b, operand(3, of)}) : at_.CreateFMul(a, b);
    }
    const unsigned width = has("lo") ? of.bits : 2 * of.bits;
    const auto extended = [&](unsigned i) {
      return at_.CreateIntCast(operand(i, of), at_.getIntNTy(width), of.isSigned());
    };
    Value *result = at_.CreateMul(extended(1), extended(2));
    if (has("hi"))
      result = at_.CreateTrunc(at_.CreateLShr(result, of.bits), at_.getIntNTy(of.bits));
    else if (!has("lo") && !has("wide"))
      refuseStatement();
    return isSummed
               ? at_.CreateAdd(result, operand(3, {'b', result->getType()->getIntegerBitWidth()}))
               : result;
  }
  Value *compared() {
    const Type of = type();
    using P = llvm::CmpInst;
    const std::map<std::string_view, std::array<P::Predicate, 3>> comparisons = {
        // of unsigned, signed and floating-point numbers
        {"eq", {P::ICMP_EQ, P::ICMP_EQ, P::FCMP_OEQ}},
        {"ne", {P::ICMP_NE, P::ICMP_NE, P::FCMP_ONE}},
        {"lt", {P::ICMP_ULT, P::ICMP_SLT, P::FCMP_OLT}},
        {"le", {P::ICMP_ULE, P::ICMP_SLE, P::FCMP_OLE}},
        {"gt", {P::ICMP_UGT, P::ICMP_SGT, P::FCMP_OGT}},
        {"ge", {P::ICMP_UGE, P::ICMP_SGE, P::FCMP_OGE}}};
    const auto found = comparisons.find(now_->parts.at(1));
    if (found == comparisons.end() || now_->parts.size() != 3)
      refuseStatement();
    return at_.CreateCmp(found->second[of.variant()], operand(1, of), operand(2, of));
  }
  Value *converted() {
    if (now_->name == "cvt.rna.tf32.f32") { // to the nearest, of two the larger in magnitude
      Value *bits = operand(1, {}), *real = operand(1, {'f', 32});
      Value *rounded = at_.CreateAnd(at_.CreateAdd(bits, at_.getInt32(0x1000)), ~0x1fffULL);
      return at_.CreateSelect(at_.CreateFCmpUNO(real, real), bits, rounded);
    }
    const Type to = type(1), from = type();
    Value *value = operand(1, from);
    if (has("sat") || has("rm") || has("rp") || has("rmi") || has("rpi"))
      refuseStatement();
    if (!from.isFloat() && !to.isFloat())
      return at_.CreateIntCast(value, llvmType(to), from.isSigned());
    if (!from.isFloat())
      return from.isSigned() ? at_.CreateSIToFP(value, llvmType(to))
                             : at_.CreateUIToFP(value, llvmType(to));
    if (has("rni") || (to.isFloat() && has("rzi")))
      value = function(has("rni") ? "_Z4rint" : "_Z5trunc", value);
    if (to.isFloat())
      return at_.CreateFPCast(value, llvmType(to));
    return at_.CreateIntrinsic(to.isSigned() ? llvm::Intrinsic::fptosi_sat
                                             : llvm::Intrinsic::fptoui_sat,
                               {llvmType(to), value->getType()}, {value});
  }
  void move() {
    const Words to = registersOf(0), from = registersOf(1);
    const Type of = type();
    if (to.size() == 1 && from.size() == 1)
      return set(to[0], value(from[0], of));
    // A word in parts, or parts in a word; the first is the lowest.
    const unsigned parts = static_cast<unsigned>(std::max(to.size(), from.size()));
    const Type part{'b', of.bits / parts};
    if ((parts != 2 && parts != 4) || std::min(to.size(), from.size()) != 1 || part.bits < 8)
      refuseStatement();
    if (to.size() > 1) {
      Value *whole = value(from[0], {'b', of.bits});
      for (unsigned i = 0; i < parts; ++i)
        if (to[i] != "_")
          set(to[i],
              at_.CreateTrunc(at_.CreateLShr(whole, uint64_t{i} * part.bits), llvmType(part)));
      return;
    }
    Value *whole = llvm::ConstantInt::get(at_.getIntNTy(of.bits), 0);
    for (unsigned i = 0; i < parts; ++i)
      whole =
          at_.CreateOr(whole, at_.CreateShl(at_.CreateZExt(value(from[i], part), whole->getType()),
                                            uint64_t{i} * part.bits));
    set(to[0], whole);
  }
  Value *shuffled() {
    const Type word;
    const std::map<std::string_view, Exchange> kinds = {{"idx", Exchange::kIndex},
                                                        {"up", Exchange::kUp},
                                                        {"down", Exchange::kDown},
                                                        {"bfly", Exchange::kAcross}};
    const auto kind =
        std::ranges::find_if(kinds, [&](const auto &known) { return has(known.first); });
    if (kind == kinds.end() || !has("sync") || destination().find('|') != std::string::npos)
      refuseStatement();
    // Bits 8 to 12 of the clamp are those of a lane that name its part of the warp.
    Value *part = at_.CreateAnd(at_.CreateLShr(operand(3, word), 8), 31);
    return meet(kind->second, operand(1, word), operand(2, word),
                at_.CreateSub(at_.getInt32(32), part), operand(4, word));
  }
  Value *shifted() {
    const Type of = type();
    Value *value = operand(1, of), *by = operand(2, {'b', 32});
    by = at_.CreateZExtOrTrunc(by, llvmType({'b', of.bits}));
    // As many bits as there are, or more, leave none.
    Value *most = llvm::ConstantInt::get(by->getType(), of.bits - 1);
    Value *limited = smaller(by, most, {'u', of.bits}, false);
    if (now_->parts[0] == "shr" && of.isSigned())
      return at_.CreateAShr(value, limited);
    Value *result =
        now_->parts[0] == "shl" ? at_.CreateShl(value, limited) : at_.CreateLShr(value, limited);
    return at_.CreateSelect(at_.CreateICmpUGT(by, most), llvm::ConstantInt::get(by->getType(), 0),
                            result);
  }
  /// OpenCL's function of as many arguments, each of the instruction's type: `_Z4fmin` of two.
  Value *function(const std::string &name, llvm::ArrayRef<Value *> arguments) {
    const std::string types(arguments.size(), type().bits == 32 ? 'f' : 'd');
    return callOpenCl(name + types, llvmType(type()), arguments);
  }
  /// The result of an instruction that computes it of its operands.
  Value *result() {
    const std::string &name = now_->parts[0];
    if (has("cc") || has("sat") || has("f16") || has("f16x2") || has("bf16"))
      refuseStatement();
    if (name == "lop3")
      return lop3();
    if (name == "prmt")
      return permutedBytes();
    if (name == "shf")
      return funnelShift();
    if (name == "bfe")
      return extractedBits();
    if (name == "bfi")
      return insertedBits();
    if (name == "mul" || name == "mad")
      return product(name == "mad");
    if (name == "setp")
      return compared();
    if (name == "cvt")
      return converted();
    if (name == "shfl")
      return shuffled();
    if (name == "shl" || name == "shr")
      return shifted();
    if (name == "activemask")
      return meet(Exchange::kBallot, at_.getInt32(1), at_.getInt32(0));
    if (name == "vote" && has("ballot"))
      return meet(Exchange::kBallot, at_.CreateZExt(operand(1, {'b', 1}), at_.getInt32Ty()),
                  operand(2, {}));
    return arithmetic(name);
  }
  Value *arithmetic(const std::string &name) {
    using Operation = llvm::Instruction::BinaryOps;
    // Of unsigned, signed and floating-point numbers.
    const std::map<std::string_view, std::array<Operation, 3>> operations = {
        {"add", {Operation::Add, Operation::Add, Operation::FAdd}},
        {"sub", {Operation::Sub, Operation::Sub, Operation::FSub}},
        {"div", {Operation::UDiv, Operation::SDiv, Operation::FDiv}},
        {"rem", {Operation::URem, Operation::SRem, Operation::FRem}},
        {"and", {Operation::And, Operation::And, Operation::And}},
        {"or", {Operation::Or, Operation::Or, Operation::Or}},
        {"xor", {Operation::Xor, Operation::Xor, Operation::Xor}}};
    const std::map<std::string_view, const char *> functions = {
        {"rsqrt", "_Z5rsqrt"}, {"sqrt", "_Z4sqrt"}, {"ex2", "_Z4exp2"}, {"lg2", "_Z4log2"},
        {"sin", "_Z3sin"},     {"cos", "_Z3cos"},   {"tanh", "_Z4tanh"}};
    const auto operation = operations.find(name);
    const auto known = functions.find(name);
    const bool isExtreme = name == "min" || name == "max";
    const Type of = type();
    const auto a = [&] { return operand(1, of); };
    if (name == "selp")
      return at_.CreateSelect(operand(3, {'b', 1}), a(), operand(2, of));
    if (operation != operations.end())
      return at_.CreateBinOp(operation->second[of.variant()], a(), operand(2, of));
    if (of.isFloat()) {
      if (known != functions.end())
        return function(known->second, a());
      if (isExtreme)
        return function(name == "min" ? "_Z4fmin" : "_Z4fmax", {a(), operand(2, of)});
      if (name == "fma")
        return function("_Z3fma", {a(), operand(2, of), operand(3, of)});
      if (name == "neg")
        return at_.CreateFNeg(a());
      if (name == "rcp")
        return at_.CreateFDiv(llvm::ConstantFP::get(llvmType(of), 1), a());
      if (name == "abs")
        return function("_Z4fabs", a());
      refuseStatement();
    }
    if (isExtreme)
      return smaller(a(), operand(2, of), of, name == "max");
    if (name == "not")
      return at_.CreateNot(a());
    if (name == "neg")
      return at_.CreateNeg(a());
    if (name == "abs") {
      Value *value = a();
      return smaller(value, at_.CreateNeg(value), {'s', of.bits}, true);
    }
    if (name == "popc")
      return as(intrinsic(llvm::Intrinsic::ctpop, {a()}), at_.getInt32Ty());
    if (name == "clz")
      return as(intrinsic(llvm::Intrinsic::ctlz, {a(), at_.getFalse()}), at_.getInt32Ty());
    if (name == "brev")
      return intrinsic(llvm::Intrinsic::bitreverse, {a()});
    refuseStatement();
  }

  void translate() {
    const std::string &name = now_->parts[0];
    constexpr unsigned kLocalAndGlobal = 3;
    if (name.empty() && now_->parts.size() > 1 && now_->parts[1] == "reg")
      return;
    if (name == "prefetch" || name == "prefetchu" || name == "nanosleep" || name == "trap" ||
        name == "griddepcontrol" || now_->name.starts_with("cp.async.commit_group") ||
        now_->name.starts_with("cp.async.wait_"))
      return;
    if (name == "mov")
      return move();
    if (name == "cvta") // an address is the same in each space, as far as a register has it
      return set(destination(), operandAsItIs(1));
    if (name == "ld" || name == "ldu")
      return load();
    if (name == "st")
      return store();
    if (name == "atom" || name == "red")
      return atomic();
    if (name == "mma")
      return multiplyMatrices();
    if (name == "ldmatrix")
      return loadMatrices();
    if (name == "movmatrix")
      return transposeMatrix();
    if (now_->name.starts_with("cp.async.ca.") || now_->name.starts_with("cp.async.cg."))
      return copyAsync();
    if ((name == "bar" || name == "barrier") && !has("red") && !has("arrive") &&
        now_->predicate.empty()) {
      if (has("warp"))
        meet(Exchange::kBarrier, at_.getInt32(0), operand(0, {}));
      else if (now_->operands == Words{"0"})
        callOpenCl("_Z7barrierj", at_.getVoidTy(), {at_.getInt32(kLocalAndGlobal)});
      else
        refuseStatement();
      return;
    }
    if (name == "membar" || name == "fence") {
      callOpenCl("_Z9mem_fencej", at_.getVoidTy(), {at_.getInt32(kLocalAndGlobal)});
      return;
    }
    set(destination(), result());
  }
  const std::string &destination() const {
    if (now_->operands.empty())
      refuseStatement();
    return now_->operands[0];
  }
  Value *operandAsItIs(unsigned i) {
    const auto found = registers_.find(i < now_->operands.size() ? now_->operands[i] : "");
    if (found == registers_.end() || !found->second)
      refuseStatement();
    return found->second;
  }

  llvm::CallInst &call_;
  IRBuilder<> at_;
  std::vector<Statement> statements_;
  const Statement *now_ = nullptr;
  std::vector<std::string> outputs_;
  std::map<std::string, Value *> registers_;
};

} // namespace

void translateInlinePtx(llvm::Module &module) {
  for (llvm::Function *kernel : lowering::kernelsOf(module)) {
    std::vector<llvm::CallInst *> blocks;
    for (llvm::Instruction &instruction : llvm::instructions(*kernel))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->isInlineAsm())
        blocks.push_back(call);
    for (llvm::CallInst *block : blocks)
      Translation(*block).run();
  }
}

} // namespace aiwc::cuda
