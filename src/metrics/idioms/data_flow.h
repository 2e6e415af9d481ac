/// Where the values of a program come from: which loads an address or a stored value depends on,
/// and which values a loop accumulates.
#pragma once

#include "trace/program.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace aiwc::metrics {

/// How a loop or a chain of operations joins many values into one.
enum class Fold : uint8_t {
  kSum,     ///< additions and subtractions
  kProduct, ///< multiplications
  kBits,    ///< and, or, xor
  kExtreme, ///< smallest or largest
};

/// A value into which values are joined: `sum` in `sum += a[i] * b[i]`.
struct Accumulation {
  Fold fold = Fold::kSum;
  /// The values that are joined with it. A fused multiplication and addition stands for its
  /// product.
  std::vector<trace::ValueId> terms;
  std::vector<trace::ValueId> values; ///< it, and what it becomes on the way
  std::vector<trace::ValueId> start;  ///< what it is before the loop
};

/// Static: it looks at the program only. Functions that take an operation take its index in
/// `Program::operations`. What an array in private memory holds is not followed.
class DataFlow {
public:
  explicit DataFlow(const trace::Program &program);

  const trace::Program &program() const { return program_; }
  const trace::Operation &operation(uint32_t op) const { return program_.operations[op]; }
  trace::BlockId blockOf(uint32_t op) const { return blocks_[op]; }
  /// The innermost loop around the operation, in its function or, if this function is called in one
  /// place only, around the call.
  trace::LoopId loopOf(uint32_t op) const { return loopAround(blocks_[op]); }
  /// Whether `inner` is `outer` or inside it. kNone is outside of all loops.
  bool isInside(trace::LoopId inner, trace::LoopId outer) const;
  /// Whether a work-item waits at a barrier inside the loop.
  bool hasBarrier(trace::LoopId loop) const { return barriers_[index(loop)]; }
  bool isHeader(trace::BlockId block) const;

  /// The reads of global, constant and local memory on which the operation's address depends. The
  /// start of a loop's counter does not count: it moves where a walk through memory begins, not
  /// where each step goes.
  std::vector<uint32_t> addressSources(uint32_t op) const;
  /// The reads of global, constant and local memory on which the value depends. If it depends on
  /// one of them by its address only, this one does not count.
  std::vector<uint32_t> sources(trace::ValueId value) const;
  /// Likewise for a term of an accumulation.
  std::vector<uint32_t> termSources(trace::ValueId term) const;
  /// Whether `value` depends on one of `on`, not counting addresses of reads.
  bool dependsOn(trace::ValueId value, const std::vector<trace::ValueId> &on) const;

  /// The values that `loop` accumulates in registers.
  std::vector<Accumulation> accumulations(trace::LoopId loop) const;
  /// How the store `op` joins further values with one that the read `load` gives; none if it does
  /// not. `always`: not if it may also store something else.
  std::optional<Accumulation> accumulation(uint32_t op, uint32_t load, bool always) const;
  /// The terms of a sum that is written out, without a loop: `value` is a + b + ...
  std::vector<trace::ValueId> addends(trace::ValueId value) const;
  /// The reads that are multiplied (or divided) to give `value`, each once; empty if it is no
  /// product of reads and of values that depend on no read.
  std::vector<uint32_t> factors(trace::ValueId value) const;

private:
  enum class Kind : uint8_t { kOther, kPhi, kSelect, kMove, kCompare, kFold };
  struct Input {
    trace::ValueId value = trace::ValueId::kNone;
    bool entersLoop = false; ///< an operand of a loop header's phi, from outside of the loop
  };
  struct Search;

  /// Whether a phi has the operand from a block of the loop.
  bool comesFrom(const trace::Operand &operand, trace::LoopId loop) const;
  trace::LoopId loopAround(trace::BlockId block) const;
  Kind kindOf(const trace::Operation &operation) const;
  std::optional<Fold> foldOf(const trace::Operation &operation) const;
  std::span<const trace::Operand> operandsOf(uint32_t op) const;
  bool isRead(uint32_t op) const;
  uint32_t definition(trace::ValueId value) const { return definitions_[index(value)]; }
  void walk(std::vector<trace::ValueId> from, bool throughEntries,
            const std::function<bool(trace::ValueId)> &visit) const;
  /// The operations that read memory among those that `walk` comes to, in order.
  std::vector<uint32_t> readsBehind(std::vector<trace::ValueId> from, bool throughEntries) const;
  bool reaches(Search &search, trace::ValueId value) const;
  bool joins(Search &search, uint32_t op) const;
  bool chooses(const Search &search, const Accumulation &found, trace::LoopId loop) const;
  std::optional<Accumulation> joined(trace::ValueId from, trace::ValueId to, trace::LoopId loop,
                                     bool always) const;

  const trace::Program &program_;
  std::vector<trace::BlockId> blocks_;     ///< per operation
  std::vector<uint32_t> definitions_;      ///< per value: its operation, or kUndefined
  std::vector<std::vector<Input>> inputs_; ///< per value: what it depends on directly
  std::vector<trace::LoopId> callers_;     ///< per function: the loop around its only call
  std::vector<bool> barriers_;             ///< per loop
  std::vector<Kind> kinds_;                ///< per opcode
  std::vector<std::optional<Fold>> folds_; ///< per opcode
};

} // namespace aiwc::metrics
