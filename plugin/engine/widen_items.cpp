#include "plugin/engine/widen_items.h"

#include "plugin/engine/analysis_managers.h"
#include "plugin/engine/function_lowering.h"
#include "plugin/engine/state.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/VectorUtils.h>
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
#include <unordered_map>

namespace aiwc::plugin::engine {

namespace {

using Builder = llvm::IRBuilder<>;

/// Most instructions of a function that is widened: they become several times as many.
constexpr size_t kMostWidened = 10000;

/// Metadata of what reads and writes kept values and counts at the begin and the end of `item`.
constexpr const char *kKeptMark = "aiwc.kept";

/// Name of the function whose calls stand for "save the pages of an access if they are fresh". Its
/// arguments: whether they are, calls::savePages, and the arguments of that.
constexpr const char *kSaveIfFresh = "aiwc.save.if.fresh";

/// A branch that is taken so rarely leads to a check that failed, or to a NaN.
constexpr uint64_t kRare = 1 << 9;

/// Of a branch of which one way is rare, the number of the rare successor.
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

/// Whether a call computes a value and does nothing else.
bool isPure(const llvm::CallInst &call) {
  return !call.isInlineAsm() && !call.isConvergent() && call.doesNotAccessMemory() &&
         call.doesNotThrow() && call.hasFnAttr(llvm::Attribute::WillReturn);
}

bool isSaveIfFresh(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && callee->getName() == kSaveIfFresh;
}

/// The original function while it is prepared: simpler code that does the same.
class Preparation {
public:
  Preparation(llvm::Function &item, const std::vector<KeptVariable> &kept)
      : item_(item), context_(item.getContext()), layout_(item.getParent()->getDataLayout()),
        kept_(kept) {}

  /// Returns false if the function cannot be widened.
  bool run() {
    leave_ = llvm::BasicBlock::Create(context_, "leave", &item_);
    Builder(leave_).CreateRet(Builder(leave_).getInt64(kNotWide));
    markArguments();
    replaceSaves();
    cutRareWays();
    if (!cutAtEffects())
      return false;
    llvm::removeUnreachableBlocks(item_);
    const bool ends = llvm::any_of(item_, [&](const llvm::BasicBlock &block) {
      return &block != leave_ && llvm::isa<llvm::ReturnInst>(block.getTerminator());
    });
    if (!ends)
      return false; // all ways lead to a place where they run one by one
    keepInVariables();
    if (!promote())
      return false;
    expandReductions();
    simplify();
    return item_.getInstructionCount() <= kMostWidened;
  }

private:
  /// The values of arguments, which the first block loads, do not change.
  void markArguments() {
    for (llvm::Instruction &instruction : item_.getEntryBlock())
      if (llvm::isa<llvm::LoadInst>(instruction))
        instruction.setMetadata(llvm::LLVMContext::MD_invariant_load,
                                llvm::MDNode::get(context_, {}));
  }

  /// Saving a page that is written for the first time needs no branch of its own: work-items that
  /// run at once save their pages together, those of the others as well.
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
          end->setSuccessor(*rare, leave_);
        }
  }

  /// Leaves before the first instruction of a block that may do anything but compute, load and
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
      Builder(block).CreateBr(leave_);
    }
    return true;
  }

  /// Has values that are kept at barriers, and what is executed, in variables of the function while
  /// it runs. What reads and writes them at its begin and end has the mark `kKeptMark`.
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
    for (const KeptVariable &variable : kept_) {
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
      read->setMetadata(kKeptMark, llvm::MDNode::get(context_, {}));
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
      if (!end || &block == leave_)
        continue;
      Builder atEnd(end);
      for (const auto &[variable, place] : places) {
        if (!changed.contains(variable))
          continue;
        llvm::LoadInst *read = atEnd.CreateLoad(variable->getAllocatedType(), variable);
        atEnd.CreateAlignedStore(read, place, llvm::MaybeAlign(1))
            ->setMetadata(kKeptMark, llvm::MDNode::get(context_, {}));
      }
      for (size_t i = 0; i < fields.size(); ++i) {
        llvm::Value *count = atEnd.CreateLoad(atEnd.getInt64Ty(), counters[i]);
        llvm::Value *sum = atEnd.CreateBitCast(atEnd.CreateConstGEP1_64(bytes, state, fields[i]),
                                               atEnd.getInt64Ty()->getPointerTo());
        atEnd.CreateStore(count, sum)->setMetadata(kKeptMark, llvm::MDNode::get(context_, {}));
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
  const std::vector<KeptVariable> &kept_;
  llvm::BasicBlock *leave_ = nullptr; ///< of work-items that have to run one by one
};

/// Makes the wide function of a prepared one. A value that is the same in all work-items stays a
/// scalar; of the others, numbers and pointers become vectors with an element for each work-item,
/// and OpenCL's vectors are there once for each work-item.
class Widening {
public:
  explicit Widening(llvm::Function &item)
      : item_(item), context_(item.getContext()), layout_(item.getParent()->getDataLayout()),
        dataTag_(aliasTag(context_, "data")) {}

  llvm::Function *run() {
    if (!findVarying() || !examineMemory())
      return nullptr;
    declare();
    for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&item_))
      widen(*block);
    completePhis();
    return wide_;
  }

private:
  static constexpr auto kLanes = static_cast<unsigned>(kWideItems);

  /// A value of the original function in the wide one; exactly one of the three is set.
  struct Value {
    llvm::Value *same = nullptr;               ///< in all work-items
    llvm::Value *vector = nullptr;             ///< by work-item
    std::array<llvm::Value *, kLanes> lanes{}; ///< by work-item; first one set: used
  };

  // What varies

  /// The dimension of a load of an id of a work-item, from State::globalId or State::localId.
  std::optional<unsigned> idOf(const llvm::LoadInst &load) const {
    const auto offset = offsetInState(load.getPointerOperand(), item_.getArg(0), layout_);
    for (const size_t ids : {offsetof(State, globalId), offsetof(State, localId)})
      if (offset && *offset >= ids && *offset < ids + sizeof State().globalId)
        return static_cast<unsigned>((*offset - ids) / sizeof(uint64_t));
    return std::nullopt;
  }

  /// Whether the pointer is in the `State`, but not at a constant offset.
  bool isSomewhereInState(const llvm::Value *pointer) const {
    while (true) {
      pointer = pointer->stripPointerCasts();
      const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(pointer);
      if (!gep)
        return pointer == item_.getArg(0);
      pointer = gep->getPointerOperand();
    }
  }

  bool findVarying() {
    for (const llvm::Instruction &instruction : llvm::instructions(item_)) {
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        const bool known =
            offsetInState(load->getPointerOperand(), item_.getArg(0), layout_).has_value();
        if (!known && isSomewhereInState(load->getPointerOperand()))
          return false; // an id of a dimension that the code chooses
        if (isKept(*load) || idOf(*load) == 0U)
          markVarying(instruction);
      }
      if (instruction.getType()->isTokenTy() || llvm::isa<llvm::AllocaInst>(instruction))
        return false;
    }
    while (!open_.empty()) {
      const llvm::Instruction *instruction = open_.back();
      open_.pop_back();
      for (const llvm::User *user : instruction->users())
        markVarying(*llvm::cast<llvm::Instruction>(user));
    }
    return true;
  }

  void markVarying(const llvm::Instruction &instruction) {
    if (varying_.insert(&instruction).second && !instruction.getType()->isVoidTy())
      open_.push_back(&instruction);
  }

  bool varies(const llvm::Value *value) const {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && varying_.contains(instruction);
  }

  static bool isKept(const llvm::Instruction &instruction) {
    return instruction.getMetadata(kKeptMark) != nullptr;
  }

  // Which memory is read and written

  /// Whether it accesses the memory of OpenCL, and not a table or the value of an argument.
  bool isData(const llvm::Instruction &instruction) const {
    if (isKept(instruction) || instruction.getMetadata(llvm::LLVMContext::MD_invariant_load) ||
        (!llvm::isa<llvm::LoadInst>(instruction) && !llvm::isa<llvm::StoreInst>(instruction)))
      return false;
    const llvm::MDNode *tag = instruction.getMetadata(llvm::LLVMContext::MD_tbaa);
    return tag != aliasTag(context_, "state") && tag != aliasTag(context_, "table");
  }

  /// Whether the value is the native begin of a buffer, from BufferEntry::data.
  bool isBuffer(const llvm::Value *value) const {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
    return load && load->getParent() == &item_.getEntryBlock() &&
           load->getMetadata(llvm::LLVMContext::MD_tbaa) == aliasTag(context_, "table");
  }

  /// The begin of the buffer into which a native pointer points; null if it is not known.
  const llvm::Instruction *bufferOf(const llvm::Value *pointer) const {
    const auto *native = llvm::dyn_cast<llvm::IntToPtrInst>(pointer->stripPointerCasts());
    const llvm::Value *address = native ? native->getOperand(0) : nullptr;
    const auto *sum = llvm::dyn_cast_or_null<llvm::BinaryOperator>(address);
    if (sum && sum->getOpcode() == llvm::Instruction::Add)
      address = isBuffer(sum->getOperand(0)) ? sum->getOperand(0) : sum->getOperand(1);
    return address && isBuffer(address) ? llvm::cast<llvm::Instruction>(address) : nullptr;
  }

  /// Finds the buffers that are read and written. Returns false if they may be the same.
  bool examineMemory() {
    llvm::DominatorTree dominators(item_);
    const llvm::LoopInfo loops(dominators);
    bool readsUnknown = false;
    for (const llvm::Instruction &instruction : llvm::instructions(item_)) {
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        if (!isData(*load))
          continue;
        const llvm::Instruction *buffer = bufferOf(load->getPointerOperand());
        readsUnknown |= !buffer;
        if (buffer)
          read_.insert(buffer);
      } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        if (isKept(*store))
          continue;
        const llvm::Instruction *buffer = bufferOf(store->getPointerOperand());
        if (!buffer)
          return false;
        Written &written = written_[buffer];
        written.often |= written.stores > 0 || loops.getLoopFor(store->getParent()) != nullptr;
        ++written.stores;
      }
    }
    if (!written_.empty() && readsUnknown)
      return false;
    return llvm::none_of(written_,
                         [this](const auto &entry) { return read_.contains(entry.first); });
  }

  // The wide function

  void declare() {
    wide_ = llvm::Function::Create(item_.getFunctionType(), llvm::Function::InternalLinkage,
                                   item_.getName() + ".wide", item_.getParent());
    wide_->copyAttributesFrom(&item_);
    wide_->setDSOLocal(true); // internal linkage requires it; the copied attributes lack it
    for (unsigned i = 0; i < item_.arg_size(); ++i)
      values_[item_.getArg(i)].same = wide_->getArg(i);
    for (llvm::BasicBlock &block : item_)
      begins_[&block] = llvm::BasicBlock::Create(context_, block.getName(), wide_);
    leave_ = llvm::BasicBlock::Create(context_, "one.by.one", wide_);
    Builder(leave_).CreateRet(Builder(leave_).getInt64(kNotWide));
  }

  llvm::Type *vectorOf(llvm::Type *type) const { return llvm::FixedVectorType::get(type, kLanes); }
  static bool isElement(const llvm::Type *type) {
    return type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy() || type->isPointerTy();
  }

  /// Whether a vector of them lies in memory like an array.
  static bool isPacked(const llvm::Type *type) {
    const unsigned bits = type->getPrimitiveSizeInBits();
    return isElement(type) &&
           (type->isPointerTy() || bits == 8 || bits == 16 || bits == 32 || bits == 64);
  }

  Value &known(const llvm::Value *value) {
    Value &found = values_[value];
    if (!found.same && !found.vector && !found.lanes[0])
      found.same = const_cast<llvm::Value *>(value); // a constant
    return found;
  }

  llvm::Value *same(const llvm::Value *value) { return known(value).same; }

  llvm::Value *lane(Builder &at, const llvm::Value *value, unsigned lane) {
    const Value &found = known(value);
    if (found.same)
      return found.same;
    return found.vector ? at.CreateExtractElement(found.vector, lane) : found.lanes[lane];
  }

  llvm::Value *vector(Builder &at, const llvm::Value *value) {
    const Value &found = known(value);
    if (found.vector)
      return found.vector;
    if (found.same)
      return at.CreateVectorSplat(kLanes, found.same);
    return assembled(at, found.lanes);
  }

  llvm::Value *assembled(Builder &at, const std::array<llvm::Value *, kLanes> &lanes) const {
    llvm::Value *vector = llvm::UndefValue::get(vectorOf(lanes[0]->getType()));
    for (unsigned i = 0; i < kLanes; ++i)
      vector = at.CreateInsertElement(vector, lanes[i], i);
    return vector;
  }

  /// Keeps a value by work-item as a vector if a vector can have such elements.
  void setLanes(Builder &at, const llvm::Value &value,
                const std::array<llvm::Value *, kLanes> &lanes) {
    if (isElement(value.getType()))
      values_[&value].vector = assembled(at, lanes);
    else
      values_[&value].lanes = lanes;
  }

  /// Goes on in a new block if the condition holds, else leaves.
  void leaveUnless(Builder &at, llvm::Value *condition) {
    llvm::BasicBlock *next = llvm::BasicBlock::Create(context_, "", wide_);
    at.CreateCondBr(condition, next, leave_);
    at.SetInsertPoint(next);
  }

  void widen(llvm::BasicBlock &block) {
    Builder at(begins_[&block]);
    bool isBegin = &block == &item_.getEntryBlock();
    for (llvm::Instruction &instruction : block) {
      if (isBegin && (instruction.isTerminator() || isData(instruction))) {
        compareBuffers(at);
        isBegin = false;
      }
      widen(at, instruction);
    }
    ends_[&block] = at.GetInsertBlock();
  }

  /// Leaves if a buffer that is written is also read, or written by another name.
  void compareBuffers(Builder &at) {
    std::vector<const llvm::Instruction *> others(read_.begin(), read_.end());
    for (auto &[buffer, written] : written_) {
      for (const llvm::Instruction *other : others)
        leaveUnless(at, at.CreateICmpNE(same(buffer), same(other)));
      others.push_back(buffer);
      if (written.often)
        for (llvm::Value **bound : {&written.low, &written.high}) {
          Builder begin(&*wide_->getEntryBlock().getFirstInsertionPt());
          *bound = begin.CreateAlloca(begin.getInt64Ty());
          at.CreateStore(at.getInt64(0), *bound);
        }
    }
  }

  void widen(Builder &at, llvm::Instruction &instruction) {
    if (instruction.isTerminator())
      return widenTerminator(at, instruction);
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      return widenPhi(at, *phi);
    if (isKept(instruction))
      return widenKept(at, instruction);
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return widenStore(at, *store);
    if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (isSaveIfFresh(*call))
        return savePages(at, *call);
    if (!varying_.contains(&instruction)) {
      llvm::Instruction *copy = instruction.clone();
      for (llvm::Use &operand : copy->operands())
        operand.set(same(operand.get()));
      at.Insert(copy);
      values_[&instruction].same = copy;
      return;
    }
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return widenLoad(at, *load);
    if (llvm::Value *computed = computedAtOnce(at, instruction))
      values_[&instruction].vector = computed;
    else
      computeByLane(at, instruction);
  }

  /// The vector of results of an instruction that LLVM also has for vectors; null for others.
  llvm::Value *computedAtOnce(Builder &at, const llvm::Instruction &instruction) {
    if (!isElement(instruction.getType()) ||
        llvm::any_of(instruction.operands(), [](const llvm::Value *operand) {
          return !llvm::isa<llvm::Function>(operand) && !isElement(operand->getType());
        }))
      return nullptr;
    const auto operand = [&](unsigned i) { return vector(at, instruction.getOperand(i)); };
    const unsigned opcode = instruction.getOpcode();
    if (instruction.isBinaryOp())
      return at.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(opcode), operand(0),
                            operand(1));
    if (instruction.isUnaryOp())
      return at.CreateUnOp(static_cast<llvm::Instruction::UnaryOps>(opcode), operand(0));
    if (instruction.isCast())
      return at.CreateCast(static_cast<llvm::Instruction::CastOps>(opcode), operand(0),
                           vectorOf(instruction.getType()));
    if (const auto *comparison = llvm::dyn_cast<llvm::CmpInst>(&instruction))
      return at.CreateCmp(comparison->getPredicate(), operand(0), operand(1));
    if (llvm::isa<llvm::SelectInst>(instruction)) {
      llvm::Value *condition =
          varies(instruction.getOperand(0)) ? operand(0) : same(instruction.getOperand(0));
      return at.CreateSelect(condition, operand(1), operand(2));
    }
    if (llvm::isa<llvm::FreezeInst>(instruction))
      return at.CreateFreeze(operand(0));
    const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call || !llvm::isTriviallyVectorizable(call->getIntrinsicID()))
      return nullptr;
    std::vector<llvm::Value *> arguments;
    for (unsigned i = 0; i < call->arg_size(); ++i) {
      if (llvm::hasVectorInstrinsicScalarOpd(call->getIntrinsicID(), i)) {
        if (varies(call->getArgOperand(i)))
          return nullptr;
        arguments.push_back(same(call->getArgOperand(i)));
      } else {
        arguments.push_back(operand(i));
      }
    }
    return at.CreateIntrinsic(call->getIntrinsicID(), {vectorOf(call->getType())}, arguments);
  }

  void computeByLane(Builder &at, const llvm::Instruction &instruction) {
    std::array<llvm::Value *, kLanes> results{};
    for (unsigned i = 0; i < kLanes; ++i) {
      llvm::Instruction *copy = instruction.clone();
      for (llvm::Use &operand : copy->operands())
        operand.set(lane(at, operand.get(), i));
      results[i] = at.Insert(copy);
    }
    setLanes(at, instruction, results);
  }

  void widenPhi(Builder &at, llvm::PHINode &phi) {
    Value &value = values_[&phi];
    phis_.push_back(&phi);
    if (!varying_.contains(&phi))
      value.same = at.CreatePHI(phi.getType(), phi.getNumIncomingValues());
    else if (isElement(phi.getType()))
      value.vector = at.CreatePHI(vectorOf(phi.getType()), phi.getNumIncomingValues());
    else
      for (llvm::Value *&lane : value.lanes)
        lane = at.CreatePHI(phi.getType(), phi.getNumIncomingValues());
  }

  /// Adds an edge from the block of edge `earlier` again.
  static void repeatIncoming(const Value &value, unsigned earlier) {
    const auto repeat = [&](llvm::Value *made) {
      if (auto *phi = llvm::cast_or_null<llvm::PHINode>(made))
        phi->addIncoming(phi->getIncomingValue(earlier), phi->getIncomingBlock(earlier));
    };
    repeat(value.same);
    repeat(value.vector);
    for (llvm::Value *lane : value.lanes)
      repeat(lane);
  }

  void completePhis() {
    for (llvm::PHINode *phi : phis_) {
      const Value value = values_[phi];
      std::unordered_map<const llvm::BasicBlock *, unsigned> done; // a switch can come twice
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        const llvm::Value *incoming = phi->getIncomingValue(i);
        llvm::BasicBlock *from = ends_[phi->getIncomingBlock(i)];
        Builder at(from->getTerminator());
        const auto [earlier, isFirst] = done.try_emplace(from, i);
        if (!isFirst) {
          repeatIncoming(value, earlier->second);
          continue;
        }
        if (value.same)
          llvm::cast<llvm::PHINode>(value.same)->addIncoming(same(incoming), from);
        else if (value.vector)
          llvm::cast<llvm::PHINode>(value.vector)->addIncoming(vector(at, incoming), from);
        else
          for (unsigned l = 0; l < kLanes; ++l)
            llvm::cast<llvm::PHINode>(value.lanes[l])->addIncoming(lane(at, incoming, l), from);
      }
    }
  }

  void widenTerminator(Builder &at, llvm::Instruction &end) {
    const auto successor = [&](unsigned i) { return begins_[end.getSuccessor(i)]; };
    if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(&end)) {
      if (!branch->isConditional()) {
        at.CreateBr(successor(0));
        return;
      }
      if (!varies(branch->getCondition())) {
        at.CreateCondBr(same(branch->getCondition()), successor(0), successor(1),
                        branch->getMetadata(llvm::LLVMContext::MD_prof));
        return;
      }
      llvm::Type *mask = at.getIntNTy(kLanes);
      llvm::Value *taken = at.CreateBitCast(vector(at, branch->getCondition()), mask);
      llvm::SwitchInst *choice = at.CreateSwitch(taken, leave_, 2);
      choice->addCase(llvm::cast<llvm::ConstantInt>(llvm::Constant::getAllOnesValue(mask)),
                      successor(0));
      choice->addCase(llvm::cast<llvm::ConstantInt>(llvm::Constant::getNullValue(mask)),
                      successor(1));
      return;
    }
    if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(&end)) {
      llvm::Value *condition = lane(at, choice->getCondition(), 0);
      if (varies(choice->getCondition())) {
        llvm::Value *equal = at.CreateICmpEQ(vector(at, choice->getCondition()),
                                             at.CreateVectorSplat(kLanes, condition));
        leaveUnless(at, at.CreateAndReduce(equal));
      }
      llvm::SwitchInst *copy =
          at.CreateSwitch(condition, begins_[choice->getDefaultDest()], choice->getNumCases());
      for (const auto &way : choice->cases())
        copy->addCase(way.getCaseValue(), begins_[way.getCaseSuccessor()]);
      return;
    }
    if (auto *finish = llvm::dyn_cast<llvm::ReturnInst>(&end)) {
      llvm::Value *reached = lane(at, finish->getReturnValue(), 0);
      if (varies(finish->getReturnValue()))
        leaveUnless(at, at.CreateAndReduce(at.CreateICmpEQ(vector(at, finish->getReturnValue()),
                                                           at.CreateVectorSplat(kLanes, reached))));
      at.CreateRet(reached);
      return;
    }
    at.CreateUnreachable();
  }

  // Memory

  /// A kept value of each work-item, or the sum of what all have executed.
  void widenKept(Builder &at, llvm::Instruction &instruction) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      std::array<llvm::Value *, kLanes> lanes{};
      for (unsigned i = 0; i < kLanes; ++i)
        lanes[i] = at.CreateAlignedLoad(
            load->getType(),
            at.CreateConstGEP1_64(load->getType(), same(load->getPointerOperand()), i),
            llvm::MaybeAlign(1));
      return setLanes(at, instruction, lanes);
    }
    auto &store = llvm::cast<llvm::StoreInst>(instruction);
    llvm::Value *place = same(store.getPointerOperand());
    llvm::Value *stored = store.getValueOperand();
    if (const auto field = offsetInState(store.getPointerOperand(), item_.getArg(0), layout_)) {
      llvm::Value *sum = at.CreateLoad(at.getInt64Ty(), place);
      llvm::Value *ofAll = varies(stored) ? at.CreateAddReduce(vector(at, stored))
                                          : at.CreateMul(same(stored), at.getInt64(kLanes));
      at.CreateStore(at.CreateAdd(sum, ofAll), place);
      if (*field == offsetof(State, executed.instructions))
        countByItem(at, stored);
      return;
    }
    for (unsigned i = 0; i < kLanes; ++i)
      at.CreateAlignedStore(lane(at, stored, i), at.CreateConstGEP1_64(stored->getType(), place, i),
                            llvm::MaybeAlign(1));
  }

  void countByItem(Builder &at, const llvm::Value *counts) {
    llvm::Type *pointer = at.getInt64Ty()->getPointerTo();
    llvm::Value *table = at.CreateLoad(
        pointer, at.CreateBitCast(at.CreateConstGEP1_64(at.getInt8Ty(), wide_->getArg(0),
                                                        offsetof(State, itemInstructions)),
                                  pointer->getPointerTo()));
    for (unsigned i = 0; i < kLanes; ++i) {
      llvm::Value *place =
          at.CreateGEP(at.getInt64Ty(), table, at.CreateAdd(wide_->getArg(2), at.getInt64(i)));
      at.CreateStore(at.CreateAdd(at.CreateLoad(at.getInt64Ty(), place), lane(at, counts, i)),
                     place);
    }
  }

  uint64_t bytesOf(llvm::Type *type) const { return layout_.getTypeStoreSize(type).getFixedSize(); }

  /// Whether each work-item's address is that of the one before, and `bytes` more.
  llvm::Value *areConsecutive(Builder &at, llvm::Value *addresses, uint64_t bytes) {
    std::array<llvm::Constant *, kLanes> steps{};
    for (unsigned i = 0; i < kLanes; ++i)
      steps[i] = at.getInt64(i * bytes);
    llvm::Value *first = at.CreateExtractElement(addresses, uint64_t{0});
    llvm::Value *expected =
        at.CreateAdd(at.CreateVectorSplat(kLanes, first), llvm::ConstantVector::get(steps));
    return at.CreateAndReduce(at.CreateICmpEQ(addresses, expected));
  }

  void widenLoad(Builder &at, llvm::LoadInst &load) {
    if (const std::optional<unsigned> dimension = idOf(load)) { // the first: others do not vary
      std::array<llvm::Constant *, kLanes> steps{};
      for (unsigned i = 0; i < kLanes; ++i)
        steps[i] = at.getInt64(i);
      llvm::Instruction *first = load.clone();
      first->setOperand(0, same(load.getPointerOperand()));
      at.Insert(first);
      values_[&load].vector =
          at.CreateAdd(at.CreateVectorSplat(kLanes, first), llvm::ConstantVector::get(steps));
      return;
    }
    const auto loadLane = [&](unsigned i) {
      llvm::LoadInst *made = at.CreateAlignedLoad(
          load.getType(), lane(at, load.getPointerOperand(), i), load.getAlign());
      made->setMetadata(llvm::LLVMContext::MD_tbaa, load.getMetadata(llvm::LLVMContext::MD_tbaa));
      return made;
    };
    std::array<llvm::Value *, kLanes> lanes{};
    if (!isPacked(load.getType()) || !isData(load)) {
      for (unsigned i = 0; i < kLanes; ++i)
        lanes[i] = loadLane(i);
      return setLanes(at, load, lanes);
    }
    llvm::Value *pointers = vector(at, load.getPointerOperand());
    llvm::Value *addresses = at.CreatePtrToInt(pointers, vectorOf(at.getInt64Ty()));
    llvm::BasicBlock *together = llvm::BasicBlock::Create(context_, "together", wide_);
    llvm::BasicBlock *apart = llvm::BasicBlock::Create(context_, "apart", wide_);
    llvm::BasicBlock *loaded = llvm::BasicBlock::Create(context_, "loaded", wide_);
    at.CreateCondBr(areConsecutive(at, addresses, bytesOf(load.getType())), together, apart);
    at.SetInsertPoint(together);
    llvm::Value *place = at.CreateBitCast(at.CreateExtractElement(pointers, uint64_t{0}),
                                          vectorOf(load.getType())->getPointerTo());
    llvm::LoadInst *atOnce =
        at.CreateAlignedLoad(vectorOf(load.getType()), place, llvm::MaybeAlign(1));
    atOnce->setMetadata(llvm::LLVMContext::MD_tbaa, load.getMetadata(llvm::LLVMContext::MD_tbaa));
    at.CreateBr(loaded);
    at.SetInsertPoint(apart);
    for (unsigned i = 0; i < kLanes; ++i)
      lanes[i] = loadLane(i);
    llvm::Value *oneByOne = assembled(at, lanes);
    at.CreateBr(loaded);
    at.SetInsertPoint(loaded);
    llvm::PHINode *result = at.CreatePHI(atOnce->getType(), 2);
    result->addIncoming(atOnce, together);
    result->addIncoming(oneByOne, apart);
    values_[&load].vector = result;
  }

  void widenStore(Builder &at, llvm::StoreInst &store) {
    Written &written = written_.at(bufferOf(store.getPointerOperand()));
    llvm::Type *type = store.getValueOperand()->getType();
    llvm::Value *addresses =
        at.CreatePtrToInt(vector(at, store.getPointerOperand()), vectorOf(at.getInt64Ty()));
    if (written.often) {
      leaveUnless(at, areConsecutive(at, addresses, bytesOf(type)));
      leaveUnlessApart(at, written, at.CreateExtractElement(addresses, uint64_t{0}),
                       kLanes * bytesOf(type));
    }
    // In the order of the work-items: the last one's stays where several write to one place.
    for (unsigned i = 0; i < kLanes; ++i)
      at.CreateAlignedStore(lane(at, store.getValueOperand(), i),
                            lane(at, store.getPointerOperand(), i), store.getAlign())
          ->setMetadata(llvm::LLVMContext::MD_tbaa, dataTag_);
  }

  /// Saves the pages of all work-items if those of one are fresh.
  void savePages(Builder &at, const llvm::CallInst &call) {
    llvm::BasicBlock *save = llvm::BasicBlock::Create(context_, "save", wide_);
    llvm::BasicBlock *saved = llvm::BasicBlock::Create(context_, "saved", wide_);
    const llvm::Value *fresh = call.getArgOperand(0);
    at.CreateCondBr(varies(fresh) ? at.CreateOrReduce(vector(at, fresh)) : same(fresh), save, saved,
                    llvm::MDBuilder(context_).createBranchWeights(1, 1 << 10));
    at.SetInsertPoint(save);
    constexpr unsigned kFirst = 2; // of the arguments of calls::savePages
    const bool all = varying_.contains(&call);
    for (unsigned i = 0; i < (all ? kLanes : 1); ++i) {
      std::vector<llvm::Value *> arguments;
      for (unsigned argument = kFirst; argument < call.arg_size(); ++argument)
        arguments.push_back(lane(at, call.getArgOperand(argument), i));
      llvm::Value *function = lane(at, call.getArgOperand(1), i);
      auto *type = llvm::cast<llvm::FunctionType>(function->getType()->getPointerElementType());
      at.CreateCall(type, function, arguments)->setDoesNotThrow();
    }
    at.CreateBr(saved);
    at.SetInsertPoint(saved);
  }

  struct Written {
    unsigned stores = 0;
    bool often = false; ///< by several stores or in a loop
    /// If often: variables with the begin and the end of what has been written; 0: nothing.
    llvm::Value *low = nullptr, *high = nullptr;
  };

  /// Leaves if a work-item may write where another one has written: unless the bytes are before or
  /// behind all that were written, or the same.
  void leaveUnlessApart(Builder &at, const Written &written, llvm::Value *begin, uint64_t bytes) {
    llvm::Type *type = at.getInt64Ty();
    llvm::Value *end = at.CreateAdd(begin, at.getInt64(bytes));
    llvm::Value *low = at.CreateLoad(type, written.low), *high = at.CreateLoad(type, written.high);
    llvm::Value *none = at.CreateICmpEQ(high, at.getInt64(0));
    llvm::Value *equal = at.CreateAnd(at.CreateICmpEQ(begin, low), at.CreateICmpEQ(end, high));
    llvm::Value *apart = at.CreateOr(at.CreateICmpUGE(begin, high), at.CreateICmpULE(end, low));
    leaveUnless(at, at.CreateOr(none, at.CreateOr(equal, apart)));
    llvm::Value *lower = at.CreateOr(none, at.CreateICmpULT(begin, low));
    at.CreateStore(at.CreateSelect(lower, begin, low), written.low);
    at.CreateStore(at.CreateSelect(at.CreateICmpUGT(end, high), end, high), written.high);
  }

  llvm::Function &item_;
  llvm::LLVMContext &context_;
  const llvm::DataLayout &layout_;
  llvm::MDNode *dataTag_;
  llvm::SmallPtrSet<const llvm::Instruction *, 32> varying_;
  std::vector<const llvm::Instruction *> open_; ///< whose users are to be marked
  llvm::SmallPtrSet<const llvm::Instruction *, 8> read_;
  std::unordered_map<const llvm::Instruction *, Written> written_;

  llvm::Function *wide_ = nullptr;
  llvm::BasicBlock *leave_ = nullptr;
  std::unordered_map<const llvm::Value *, Value> values_;
  std::unordered_map<const llvm::BasicBlock *, llvm::BasicBlock *> begins_, ends_;
  std::vector<llvm::PHINode *> phis_;
};

} // namespace

llvm::Function *widenItems(llvm::Function &item, const std::vector<KeptVariable> &kept) {
  return Preparation(item, kept).run() ? Widening(item).run() : nullptr;
}

} // namespace aiwc::plugin::engine
