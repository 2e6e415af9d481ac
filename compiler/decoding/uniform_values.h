/// Which values of a kernel are equal in all work-items of a launch.
#pragma once

#include "decoding/llvm.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace aiwc::decoding {

/// Static: it looks at the code only. A value is uniform if it follows from the launch (arguments,
/// sizes, constants, and memory that the kernel only reads) and from loop counters; work-items that
/// are in the same iteration then have the same value. Sums and differences of work-item ids are
/// followed, so that `x - (int)get_global_id(0)` is uniform where x counts from there.
class UniformValues {
public:
  /// `functions`: the kernel, then those that it calls. `isWritten` says whether the memory behind
  /// a pointer may be written in the launch.
  UniformValues(std::span<const llvm::Function *const> functions,
                const std::function<bool(const llvm::Value &)> &isWritten);
  ~UniformValues();
  UniformValues(const UniformValues &) = delete;
  UniformValues &operator=(const UniformValues &) = delete;

  bool isUniform(const llvm::Value &value) const;
  /// Whether work-items leave the loops around `value` that `user` is outside of after the same
  /// number of iterations: else they differ in what the loops have computed last.
  bool leaveAlike(const llvm::Value &value, const llvm::Instruction &user) const;
  /// Whether all work-items in the same iteration take the same of the values of a phi.
  bool isChosenAlike(const llvm::PHINode &phi) const;
  /// Whether `instruction` computes the same in all work-items: it has operands, and all of them
  /// are uniform where it is.
  bool repeats(const llvm::Instruction &instruction) const;

private:
  /// A value is a uniform part plus these: what differs between work-items, and how many times it
  /// is added. None: the value is uniform.
  using Terms = std::vector<std::pair<const llvm::Value *, int64_t>>;
  struct Body;

  void add(const llvm::Function &function);
  void solve();
  bool visit(const llvm::Instruction &instruction);
  std::optional<Terms> termsOf(const llvm::Value &value) const;
  std::optional<Terms> termsAt(const llvm::Value &value, const llvm::Instruction &user) const;
  std::optional<Terms> compute(const llvm::Instruction &instruction);
  std::optional<Terms> ofPhi(const llvm::PHINode &phi);
  std::optional<Terms> ofCall(const llvm::CallBase &call);
  std::optional<Terms> ofOthers(const llvm::Instruction &instruction) const;
  bool isChosenAlike(const Body &body, const llvm::BasicBlock &join) const;
  bool branchesAlike(const llvm::BasicBlock &block) const;
  static Terms itself(const llvm::Value &value) { return {{&value, 1}}; }
  static Terms sum(const Terms &a, const Terms &b, int64_t times);

  std::vector<std::unique_ptr<Body>> bodies_;
  std::unordered_map<const llvm::Function *, const Body *> bodyOf_;
  std::unordered_map<const llvm::Value *, Terms> terms_; ///< of those that are known
  std::unordered_set<const llvm::Value *> apart_;        ///< phis that differ for good
  std::unordered_set<const llvm::Instruction *> volatile_;
  std::map<std::pair<std::string, uint64_t>, const llvm::Value *> ids_; ///< the first call of each
};

} // namespace aiwc::decoding
