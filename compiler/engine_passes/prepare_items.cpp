#include "engine_passes/prepare_items.h"

#include "engine_passes/analysis_managers.h"
#include "engine_passes/function_lowering.h"
#include "engine_passes/state.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <array>
#include <optional>

namespace aiwc::engine {

namespace {

using Builder = llvm::IRBuilder<>;

/// Most instructions of a function that is vectorised: they become several times as many.
constexpr size_t kMostVectorised = 10000;

/// Name of the function of calls for which isSaveIfFresh() holds.
constexpr const char *kSaveIfFresh = "aiwc.save.if.fresh";

/// A successor is rare if it is taken at most once in this many times: it handles a check that
/// failed, or a NaN.
constexpr uint64_t kRare = 1 << 9;

/// The number of the rare successor of a branch; none if neither successor is rare.
std::optional<unsigned> rareSuccessor(const llvm::Instruction &terminator) {
  uint64_t first = 0, second = 0;
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(&terminator);
  if (!branch || !branch->isConditional() || !branch->extractProfMetadata(first, second))
    return std::nullopt;
  if (first * kRare <= second)
    return 0;
  if (second * kRare <= first)
    return 1;
  return std::nullopt;
}

class Preparation {
public:
  Preparation(llvm::Function &item, const std::vector<LiveVariable> &live)
      : item_(item), context_(item.getContext()), layout_(item.getParent()->getDataLayout()),
        live_(live) {}

  /// Returns false if the function cannot be vectorised.
  bool run() {
    bailOut_ = llvm::BasicBlock::Create(context_, "bail.out", &item_);
    Builder(bailOut_).CreateRet(Builder(bailOut_).getInt64(kNotWide));
    markArguments();
    replaceSaves();
    cutRareWays();
    if (!cutAtEffects())
      return false;
    llvm::removeUnreachableBlocks(item_);
    const bool ends = llvm::any_of(item_, [&](const llvm::BasicBlock &block) {
      return &block != bailOut_ && llvm::isa<llvm::ReturnInst>(block.getTerminator());
    });
    if (!ends)
      return false; // all ways lead to a place where they run one by one
    keepInVariables();
    if (!promote())
      return false;
    expandReductions();
    simplify();
    return item_.getInstructionCount() <= kMostVectorised;
  }

private:
  /// The values of arguments, which the first block loads, do not change.
  void markArguments() {
    for (llvm::Instruction &instruction : item_.getEntryBlock())
      if (llvm::isa<llvm::LoadInst>(instruction))
        instruction.setMetadata(llvm::LLVMContext::MD_invariant_load,
                                llvm::MDNode::get(context_, {}));
  }

  /// Replaces the branches that save fresh granules by calls (isSaveIfFresh): work-items that run
  /// at once need no branch each, because if one of them has to save its granules, all do.
  void replaceSaves() {
    for (llvm::BasicBlock &block : item_) {
      auto *branch = llvm::dyn_cast_or_null<llvm::BranchInst>(block.getTerminator());
      if (!branch || !branch->getMetadata(kSaveMark))
        continue;
      llvm::BasicBlock *save = branch->getSuccessor(0), *tail = branch->getSuccessor(1);
      auto *call = llvm::cast<llvm::CallInst>(save->getTerminator()->getPrevNode());
      Builder at(branch);
      std::vector<llvm::Value *> arguments = {branch->getCondition(), call->getCalledOperand()};
      arguments.insert(arguments.end(), call->arg_begin(), call->arg_end());
      std::vector<llvm::Type *> types;
      types.reserve(arguments.size());
      for (const llvm::Value *argument : arguments)
        types.push_back(argument->getType());
      while (&save->front() != call)
        save->front().moveBefore(branch);
      const llvm::FunctionCallee saveIfFresh = item_.getParent()->getOrInsertFunction(
          kSaveIfFresh, llvm::FunctionType::get(at.getVoidTy(), types, false));
      at.CreateCall(saveIfFresh, arguments)->setOnlyAccessesInaccessibleMemory();
      at.CreateBr(tail);
      tail->removePredecessor(save);
      branch->eraseFromParent();
      llvm::DeleteDeadBlock(save);
    }
  }

  void cutRareWays() {
    for (llvm::BasicBlock &block : item_)
      if (llvm::Instruction *end = block.getTerminator())
        if (const std::optional<unsigned> rare = rareSuccessor(*end)) {
          end->getSuccessor(*rare)->removePredecessor(&block);
          end->setSuccessor(*rare, bailOut_);
        }
  }

  /// Bails out before the first instruction of a block that may do anything but compute, load and
  /// store. Returns false if there is an instruction that nothing is known about.
  bool cutAtEffects() {
    std::vector<llvm::Instruction *> effects;
    for (llvm::BasicBlock &block : item_)
      for (llvm::Instruction &instruction : block) {
        const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        if ((call && !isPure(*call) && !isSaveIfFresh(*call)) || (load && !load->isSimple()) ||
            (store && !store->isSimple()) || llvm::isa<llvm::UnreachableInst>(instruction)) {
          effects.push_back(&instruction);
          break;
        }
        if (!call && !load && !store && !llvm::isa<llvm::AllocaInst>(instruction) &&
            !llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator() &&
            instruction.mayReadOrWriteMemory())
          return false;
      }
    for (llvm::Instruction *effect : effects) {
      llvm::BasicBlock *block = effect->getParent();
      if (block == &item_.getEntryBlock())
        return false;
      for (llvm::BasicBlock *next : llvm::successors(block))
        next->removePredecessor(block);
      while (&block->back() != effect) {
        block->back().replaceAllUsesWith(llvm::UndefValue::get(block->back().getType()));
        block->back().eraseFromParent();
      }
      effect->replaceAllUsesWith(llvm::UndefValue::get(effect->getType()));
      effect->eraseFromParent();
      Builder(block).CreateBr(bailOut_);
    }
    return true;
  }

  /// Moves the values that are live across barriers, and the counts of what is executed, to
  /// variables of the function. The instructions at its begin and end that load and store them have
  /// the mark `kLiveMark`.
  void keepInVariables() {
    Builder at(&*item_.getEntryBlock().getFirstInsertionPt());
    llvm::Type *bytes = at.getInt8Ty();
    llvm::Value *state = item_.getArg(0), *first = item_.getArg(2);
    const auto field = [&](size_t offset, llvm::Type *type) {
      llvm::Value *place = at.CreateConstGEP1_64(bytes, state, offset);
      llvm::LoadInst *load = at.CreateLoad(type, at.CreateBitCast(place, type->getPointerTo()));
      load->setMetadata(llvm::LLVMContext::MD_tbaa, aliasTag(context_, "state"));
      return load;
    };
    std::vector<std::pair<llvm::AllocaInst *, llvm::Value *>> places;
    llvm::Value *context = field(offsetof(State, context), at.getInt8PtrTy());
    llvm::Value *items = field(offsetof(State, items), at.getInt64Ty());
    for (const LiveVariable &variable : live_) {
      if (variable.variable->use_empty())
        continue;
      llvm::Value *offset = at.CreateAdd(at.CreateMul(items, at.getInt64(variable.offset)),
                                         at.CreateMul(first, at.getInt64(variable.size)));
      places.emplace_back(variable.variable, at.CreateBitCast(at.CreateGEP(bytes, context, offset),
                                                              variable.variable->getType()));
      variable.variable->moveBefore(&item_.getEntryBlock().front());
    }
    llvm::SmallPtrSet<const llvm::AllocaInst *, 16> changed;
    for (const auto &[variable, place] : places) {
      if (llvm::any_of(variable->users(),
                       [](const llvm::User *user) { return llvm::isa<llvm::StoreInst>(user); }))
        changed.insert(variable);
      llvm::LoadInst *read =
          at.CreateAlignedLoad(variable->getAllocatedType(), place, llvm::MaybeAlign(1));
      read->setMetadata(kLiveMark, llvm::MDNode::get(context_, {}));
      at.CreateStore(read, variable);
    }
    const std::array fields = {offsetof(State, executed.instructions),
                               offsetof(State, executed.marks)};
    std::array<llvm::AllocaInst *, 2> counters{};
    for (size_t i = 0; i < fields.size(); ++i) {
      Builder begin(&item_.getEntryBlock().front());
      counters[i] = begin.CreateAlloca(begin.getInt64Ty());
      at.CreateStore(at.getInt64(0), counters[i]);
    }
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(item_)))
      if (llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction))
        if (const auto offset = offsetInState(pointer, item_.getArg(0), layout_))
          for (size_t i = 0; i < fields.size(); ++i)
            if (*offset == fields[i])
              instruction.setOperand(llvm::isa<llvm::StoreInst>(instruction) ? 1 : 0, counters[i]);
    for (llvm::BasicBlock &block : item_) {
      auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
      if (!end || &block == bailOut_)
        continue;
      Builder atEnd(end);
      for (const auto &[variable, place] : places) {
        if (!changed.contains(variable))
          continue;
        llvm::LoadInst *read = atEnd.CreateLoad(variable->getAllocatedType(), variable);
        atEnd.CreateAlignedStore(read, place, llvm::MaybeAlign(1))
            ->setMetadata(kLiveMark, llvm::MDNode::get(context_, {}));
      }
      for (size_t i = 0; i < fields.size(); ++i) {
        llvm::Value *count = atEnd.CreateLoad(atEnd.getInt64Ty(), counters[i]);
        llvm::Value *sum = atEnd.CreateBitCast(atEnd.CreateConstGEP1_64(bytes, state, fields[i]),
                                               atEnd.getInt64Ty()->getPointerTo());
        atEnd.CreateStore(count, sum)->setMetadata(kLiveMark, llvm::MDNode::get(context_, {}));
      }
    }
  }

  bool promote() {
    std::vector<llvm::AllocaInst *> all, variables;
    for (llvm::Instruction &instruction : llvm::instructions(item_))
      if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        all.push_back(variable);
    for (llvm::AllocaInst *variable : all) {
      if (llvm::all_of(variable->users(), [](const llvm::User *user) {
            return llvm::cast<llvm::Instruction>(user)->use_empty() &&
                   !llvm::isa<llvm::StoreInst>(user);
          })) {
        for (llvm::User *user : llvm::make_early_inc_range(variable->users()))
          llvm::cast<llvm::Instruction>(user)->eraseFromParent();
        variable->eraseFromParent();
        continue;
      }
      if (!llvm::isAllocaPromotable(variable))
        return false; // arguments of a call, which work-items cannot share
      variables.push_back(variable);
    }
    llvm::DominatorTree dominators(item_);
    llvm::PromoteMemToReg(variables, dominators);
    return true;
  }

  /// Writes "any of the lanes of a vector" without a vector of one work-item.
  void expandReductions() {
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(item_))) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || call->getIntrinsicID() != llvm::Intrinsic::vector_reduce_or)
        continue;
      Builder at(call);
      llvm::Value *vector = call->getArgOperand(0), *any = nullptr;
      const unsigned lanes = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
      for (unsigned lane = 0; lane < lanes; ++lane) {
        llvm::Value *element = at.CreateExtractElement(vector, lane);
        any = any ? at.CreateOr(any, element) : element;
      }
      call->replaceAllUsesWith(any);
      call->eraseFromParent();
    }
  }

  void simplify() {
    llvm::PassBuilder builder;
    AnalysisManagers analyses(builder);
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::ScalarizerPass());
    passes.addPass(llvm::EarlyCSEPass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.run(item_, analyses.functions);
  }

  llvm::Function &item_;
  llvm::LLVMContext &context_;
  const llvm::DataLayout &layout_;
  const std::vector<LiveVariable> &live_;
  llvm::BasicBlock *bailOut_ = nullptr; ///< the block for work-items that have to run one by one
};

} // namespace

bool isPure(const llvm::CallInst &call) {
  return !call.isInlineAsm() && !call.isConvergent() && call.doesNotAccessMemory() &&
         call.doesNotThrow() && call.hasFnAttr(llvm::Attribute::WillReturn);
}

bool isSaveIfFresh(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && callee->getName() == kSaveIfFresh;
}

bool prepareItem(llvm::Function &item, const std::vector<LiveVariable> &live) {
  return Preparation(item, live).run();
}

} // namespace aiwc::engine
