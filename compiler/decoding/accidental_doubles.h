/// 64-bit floating-point operations that nobody asked for: `1e-4` or `sqrt(1.0)` among floats.
#pragma once

#include "decoding/llvm.h"

#include <span>
#include <unordered_set>

namespace aiwc::decoding {

/// Static: it looks at the code only. 64-bit values that are computed from one another belong
/// together. They are accidental if all that goes in are floats, integers and constants, and all
/// that comes out are floats, integers and comparisons: no load, store, argument or call of a
/// function of the program has 64 bits, and no loop carries a 64-bit value from one iteration to
/// the next, as a sum that is kept in double precision on purpose does.
class AccidentalDoubles {
public:
  explicit AccidentalDoubles(std::span<const llvm::Function *const> functions);

  /// Whether the instruction calculates or compares in 64 bits by accident.
  bool isOperation(const llvm::Instruction &instruction) const {
    return operations_.contains(&instruction);
  }
  /// Whether it converts to or from such a value.
  bool isConversion(const llvm::Instruction &instruction) const {
    return conversions_.contains(&instruction);
  }

private:
  void examine(const llvm::Function &function);

  std::unordered_set<const llvm::Instruction *> operations_, conversions_;
};

} // namespace aiwc::decoding
