#pragma once

#include "trace/program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace aiwc::metrics {

class Dominators;

/// The level of a value, expressed statically: in the schedule of instructions, it is the level of
/// another value, its root, plus `add`, but at least `least`. In the schedule of floating-point
/// operations, it is the root's level.
struct LevelForm {
  static constexpr uint32_t kNoRoot = UINT32_MAX; ///< no root: levels 0

  uint32_t root = kNoRoot; ///< index of a value
  uint32_t add = 0;
  uint32_t least = 0;

  bool operator==(const LevelForm &) const = default;
};

/// Finds the values whose levels must be computed during replay (the roots), and expresses the
/// levels of all other values by them: if an operation accesses no memory, has no floating-point
/// work, and its operands depend on at most one root, its result is a few steps after this root.
///
/// This is correct if the value and its root are in static single assignment form: each has one
/// definition, which dominates all uses. Then the root cannot be redefined between the value's
/// definition and its uses. All other values are their own roots.
class AsapValues {
public:
  /// `nodes`: per OpcodeId, whether its operations have a latency of 1 instruction instead of 0.
  AsapValues(const trace::Program &program, const std::vector<bool> &nodes);

  const LevelForm &form(trace::ValueId value) const { return forms_[index(value)]; }
  bool isRoot(uint32_t value) const { return forms_[value].root == value; }
  /// Whether the levels of the operation at `offset` in `block` depend only on its operands'
  /// levels.
  static bool isSimple(const trace::Program &program, const trace::Block &block, uint32_t offset);
  /// The level of a result that depends on all operands, for use later in the same block. No value
  /// if the operands have several roots, or a root that may be redefined before the use.
  std::optional<LevelForm> joined(const trace::Program &program,
                                  const trace::Operation &operation) const;

private:
  /// Where a value is defined. Positions in a block: 0 for phis and a function's arguments,
  /// `opCount + 1` for the result of a call at its end.
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

/// Whether `operation` is a `phi`.
bool isPhi(const trace::Program &program, const trace::Operation &operation);

} // namespace aiwc::metrics
