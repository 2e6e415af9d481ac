#pragma once

#include "trace/program.h"

#include <cstdint>
#include <vector>

namespace aiwc::metrics {

/// A program as the ASAP schedule replays it: what flows from which value into which, and at what
/// latency; opcodes and all else are gone. Values are slots of an array that each work-item has;
/// behind those of the program come `zero`, which every constant reads, and `sink`, into which
/// what has no result goes.
struct AsapCode {
  struct Op {
    enum class Kind : uint8_t {
      kPlain,  ///< at most two operands, no memory, no floating-point operation
      kFloat,  ///< at most two operands, no memory
      kFused,  ///< a multiply-add: a times b, then plus c
      kLoad,   ///< at most two operands, reads
      kStore,  ///< at most two operands, writes
      kGeneral ///< anything
    };
    Kind kind = Kind::kPlain;
    uint8_t latency = 1;       ///< in the schedule of instructions
    uint32_t offset = 0;       ///< of the operation in its block
    uint32_t fpOps = 0;        ///< of kFused: additions, and as many multiplications
    uint32_t result = 0;       ///< slot, as are the next two
    uint32_t a = 0, b = 0;     ///< of kGeneral: unused
    uint32_t firstOperand = 0; ///< of kGeneral: into `operands`
    uint32_t operandCount = 0; ///< likewise
    uint32_t c = 0;            ///< of kFused: the addend's slot
  };

  /// `to` takes the level that `from` has.
  struct Copy {
    uint32_t to = 0, from = 0;
  };

  /// The phis of a block, when control comes from `from`: copies that happen at once. The last edge
  /// of a block, from kNone, is for when it comes from elsewhere.
  struct Edge {
    trace::BlockId from = trace::BlockId::kNone;
    uint32_t firstCopy = 0, copyCount = 0;
  };

  struct Block {
    uint32_t firstOp = 0, opCount = 0; ///< into `ops`
    uint32_t nodes = 0;                ///< instructions with a latency
    uint32_t fpLevels = 0;             ///< a chain through it has so many fp operations at most
    uint32_t firstEdge = 0, edgeCount = 0;
    trace::BlockEnd end = trace::BlockEnd::kReturn;
    uint32_t firstArgument = 0, argumentCount = 0; ///< of kCall: into `copies`
    uint32_t callResult = 0;                       ///< of kCall: slot
    uint32_t returned = 0;                         ///< of kReturn: slot
  };

  explicit AsapCode(const trace::Program &program);

  /// Whether an operation of this opcode is a node of the schedule of instructions.
  bool isNode(const trace::Operation &operation) const {
    return nodeOpcodes[index(operation.opcode)];
  }

  uint32_t zero = 0, sink = 0;
  uint32_t slots = 0; ///< per work-item
  std::vector<Block> blocks;
  std::vector<Op> ops;
  std::vector<uint32_t> operands; ///< slots
  std::vector<Edge> edges;
  std::vector<Copy> copies;

private:
  uint32_t slotOf(trace::ValueId value) const;
  void addOperation(const trace::Program &program, const trace::Operation &operation,
                    uint32_t offset, Block &block);
  void addPhis(const trace::Program &program, const trace::Block &source, Block &block);
  void addEnd(const trace::Program &program, const trace::Block &source, Block &block);

  std::vector<bool> nodeOpcodes; ///< per OpcodeId
};

} // namespace aiwc::metrics
