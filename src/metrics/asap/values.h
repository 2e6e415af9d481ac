#pragma once

#include "trace/program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace aiwc::metrics {

class Dominators;

/// The level of a value in the schedule of instructions, as far as the program alone tells it:
/// that of another value, its root, plus `add`, but not below `least`. Its level in the schedule of
/// floating-point operations is the root's.
struct LevelForm {
  static constexpr uint32_t kNoRoot = UINT32_MAX; ///< whose levels are 0

  uint32_t root = kNoRoot; ///< number of a value
  uint32_t add = 0;
  uint32_t least = 0;

  bool operator==(const LevelForm &) const = default;
};

/// Which values' levels have to be followed while a program is replayed, and how those of the
/// others come from them: an operation without memory and without floating-point work, whose
/// operands depend on one value at most, is one or a few steps further than that value is.
///
/// This holds where the value and its root are in static single assignment form: defined at one
/// place, which dominates every use. Then no use of the value can come behind another definition of
/// its root that the value has not followed. What the program says otherwise is its own root.
class AsapValues {
public:
  /// `nodes`: per OpcodeId, whether its operations have a latency of 1 instruction, rather than 0.
  AsapValues(const trace::Program &program, const std::vector<bool> &nodes);

  const LevelForm &form(trace::ValueId value) const { return forms_[index(value)]; }
  bool isRoot(uint32_t value) const { return forms_[value].root == value; }
  /// Whether the operation, `offset` of its block, has levels that follow from its operands' alone.
  static bool isSimple(const trace::Program &program, const trace::Block &block, uint32_t offset);
  /// What depends on all operands and is read later in the same block; none where they have several
  /// roots, or one that may be another value by then.
  std::optional<LevelForm> joined(const trace::Program &program,
                                  const trace::Operation &operation) const;

private:
  /// Positions in a block: 0 are its phis and a function's arguments, `opCount + 1` is what a call
  /// at its end returns.
  struct Definition {
    trace::BlockId block = trace::BlockId::kNone;
    uint32_t position = 0;
    uint32_t count = 0;
    bool dominatesUses = true;

    bool isSingleAssignment() const { return count == 1 && dominatesUses; }
  };

  void findDefinitions(const trace::Program &program);
  void define(trace::ValueId value, trace::BlockId block, uint32_t position);
  void findUses(const trace::Program &program, const Dominators &dominators);
  void use(trace::ValueId value, const Dominators &dominators, trace::BlockId block,
           uint32_t position);
  void findForms(const trace::Program &program, const Dominators &dominators,
                 const std::vector<bool> &nodes);

  std::vector<Definition> definitions_;
  std::vector<LevelForm> forms_;
};

/// Whether a `phi`.
bool isPhi(const trace::Program &program, const trace::Operation &operation);

} // namespace aiwc::metrics
