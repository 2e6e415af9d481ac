#pragma once

#include "metrics/asap/values.h"
#include "trace/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::metrics {

/// A program in the form that the ASAP schedule replays: only data flow between values and
/// latencies. Each root value (values.h) has a slot in an array of levels. Slot `kZero` holds the
/// level of constants; slot `kSink` is the destination of operations without a result. The first
/// `keptSlots` slots are those that a block may read before it writes them; only these must be kept
/// for each work-item between runs. Operations whose level is a constant offset from a root's are
/// removed: their readers read the root's slot and add the offset.
struct AsapCode {
  static constexpr uint32_t kZero = 0, kSink = 1;

  /// The level of a slot, plus `add` instructions.
  struct Term {
    uint32_t slot = kZero, add = 0;
  };

  struct Op {
    enum class Kind : uint8_t {
      kPlain,  ///< at most two terms, no memory, no floating-point operation
      kFloat,  ///< at most two terms, no memory
      kFused,  ///< a multiply-add: a * b + c
      kLoad,   ///< at most two terms, reads
      kStore,  ///< at most two terms, writes
      kGeneral ///< anything
    };
    Kind kind = Kind::kPlain;
    uint8_t latency = 1;    ///< in the schedule of instructions
    uint32_t offset = 0;    ///< of the operation in its block
    uint32_t fpOps = 0;     ///< of kFused: additions, and as many multiplications
    uint32_t result = 0;    ///< slot
    uint32_t least = 0;     ///< lower bound of the instruction level
    Term a, b;              ///< of kGeneral: unused
    Term c;                 ///< of kFused: the addend
    uint32_t firstTerm = 0; ///< of kGeneral: into `terms`
    uint32_t termCount = 0; ///< likewise
  };

  /// Sets slot `to` to the level of `from`, with an instruction level of at least `least`.
  struct Copy {
    uint32_t to = kSink;
    Term from;
    uint32_t least = 0;
  };

  /// Copies that happen simultaneously.
  struct Copies {
    uint32_t first = 0, count = 0; ///< into `copies`
    bool inTurn = true;            ///< executing them in order gives the same result
  };

  /// The phis of a block as copies, if `from` is the previous block. The last edge of a block has
  /// `from` kNone and is for all other previous blocks.
  struct Edge {
    trace::BlockId from = trace::BlockId::kNone;
    Copies copies;
  };

  /// The level of an instruction that was removed.
  struct Depth {
    Term term;
    uint32_t least = 0;
    uint32_t offset = 0; ///< of the operation in its block
  };

  struct Block {
    uint32_t firstOp = 0, opCount = 0; ///< into `ops`
    uint32_t nodes = 0;                ///< instructions with a latency
    uint32_t fpLevels = 0;             ///< the most fp operations in a chain through it
    uint32_t firstEdge = 0, edgeCount = 0;
    uint32_t firstGone = 0, goneCount = 0;   ///< into `gone`
    uint32_t firstDepth = 0, depthCount = 0; ///< into `depths`
    uint32_t least = 0;                      ///< largest `least` of its removed instructions
    trace::BlockEnd end = trace::BlockEnd::kReturn;
    Copies arguments;            ///< of kCall
    uint32_t callResult = kSink; ///< of kCall: slot
    Copy returned;               ///< of kReturn; `to` is unused
  };

  explicit AsapCode(const trace::Program &program);

  /// Whether an operation of this opcode is a node of the schedule of instructions.
  bool isNode(const trace::Operation &operation) const {
    return nodeOpcodes[index(operation.opcode)];
  }

  uint32_t slots = 2;
  uint32_t keptSlots = 2; ///< the first slots, which each work-item keeps between runs
  std::vector<Block> blocks;
  std::vector<Op> ops;
  std::vector<Term> terms;
  std::vector<Edge> edges;
  std::vector<Copy> copies;
  std::vector<Depth> gone;  ///< all removed instructions, for blocks that were aborted
  std::vector<Term> depths; ///< removed ones that may be deeper than the block's operations

private:
  /// The slots that an operation depends on, without duplicates.
  struct Inputs {
    std::vector<Term> terms;
    uint32_t least = 0;

    void add(const Copy &value);
  };

  Copy valueOf(trace::ValueId value) const;
  uint32_t slotOf(trace::ValueId result) const;
  Inputs inputsOf(std::span<const trace::Operand> operands) const;
  void addOperation(const trace::Program &program, const trace::Block &source, uint32_t offset,
                    Block &block);
  bool leaveOut(const trace::Program &program, const trace::Block &source, uint32_t offset);
  void addFused(std::span<const trace::Operand> operands, Op &op) const;
  void addPhis(const trace::Program &program, const trace::Block &source, Block &block);
  void addEnd(const trace::Program &program, const trace::Block &source, Block &block);
  void addDepths(Block &block);
  Copies endCopies(uint32_t first) const;
  /// Calls visit(term) for each term that the operation depends on.
  template <typename Visit> void forEachTerm(const Op &op, Visit visit) const {
    for (const Term &term : {op.a, op.b, op.c})
      visit(term);
    if (op.kind == Op::Kind::kGeneral)
      for (const Term &term : std::span(terms).subspan(op.firstTerm, op.termCount))
        visit(term);
  }
  template <typename Visit> void forEachExposed(const Block &block, Visit visit);
  template <typename Visit> void forEachSlot(Visit visit);
  void sortSlots();

  std::vector<bool> nodeOpcodes; ///< per OpcodeId
  AsapValues values;
  std::vector<uint32_t> slotOfValue;
  std::vector<uint32_t> reach; ///< per slot; see addDepths
};

} // namespace aiwc::metrics
