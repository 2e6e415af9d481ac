// Parses printf formats as Oclgrind does: character by character, except that it does not read the
// character after the 1 of `v16`.
#include "engine_passes/printf_format.h"

#include "engine_passes/lowering.h"

#include <llvm/Analysis/ValueTracking.h>

namespace aiwc::engine {
namespace {

[[noreturn]] void refuse(const char *what) {
  throw NotCompilable(std::string("a call of printf with ") + what);
}

llvm::StringRef literal(const llvm::Value *pointer) {
  llvm::StringRef text;
  if (!llvm::getConstantStringInfo(pointer, text))
    refuse("a string that is not a literal");
  return text;
}

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

} // namespace

std::vector<TextPiece> textReadBy(const llvm::CallBase &call) {
  return FormatReader(call).read();
}

} // namespace aiwc::engine
