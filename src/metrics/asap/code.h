#pragma once

#include "metrics/asap/values.h"
#include "trace/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::metrics {

/// A program as the ASAP schedule replays it: what flows from which value into which, and at what
/// latency; opcodes and all else are gone. Values that are roots (asap_values.h) are slots of an
/// array; before them come `kZero`, which every constant reads, and `kSink`, into which what has no
/// result goes. The first of them are all that a block may find there and read: what a work-item
/// has to keep from one block to the next. Operations that are no more than a step from a root
/// are gone as well: whoever reads their results reads the root, so many instructions further.
struct AsapCode {
  static constexpr uint32_t kZero = 0, kSink = 1;

  /// The level of a slot, `add` instructions further.
  struct Term {
    uint32_t slot = kZero, add = 0;
  };

  struct Op {
    enum class Kind : uint8_t {
      kPlain,  ///< at most two terms, no memory, no floating-point operation
      kFloat,  ///< at most two terms, no memory
      kFused,  ///< a multiply-add: a times b, then plus c
      kLoad,   ///< at most two terms, reads
      kStore,  ///< at most two terms, writes
      kGeneral ///< anything
    };
    Kind kind = Kind::kPlain;
    uint8_t latency = 1;    ///< in the schedule of instructions
    uint32_t offset = 0;    ///< of the operation in its block
    uint32_t fpOps = 0;     ///< of kFused: additions, and as many multiplications
    uint32_t result = 0;    ///< slot
    uint32_t least = 0;     ///< instructions, whatever the terms
    Term a, b;              ///< of kGeneral: unused
    Term c;                 ///< of kFused: the addend
    uint32_t firstTerm = 0; ///< of kGeneral: into `terms`
    uint32_t termCount = 0; ///< likewise
  };

  /// The slot `to` takes the level of `from`, at least so many instructions.
  struct Copy {
    uint32_t to = kSink;
    Term from;
    uint32_t least = 0;
  };

  /// Copies that happen at once.
  struct Copies {
    uint32_t first = 0, count = 0; ///< into `copies`
    bool inTurn = true;            ///< one after another is the same
  };

  /// The phis of a block, when control comes from `from`. The last edge of a block, from kNone, is
  /// for when it comes from elsewhere.
  struct Edge {
    trace::BlockId from = trace::BlockId::kNone;
    Copies copies;
  };

  /// An instruction that is gone: how deep it is in the schedule.
  struct Depth {
    Term term;
    uint32_t least = 0;
    uint32_t offset = 0; ///< of the operation in its block
  };

  struct Block {
    uint32_t firstOp = 0, opCount = 0; ///< into `ops`
    uint32_t nodes = 0;                ///< instructions with a latency
    uint32_t fpLevels = 0;             ///< a chain through it has so many fp operations at most
    uint32_t firstEdge = 0, edgeCount = 0;
    uint32_t firstGone = 0, goneCount = 0;   ///< into `gone`
    uint32_t firstDepth = 0, depthCount = 0; ///< into `depths`
    uint32_t least = 0;                      ///< of its instructions that are gone
    trace::BlockEnd end = trace::BlockEnd::kReturn;
    Copies arguments;            ///< of kCall
    uint32_t callResult = kSink; ///< of kCall: slot
    Copy returned;               ///< of kReturn: to nowhere
  };

  explicit AsapCode(const trace::Program &program);

  /// Whether an operation of this opcode is a node of the schedule of instructions.
  bool isNode(const trace::Operation &operation) const {
    return nodeOpcodes[index(operation.opcode)];
  }

  uint32_t slots = 2;
  uint32_t keptSlots = 2; ///< the first of them, per work-item
  std::vector<Block> blocks;
  std::vector<Op> ops;
  std::vector<Term> terms;
  std::vector<Edge> edges;
  std::vector<Copy> copies;
  std::vector<Depth> gone;  ///< every instruction that is, for blocks that are cut off
  std::vector<Term> depths; ///< those that may be deeper than all the block's operations

private:
  /// What an operation depends on: each slot once.
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
  /// Calls visit(term) for all that the operation depends on.
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
