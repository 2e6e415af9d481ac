#pragma once

#include "plugin/compat.h"

#include <cstdint>
#include <vector>

namespace aiwc::plugin::engine {

/// Bytes that a call of printf reads: of its format, and of the strings that it prints.
struct TextPiece {
  unsigned argument; ///< the pointer to them, by number
  uint64_t offset;   ///< from it
  uint64_t count;
};

/// What Oclgrind reads when it does `call`, in its order. Throws `NotCompilable` where that, or
/// what is printed, is not determined by the call: a format or a string that is no literal,
/// arguments that the format does not fit.
std::vector<TextPiece> textReadBy(const llvm::CallBase &call);

} // namespace aiwc::plugin::engine
