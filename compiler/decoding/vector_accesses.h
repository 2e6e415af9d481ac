/// Accesses to neighbouring elements that a device makes as one.
#pragma once

#include "decoding/llvm.h"

#include <span>
#include <unordered_map>

namespace aiwc::decoding {

/// LLVM divides the load of a vector of which elements are used one by one, and the copy of a
/// structure (CUDA's float4 is one). Compilers of devices join the parts again, as LLVM's
/// LoadStoreVectorizer does. Static: it looks at the code only. Loads or stores of a basic block
/// are one access if
///
/// - their addresses are the same but for constants,
/// - they are in one vector, or in one aligned unit of memory of up to 16 bytes, as far as the
///   code tells its alignment (devices' compilers align arrays of local memory to 16 bytes),
/// - and nothing between them may access the same memory in a way that forbids to exchange them.
///
/// Takes time in proportion to the code.
class VectorAccesses {
public:
  explicit VectorAccesses(std::span<const llvm::Function *const> functions);

  /// The first instruction of the access of which `instruction` is a further part; null for all
  /// other instructions. It is in the same block of `trace::Program`.
  const llvm::Instruction *firstOf(const llvm::Instruction &instruction) const {
    const auto found = firsts_.find(&instruction);
    return found == firsts_.end() ? nullptr : found->second;
  }

private:
  std::unordered_map<const llvm::Instruction *, const llvm::Instruction *> firsts_;
};

} // namespace aiwc::decoding
