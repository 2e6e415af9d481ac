#pragma once

#include "simulator/compat.h"

#include <cstdint>
#include <vector>

namespace aiwc::engine {

/// A range of bytes that a call of printf reads from its format or from a string that it prints.
struct TextPiece {
  unsigned argument; ///< number of the argument that points to the text
  uint64_t offset;   ///< of the first byte, from that pointer
  uint64_t count;
};

/// The ranges that Oclgrind reads when it executes `call`, in the order of the reads. Throws
/// `NotCompilable` if the call does not determine them or the output: if the format or a string is
/// no literal, or if the arguments do not fit the format.
std::vector<TextPiece> textReadBy(const llvm::CallBase &call);

} // namespace aiwc::engine
