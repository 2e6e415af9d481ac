/// What instructions access, and which memory pointers point to.
#pragma once

#include "decoding/llvm.h"
#include "trace/program.h"

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace aiwc::decoding {

/// Of an operation that accesses memory, the pointer to it; of a copy, that to the memory which is
/// not private, the destination first. Null if there is none.
const llvm::Value *pointerOperand(const llvm::Instruction &instruction);

/// Of a store or an atomic, the operand that trace::Operation::stored describes; null if there is
/// none.
const llvm::Value *storedOperand(const llvm::Instruction &instruction, trace::MemoryKind kind);

/// The kernel, and each function with a body that it can reach. Leaves out indirect calls.
std::vector<const llvm::Function *> reachableFunctions(const llvm::Function &kernel);

/// Follows pointers through a kernel and the functions that it calls.
class PointerTargets {
public:
  /// `functions`: as `reachableFunctions`.
  explicit PointerTargets(std::span<const llvm::Function *const> functions);

  /// The calls of a function.
  std::span<const llvm::CallBase *const> callsOf(const llvm::Function &function) const;
  /// The variables and arguments of the kernel that `pointer` may point to; none if it may point to
  /// anything else.
  std::optional<std::vector<const llvm::Value *>> of(const llvm::Value &pointer) const;

private:
  bool find(const llvm::Value &pointer, std::vector<const llvm::Value *> &visited,
            std::vector<const llvm::Value *> &found) const;

  const llvm::Function *kernel_;
  std::unordered_map<const llvm::Function *, std::vector<const llvm::CallBase *>> calls_;
};

} // namespace aiwc::decoding
