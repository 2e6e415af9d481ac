/// Which accesses of a kernel step from work-item to work-item alike in all work-groups.
#pragma once

#include "decoding/llvm.h"
#include "decoding/uniform_values.h"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

namespace aiwc::decoding {

/// Static: it looks at the code only. An address steps alike if it is a sum of
///
/// - a part that is the same in all work-items of a group, and that follows the group's id by a
///   factor of the launch,
/// - a part that follows from the local id alone, whatever it computes of it,
///
/// as `(get_global_id(1) * n + get_global_id(0)) % 16` does not, but without the `% 16` does. Sums
/// are taken not to wrap. What cannot be told, such as an address that is read from memory, does
/// not step alike.
class AddressSteps {
public:
  /// `functions`: the kernel, then those that it calls; `uniform` is of the same ones and outlives
  /// the object.
  AddressSteps(std::span<const llvm::Function *const> functions, const UniformValues &uniform);

  /// Of a memory operation: whether its address does, or, of a builtin, all of its arguments but
  /// the value that it stores.
  bool areAlike(const llvm::Instruction &access, const llvm::Value *stored) const;

private:
  /// What a value is a sum of, besides what follows from the launch.
  using Parts = uint8_t;
  static constexpr Parts kOfLane = 1, kOfGroup = 2, kOther = 4;

  std::optional<Parts> partsOf(const llvm::Value &value, const llvm::Instruction &user) const;
  std::optional<Parts> compute(const llvm::Instruction &instruction) const;
  std::optional<Parts> sum(const llvm::Instruction &instruction) const;
  std::optional<Parts> function(const llvm::Instruction &instruction) const;
  std::optional<Parts> product(const llvm::Instruction &instruction) const;
  std::optional<Parts> ofCall(const llvm::CallBase &call) const;
  bool set(const llvm::Value &value, std::optional<Parts> parts);

  const UniformValues &uniform_;
  std::unordered_map<const llvm::Value *, Parts> parts_;
};

} // namespace aiwc::decoding
