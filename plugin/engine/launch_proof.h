#pragma once

#include "engine_passes/affine_offsets.h"
#include "engine_passes/lowering.h"
#include "plugin/engine/memory_view.h"

#include <span>
#include <vector>

namespace aiwc::engine {

/// An argument or variable of the kernel, and an address in its buffer in global memory; 0: none.
struct GlobalPointer {
  const llvm::Value *value;
  uint64_t address;
};

/// What is known of the accesses of a launch before it runs.
struct LaunchProof {
  /// No work-group accesses a byte that another one writes, and no access that stays in its buffer
  /// is one that Oclgrind reports. False: not known; the rest is empty then.
  bool groupsAreApart = false;
  /// The accesses that stay in their buffers, are aligned, and need no test.
  Accesses inBounds = {};
  /// Per buffer that is written: the first byte that may be, and how many behind it.
  struct Range {
    uint64_t address = 0, size = 0;
  };
  std::vector<Range> written = {};

  /// Whether the code, which is for groups that are apart, may run the launch.
  bool covers(const KernelCode &code) const;
};

/// What the kernel's code shows of its accesses, for all of its launches.
class ProvableAccesses {
public:
  explicit ProvableAccesses(const llvm::Function &kernel);

  /// `pointers`: of the launch, whose buffers are accessible in `global`. It takes some
  /// microseconds for each of the kernel's instructions.
  LaunchProof prove(const oclgrind::KernelInvocation &launch,
                    std::span<const GlobalPointer> pointers, const GlobalView &global) const;

private:
  std::optional<std::vector<GlobalAccess>> accesses_;
  std::unique_ptr<AffineOffsets> offsets_; ///< null if there are no `accesses_`
};

} // namespace aiwc::engine
