/// The static half of a trace: a kernel and what it calls, decoded once into dense tables.
///
/// This is the vocabulary between the engines, which execute kernels, and the analyses, which
/// compute metrics. It knows neither Oclgrind nor LLVM nor what any metric means.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace aiwc::trace {

/// Indices into the tables of a `Program`. `kNone` of each says "there is none".
enum class FunctionId : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class BlockId : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class OpId : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class ValueId : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class BranchId : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class LoopId : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class OpcodeId : uint16_t {};

template <typename Id> constexpr auto index(Id id) {
  return static_cast<std::underlying_type_t<Id>>(id);
}

/// OpenCL's address spaces, with the numbers SPIR gives them.
enum class AddressSpace : uint8_t { kPrivate = 0, kGlobal = 1, kConstant = 2, kLocal = 3 };

/// How an operation touches memory, if it does.
enum class MemoryKind : uint8_t {
  kNone,
  kLoad,
  kStore,
  kAtomic,    ///< read-modify-write
  kCopy,      ///< memcpy-like, source and destination
  kGroupCopy, ///< async_work_group_copy: its accesses arrive as the work-group's
  kImage,
};

/// One IR instruction. The work it does is told per execution, all lanes together.
struct Operation {
  OpcodeId opcode{};
  MemoryKind memory = MemoryKind::kNone;
  AddressSpace space = AddressSpace::kPrivate; ///< of the accesses, where `memory` says there are
  uint16_t width = 1;     ///< largest element count among result and operands; 1 for scalars
  uint16_t lanes = 1;     ///< element count of the result (of the operands where it has none)
  uint16_t fpAdd = 0;     ///< floating-point additions and subtractions
  uint16_t fpMul = 0;     ///< floating-point multiplications
  uint16_t fpDiv = 0;     ///< floating-point divisions and remainders
  uint16_t fpSpecial = 0; ///< builtin math and square roots
  uint16_t intOps = 0;    ///< integer arithmetic, logic, shift and compare operations
  uint8_t fpBits = 0;     ///< 16, 32 or 64 where any of the floating-point counts is not 0
  uint32_t line = 0;      ///< source line, 1-based; 0 where there is no debug location
  ValueId result = ValueId::kNone;
  uint32_t firstOperand = 0; ///< into Program::operands
  uint32_t operandCount = 0;

  /// Whether it is fma, mad or fmuladd: of the builtins, those alone make an addition and a
  /// multiplication per lane. Its operands are the factors and the addend, in this order.
  bool isFusedMultiplyAdd() const {
    return fpAdd > 0 && fpAdd == fpMul && fpDiv == 0 && fpSpecial == 0 && operandCount == 3;
  }

  /// Whether it is a memory instruction in the sense of docs/metrics.md: on global, constant or
  /// local memory.
  bool accessesSharedMemory() const {
    return memory != MemoryKind::kNone && space != AddressSpace::kPrivate;
  }
};

/// A value that an operation reads. Constants are no operands: they depend on nothing.
struct Operand {
  ValueId value = ValueId::kNone;
  /// For a `phi`: the block that control comes from when this is the incoming value.
  BlockId incoming = BlockId::kNone;
};

/// Why control leaves a block after its last operation.
enum class BlockEnd : uint8_t {
  kFallThrough, ///< the next block of the same IR basic block follows
  kJump,        ///< one successor
  kBranch,      ///< conditional branch: successor 0 where taken, 1 where not
  kSwitch,      ///< successor 0 is the default
  kCall,        ///< into `callee`; the next block of the table follows its return
  kBarrier,     ///< the work-item waits for its group; the next block of the table follows
  kReturn,
};

/// A straight line of operations that a work-item executes without a break: an IR basic block, cut
/// after every call into a function that has a body and after every barrier.
struct Block {
  FunctionId function = FunctionId::kNone;
  OpId firstOp = OpId::kNone;
  uint32_t opCount = 0;
  BlockEnd end = BlockEnd::kReturn;
  FunctionId callee = FunctionId::kNone; ///< of kCall
  BranchId branch = BranchId::kNone;     ///< of kBranch and kSwitch
  LoopId loop = LoopId::kNone;           ///< the innermost that it is in
  uint32_t firstSuccessor = 0;           ///< into Program::successors
  uint32_t successorCount = 0;
  // Summaries over the operations, so that an analysis need not walk them.
  uint32_t memoryOps = 0;     ///< operations on global, constant or local memory
  uint32_t firstMemoryOp = 0; ///< offset of the first of them in the block
  uint32_t lastMemoryOp = 0;  ///< offset of the last of them in the block
};

struct Function {
  std::string name;
  BlockId entry = BlockId::kNone;
  std::vector<ValueId> arguments;
};

/// A natural loop: it is entered through its header alone. Loops with the same header are one.
struct Loop {
  FunctionId function = FunctionId::kNone;
  BlockId header = BlockId::kNone; ///< the first block of its header
  LoopId parent = LoopId::kNone;   ///< the loop of the same function around it
  uint32_t depth = 1;              ///< loops of the same function that it is in, itself included
  uint32_t line = 0;               ///< source line where it begins, 1-based; 0 where unknown
};

/// A decoded kernel with all the functions it can reach.
struct Program {
  FunctionId kernel{};
  std::vector<Function> functions;
  std::vector<Block> blocks;
  std::vector<Operation> operations;
  std::vector<Operand> operands;
  std::vector<BlockId> successors;
  std::vector<BlockId> branches; ///< per BranchId the block that it ends
  /// A loop stands before those inside it, and they before the loops behind it.
  std::vector<Loop> loops;
  std::vector<std::string> opcodeNames; ///< per OpcodeId, LLVM's name of the opcode
  uint32_t valueCount = 0;

  const Block &block(BlockId id) const { return blocks[index(id)]; }
  const Function &function(FunctionId id) const { return functions[index(id)]; }
  const Loop &loop(LoopId id) const { return loops[index(id)]; }
  std::span<const Operation> operationsOf(const Block &block) const {
    return {operations.data() + index(block.firstOp), block.opCount};
  }
  std::span<const BlockId> successorsOf(const Block &block) const {
    return {successors.data() + block.firstSuccessor, block.successorCount};
  }
  std::span<const Operand> operandsOf(const Operation &operation) const {
    return {operands.data() + operation.firstOperand, operation.operandCount};
  }
  /// Whether the branch at the end of `block` counts as taken when `next` is entered behind it: a
  /// conditional branch where its condition holds, a switch where it leaves its default.
  bool taken(const Block &block, BlockId next) const {
    const BlockId first = successors[block.firstSuccessor];
    return block.end == BlockEnd::kSwitch ? next != first : next == first;
  }

  /// Fills in what is derived from the operations (the blocks' summaries) and checks that every
  /// index is in range. Throws `aiwc::Error` where one is not.
  void finalize();
};

} // namespace aiwc::trace
