// Runs work-groups by parallel region: the code between two barriers, as a loop over work-items.
#include "decoding/source_text.h"
#include "engine_passes/analysis_managers.h"
#include "engine_passes/function_lowering.h"
#include "engine_passes/runtime_calls.h"
#include "engine_passes/vectorise_items.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

namespace aiwc::engine {

namespace {

using Builder = llvm::IRBuilder<>;

/// Most instructions of all regions together; finding the live values takes quadratic time.
constexpr size_t kMostInstructions = 30000;

/// Most instructions that are cloned: a region begins as a clone of the whole kernel.
constexpr size_t kMostCloned = 200000;

using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock *, 32>;

/// Adds the blocks that a work-item may execute from `begin` to its next barrier.
void addBlocksFrom(const llvm::BasicBlock *begin, const Blocks &withBarrier, Blocks &found) {
  std::vector<const llvm::BasicBlock *> open = {begin};
  found.insert(begin);
  while (!open.empty()) {
    const llvm::BasicBlock *block = open.back();
    open.pop_back();
    if (!withBarrier.contains(block))
      for (const llvm::BasicBlock *next : llvm::successors(block))
        if (found.insert(next).second)
          open.push_back(next);
  }
}

/// The calls in a function at which work-items wait: of calls::barrier and calls::meet.
std::vector<llvm::CallInst *> barriersOf(llvm::Function &function) {
  std::vector<llvm::CallInst *> barriers;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (instruction.getMetadata(kBarrierMark))
        barriers.push_back(llvm::cast<llvm::CallInst>(&instruction));
  return barriers;
}

// The arguments of calls::meet.
constexpr unsigned kExchange = 1, kValue = 2, kArgument = 3, kWidth = 4, kMask = 5, kLanes = 6,
                   kPlace = 7;

bool isMeeting(const llvm::CallInst &wait) {
  return wait.getMetadata(kMeetingMark) != nullptr;
}

/// Which functions have work-items wait at barriers, directly or through those that they call.
class WaitingFunctions {
public:
  bool contain(llvm::Function &function) {
    const auto [entry, isNew] = known_.try_emplace(&function, false);
    if (!isNew)
      return entry->second;
    return known_[&function] = !barriersOf(function).empty() || waitingCallIn(function);
  }

  /// A call of such a function; null if there is none.
  llvm::CallInst *waitingCallIn(llvm::Function &caller) {
    for (llvm::BasicBlock &block : caller)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
          if (call->getCalledFunction() && contain(*call->getCalledFunction()))
            return call;
    return nullptr;
  }

private:
  std::unordered_map<const llvm::Function *, bool> known_;
};

/// Replaces a call by the body of the function.
void inlineCall(llvm::CallInst &call) {
  llvm::InlineFunctionInfo unused;
  if (!llvm::InlineFunction(call, unused, nullptr, false).isSuccess())
    throw NotCompilable("internal error: a function cannot be put in the place of its call");
}

/// The same for a call in `item`, to whose prologue the values of the function's prologue move,
/// which depend on the launch alone.
void putInPlace(llvm::CallInst &call, llvm::Function &item) {
  constexpr const char *kMark = "aiwc.prologue";
  llvm::Function &callee = *call.getCalledFunction();
  llvm::BasicBlock &block = *call.getParent();
  for (llvm::Instruction &instruction : callee.getEntryBlock())
    instruction.setMetadata(kMark, llvm::MDNode::get(item.getContext(), {}));
  inlineCall(call);
  if (callee.use_empty())
    callee.eraseFromParent();
  llvm::Instruction *const end = item.getEntryBlock().getTerminator();
  const auto isOfLaunch = [&](const llvm::Value *value) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return !instruction || instruction->getParent() == end->getParent();
  };
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(block))
    if (instruction.getMetadata(kMark)) {
      instruction.setMetadata(kMark, nullptr);
      if (&block != end->getParent() && llvm::all_of(instruction.operands(), isOfLaunch))
        instruction.moveBefore(end);
    }
}

/// Inlines calls as long as `nextCall` returns one. Returns false if `caller` would become too
/// long.
template <typename NextCall> bool inlineCalls(llvm::Function &caller, NextCall nextCall) {
  while (llvm::CallInst *call = nextCall()) {
    if (caller.getInstructionCount() > kMostInstructions)
      return false;
    putInPlace(*call, caller);
  }
  return true;
}

/// Inlines all calls of a function. Returns false if it would become too long.
bool inlineAll(llvm::Function &function) {
  return inlineCalls(function, [&]() -> llvm::CallInst * {
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
          if (call->getCalledFunction() && !call->getCalledFunction()->isDeclaration())
            return call;
    return nullptr;
  });
}

/// Whether there is private memory that is in no register. A work-item would lose it at a barrier.
bool hasFrames(const llvm::Function &item) {
  return llvm::any_of(item.getEntryBlock(), [](const llvm::Instruction &instruction) {
    return llvm::isa<llvm::AllocaInst>(instruction) && instruction.getName().startswith(kFrameName);
  });
}

/// Puts private memory into registers where all accesses are known when it is compiled. Arrays
/// often have their indices from loops, which are unrolled then.
void promoteFrames(llvm::Function &item) {
  llvm::PassBuilder builder;
  AnalysisManagers analyses(builder);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass());
  passes.run(item, analyses.functions);
  if (!hasFrames(item))
    return;
  llvm::BasicBlock *prologue = &item.getEntryBlock(); // shall not become part of a loop
  llvm::SplitEdge(prologue, prologue->getSingleSuccessor());
  llvm::LoopPassManager inLoops;
  inLoops.addPass(llvm::LoopRotatePass());
  inLoops.addPass(llvm::LoopFullUnrollPass());
  llvm::FunctionPassManager more;
  more.addPass(llvm::EarlyCSEPass());
  more.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(inLoops)));
  more.addPass(llvm::EarlyCSEPass());
  more.addPass(llvm::SROAPass());
  more.run(item, analyses.functions);
}

/// Inlines the functions that wait at barriers, so that only the kernel does. Returns false if it
/// would become too long.
bool inlineWaitingFunctions(llvm::Function &item) {
  WaitingFunctions waiting;
  return inlineCalls(item, [&] { return waiting.waitingCallIn(item); });
}

/// About how many instructions all regions have together: a block belongs to each region that may
/// execute it.
size_t instructionsOfRegions(const std::vector<llvm::CallInst *> &barriers,
                             const llvm::Function &item) {
  Blocks withBarrier;
  for (const llvm::CallInst *barrier : barriers)
    withBarrier.insert(barrier->getParent());
  std::vector<Blocks> regions(1);
  addBlocksFrom(&item.getEntryBlock(), withBarrier, regions[0]);
  for (const llvm::BasicBlock *block : withBarrier) {
    regions.emplace_back();
    for (const llvm::BasicBlock *next : llvm::successors(block))
      addBlocksFrom(next, withBarrier, regions.back());
  }
  size_t count = 0;
  for (const Blocks &region : regions)
    for (const llvm::BasicBlock *block : region)
      count += block->size();
  return count;
}

/// Whether the loop has the effects of work-items that wait for one another: all have the same
/// fences at a barrier. The loop takes copies of a barrier, as unrolling and inlining make them,
/// for different ones; work-items meet the same copy.
bool fits(llvm::Function &item, const std::vector<llvm::CallInst *> &barriers) {
  constexpr unsigned kFenceArgument = 2;
  const bool areConstant = std::ranges::all_of(barriers, [](const llvm::CallInst *barrier) {
    const auto isConstant = [&](unsigned argument) {
      return llvm::isa<llvm::ConstantInt>(barrier->getArgOperand(argument));
    };
    if (barrier->getMetadata(kProductMark)) // fragments lie in frames
      return false;
    return isMeeting(*barrier) ? isConstant(kExchange) && isConstant(kWidth) &&
                                     isConstant(kLanes) && isConstant(kPlace)
                               : llvm::isa<llvm::Constant>(barrier->getArgOperand(kFenceArgument));
  });
  return areConstant && barriers.size() < kGoesOn &&
         item.getInstructionCount() * (barriers.size() + 1) <= kMostCloned &&
         instructionsOfRegions(barriers, item) <= kMostInstructions;
}

/// A barrier: the block in which work-items wait, and the one in which they go on.
struct Wait {
  llvm::BasicBlock *arrival, *departure;
};

std::vector<Wait> splitAtBarriers(const std::vector<llvm::CallInst *> &barriers) {
  std::vector<Wait> waits;
  for (llvm::CallInst *barrier : barriers) {
    llvm::BasicBlock *arrival = barrier->getParent()->splitBasicBlock(barrier);
    llvm::BasicBlock *departure = arrival->splitBasicBlock(barrier->getNextNode());
    barrier->eraseFromParent();
    waits.push_back({arrival, departure});
  }
  return waits;
}

/// Whether the value is live across a barrier: a use can follow one that follows its definition.
bool isLive(const llvm::Instruction &value,
            const llvm::SmallPtrSetImpl<const llvm::BasicBlock *> &arrivals) {
  const llvm::BasicBlock *const definition = value.getParent();
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> seen;
  std::vector<const llvm::BasicBlock *> open; // the value is needed where they begin
  const auto need = [&](const llvm::BasicBlock *block) {
    if (block != definition && seen.insert(block).second)
      open.push_back(block);
  };
  for (const llvm::Use &use : value.uses()) {
    const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
    if (phi || user->getParent() != definition)
      need(phi ? phi->getIncomingBlock(use) : user->getParent());
  }
  while (!open.empty()) {
    const llvm::BasicBlock *block = open.back();
    open.pop_back();
    if (arrivals.contains(block))
      return true;
    for (const llvm::BasicBlock *before : llvm::predecessors(block))
      need(before);
  }
  return false;
}

/// Values that few instructions compute from the ids of a work-item and from values of the whole
/// launch. They are computed again behind a barrier instead of stored: then it is known which of
/// them are the same for all work-items of a row, because they do not depend on the id in x.
class ValuesOfIds {
public:
  explicit ValuesOfIds(llvm::Function &item)
      : item_(item), layout_(item.getParent()->getDataLayout()) {}

  bool contain(const llvm::Instruction &value) const {
    unsigned left = kMostInstructions;
    return follows(value, left);
  }

  /// Computes the value again in each block that uses it.
  void computeAnew(llvm::Instruction &value) const {
    std::unordered_map<llvm::BasicBlock *, llvm::Value *> copies;
    for (llvm::Use &use : llvm::make_early_inc_range(value.uses())) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (block == value.getParent())
        continue;
      llvm::Value *&copy = copies[block];
      if (!copy)
        copy = copyOf(value, &*block->getFirstInsertionPt());
      use.set(copy);
    }
  }

private:
  static constexpr unsigned kMostInstructions = 8;

  bool isId(const llvm::Instruction &value) const {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&value);
    const auto offset =
        load ? offsetInState(load->getPointerOperand(), item_.getArg(0), layout_) : std::nullopt;
    return offset && *offset >= offsetof(State, globalId) && *offset < offsetof(State, groupOrigin);
  }

  bool isOfLaunch(const llvm::Value &value) const {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return !instruction || instruction->getParent() == &item_.getEntryBlock();
  }

  bool follows(const llvm::Instruction &value, unsigned &left) const {
    if (left-- == 0)
      return false;
    if (isId(value))
      return true;
    if (!value.isBinaryOp() && !value.isCast() && !llvm::isa<llvm::CmpInst>(value) &&
        !llvm::isa<llvm::SelectInst>(value))
      return false;
    return llvm::all_of(value.operands(), [&](const llvm::Value *operand) {
      return isOfLaunch(*operand) || follows(*llvm::cast<llvm::Instruction>(operand), left);
    });
  }

  llvm::Instruction *copyOf(const llvm::Instruction &value, llvm::Instruction *before) const {
    llvm::Instruction *copy = value.clone();
    if (isId(value)) {
      copy->insertBefore(before);
      Builder at(copy);
      const auto offset = offsetInState(llvm::cast<llvm::LoadInst>(value).getPointerOperand(),
                                        item_.getArg(0), layout_);
      copy->setOperand(
          0, at.CreateBitCast(at.CreateConstGEP1_64(at.getInt8Ty(), item_.getArg(0), *offset),
                              copy->getType()->getPointerTo()));
      return copy;
    }
    for (llvm::Use &operand : copy->operands())
      if (!isOfLaunch(*operand))
        operand.set(copyOf(*llvm::cast<llvm::Instruction>(operand), before));
    copy->insertBefore(before);
    return copy;
  }

  llvm::Function &item_;
  const llvm::DataLayout &layout_;
};

/// Puts the values that are live across barriers into variables, and returns these. Values of
/// the prologue, and values of ids, are computed again instead.
std::vector<llvm::AllocaInst *> moveLiveValues(llvm::Function &item,
                                               const std::vector<Wait> &waits) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> arrivals;
  for (const Wait &wait : waits)
    arrivals.insert(wait.arrival);
  std::vector<llvm::Instruction *> live, ofIds;
  const ValuesOfIds valuesOfIds(item);
  for (llvm::BasicBlock &block : item)
    if (&block != &item.getEntryBlock())
      for (llvm::Instruction &value : block)
        if (isLive(value, arrivals))
          (valuesOfIds.contain(value) ? ofIds : live).push_back(&value);
  for (llvm::Instruction *value : ofIds)
    valuesOfIds.computeAnew(*value);
  std::vector<llvm::AllocaInst *> variables;
  variables.reserve(live.size());
  for (llvm::Instruction *value : live)
    variables.push_back(
        llvm::DemoteRegToStack(*value, false, item.getEntryBlock().getTerminator()));
  return variables;
}

class GroupLowering {
public:
  GroupLowering(ModuleLowering &shared, llvm::Function &item)
      : shared_(shared), item_(item), context_(item.getContext()),
        int64_(llvm::Type::getInt64Ty(context_)), stateTag_(aliasTag(context_, "state")),
        contextTag_(aliasTag(context_, "context")) {}

  void run(const std::vector<llvm::CallInst *> &barriers) {
    // First, so that their words are aligned.
    for (size_t i = 0; i < barriers.size(); ++i)
      if (isMeeting(*barriers[i]))
        keepMeeting(*barriers[i], i + 1);
    waits_ = splitAtBarriers(barriers);
    for (llvm::AllocaInst *variable : moveLiveValues(item_, waits_))
      keep(variable);
    if (!waits_.empty())
      marks_ = shared_.code.contextBytes++;
    shared_.code.marks = marks_;
    item_.setName("aiwc.item");
    llvm::Function *group = llvm::Function::Create(
        item_.getFunctionType(), llvm::Function::ExternalLinkage, kEntryName, shared_.module);
    group->copyAttributesFrom(&item_);
    std::vector<LoweredFunction> &functions = shared_.code.functions;
    const std::vector<size_t> callees = functions.back().callees;
    functions.pop_back();
    LoweredFunction whole{kEntryName, {}};
    std::vector<llvm::Function *> regions;
    for (size_t i = 0; i <= waits_.size(); ++i) {
      llvm::BasicBlock *begin =
          i == 0 ? item_.getEntryBlock().getSingleSuccessor() : waits_[i - 1].departure;
      llvm::Function *wide =
          shared_.tracing == Tracing::kOffAndWide ? wideItems(begin, i) : nullptr;
      shared_.code.runsSeveral |= wide != nullptr;
      regions.push_back(region(begin, wide, i));
      whole.callees.push_back(functions.size());
      functions.push_back({regions.back()->getName().str(), callees});
    }
    runRegions(*group, regions);
    item_.eraseFromParent();
    functions.push_back(std::move(whole));
    shared_.code.runsGroups = true;
  }

private:
  llvm::Constant *number(uint64_t value) const { return llvm::ConstantInt::get(int64_, value); }

  /// Has a variable of a work-item lie in State::context. Returns where.
  uint64_t keep(llvm::AllocaInst *variable) {
    variables_.push_back(variable);
    offsets_.push_back(shared_.code.contextBytes);
    shared_.code.contextBytes +=
        shared_.module.getDataLayout().getTypeAllocSize(variable->getAllocatedType());
    return offsets_.back();
  }

  /// Has what a work-item passes and gets at a meeting lie there.
  void keepMeeting(llvm::CallInst &call, size_t wait) {
    const auto constant = [&](unsigned argument) {
      const auto *value = llvm::cast<llvm::ConstantInt>(call.getArgOperand(argument));
      return static_cast<uint32_t>(value->getZExtValue());
    };
    llvm::Type *word = llvm::Type::getInt32Ty(context_);
    const auto variable = [&] {
      return Builder(item_.getEntryBlock().getTerminator()).CreateAlloca(word);
    };
    Builder before(&call);
    const auto pass = [&](unsigned argument) {
      llvm::AllocaInst *passed = variable();
      before.CreateStore(before.CreateTrunc(call.getArgOperand(argument), word), passed);
      return keep(passed);
    };
    MeetingSite site;
    site.wait = wait;
    site.constant = {static_cast<simulator::Exchange>(constant(kExchange)),
                     0,
                     0,
                     constant(kWidth),
                     0,
                     constant(kLanes),
                     constant(kPlace)};
    site.value = pass(kValue);
    site.argument = pass(kArgument);
    site.mask = pass(kMask);
    llvm::AllocaInst *result = variable();
    site.result = keep(result);
    Builder behind(call.getNextNode());
    call.replaceAllUsesWith(behind.CreateZExt(behind.CreateLoad(word, result), int64_));
    shared_.code.meetings.push_back(site);
  }

  llvm::Value *field(Builder &at, llvm::Value *state, size_t offset, llvm::Type *type) const {
    return at.CreateBitCast(at.CreateConstGEP1_64(at.getInt8Ty(), state, offset),
                            type->getPointerTo());
  }

  llvm::Value *load(Builder &at, llvm::Value *state, size_t offset, llvm::Type *type) const {
    llvm::LoadInst *loaded = at.CreateLoad(type, field(at, state, offset, type));
    loaded->setMetadata(llvm::LLVMContext::MD_tbaa, stateTag_);
    return loaded;
  }

  void store(Builder &at, llvm::Value *value, llvm::Value *state, size_t offset) const {
    at.CreateStore(value, field(at, state, offset, value->getType()))
        ->setMetadata(llvm::LLVMContext::MD_tbaa, stateTag_);
  }

  /// A function that runs several work-items at once from `begin` to their next barrier or their
  /// end (compiler/engine_passes/vectorise_items.h); null if the code does not allow it.
  llvm::Function *wideItems(llvm::BasicBlock *begin, size_t index) {
    llvm::Type *bytes = llvm::Type::getInt8PtrTy(context_);
    auto *type = llvm::FunctionType::get(int64_, {bytes, bytes->getPointerTo(), int64_}, false);
    llvm::Function *single =
        llvm::Function::Create(type, llvm::Function::InternalLinkage,
                               "aiwc.items" + std::to_string(index), shared_.module);
    llvm::ValueToValueMapTy copies;
    for (unsigned i = 0; i < item_.arg_size(); ++i)
      copies[item_.getArg(i)] = single->getArg(i);
    llvm::SmallVector<llvm::ReturnInst *> returns;
    llvm::CloneFunctionInto(single, &item_, copies, llvm::CloneFunctionChangeType::LocalChangesOnly,
                            returns);
    const auto copyOf = [&](llvm::BasicBlock *block) {
      return llvm::cast<llvm::BasicBlock>(copies[block]);
    };
    const auto leave = [&](llvm::Instruction *end, uint64_t reached) {
      Builder(end).CreateRet(number(reached));
      end->eraseFromParent();
    };
    for (llvm::ReturnInst *end : returns)
      leave(end, 0);
    for (size_t i = 0; i < waits_.size(); ++i)
      leave(copyOf(waits_[i].arrival)->getTerminator(), i + 1);
    llvm::BasicBlock *prologue = &single->getEntryBlock();
    llvm::BasicBlock *start = copyOf(begin);
    if (start != prologue->getSingleSuccessor()) {
      prologue->getSingleSuccessor()->removePredecessor(prologue);
      prologue->getTerminator()->setSuccessor(0, start);
    }
    llvm::removeUnreachableBlocks(*single);
    std::vector<LiveVariable> live;
    for (size_t i = 0; i < variables_.size(); ++i) {
      auto *variable = llvm::cast<llvm::AllocaInst>(copies[variables_[i]]);
      live.push_back(
          {variable, offsets_[i],
           shared_.module.getDataLayout().getTypeAllocSize(variable->getAllocatedType())});
    }
    llvm::Function *wide = inlineAll(*single) ? vectoriseItems(*single, live) : nullptr;
    single->eraseFromParent();
    return wide;
  }

  /// A function that runs each work-item that is marked for it, the first region all, from `begin`
  /// to its next wait or its end; unless `wide` is null, it runs several at once. It marks each by
  /// the number of the wait, from 1, or by 0 for the end.
  llvm::Function *region(llvm::BasicBlock *begin, llvm::Function *wide, size_t index) {
    llvm::ValueToValueMapTy copies;
    llvm::Function *made = llvm::CloneFunction(&item_, copies);
    made->setName("aiwc.region" + std::to_string(index));
    made->setLinkage(llvm::Function::InternalLinkage);
    const auto copyOf = [&](llvm::BasicBlock *block) {
      return llvm::cast<llvm::BasicBlock>(copies[block]);
    };
    llvm::Value *state = made->getArg(0);
    llvm::BasicBlock *prologue = &made->getEntryBlock();
    llvm::BasicBlock *first = llvm::BasicBlock::Create(context_, "item", made);
    llvm::BasicBlock *last = llvm::BasicBlock::Create(context_, "next", made);
    llvm::BasicBlock *end = llvm::BasicBlock::Create(context_, "end", made);

    llvm::PHINode *reached = Builder(last).CreatePHI(int64_, 2);
    for (llvm::BasicBlock &block : *made)
      if (auto *finish = llvm::dyn_cast_or_null<llvm::ReturnInst>(block.getTerminator())) {
        finish->eraseFromParent();
        Builder(&block).CreateBr(last);
        reached->addIncoming(number(0), &block);
      }
    for (size_t i = 0; i < waits_.size(); ++i) {
      llvm::BasicBlock *arrival = copyOf(waits_[i].arrival);
      arrival->getTerminator()->eraseFromParent(); // no values merge where work-items go on
      Builder(arrival).CreateBr(last);
      reached->addIncoming(number(i + 1), arrival);
    }

    prologue->getTerminator()->eraseFromParent();
    Builder at(prologue);
    const size_t idBytes = sizeof State().localId;
    llvm::Value *items = load(at, state, offsetof(State, items), int64_);
    llvm::Value *ids = load(at, state, offsetof(State, localIds), at.getInt8PtrTy());
    llvm::Value *live = load(at, state, offsetof(State, context), at.getInt8PtrTy());
    llvm::Value *executedByItem =
        load(at, state, offsetof(State, itemInstructions), at.getInt8PtrTy());
    std::array<llvm::Value *, 3> origin{};
    for (size_t d = 0; d < 3; ++d)
      origin[d] = load(at, state, offsetof(State, groupOrigin) + d * sizeof(uint64_t), int64_);
    at.CreateBr(first);

    at.SetInsertPoint(first);
    llvm::PHINode *item = at.CreatePHI(int64_, 2);
    llvm::BasicBlock *skip = nullptr;
    if (index > 0) {
      skip = llvm::BasicBlock::Create(context_, "skip", made);
      llvm::BasicBlock *run = llvm::BasicBlock::Create(context_, "run", made);
      llvm::Value *mark = loadMark(at, markOf(at, live, items, item), at.getInt8Ty());
      at.CreateCondBr(at.CreateICmpEQ(mark, at.getInt8(static_cast<uint8_t>(kGoesOn | index))), run,
                      skip);
      at.SetInsertPoint(run);
    }
    llvm::Value *before = load(at, state, offsetof(State, executed.instructions), int64_);
    setIds(at, state, at.CreateGEP(at.getInt8Ty(), ids, at.CreateMul(item, number(idBytes))),
           origin);
    placeVariables(at, copies, {item, items, live});
    llvm::BasicBlock *start = copyOf(begin);
    llvm::BasicBlock *single = llvm::BasicBlock::Create(context_, "single", made);
    start->replacePhiUsesWith(prologue, single);
    Builder(single).CreateBr(start);
    WideStep step;
    if (wide)
      step = addWideStep(at, *wide, index, {item, items, live}, single);
    else
      at.CreateBr(single);

    llvm::BasicBlock *count = llvm::BasicBlock::Create(context_, "count", made);
    llvm::BasicBlock *counted = llvm::BasicBlock::Create(context_, "counted", made);
    at.SetInsertPoint(last);
    at.CreateCondBr(at.CreateIsNull(executedByItem), counted, count);
    at.SetInsertPoint(count);
    llvm::Value *executed =
        at.CreateSub(load(at, state, offsetof(State, executed.instructions), int64_), before);
    llvm::Value *ofItem =
        at.CreateGEP(at.getInt8Ty(), executedByItem, at.CreateMul(item, number(sizeof(uint64_t))));
    store(at, at.CreateAdd(load(at, ofItem, 0, int64_), executed), ofItem, 0);
    at.CreateBr(counted);
    at.SetInsertPoint(counted);
    if (marks_)
      storeMark(at, at.CreateTrunc(reached, at.getInt8Ty()), markOf(at, live, items, item));
    llvm::Value *next = at.CreateAdd(item, number(1));
    at.CreateCondBr(at.CreateICmpULT(next, items), first, end);
    item->addIncoming(number(0), prologue);
    item->addIncoming(next, counted);
    if (wide) {
      Builder(step.done).CreateCondBr(Builder(step.done).CreateICmpULT(step.next, items), first,
                                      end);
      item->addIncoming(step.next, step.done);
    }
    Builder(end).CreateRetVoid();
    if (skip) {
      at.SetInsertPoint(skip);
      llvm::Value *following = at.CreateAdd(item, number(1));
      at.CreateCondBr(at.CreateICmpULT(following, items), first, end);
      item->addIncoming(following, skip);
    }
    llvm::removeUnreachableBlocks(*made);
    if (wide) { // in its place, what is the same for all work-items can leave the loop
      inlineCall(*llvm::cast<llvm::CallInst>(wide->user_back()));
      wide->eraseFromParent();
    }
    return made;
  }

  /// In a step of a region's loop: the work-item, how many there are, and State::context.
  struct Step {
    llvm::Value *item, *items, *live;
  };

  /// Sets the ids of a work-item. `local`: the place of its local id; `origin`: the global id of
  /// the group's first work-item.
  void setIds(Builder &at, llvm::Value *state, llvm::Value *local,
              const std::array<llvm::Value *, 3> &origin) const {
    for (size_t d = 0; d < 3; ++d) {
      llvm::Value *id = load(at, local, d * sizeof(uint64_t), int64_);
      store(at, id, state, offsetof(State, localId) + d * sizeof(uint64_t));
      store(at, at.CreateAdd(id, origin[d]), state,
            offsetof(State, globalId) + d * sizeof(uint64_t));
    }
  }

  /// Has the variables of a region, copies of `variables_`, lie in State::context.
  void placeVariables(Builder &at, llvm::ValueToValueMapTy &copies, const Step &step) const {
    for (size_t i = 0; i < variables_.size(); ++i) {
      auto *variable = llvm::cast<llvm::AllocaInst>(copies[variables_[i]]);
      const uint64_t size =
          shared_.module.getDataLayout().getTypeAllocSize(variable->getAllocatedType());
      llvm::Value *offset = at.CreateAdd(at.CreateMul(step.items, number(offsets_[i])),
                                         at.CreateMul(step.item, number(size)));
      for (llvm::User *user : variable->users()) {
        auto *access = llvm::cast<llvm::Instruction>(user);
        access->setMetadata(llvm::LLVMContext::MD_tbaa, contextTag_);
        if (auto *read = llvm::dyn_cast<llvm::LoadInst>(access))
          read->setAlignment(llvm::Align(1));
        else
          llvm::cast<llvm::StoreInst>(access)->setAlignment(llvm::Align(1));
      }
      variable->replaceAllUsesWith(
          at.CreateBitCast(at.CreateGEP(at.getInt8Ty(), step.live, offset), variable->getType()));
      variable->eraseFromParent();
    }
  }

  /// The end of a step of a region's loop that has run several work-items.
  struct WideStep {
    llvm::BasicBlock *done = nullptr; ///< without terminator
    llvm::Value *next = nullptr;      ///< the next work-item
  };

  /// Runs the work-items from `step.item` on at once where there are enough of them in a row.
  /// `single`: the block that runs one.
  WideStep addWideStep(Builder &at, llvm::Function &wide, size_t index, const Step &step,
                       llvm::BasicBlock *single) {
    llvm::Function *region = at.GetInsertBlock()->getParent();
    const auto block = [&](const char *name) {
      return llvm::BasicBlock::Create(context_, name, region);
    };
    llvm::Value *state = region->getArg(0);
    llvm::BasicBlock *enough = block("enough"), *pause = block("pause"),
                     *attempt = block("attempt"), *failed = block("failed"),
                     *succeeded = block("succeeded");
    WideStep result;
    result.done = block("done");
    const auto isWhole = [&](llvm::Value *count) {
      return at.CreateICmpEQ(at.CreateAnd(count, number(kWideItems - 1)), number(0));
    };
    result.next = at.CreateAdd(step.item, number(kWideItems));
    llvm::Value *row = load(at, state, offsetof(State, localSize), int64_);
    llvm::Value *fits = at.CreateICmpULE(result.next, step.items);
    if (shared_.limitsWork) // one by one they ask whether to go on
      fits = at.CreateAnd(
          fits, at.CreateICmpULT(load(at, state, offsetof(State, executed.instructions), int64_),
                                 load(at, state, offsetof(State, workLimit), int64_)));
    at.CreateCondBr(at.CreateAnd(fits, at.CreateAnd(isWhole(step.item), isWhole(row))), enough,
                    single);

    at.SetInsertPoint(enough);
    static_assert(kWideItems == sizeof(uint64_t)); // their marks are one number
    llvm::Value *marks = marks_ ? markOf(at, step.live, step.items, step.item) : nullptr;
    if (index > 0) {
      llvm::BasicBlock *all = block("all");
      llvm::Value *areAll =
          at.CreateICmpEQ(loadMark(at, marks, int64_), number(kEachMark * (kGoesOn | index)));
      at.CreateCondBr(areAll, all, single);
      at.SetInsertPoint(all);
    }
    llvm::Value *pauses = load(at, state, offsetof(State, widePauses), at.getInt8PtrTy());
    const size_t begin = index * sizeof(WidePause);
    llvm::Value *left = load(at, pauses, begin + offsetof(WidePause, left), int64_);
    at.CreateCondBr(at.CreateICmpEQ(left, number(0)), attempt, pause);

    at.SetInsertPoint(pause);
    store(at, at.CreateSub(left, number(1)), pauses, begin + offsetof(WidePause, left));
    at.CreateBr(single);

    at.SetInsertPoint(attempt);
    llvm::Value *reached = at.CreateCall(&wide, {state, region->getArg(1), step.item});
    llvm::Value *length = load(at, pauses, begin + offsetof(WidePause, length), int64_);
    at.CreateCondBr(at.CreateICmpEQ(reached, number(kNotWide)), failed, succeeded);

    at.SetInsertPoint(failed);
    constexpr uint64_t kLongest = 1023;
    llvm::Value *longer =
        at.CreateAnd(at.CreateAdd(at.CreateMul(length, number(2)), number(1)), number(kLongest));
    store(at, longer, pauses, begin + offsetof(WidePause, length));
    store(at, longer, pauses, begin + offsetof(WidePause, left));
    at.CreateBr(single);

    at.SetInsertPoint(succeeded);
    store(at, at.CreateLShr(length, 1), pauses, begin + offsetof(WidePause, length));
    if (marks_)
      storeMark(at, at.CreateMul(reached, number(kEachMark)), marks);
    at.CreateBr(result.done);
    return result;
  }

  /// Where the mark of a work-item is.
  llvm::Value *markOf(Builder &at, llvm::Value *live, llvm::Value *items, llvm::Value *item) const {
    return at.CreateGEP(at.getInt8Ty(), live,
                        at.CreateAdd(at.CreateMul(items, number(*marks_)), item));
  }
  llvm::Value *loadMark(Builder &at, llvm::Value *place, llvm::Type *type) const {
    llvm::LoadInst *mark =
        at.CreateAlignedLoad(type, at.CreateBitCast(place, type->getPointerTo()), llvm::Align(1));
    mark->setMetadata(llvm::LLVMContext::MD_tbaa, contextTag_);
    return mark;
  }
  void storeMark(Builder &at, llvm::Value *mark, llvm::Value *place) const {
    at.CreateAlignedStore(mark, at.CreateBitCast(place, mark->getType()->getPointerTo()),
                          llvm::Align(1))
        ->setMetadata(llvm::LLVMContext::MD_tbaa, contextTag_);
  }

  /// Runs the first region, and then those that calls::nextRegion names.
  void runRegions(llvm::Function &group, const std::vector<llvm::Function *> &regions) {
    llvm::BasicBlock *next = llvm::BasicBlock::Create(context_, "reached", &group);
    llvm::BasicBlock *end = llvm::BasicBlock::Create(context_, "end", &group);
    const std::vector<llvm::Value *> arguments = {group.getArg(0), group.getArg(1)};
    Builder at(next);
    llvm::Value *region = number(0);
    if (marks_) {
      uint64_t (*const called)(State *) = &calls::nextRegion;
      llvm::Value *address =
          loadProcessAddress(at, shared_, group.getArg(1), reinterpret_cast<const void *>(called));
      region = callWithState(at, address, group.getArg(0), int64_, {});
    }
    llvm::SwitchInst *choice = at.CreateSwitch(region, end);
    for (size_t i = 0; i < regions.size(); ++i) {
      llvm::BasicBlock *block = llvm::BasicBlock::Create(context_, "region", &group);
      at.SetInsertPoint(block);
      at.CreateCall(regions[i], arguments);
      at.CreateBr(next);
      if (i == 0)
        block->moveBefore(next);
      else
        choice->addCase(llvm::cast<llvm::ConstantInt>(number(i)), block);
    }
    Builder(end).CreateRetVoid();
  }

  ModuleLowering &shared_;
  llvm::Function &item_;
  llvm::LLVMContext &context_;
  llvm::Type *int64_;
  llvm::MDNode *stateTag_, *contextTag_;
  std::vector<Wait> waits_;
  std::vector<llvm::AllocaInst *> variables_;
  std::vector<uint64_t> offsets_; ///< of the variables, per work-item
  static constexpr uint64_t kEachMark = 0x0101010101010101;
  /// KernelCode::marks; none if there are no waits.
  std::optional<uint64_t> marks_;
};

} // namespace

void lowerGroup(ModuleLowering &shared, llvm::Function &item) {
  if (shared.usesPrivateMemory || shared.copiesInGroups)
    return; // something of a work-item lies where only it can be when it is continued
  if (!inlineWaitingFunctions(item))
    return;
  if (shared.usesFrames) {
    if (!inlineAll(item))
      return;
    promoteFrames(item);
  }
  const std::vector<llvm::CallInst *> barriers = barriersOf(item);
  if (!barriers.empty() && hasFrames(item))
    return;
  if (fits(item, barriers))
    GroupLowering(shared, item).run(barriers);
}

} // namespace aiwc::engine
