/// The address spaces of pointers. CUDA's pointers are generic (address space 4); OpenCL C 1.2, and
/// with it the simulator, knows what each of them points to.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::lowering {

inline constexpr unsigned kPrivateSpace = 0, kGlobalSpace = 1, kConstantSpace = 2, kLocalSpace = 3,
                          kGenericSpace = 4;

bool isGeneric(const llvm::Type *type);

/// The type of the same pointer in another address space.
llvm::PointerType *inSpace(llvm::Type *pointer, unsigned space);

/// Replaces pairs of casts to an integer and back, which hide where a pointer comes from.
void joinIntegerCasts(llvm::Module &module);

/// Infers the address space of each access as far as possible. A pointer that is loaded from memory
/// is taken for global, unless an address of local or private memory is stored or becomes an
/// integer in the same kernel.
void inferAddressSpaces(llvm::Module &module);

/// The generic values of a function that may be addresses of local or private memory.
class Origins {
public:
  explicit Origins(llvm::Function &function);

  /// Whether an address of local or private memory gets where its way is lost: into memory, or an
  /// integer. Then each pointer from memory may be one.
  bool escape() const { return escape_; }
  bool any() const { return local_ || private_; }
  bool anyLocal() const { return local_; }
  bool anyPrivate() const { return private_; }
  bool mayBeUnlikeGlobal(const llvm::Value *value) const;

private:
  void follow(llvm::Value *value);
  void followUser(llvm::Value *value, llvm::Instruction &user);

  llvm::SmallPtrSet<const llvm::Value *, 16> values_;
  bool escape_ = false, local_ = false, private_ = false;
};

} // namespace aiwc::lowering
