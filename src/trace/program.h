/// The static part of a trace: a kernel and the functions it calls, decoded once into tables.
///
/// Engines, which execute kernels, and analyses, which compute metrics, both use these types. They
/// depend on neither Oclgrind nor LLVM nor any metric.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace aiwc::trace {

/// Indices into the tables of a `Program`. `kNone` means that there is no such entry.
enum class FunctionId : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class BlockId : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class OpId : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class ValueId : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class BranchId : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class LoopId : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class ArrayId : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class OpcodeId : uint16_t {};

template <typename Id> constexpr auto index(Id id) {
  return static_cast<std::underlying_type_t<Id>>(id);
}

/// OpenCL's address spaces, with the numbers SPIR gives them.
enum class AddressSpace : uint8_t { kPrivate = 0, kGlobal = 1, kConstant = 2, kLocal = 3 };

/// How an operation accesses memory, if it does.
enum class MemoryKind : uint8_t {
  kNone,
  kLoad,
  kStore,
  kAtomic,    ///< read-modify-write
  kCopy,      ///< like memcpy: reads the source, writes the destination
  kGroupCopy, ///< async_work_group_copy: recorded as accesses of the work-group
  kImage,
};

/// The numbers of which a unit for matrices multiplies matrices, if an operation has it do so.
enum class MatrixType : uint8_t { kNone, k16Bits, kTf32, kInt8, kDouble };

/// One IR instruction. Its counts of work are per execution, summed over all vector lanes.
struct Operation {
  OpcodeId opcode{};
  MemoryKind memory = MemoryKind::kNone;
  AddressSpace space = AddressSpace::kPrivate; ///< of the accesses; unused if memory is kNone
  uint16_t width = 1;     ///< largest element count among result and operands; 1 for scalars
  uint16_t lanes = 1;     ///< element count of the result, or of the operands if it has no result
  uint16_t fpAdd = 0;     ///< floating-point additions and subtractions
  uint16_t fpMul = 0;     ///< floating-point multiplications
  uint16_t fpDiv = 0;     ///< floating-point divisions and remainders
  uint16_t fpSpecial = 0; ///< builtin math and square roots
  uint16_t specialInstructions = 0; ///< that those of fpSpecial take on a GPU
  uint16_t intOps = 0;              ///< integer arithmetic, logic, shift and compare operations
  uint8_t fpBits = 0;               ///< 16, 32 or 64 if one of the floating-point counts is not 0
  /// Of a product of matrices by a sub-group: a work-item's share of the multiplications and
  /// additions, which no other count contains.
  uint16_t matrixOps = 0;
  MatrixType matrixType = MatrixType::kNone;
  bool wideInteger = false; ///< its integer operations are on more than 32 bits, and no indices
  /// A product of integers that is computed each time, and one of two numbers of 64 bits.
  bool isProduct = false, isWideProduct = false;
  bool convertsWidth = false; ///< a cast between floating-point numbers of different widths
  bool isPseudo = false;      ///< becomes no machine instruction: a phi, or a marker for compilers
  bool extremum = false;      ///< a builtin that returns the smallest or largest of its operands
  bool triesAgain = false;    ///< an atomic whose result serves only to try it again
  /// An atomic that computes with integers, at an address that is the same in all work-items:
  /// compilers make one of those of a group of lanes.
  bool joinsLanes = false;
  // What the code does without need (docs/formats.md, `lines`).
  bool accidentalDouble = false;     ///< calculates or compares in 64 bits between floats
  bool accidentalConversion = false; ///< converts to or from such a value
  bool repeated = false;      ///< a division or function with the same operands in all work-items
  bool constantPower = false; ///< a power that products and a square root compute
  bool dividesByConstant = false; ///< of integers, by a value that is the same in all work-items
  bool wideIndexProduct = false;  ///< multiplies indices in 64 bits where 32 would do
  bool wideIndexDivision = false; ///< divides them so
  uint32_t line = 0;              ///< source line, 1-based; 0 without debug location
  ValueId result = ValueId::kNone;
  /// Of a store or an atomic: the value that it writes or combines with the memory; its other
  /// operands are the address. kNone for a constant.
  ValueId stored = ValueId::kNone;
  ArrayId array = ArrayId::kNone; ///< that it accesses; kNone if the code does not tell
  /// Of a part of a vector access but the first: the offset of the first part in the block. A
  /// device makes the parts as one access; they have the same kind and address space.
  uint32_t joinedTo = kAlone;
  uint32_t firstOperand = 0; ///< into Program::operands
  uint32_t operandCount = 0;

  static constexpr uint32_t kAlone = std::numeric_limits<uint32_t>::max();

  /// Floating-point operations of an execution.
  uint64_t fpOps() const { return uint64_t{fpAdd} + fpMul + fpDiv + fpSpecial; }

  /// Whether it is fma, mad or fmuladd, the only builtins with one addition and one multiplication
  /// per lane. Its operands are the two factors and then the addend.
  bool isFusedMultiplyAdd() const {
    return fpAdd > 0 && fpAdd == fpMul && fpDiv == 0 && fpSpecial == 0 && operandCount == 3;
  }

  /// Whether it is a memory instruction as docs/metrics.md defines it: one that accesses global,
  /// constant or local memory.
  bool accessesSharedMemory() const {
    return memory != MemoryKind::kNone && space != AddressSpace::kPrivate;
  }
};

/// A value that an operation reads. Constants are not listed: they depend on nothing.
struct Operand {
  ValueId value = ValueId::kNone;
  /// For a `phi`: the predecessor block for which this is the incoming value.
  BlockId incoming = BlockId::kNone;
};

/// Why control leaves a block after its last operation.
enum class BlockEnd : uint8_t {
  kFallThrough, ///< the next block of the same IR basic block follows
  kJump,        ///< one successor
  kBranch,      ///< conditional branch: successor 0 where taken, 1 where not
  kSwitch,      ///< successor 0 is the default case
  kCall,        ///< enters `callee`; after its return, the next block of the table follows
  kBarrier,     ///< the work-item waits for its group; then the next block of the table follows
  kMeeting,     ///< it waits for other work-items of its sub-group; then that block follows
  kReturn,
};

/// Operations that a work-item executes one after another without interruption: an IR basic block,
/// split after every barrier, every function of sub-groups at which work-items wait, and every call
/// of a function that has a body.
struct Block {
  FunctionId function = FunctionId::kNone;
  OpId firstOp = OpId::kNone;
  uint32_t opCount = 0;
  BlockEnd end = BlockEnd::kReturn;
  FunctionId callee = FunctionId::kNone; ///< only for kCall
  BranchId branch = BranchId::kNone;     ///< only for kBranch and kSwitch
  LoopId loop = LoopId::kNone;           ///< the innermost loop that contains it
  uint32_t firstSuccessor = 0;           ///< into Program::successors
  uint32_t successorCount = 0;
  // Summaries of the operations, so that analyses need not iterate over them.
  uint32_t memoryOps = 0;     ///< operations on global, constant or local memory
  uint32_t firstMemoryOp = 0; ///< offset of the first of them in the block
  uint32_t lastMemoryOp = 0;  ///< offset of the last of them in the block
};

struct Function {
  std::string name;
  BlockId entry = BlockId::kNone;
  std::vector<ValueId> arguments;
};

/// A natural loop, which can only be entered through its header. Loops with the same header count
/// as one loop.
struct Loop {
  FunctionId function = FunctionId::kNone;
  BlockId header = BlockId::kNone; ///< the first block of the header's IR basic block
  LoopId parent = LoopId::kNone;   ///< the innermost loop around it in the same function
  uint32_t depth = 1;              ///< nesting depth in its function; 1 for an outermost loop
  uint32_t line = 0;               ///< source line where it begins, 1-based; 0 where unknown
  bool carriesValue = false;       ///< in a register, other than a counter or a sum
};

/// Memory with a name in the source: what a pointer argument of the kernel points to, or a variable
/// of constant, local or private memory; or one of several of these, where the code chooses.
struct Array {
  std::string name; ///< of several: "a|b"; empty if the compiler has dropped it
};

/// A decoded kernel with all functions that it can call, directly or not.
struct Program {
  FunctionId kernel{};
  std::vector<Function> functions;
  std::vector<Block> blocks;
  std::vector<Operation> operations;
  std::vector<Operand> operands;
  std::vector<BlockId> successors;
  std::vector<BlockId> branches; ///< per BranchId, the block that the branch ends
  /// In preorder: each loop is directly followed by the loops inside it.
  std::vector<Loop> loops;
  std::vector<Array> arrays;
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
  /// The operation that stands for the access of the operation at this offset in the block: itself,
  /// or the first part of its vector access.
  uint32_t accessOf(const Block &block, uint32_t offset) const {
    const uint32_t first = index(block.firstOp);
    const uint32_t joined = operations[first + offset].joinedTo;
    return first + (joined == Operation::kAlone ? offset : joined);
  }
  /// Whether the branch that ends `block` counts as taken if `next` is the next block. A
  /// conditional branch is taken if its condition holds, a switch if it does not go to its default
  /// case.
  bool taken(const Block &block, BlockId next) const {
    const BlockId first = successors[block.firstSuccessor];
    return block.end == BlockEnd::kSwitch ? next != first : next == first;
  }

  /// Computes the blocks' summaries from their operations, and checks the table of loops and that
  /// all indices are in range. Throws `aiwc::Error` if a check fails.
  void finalize();
};

} // namespace aiwc::trace
