#include "decoding/decoder.h"

#include "common/error.h"
#include "decoding/accidental_doubles.h"
#include "decoding/address_steps.h"
#include "decoding/builtins.h"
#include "decoding/llvm.h"
#include "decoding/pointers.h"
#include "decoding/uniform_values.h"
#include "decoding/vector_accesses.h"
#include "decoding/wide_indices.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace aiwc::decoding {

using namespace trace;

namespace {

/// The value that a compare-and-swap expects in memory; null for other atomics.
const llvm::Value *expectedBy(const llvm::Instruction &atomic) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&atomic);
  const std::string_view name = call ? calledName(*call) : "";
  return name == "atomic_cmpxchg" || name == "atom_cmpxchg" ? call->getArgOperand(1) : nullptr;
}

bool goesOnWhileDifferent(const llvm::BasicBlock &block, const llvm::Value *a,
                          const llvm::Value *b) {
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  const auto *compare = branch && branch->isConditional()
                            ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                            : nullptr;
  return compare && compare->isEquality() &&
         branch->getSuccessor(compare->getPredicate() == llvm::ICmpInst::ICMP_NE ? 0 : 1) ==
             &block &&
         ((compare->getOperand(0) == a && compare->getOperand(1) == b) ||
          (compare->getOperand(0) == b && compare->getOperand(1) == a));
}

/// Whether the result of an atomic serves only to try it again until the memory has the value that
/// was expected: it is a compare-and-swap in a loop of one block, which goes on while its result
/// differs from the value that it expected, which is the result of the time before. What is
/// computed from the result is used in that block only, and by no other access of memory.
bool onlyTriesAgain(const llvm::Instruction &atomic) {
  const llvm::BasicBlock &block = *atomic.getParent();
  const auto *expected = llvm::dyn_cast_or_null<llvm::PHINode>(expectedBy(atomic));
  if (!expected || expected->getParent() != &block || expected->getBasicBlockIndex(&block) < 0 ||
      expected->getIncomingValueForBlock(&block) != &atomic ||
      !goesOnWhileDifferent(block, &atomic, expected))
    return false;
  llvm::SetVector<const llvm::Instruction *> derived;
  derived.insert(&atomic);
  derived.insert(expected);
  for (size_t i = 0; i < derived.size(); ++i) // which grows
    for (const llvm::Use &use : derived[i]->uses()) {
      const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      const bool isAddress = user == &atomic && use.getOperandNo() == 0;
      if (user->getParent() != &block || isAddress ||
          (user != &atomic && (user->mayReadOrWriteMemory() || user->mayHaveSideEffects())))
        return false;
      derived.insert(user);
    }
  return true;
}

/// Whether an atomic computes with integers, so that one by a group of lanes does what theirs do.
bool combinesIntegers(const llvm::Instruction &atomic) {
  if (!atomic.getType()->isIntegerTy())
    return false;
  if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&atomic))
    return update->getOperation() != llvm::AtomicRMWInst::Xchg;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&atomic);
  std::string_view name = call ? calledName(*call) : "";
  name.remove_prefix(std::min(name.size(), name.find('_') + 1)); // atom_ or atomic_
  constexpr std::array kNames = {"add", "sub", "inc", "dec", "min", "max", "and", "or", "xor"};
  return std::ranges::find(kNames, name) != kNames.end();
}

AddressSpace spaceOfPointer(unsigned addressSpace) {
  return addressSpace <= 3 ? static_cast<AddressSpace>(addressSpace) : AddressSpace::kGlobal;
}

/// Largest element count among the result and the operands that are values.
unsigned simdWidth(const llvm::Instruction &instruction) {
  unsigned width = elementCount(instruction.getType());
  for (const llvm::Use &operand : instruction.operands())
    width = std::max(width, elementCount(operand->getType()));
  return width;
}

/// Whether it calls a mathematical function that takes a device an instruction or two.
bool isCheap(const llvm::Instruction &instruction) {
  static constexpr auto kCheap =
      std::to_array<std::string_view>({"ceil", "fdim", "floor", "fmax", "fmin", "maxmag", "maxnum",
                                       "minmag", "minnum", "rint", "round", "roundeven", "trunc"});
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call)
    return false;
  const llvm::StringRef mangled = calledFunction(*call)->getName();
  std::string_view name = plainName({mangled.data(), mangled.size()});
  if (name.starts_with("llvm.")) {
    name.remove_prefix(5);
    name = name.substr(0, name.find('.'));
  }
  return std::ranges::find(kCheap, name) != kCheap.end();
}

/// Whether it becomes no instruction of a machine: a `phi`, which names what is in a register, and
/// intrinsics that tell compilers something, such as where a variable's lifetime ends.
bool isPseudo(const llvm::Instruction &instruction) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return llvm::isa<llvm::PHINode>(instruction) || (intrinsic && intrinsic->isAssumeLikeIntrinsic());
}

uint8_t floatBits(const llvm::Instruction &instruction) {
  const llvm::Type *type = instruction.getType()->getScalarType();
  if (!type->isFloatingPointTy() && instruction.getNumOperands() > 0)
    type = instruction.getOperand(0)->getType()->getScalarType();
  return type->isFloatingPointTy()
             ? static_cast<uint8_t>(type->getPrimitiveSizeInBits().getFixedSize())
             : uint8_t{32};
}

/// Whether the value is a counter, which each iteration changes by the same, or a sum, product or
/// extremum by one instruction that nothing else in the loop reads.
bool isCounterOrSum(const llvm::PHINode &phi, const llvm::Loop &loop) {
  const llvm::BasicBlock *latch = loop.getLoopLatch();
  const auto *step =
      latch ? llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(latch)) : nullptr;
  if (!step || llvm::count(step->operands(), &phi) != 1)
    return false;
  const unsigned opcode = step->getOpcode();
  const bool subtracts = (opcode == llvm::Instruction::Sub || opcode == llvm::Instruction::FSub) &&
                         step->getOperand(0) == &phi;
  const bool moves = subtracts || opcode == llvm::Instruction::Add ||
                     opcode == llvm::Instruction::FAdd ||
                     (opcode == llvm::Instruction::GetElementPtr && step->getOperand(0) == &phi);
  if (moves && llvm::all_of(step->operands(), [&](const llvm::Use &operand) {
        return operand == &phi || loop.isLoopInvariant(operand);
      }))
    return true;
  bool combines = subtracts || (step->isBinaryOp() && step->isCommutative());
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(step);
      call && calledFunction(*call) && calledFunction(*call)->isDeclaration()) {
    const BuiltinTraits traits = builtinTraits(*call, *calledFunction(*call));
    const bool isFused = traits.fpAdd > 0 && traits.fpAdd == traits.fpMul && traits.fpDiv == 0;
    combines = traits.extremum || (isFused && call->getArgOperand(call->arg_size() - 1) == &phi);
  }
  const auto isReadBy = [&](const llvm::Value &value, const llvm::Instruction &only) {
    return llvm::all_of(value.users(), [&](const llvm::User *user) {
      return user == &only || !loop.contains(llvm::cast<llvm::Instruction>(user));
    });
  };
  return combines && isReadBy(phi, *step) && isReadBy(*step, phi);
}

} // namespace

/// Builds a DecodedProgram. Blocks are cut and numbered first, because branches and phis refer to
/// later blocks; then operations are decoded in the same order.
class Decoder {
public:
  Decoder(DecodedProgram &decoded, const SourceText *source)
      : decoded_(decoded), program_(decoded.program_), source_(source) {}

  void decode(const llvm::Function &kernel) {
    program_.kernel = functionOf(kernel);
    for (size_t next = 0; next < functions_.size(); ++next) // grows while calls are met
      cutIntoBlocks(*functions_[next], static_cast<FunctionId>(next));
    for (size_t id = 0; id < functions_.size(); ++id)
      findLoops(*functions_[id], static_cast<FunctionId>(id));
    targets_.emplace(functions_);
    findWritten();
    doubles_.emplace(functions_);
    indices_.emplace(functions_);
    vectors_.emplace(functions_);
    uniform_.emplace(functions_, [this](const llvm::Value &pointer) { return isWritten(pointer); });
    steps_.emplace(functions_, *uniform_);
    for (const Piece &piece : pieces_)
      decodePiece(piece);
    decoded_.firstByValue_.push_back(decoded_.byValue_.size());
    program_.valueCount = static_cast<uint32_t>(values_.size());
    program_.finalize();
  }

private:
  /// A block that is not decoded yet.
  struct Piece {
    const llvm::BasicBlock *basicBlock;
    const llvm::Instruction *first, *last;
    Block block;
  };

  uint32_t lineOf(const llvm::DebugLoc &location) const {
    if (source_)
      return source_->lineOf(location);
    return location ? location.getLine() : 0;
  }

  FunctionId functionOf(const llvm::Function &function) {
    const auto [entry, isNew] = functionIds_.try_emplace(&function, functions_.size());
    if (isNew) {
      functions_.push_back(&function);
      program_.functions.push_back({function.getName().str(), BlockId::kNone, {}});
    }
    return static_cast<FunctionId>(entry->second);
  }

  void cutIntoBlocks(const llvm::Function &function, FunctionId id) {
    Function &target = program_.functions[index(id)];
    target.entry = static_cast<BlockId>(pieces_.size());
    for (const llvm::Argument &argument : function.args())
      target.arguments.push_back(valueOf(argument));
    for (const llvm::BasicBlock &basicBlock : function) {
      firstBlock_[&basicBlock] = static_cast<BlockId>(pieces_.size());
      const llvm::Instruction *first = &basicBlock.front();
      for (const llvm::Instruction &instruction : basicBlock) {
        if (!first)
          first = &instruction;
        Block block;
        block.function = id;
        if (!endsBlock(instruction, block))
          continue;
        pieces_.push_back({&basicBlock, first, &instruction, block});
        first = nullptr;
      }
      lastBlock_[&basicBlock] = static_cast<BlockId>(pieces_.size() - 1);
    }
  }

  /// Finds what the kernel may write.
  void findWritten() {
    for (const llvm::Function *function : functions_)
      for (const llvm::BasicBlock &block : *function)
        for (const llvm::Instruction &instruction : block) {
          if (llvm::isa<llvm::LoadInst>(instruction))
            continue;
          const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          if (call && calledFunction(*call)->isDeclaration() &&
              builtinTraits(*call, *calledFunction(*call)).memory != MemoryKind::kLoad) {
            for (const llvm::Use &argument : call->args())
              if (argument->getType()->isPointerTy())
                addWritten(*argument);
          } else if (const llvm::Value *pointer = call ? nullptr : pointerOperand(instruction)) {
            addWritten(*pointer);
          }
        }
  }

  void addWritten(const llvm::Value &pointer) {
    const auto found = targets_->of(pointer);
    if (found)
      written_.insert(found->begin(), found->end());
    else
      anythingWritten_ = true;
  }

  bool isWritten(const llvm::Value &pointer) const {
    const auto found = targets_->of(pointer);
    return anythingWritten_ || !found ||
           std::ranges::any_of(
               *found, [this](const llvm::Value *value) { return written_.contains(value); });
  }

  /// The name in the source. The compiler calls a local variable of a function "function.variable".
  static std::string nameOf(const llvm::Value &object) {
    const std::string name = object.getName().str();
    return llvm::isa<llvm::GlobalVariable>(object) ? name.substr(name.find('.') + 1) : name;
  }

  ArrayId arrayOf(const llvm::Value &pointer) {
    const auto found = targets_->of(pointer);
    if (!found || found->empty())
      return ArrayId::kNone;
    std::string name;
    for (const llvm::Value *object : *found)
      name += (name.empty() ? "" : "|") + nameOf(*object);
    const auto [entry, isNew] = arrays_.try_emplace({found->begin(), found->end()},
                                                    static_cast<ArrayId>(program_.arrays.size()));
    if (isNew)
      program_.arrays.push_back({std::move(name)});
    return entry->second;
  }

  void findLoops(const llvm::Function &function, FunctionId id) {
    // LoopInfo only reads, but has no interface for constant functions.
    llvm::DominatorTree dominators(const_cast<llvm::Function &>(function));
    llvm::LoopInfo loops(dominators);
    std::unordered_map<const llvm::Loop *, LoopId> ids;
    for (const llvm::Loop *loop : loops.getLoopsInPreorder()) {
      const auto loopId = static_cast<LoopId>(program_.loops.size());
      ids[loop] = loopId;
      Loop entry;
      entry.function = id;
      entry.header = firstBlock_.at(loop->getHeader());
      if (const llvm::Loop *parent = loop->getParentLoop())
        entry.parent = ids.at(parent);
      entry.depth = loop->getLoopDepth();
      entry.line = lineOf(loop->getStartLoc());
      entry.carriesValue =
          llvm::any_of(loop->getHeader()->phis(),
                       [loop](const llvm::PHINode &phi) { return !isCounterOrSum(phi, *loop); });
      program_.loops.push_back(entry);
    }
    for (Piece &piece : pieces_)
      if (const llvm::Loop *loop = loops.getLoopFor(piece.basicBlock))
        piece.block.loop = ids.at(loop);
  }

  /// Whether a block ends with this instruction; if so, sets in `block` how it ends.
  bool endsBlock(const llvm::Instruction &instruction, Block &block) {
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      const llvm::Function *callee = calledFunction(*call);
      if (!callee)
        throw Error("function '" + instruction.getFunction()->getName().str() +
                    "' makes an indirect call: expected OpenCL C without function pointers");
      if (!callee->isDeclaration()) {
        block.end = BlockEnd::kCall;
        block.callee = functionOf(*callee);
        return true;
      }
      const BuiltinTraits traits = builtinTraits(*call, *callee);
      block.end = traits.barrier ? BlockEnd::kBarrier : BlockEnd::kMeeting;
      return traits.waits();
    }
    if (!instruction.isTerminator())
      return false;
    if (llvm::isa<llvm::SwitchInst>(instruction))
      block.end = BlockEnd::kSwitch;
    else if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
      block.end = branch->isConditional() ? BlockEnd::kBranch : BlockEnd::kJump;
    else
      block.end = BlockEnd::kReturn;
    return true;
  }

  void decodePiece(const Piece &piece) {
    Block block = piece.block;
    const auto id = static_cast<BlockId>(program_.blocks.size());
    block.firstOp = static_cast<OpId>(program_.operations.size());
    decoded_.firstInstruction_.push_back(decoded_.instructions_.size());
    decoded_.firstByValue_.push_back(decoded_.byValue_.size());
    if (block.end == BlockEnd::kCall)
      addByValueArguments(*llvm::cast<llvm::CallBase>(piece.last));
    for (const llvm::Instruction *instruction = piece.first;;
         instruction = instruction->getNextNode()) {
      decodeInstruction(*instruction);
      if (program_.operations.back().memory != MemoryKind::kNone)
        joinAccess(*instruction, block.firstOp);
      decoded_.instructions_.push_back(instruction);
      if (instruction == piece.last)
        break;
    }
    decoded_.instructions_.push_back(nullptr);
    block.opCount = static_cast<uint32_t>(program_.operations.size()) - index(block.firstOp);
    block.firstSuccessor = static_cast<uint32_t>(program_.successors.size());
    if (piece.last->isTerminator())
      // For a conditional branch LLVM has the true target first, for a switch the default.
      for (unsigned s = 0; s < piece.last->getNumSuccessors(); ++s)
        program_.successors.push_back(firstBlock_.at(piece.last->getSuccessor(s)));
    block.successorCount = static_cast<uint32_t>(program_.successors.size()) - block.firstSuccessor;
    if (block.end == BlockEnd::kBranch || block.end == BlockEnd::kSwitch) {
      block.branch = static_cast<BranchId>(program_.branches.size());
      program_.branches.push_back(id);
    }
    program_.blocks.push_back(block);
  }

  void joinAccess(const llvm::Instruction &instruction, OpId firstOfBlock) {
    const auto offset = static_cast<uint32_t>(program_.operations.size()) - 1 - index(firstOfBlock);
    accessOffsets_[&instruction] = offset;
    if (const llvm::Instruction *first = vectors_->firstOf(instruction))
      program_.operations.back().joinedTo = accessOffsets_.at(first);
  }

  void addByValueArguments(const llvm::CallBase &call) {
    const llvm::DataLayout &layout = call.getModule()->getDataLayout();
    for (const llvm::Argument &parameter : calledFunction(call)->args())
      if (parameter.hasByValAttr() && parameter.getArgNo() < call.arg_size())
        decoded_.byValue_.push_back(
            {call.getArgOperand(parameter.getArgNo()), &parameter,
             static_cast<uint32_t>(
                 layout.getTypeAllocSize(parameter.getParamByValType()).getFixedSize())});
  }

  void decodeInstruction(const llvm::Instruction &instruction) {
    Operation operation;
    operation.opcode = opcodeOf(instruction);
    operation.width = static_cast<uint16_t>(simdWidth(instruction));
    operation.lanes = static_cast<uint16_t>(instruction.getType()->isVoidTy()
                                                ? simdWidth(instruction)
                                                : elementCount(instruction.getType()));
    operation.line = lineOf(instruction.getDebugLoc());
    if (!instruction.getType()->isVoidTy())
      operation.result = valueOf(instruction);
    operation.isPseudo = isPseudo(instruction);
    decodeWork(instruction, operation);
    decodeWaste(instruction, operation);
    decodeMemory(instruction, operation);
    decodeOperands(instruction, operation);
    // Copies of a group are made by none of its work-items.
    decoded_.stepsVary_.push_back(
        operation.accessesSharedMemory() && operation.memory != MemoryKind::kGroupCopy &&
        !steps_->areAlike(instruction, storedOperand(instruction, operation.memory)));
    program_.operations.push_back(operation);
  }

  void decodeWork(const llvm::Instruction &instruction, Operation &operation) {
    switch (const unsigned opcode = instruction.getOpcode(); opcode) {
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
      operation.fpAdd = operation.width;
      break;
    case llvm::Instruction::FMul:
      operation.fpMul = operation.width;
      break;
    case llvm::Instruction::FDiv:
    case llvm::Instruction::FRem:
      operation.fpDiv = operation.width;
      break;
    case llvm::Instruction::FPExt:
    case llvm::Instruction::FPTrunc:
      operation.convertsWidth = true;
      break;
    case llvm::Instruction::Load:
      operation.memory = MemoryKind::kLoad;
      operation.space =
          spaceOfPointer(llvm::cast<llvm::LoadInst>(instruction).getPointerAddressSpace());
      break;
    case llvm::Instruction::Store:
      operation.memory = MemoryKind::kStore;
      operation.space =
          spaceOfPointer(llvm::cast<llvm::StoreInst>(instruction).getPointerAddressSpace());
      break;
    case llvm::Instruction::AtomicRMW:
      operation.memory = MemoryKind::kAtomic;
      operation.space =
          spaceOfPointer(llvm::cast<llvm::AtomicRMWInst>(instruction).getPointerAddressSpace());
      break;
    case llvm::Instruction::AtomicCmpXchg:
      operation.memory = MemoryKind::kAtomic;
      operation.space =
          spaceOfPointer(llvm::cast<llvm::AtomicCmpXchgInst>(instruction).getPointerAddressSpace());
      break;
    case llvm::Instruction::Call:
      decodeCall(llvm::cast<llvm::CallBase>(instruction), operation);
      break;
    default:
      // Those of real numbers are above.
      if (instruction.isBinaryOp() || opcode == llvm::Instruction::ICmp)
        operation.intOps = operation.width;
    }
    if (operation.memory == MemoryKind::kAtomic) {
      operation.triesAgain = onlyTriesAgain(instruction);
      operation.joinsLanes =
          combinesIntegers(instruction) && uniform_->isUniform(*pointerOperand(instruction));
    }
    if (operation.fpOps() > 0)
      operation.fpBits = floatBits(instruction);
    if (operation.intOps > 0 && instruction.getNumOperands() > 0) {
      constexpr unsigned kWord = 32;
      const llvm::Type *type = instruction.getOperand(0)->getType();
      operation.wideInteger = type->isIntOrIntVectorTy() && type->getScalarSizeInBits() > kWord &&
                              !indices_->isIndex(instruction);
      operation.isProduct = isProduct(instruction);
      operation.isWideProduct =
          operation.isProduct && operation.wideInteger && !ofHalves(instruction);
    }
  }

  /// Whether an integer operation is a product that a device computes each time.
  bool isProduct(const llvm::Instruction &instruction) const {
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      const std::string_view name = calledName(*call);
      return name == "mul_hi" || name == "mad_hi";
    }
    return instruction.getOpcode() == llvm::Instruction::Mul &&
           !indices_->isReplaced(instruction) && !uniform_->isUniform(instruction);
  }

  /// Whether both factors are extended from 32 bits or fewer, which is one product of these.
  static bool ofHalves(const llvm::Instruction &product) {
    constexpr unsigned kHalf = 32;
    return std::ranges::all_of(product.operands(), [](const llvm::Use &factor) {
      if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(factor))
        return constant->getValue().isIntN(kHalf) || constant->getValue().isSignedIntN(kHalf);
      const auto *cast = llvm::dyn_cast<llvm::CastInst>(factor);
      return cast && (llvm::isa<llvm::SExtInst>(cast) || llvm::isa<llvm::ZExtInst>(cast)) &&
             cast->getSrcTy()->getScalarSizeInBits() <= kHalf;
    });
  }

  void decodeWaste(const llvm::Instruction &instruction, Operation &operation) const {
    operation.accidentalDouble = doubles_->isOperation(instruction);
    operation.accidentalConversion = doubles_->isConversion(instruction);
    operation.wideIndexProduct = indices_->isProduct(instruction);
    operation.wideIndexDivision = indices_->isDivision(instruction);
    if (instruction.isIntDivRem()) {
      // Compilers replace a division by a number in the source.
      const llvm::Value *divisor = instruction.getOperand(1);
      operation.dividesByConstant = !llvm::isa<llvm::Constant>(divisor) &&
                                    uniform_->isUniform(*divisor) &&
                                    !uniform_->repeats(instruction);
    } else {
      operation.repeated =
          (operation.fpDiv > 0 || (operation.fpSpecial > 0 && !isCheap(instruction))) &&
          uniform_->repeats(instruction);
    }
  }

  void decodeMemory(const llvm::Instruction &instruction, Operation &operation) {
    if (operation.memory == MemoryKind::kNone)
      return;
    if (const llvm::Value *pointer = pointerOperand(instruction))
      operation.array = arrayOf(*pointer);
    const llvm::Value *stored = storedOperand(instruction, operation.memory);
    if (stored && (llvm::isa<llvm::Argument>(stored) || llvm::isa<llvm::Instruction>(stored)))
      operation.stored = valueOf(*stored);
  }

  static void decodeCall(const llvm::CallBase &call, Operation &operation) {
    const llvm::Function *callee = calledFunction(call);
    if (!callee->isDeclaration())
      return;
    const BuiltinTraits traits = builtinTraits(call, *callee);
    operation.memory = traits.memory;
    operation.space = traits.space;
    operation.fpAdd = traits.fpAdd;
    operation.fpMul = traits.fpMul;
    operation.fpDiv = traits.fpDiv;
    operation.fpSpecial = traits.fpSpecial;
    operation.specialInstructions = traits.specialInstructions;
    operation.intOps = traits.intOps;
    operation.matrixOps = traits.matrixOps;
    operation.matrixType = traits.matrixType;
    operation.extremum = traits.extremum;
    operation.constantPower = traits.constantPower;
  }

  void decodeOperands(const llvm::Instruction &instruction, Operation &operation) {
    operation.firstOperand = static_cast<uint32_t>(program_.operands.size());
    const auto add = [this](const llvm::Value *value, BlockId incoming) {
      if (llvm::isa<llvm::Argument>(value) || llvm::isa<llvm::Instruction>(value))
        program_.operands.push_back({valueOf(*value), incoming});
      else if (incoming != BlockId::kNone) // a phi must know that this edge brings a constant
        program_.operands.push_back({ValueId::kNone, incoming});
    };
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        add(phi->getIncomingValue(i), lastBlock_.at(phi->getIncomingBlock(i)));
    } else if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      // One operand per argument, so that they line up with the callee's.
      for (const llvm::Use &argument : call->args()) {
        const bool isValue =
            llvm::isa<llvm::Argument>(argument) || llvm::isa<llvm::Instruction>(argument);
        program_.operands.push_back(
            {isValue ? valueOf(*argument) : ValueId::kNone, BlockId::kNone});
      }
    } else {
      for (const llvm::Use &operand : instruction.operands())
        add(operand.get(), BlockId::kNone);
    }
    operation.operandCount =
        static_cast<uint32_t>(program_.operands.size()) - operation.firstOperand;
  }

  ValueId valueOf(const llvm::Value &value) {
    return static_cast<ValueId>(values_.try_emplace(&value, values_.size()).first->second);
  }

  OpcodeId opcodeOf(const llvm::Instruction &instruction) {
    const unsigned opcode = decoding::opcodeOf(instruction);
    const auto [entry, isNew] = opcodes_.try_emplace(opcode, program_.opcodeNames.size());
    if (isNew)
      program_.opcodeNames.emplace_back(llvm::Instruction::getOpcodeName(opcode));
    return static_cast<OpcodeId>(entry->second);
  }

  DecodedProgram &decoded_;
  Program &program_;
  const SourceText *source_;
  std::vector<const llvm::Function *> functions_;
  std::unordered_map<const llvm::Function *, size_t> functionIds_;
  std::vector<Piece> pieces_;
  std::unordered_map<const llvm::BasicBlock *, BlockId> firstBlock_, lastBlock_;
  std::unordered_map<const llvm::Value *, size_t> values_;
  std::unordered_map<unsigned, size_t> opcodes_;
  std::optional<PointerTargets> targets_;
  std::map<std::set<const llvm::Value *>, ArrayId> arrays_; ///< by what may be pointed to
  std::set<const llvm::Value *> written_;                   ///< variables and arguments
  bool anythingWritten_ = false;                            ///< through a pointer to anything
  std::optional<AccidentalDoubles> doubles_;
  std::optional<WideIndices> indices_;
  std::optional<VectorAccesses> vectors_;
  std::unordered_map<const llvm::Instruction *, uint32_t> accessOffsets_; ///< in their blocks
  std::optional<UniformValues> uniform_;
  std::optional<AddressSteps> steps_;
};

DecodedProgram::DecodedProgram(const llvm::Function &kernel, const SourceText *source) {
  static std::atomic<uint64_t> count = 0;
  id_ = ++count;
  Decoder(*this, source).decode(kernel);
}

} // namespace aiwc::decoding
