#include "program_builder.h"
#include "random_trace.h"

#include <string>
#include <vector>

namespace aiwc::test {

using namespace trace;

namespace {

constexpr uint32_t kArrays = 3;

AddressSpace randomSpace(Random &random) {
  return random.oneOf({AddressSpace::kGlobal, AddressSpace::kGlobal, AddressSpace::kGlobal,
                       AddressSpace::kLocal, AddressSpace::kLocal, AddressSpace::kConstant,
                       AddressSpace::kPrivate});
}

/// Draws what operations read and define. In one half of the programs values are few, so that
/// chains of dependences form; a value may be read before it is defined, and be defined in several
/// places. In the other half they are in static single assignment form, as a compiler makes them:
/// defined once, and read where a definition is behind: in the same block, or in the function's
/// entry.
class RandomValues {
public:
  /// Of a program of at most `blocks` blocks.
  RandomValues(Random &random, uint32_t blocks)
      : random_(random), blocks_(blocks), values_(random.between(1, 24)), once_(random.oneIn(2)),
        next_(uint64_t{blocks} * kPerBlock) {}

  void beginFunction(uint32_t firstBlock, uint32_t blocks) {
    firstBlock_ = firstBlock;
    blocksOfFunction_ = blocks;
    entry_.clear();
    own_.clear();
  }
  void beginBlock(uint32_t block) {
    if (block == firstBlock_ + 1)
      entry_.insert(entry_.end(), own_.begin(), own_.end());
    block_ = block;
    own_.clear();
  }

  /// To read.
  ValueId value() {
    if (random_.oneIn(5))
      return ValueId::kNone;
    if (!once_)
      return ValueId(random_.below(values_));
    const std::vector<ValueId> &from = own_.empty() || random_.oneIn(3) ? entry_ : own_;
    return from.empty() ? ValueId::kNone : from[random_.below(from.size())];
  }
  /// To define.
  ValueId result() {
    if (!once_)
      return value();
    if (random_.oneIn(5))
      return ValueId::kNone;
    own_.push_back(own_.size() < kPerBlock ? ValueId(ofBlock(block_, own_.size()))
                                           : ValueId(next_++));
    return own_.back();
  }
  std::vector<Operand> operands(uint64_t most) {
    std::vector<Operand> result;
    for (uint64_t n = random_.below(most + 1); n > 0; --n)
      result.push_back({value(), BlockId::kNone});
    return result;
  }
  std::vector<ValueId> arguments() {
    std::vector<ValueId> result;
    for (uint64_t n = random_.below(4); n > 0; --n)
      result.push_back(ValueId(once_ ? next_++ : random_.below(values_)));
    if (once_)
      entry_ = result;
    return result;
  }
  /// Of a phi: from every block, or from some.
  std::vector<Operand> incoming() {
    std::vector<Operand> result;
    const bool some = random_.oneIn(2);
    const uint32_t first = once_ ? firstBlock_ : 0;
    for (uint32_t block = first; block < (once_ ? first + blocksOfFunction_ : blocks_); ++block)
      if (!some || random_.oneIn(3))
        result.push_back({incomingValue(block), BlockId{block}});
    random_.shuffle(result);
    return result;
  }

private:
  static constexpr uint64_t kPerBlock = 3; ///< values that have a number before they are defined

  static uint64_t ofBlock(uint32_t block, uint64_t number) { return block * kPerBlock + number; }
  /// One that has its definition in the block, or none yet.
  ValueId incomingValue(uint32_t block) {
    if (!once_ || random_.oneIn(5))
      return value();
    return ValueId(ofBlock(block, random_.below(kPerBlock)));
  }

  Random &random_;
  uint32_t blocks_;
  uint64_t values_;
  bool once_;
  uint64_t next_; ///< number that no value has
  uint32_t firstBlock_ = 0, blocksOfFunction_ = 0, block_ = 0;
  std::vector<ValueId> entry_, own_; ///< defined in the function's entry, in the block at hand
};

Operation memoryOperation(Random &random, ProgramBuilder &builder) {
  Operation operation;
  operation.space = randomSpace(random);
  operation.width = random.oneOf<uint16_t>({1, 1, 1, 4, 16});
  operation.lanes = operation.width;
  operation.memory = random.oneOf({MemoryKind::kLoad, MemoryKind::kLoad, MemoryKind::kLoad,
                                   MemoryKind::kStore, MemoryKind::kStore, MemoryKind::kAtomic,
                                   MemoryKind::kCopy, MemoryKind::kGroupCopy, MemoryKind::kImage});
  switch (operation.memory) {
  case MemoryKind::kLoad:
    return builder.op("load", operation);
  case MemoryKind::kStore:
    return builder.op("store", operation);
  case MemoryKind::kImage:
    operation.space = AddressSpace::kGlobal;
    return builder.op("call", operation);
  case MemoryKind::kAtomic:
    operation.joinsLanes = random.oneIn(2);
    return builder.op("call", operation);
  default:
    return builder.op("call", operation);
  }
}

Operation arithmeticOperation(Random &random, ProgramBuilder &builder) {
  Operation operation;
  operation.width = random.oneOf<uint16_t>({1, 1, 1, 2, 3, 4, 8, 16});
  operation.lanes = random.oneIn(4) ? uint16_t{1} : operation.width;
  const uint16_t lanes = operation.lanes;
  operation.fpBits = random.oneOf<uint8_t>({16, 32, 32, 64});
  switch (random.below(6)) {
  case 0:
    operation.fpAdd = lanes;
    return builder.op("fadd", operation);
  case 1:
    operation.fpMul = lanes;
    return builder.op("fmul", operation);
  case 2:
    operation.fpDiv = lanes;
    return builder.op("fdiv", operation);
  case 3: // fma
    operation.fpAdd = operation.fpMul = lanes;
    return builder.op("call", operation);
  case 4: // a builtin may do several kinds of work at once
    operation.fpSpecial = static_cast<uint16_t>(lanes * random.between(1, 3));
    operation.specialInstructions = static_cast<uint16_t>(operation.fpSpecial * 13);
    operation.fpMul = lanes;
    return builder.op("call", operation);
  default:
    operation.fpBits = 0;
    operation.intOps = lanes;
    return builder.op(random.oneOf({"add", "mul", "icmp", "shl", "xor"}), operation);
  }
}

/// Some operation but a phi. `values` says what it reads and defines.
Operation randomOperation(Random &random, ProgramBuilder &builder, uint64_t memoryShare,
                          RandomValues &values) {
  Operation operation;
  if (random.percent(memoryShare))
    operation = memoryOperation(random, builder);
  else if (random.percent(60))
    operation = arithmeticOperation(random, builder);
  else
    operation = builder.op(random.oneOf({"getelementptr", "bitcast", "select", "zext"}));
  const bool fused = operation.fpAdd > 0 && operation.fpMul > 0 && random.percent(80);
  std::vector<Operand> operands = values.operands(4);
  if (operation.memory != MemoryKind::kNone) {
    if (random.oneIn(2))
      operation.array = ArrayId(random.below(kArrays));
    if (operation.memory != MemoryKind::kLoad && !operands.empty())
      operation.stored = operands.front().value;
  }
  if (fused) // a multiply-add has three
    operands.resize(3, {values.value(), BlockId::kNone});
  return builder.reading(operation, operands, values.result());
}

Operation phi(ProgramBuilder &builder, RandomValues &values) {
  const std::vector<Operand> incoming = values.incoming();
  return builder.reading(builder.op("phi"), incoming, values.result());
}

/// Makes some loads and stores parts of a vector access.
void joinSome(Random &random, std::vector<Operation> &operations) {
  for (uint32_t i = 1; i < operations.size(); ++i) {
    Operation &part = operations[i];
    if ((part.memory != MemoryKind::kLoad && part.memory != MemoryKind::kStore) || random.oneIn(2))
      continue;
    for (uint32_t first = 0; first < i && part.joinedTo == Operation::kAlone; ++first)
      if (operations[first].memory == part.memory && operations[first].space == part.space &&
          operations[first].joinedTo == Operation::kAlone)
        part.joinedTo = first;
  }
}

/// How a block in the middle of a function ends. Only conditional ends may lead backwards, and
/// they always have a way forwards: so a walk that wants to leave can.
struct End {
  BlockEnd kind = BlockEnd::kReturn;
  const char *opcode = "ret";
  std::vector<BlockId> successors;
  FunctionId callee = FunctionId::kNone;
};

struct Place {
  uint32_t functions = 0; ///< in the program
  uint32_t function = 0;
  uint32_t firstBlock = 0, block = 0, lastBlock = 0; ///< of the function, in the program
  bool barriers = false;                             ///< allowed here
};

End randomEnd(Random &random, const Place &place) {
  const auto forward = [&] { return BlockId(random.between(place.block + 1, place.lastBlock)); };
  const auto anywhere = [&] { return BlockId(random.between(place.firstBlock, place.lastBlock)); };
  if (place.block == place.lastBlock || random.oneIn(25))
    return {};
  if (place.barriers && random.oneIn(3))
    return {BlockEnd::kBarrier, "call", {}};
  if (place.function + 1 < place.functions && random.oneIn(4))
    return {BlockEnd::kCall,
            "call",
            {},
            FunctionId(random.between(place.function + 1, place.functions - 1))};
  switch (random.below(6)) {
  case 0:
    return {BlockEnd::kFallThrough, "fence", {}};
  case 1:
    return {BlockEnd::kJump, "br", {forward()}};
  case 2: {
    End end{BlockEnd::kSwitch, "switch", {anywhere()}};
    for (uint64_t cases = random.below(4); cases > 0; --cases)
      end.successors.push_back(anywhere());
    end.successors[random.below(end.successors.size())] = forward();
    return end;
  }
  default:
    return random.oneIn(2) ? End{BlockEnd::kBranch, "br", {anywhere(), forward()}}
                           : End{BlockEnd::kBranch, "br", {forward(), anywhere()}};
  }
}

} // namespace

RandomProgram randomProgram(Random &random, const TraceShape &shape) {
  ProgramBuilder builder;
  RandomProgram result;
  const auto functions = static_cast<uint32_t>(random.between(1, shape.functions));
  // The kernel alone, or the kernel and the function after it.
  const auto uniformFunctions = static_cast<uint32_t>(random.between(1, 2));
  const uint64_t memoryShare = random.oneOf<uint64_t>({0, 10, 40, 40, 40, 90});
  RandomValues values(random, functions * shape.blocksPerFunction);
  for (uint32_t array = 0; array < kArrays; ++array)
    builder.array("array" + std::to_string(array));
  uint32_t nextBlock = 0;
  for (uint32_t function = 0; function < functions; ++function) {
    builder.function("f" + std::to_string(function));
    const auto blocks = static_cast<uint32_t>(
        random.between((shape.blocksPerFunction + 1) / 2, shape.blocksPerFunction));
    values.beginFunction(nextBlock, blocks);
    builder.arguments(values.arguments());
    const bool uniform = shape.barriers == Barriers::kConvergent && function < uniformFunctions;
    result.uniform.push_back(uniform);
    const uint32_t last = nextBlock + blocks - 1;
    for (uint32_t block = nextBlock; block <= last; ++block) {
      values.beginBlock(block);
      std::vector<Operation> operations;
      for (uint64_t n = random.oneIn(2) ? random.below(4) : 0; n > 0; --n)
        operations.push_back(phi(builder, values));
      for (uint64_t n = random.below(shape.operationsPerBlock); n > 0; --n)
        operations.push_back(randomOperation(random, builder, memoryShare, values));
      joinSome(random, operations);
      const End end = randomEnd(random, {functions, function, nextBlock, block, last,
                                         uniform || shape.barriers == Barriers::kDivergent});
      const std::vector<Operand> operands = values.operands(4);
      operations.push_back(builder.reading(builder.op(end.opcode), operands, values.result()));
      for (size_t i = 0; i < operations.size(); ++i) {
        operations[i].line = static_cast<uint32_t>((block * 2 + i) % 11); // 0: unknown
        operations[i].accidentalDouble = (block + i) % 7 == 0;
        operations[i].accidentalConversion = (block + i) % 7 == 1;
        operations[i].repeated = (block + i) % 3 == 0;
        operations[i].dividesByConstant = (block + i) % 5 == 0;
        operations[i].wideInteger = (block + i) % 2 == 1;
        operations[i].isProduct = (block + i) % 4 > 1;
        operations[i].isWideProduct = (block + i) % 4 == 3;
        operations[i].convertsWidth = (block + i) % 5 == 1;
        operations[i].matrixType = static_cast<MatrixType>((block + i) % 5);
        operations[i].matrixOps =
            operations[i].matrixType == MatrixType::kNone ? 0 : 16 * (block % 3);
        operations[i].isPseudo = (block + i) % 4 == 0 && i + 1 < operations.size();
        operations[i].wideIndexProduct = (block + i) % 6 == 0;
        operations[i].wideIndexDivision = (block + i) % 6 == 1;
      }
      builder.block(operations, end.kind, end.successors, end.callee);
    }
    nextBlock = last + 1;
  }
  result.program = builder.build();
  return result;
}

} // namespace aiwc::test
