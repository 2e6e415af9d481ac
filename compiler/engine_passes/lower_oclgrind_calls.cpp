// Calls that go to Oclgrind's own functions: those that compute, those that store, and printf.
#include "engine_passes/function_lowering.h"
#include "engine_passes/lowering.h"
#include "engine_passes/runtime_calls.h"
#include "simulator/compat.h"
#include "simulator/intrinsics.h"

#include <llvm/Analysis/ValueTracking.h>

#include <cstdint>
#include <vector>

namespace aiwc::engine {

namespace {

/// A range of bytes that a call of printf reads from its format or from a string that it prints.
struct TextPiece {
  unsigned argument; ///< number of the argument that points to the text
  uint64_t offset;   ///< of the first byte, from that pointer
  uint64_t count;
};

[[noreturn]] void refuse(const char *what) {
  throw NotCompilable(std::string("a call of printf with ") + what);
}

llvm::StringRef literal(const llvm::Value *pointer) {
  llvm::StringRef text;
  if (!llvm::getConstantStringInfo(pointer, text))
    refuse("a string that is not a literal");
  return text;
}

/// Parses printf formats as Oclgrind does: character by character, except that it does not read the
/// character after the 1 of `v16`.
class FormatReader {
public:
  explicit FormatReader(const llvm::CallBase &call)
      : call_(call), format_(literal(call.getArgOperand(0))) {}

  std::vector<TextPiece> read() {
    for (char c = next(); c != '\0'; c = next())
      if (c == '%' && !readConversion())
        break;
    finishPiece();
    return std::move(pieces_);
  }

private:
  char next() {
    const char c = at_ < format_.size() ? format_[at_] : '\0';
    ++at_;
    return c;
  }

  void finishPiece() {
    pieces_.push_back({0, begin_, at_ - begin_});
    begin_ = at_;
  }

  /// Returns false at the end of the format.
  bool readConversion() {
    unsigned width = 1;
    for (;;) {
      const char c = next();
      switch (c) {
      case '\0':
        return false;
      case '%':
        return true;
      case 'v':
        width = static_cast<unsigned>(next() - '0');
        if (width == 1) {
          width = 16;
          finishPiece();
          begin_ = ++at_;
        }
        break;
      case 's':
        takeString();
        return true;
      default:
        if (llvm::StringRef("cdiouxXp").contains(c)) {
          take(width, 1);
          return true;
        }
        if (llvm::StringRef("fFeEgGaA").contains(c)) {
          take(width, 4);
          return true;
        }
      }
    }
  }

  const llvm::Value *take(unsigned width, unsigned leastSize) {
    if (argument_ >= call_.arg_size())
      refuse("fewer arguments than its format requires");
    const llvm::Value *argument = call_.getArgOperand(argument_++);
    const auto [size, lanes] = oclgrind::getValueSize(argument);
    if (lanes < width || size < leastSize || size > 8 || !llvm::isPowerOf2_32(size))
      refuse("an argument that does not fit its format");
    return argument;
  }

  void takeString() {
    const unsigned argument = argument_;
    const llvm::Value *pointer = take(1, 8);
    if (llvm::isa<llvm::ConstantPointerNull>(pointer))
      return;
    finishPiece();
    pieces_.push_back({argument, 0, literal(pointer).size() + 1});
  }

  const llvm::CallBase &call_;
  llvm::StringRef format_;
  std::vector<TextPiece> pieces_;
  size_t begin_ = 0, at_ = 0; ///< begin of the piece; the next character
  unsigned argument_ = 1;     ///< number of the next argument
};

/// The ranges that Oclgrind reads when it executes `call`, in the order of the reads. Throws
/// `NotCompilable` if the call does not determine them or the output: if the format or a string is
/// no literal, or if the arguments do not fit the format.
std::vector<TextPiece> textReadBy(const llvm::CallBase &call) {
  return FormatReader(call).read();
}

} // namespace

FunctionLowering::PreparedCall
FunctionLowering::prepareCall(const Site &site,
                              const oclgrind::InterpreterCache::Builtin &builtin) {
  const auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  PreparedCall prepared;
  prepared.site = std::make_unique<BuiltinSite>();
  BuiltinSite &callSite = *prepared.site;
  callSite.call = llvm::cast<llvm::CallInst>(site.original);
  callSite.builtin = builtin;
  const auto [size, lanes] = oclgrind::getValueSize(site.original);
  callSite.resultSize = size;
  callSite.resultLanes = lanes;
  uint32_t bytes = 0;
  std::vector<std::pair<uint32_t, llvm::Value *>> stored;
  for (unsigned i = 0; i < made.arg_size(); ++i) {
    const llvm::Value *operand = callSite.call->getArgOperand(i);
    if (llvm::isa<llvm::Constant>(operand))
      continue;
    const auto [elementSize, elements] = oclgrind::getValueSize(operand);
    callSite.arguments.push_back({operand, bytes, elementSize, elements});
    stored.emplace_back(bytes, made.getArgOperand(i));
    bytes += (elementSize * elements + 63) & ~63u; // some read 3 elements as 4
  }
  callSite.argumentBytes = bytes;
  Builder inPrologue(&*prologue_->begin());
  Builder at(site.instruction);
  llvm::Value *buffer =
      inPrologue.CreateAlloca(at.getInt8Ty(), number(bytes + ((size * lanes + 63) & ~63u)));
  llvm::cast<llvm::AllocaInst>(buffer)->setAlignment(llvm::Align(16));
  for (const auto &[offset, value] : stored)
    storeNative(at, at.CreateConstGEP1_64(at.getInt8Ty(), buffer, offset), value);
  prepared.arguments = buffer;
  prepared.result = at.CreateConstGEP1_64(at.getInt8Ty(), buffer, bytes);
  return prepared;
}

llvm::Value *FunctionLowering::keep(Builder &at, std::unique_ptr<BuiltinSite> site) {
  shared_.code.builtins.push_back(std::move(site));
  return processAddress(at, shared_.code.builtins.back().get());
}

void FunctionLowering::lowerGeneric(const Site &site,
                                    const oclgrind::InterpreterCache::Builtin &builtin) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  const llvm::StringRef name = builtin.name;
  const bool unknown = name.startswith("llvm.") && !simulator::computesFromOperands(builtin.name);
  if (name.startswith("get_") || unknown || name.startswith("__") || made.getType()->isVoidTy())
    refuse("a call of " + builtin.name);
  for (const llvm::Use &argument : made.args()) // its accesses through a pointer are not known
    if (argument->getType()->getScalarType()->isPointerTy())
      refuse("a call of " + builtin.name + " with an address");
  PreparedCall prepared = prepareCall(site, builtin);
  Builder at(&made);
  call(at, &calls::builtin, at.getVoidTy(),
       {keep(at, std::move(prepared.site)), prepared.arguments, prepared.result});
  replace(made, loadNative(at, prepared.result, made.getType()));
}

/// Calls a function that stores `size` bytes through its last argument, to `address` and nowhere
/// else.
void FunctionLowering::callStoring(const Site &site,
                                   const oclgrind::InterpreterCache::Builtin &builtin,
                                   llvm::Value *address, llvm::Value *native, uint64_t size) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  PreparedCall prepared = prepareCall(site, builtin);
  const llvm::Value *pointer = prepared.site->call->getArgOperand(made.arg_size() - 1);
  prepared.site->space = pointer->getType()->getPointerAddressSpace();
  prepared.site->storedBytes = static_cast<uint32_t>(size);
  for (const BuiltinSite::Argument &argument : prepared.site->arguments)
    if (argument.value == pointer)
      prepared.site->pointer = argument.offset;
  if (prepared.site->space == oclgrind::AddrSpacePrivate &&
      prepared.site->pointer == BuiltinSite::kConstant)
    refuse("a call of " + builtin.name + " with a constant address");
  Builder at(&made);
  call(at, &calls::storingBuiltin, at.getVoidTy(),
       {keep(at, std::move(prepared.site)), prepared.arguments, prepared.result, address, native});
  if (made.getType()->isVoidTy())
    made.eraseFromParent();
  else
    replace(made, loadNative(at, prepared.result, made.getType()));
}

void FunctionLowering::lowerSecondResult(const Site &site,
                                         const oclgrind::InterpreterCache::Builtin &builtin,
                                         uint64_t elementSize) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  const auto [resultSize, lanes] = oclgrind::getValueSize(site.original);
  if (elementSize == 0)
    elementSize = resultSize;
  const unsigned last = made.arg_size() - 1;
  const llvm::Value *pointer = llvm::cast<llvm::CallInst>(site.original)->getArgOperand(last);
  if (!pointer->getType()->isPointerTy())
    refuse("a call of " + builtin.name + " of an unknown form");
  AccessKind kind{pointer->getType()->getPointerAddressSpace(), true};
  kind.count = lanes;
  Builder at(&made);
  llvm::Value *address = at.CreatePtrToInt(made.getArgOperand(last), int64_);
  llvm::Value *native = nativePointer(site, pointer, address, elementSize * lanes, 1, kind);
  at.SetInsertPoint(&made);
  for (unsigned lane = 0; lane < lanes; ++lane)
    recordAccess(at, at.CreateAdd(address, number(lane * elementSize)), number(elementSize),
                 site.position, kind);
  callStoring(site, builtin, address, native, elementSize * lanes);
}

/// The output of printf is saved until the end of the launch and dropped if the launch is undone.
void FunctionLowering::lowerPrintf(const Site &site,
                                   const oclgrind::InterpreterCache::Builtin &builtin) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  if (!made.use_empty())
    refuse("a call of printf whose result is used, which Oclgrind does not define");
  const llvm::Type *format = made.getArgOperand(0)->getType();
  const std::vector<TextPiece> read = textReadBy(llvm::cast<llvm::CallInst>(*site.original));
  Builder at(&made);
  for (const TextPiece &piece : read) {
    llvm::Value *text = at.CreatePtrToInt(made.getArgOperand(piece.argument), int64_);
    llvm::Value *begin = at.CreateAdd(text, number(piece.offset));
    // Oclgrind reads the text byte by byte.
    examineAccess(at, {site.original, 1, piece.count}, begin,
                  at.CreateLShr(begin, kGlobalOffsetBits));
    recordBytes(at, begin, piece.count, site.position, {format->getPointerAddressSpace()});
  }
  PreparedCall prepared = prepareCall(site, builtin);
  at.SetInsertPoint(&made);
  call(at, &calls::print, at.getVoidTy(), {keep(at, std::move(prepared.site)), prepared.arguments});
  made.eraseFromParent();
}

} // namespace aiwc::engine
