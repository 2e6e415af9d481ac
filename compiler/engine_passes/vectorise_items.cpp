#include "engine_passes/vectorise_items.h"

#include "engine_passes/function_lowering.h"
#include "engine_passes/prepare_items.h"
#include "engine_passes/state.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <array>
#include <optional>
#include <unordered_map>

namespace aiwc::engine {

namespace {

using Builder = llvm::IRBuilder<>;

/// Most pairs of a store and another access of a buffer that is read and written: each has a test.
constexpr size_t kMostPairs = 64;

/// Makes the wide function of a prepared one. A value that is the same in all work-items stays a
/// scalar; of the others, numbers and pointers become vectors with an element for each work-item,
/// and OpenCL's vectors are there once for each work-item.
class Vectoriser {
public:
  explicit Vectoriser(llvm::Function &item)
      : item_(item), context_(item.getContext()), layout_(item.getParent()->getDataLayout()),
        dataTag_(aliasTag(context_, "data")) {}

  llvm::Function *run() {
    if (!findVarying() || !examineMemory())
      return nullptr;
    declare();
    for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&item_))
      vectorise(*block);
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
        if (hasLiveMark(*load) || idOf(*load) == 0U)
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

  static bool hasLiveMark(const llvm::Instruction &instruction) {
    return instruction.getMetadata(kLiveMark) != nullptr;
  }

  // Which memory is read and written

  /// Whether it accesses the memory of OpenCL, and not a table or the value of an argument.
  bool isData(const llvm::Instruction &instruction) const {
    if (hasLiveMark(instruction) || instruction.getMetadata(llvm::LLVMContext::MD_invariant_load) ||
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

  /// Finds the buffers that are read and written. Returns false if the code cannot know whether a
  /// load reads what a store has written, or has too many pairs to test (kMostPairs).
  bool examineMemory() {
    bool readsUnknown = false;
    for (const llvm::BasicBlock *block :
         llvm::ReversePostOrderTraversal<llvm::Function *>(&item_)) {
      for (const llvm::Instruction &instruction : *block) {
        if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
          if (!isData(*load))
            continue;
          const llvm::Instruction *buffer = bufferOf(load->getPointerOperand());
          readsUnknown |= !buffer;
          if (buffer)
            read_[buffer].push_back(load);
        } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
          if (hasLiveMark(*store))
            continue;
          const llvm::Instruction *buffer = bufferOf(store->getPointerOperand());
          if (!buffer)
            return false;
          Written &written = written_[buffer];
          written.inLoop |= isInCycle(*block);
          written.stores.push_back(store);
          written.haveOneSize &= bytesOf(store->getValueOperand()->getType()) ==
                                 bytesOf(written.stores.front()->getValueOperand()->getType());
        }
      }
    }
    if (!written_.empty() && readsUnknown)
      return false;
    for (auto &[buffer, written] : written_)
      if (const auto read = read_.find(buffer); read != read_.end()) {
        written.isRead = true;
        const size_t pairs = written.stores.size() * (read->second.size() + written.stores.size());
        if (written.inLoop || pairs > kMostPairs || !canStoreLast())
          return false;
      }
    return true;
  }

  static bool isInCycle(const llvm::BasicBlock &block) {
    return llvm::any_of(llvm::successors(&block), [&](const llvm::BasicBlock *next) {
      return llvm::isPotentiallyReachable(next, &block);
    });
  }

  /// Whether the function cannot bail out after its first store of live values and counts. This
  /// holds if each block with such stores returns, or is followed by a block that only returns.
  bool canStoreLast() const {
    for (const llvm::BasicBlock &block : item_) {
      const llvm::Instruction *end = block.getTerminator();
      if (const auto *finish = llvm::dyn_cast<llvm::ReturnInst>(end)) {
        if (varies(finish->getReturnValue()))
          return false;
        continue;
      }
      const llvm::BasicBlock *next = block.getSingleSuccessor();
      if (next && llvm::isa<llvm::ReturnInst>(next->getFirstNonPHIOrDbg()))
        continue;
      if (llvm::any_of(block, storesLive))
        return false;
    }
    return true;
  }

  static bool storesLive(const llvm::Instruction &instruction) {
    return llvm::isa<llvm::StoreInst>(instruction) && hasLiveMark(instruction);
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
    bailOut_ = llvm::BasicBlock::Create(context_, "bail.out", wide_);
    Builder(bailOut_).CreateRet(Builder(bailOut_).getInt64(kNotWide));
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

  /// Goes on in a new block if the condition holds, else bails out.
  void bailOutUnless(Builder &at, llvm::Value *condition) {
    llvm::BasicBlock *next = llvm::BasicBlock::Create(context_, "", wide_);
    at.CreateCondBr(condition, next, bailOut_);
    at.SetInsertPoint(next);
  }

  void vectorise(llvm::BasicBlock &block) {
    Builder at(begins_[&block]);
    bool isBegin = &block == &item_.getEntryBlock();
    bool hasStored = false;
    for (llvm::Instruction &instruction : block) {
      if (isBegin && (instruction.isTerminator() || isData(instruction))) {
        compareBuffers(at);
        isBegin = false;
      }
      if (storesLive(instruction) && !hasStored) {
        storeWhatIsRead(at);
        hasStored = true;
      }
      vectorise(at, instruction);
    }
    ends_[&block] = at.GetInsertBlock();
  }

  llvm::AllocaInst *variable(llvm::Type *type) const {
    return Builder(&*wide_->getEntryBlock().getFirstInsertionPt()).CreateAlloca(type);
  }

  /// Bails out if a buffer that is written is also read, or written, by another name.
  void compareBuffers(Builder &at) {
    std::vector<const llvm::Instruction *> others;
    for (const auto &[buffer, loads] : read_)
      others.push_back(buffer);
    for (auto &[buffer, written] : written_) {
      for (const llvm::Instruction *other : others)
        if (other != buffer)
          bailOutUnless(at, at.CreateICmpNE(same(buffer), same(other)));
      others.push_back(buffer);
      if (written.isRead) {
        for (const llvm::StoreInst *store : written.stores)
          declareAccess(at, *store, store->getValueOperand()->getType());
        for (const llvm::LoadInst *load : read_.find(buffer)->second)
          declareAccess(at, *load, load->getType());
      } else if (written.isOften()) {
        for (llvm::Value **bound : {&written.low, &written.high}) {
          *bound = variable(at.getInt64Ty());
          at.CreateStore(at.getInt64(0), *bound);
        }
      }
    }
  }

  void vectorise(Builder &at, llvm::Instruction &instruction) {
    if (instruction.isTerminator())
      return vectoriseTerminator(at, instruction);
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      return vectorisePhi(at, *phi);
    if (hasLiveMark(instruction))
      return vectoriseLive(at, instruction);
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return vectoriseStore(at, *store);
    if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (isSaveIfFresh(*call))
        return saveGranules(at, *call);
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && accesses_.contains(load))
      noteLoad(at, *load);
    if (!varying_.contains(&instruction)) {
      llvm::Instruction *copy = instruction.clone();
      for (llvm::Use &operand : copy->operands())
        operand.set(same(operand.get()));
      at.Insert(copy);
      values_[&instruction].same = copy;
      return;
    }
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return vectoriseLoad(at, *load);
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

  void vectorisePhi(Builder &at, llvm::PHINode &phi) {
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

  void vectoriseTerminator(Builder &at, llvm::Instruction &end) {
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
      llvm::SwitchInst *choice = at.CreateSwitch(taken, bailOut_, 2);
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
        bailOutUnless(at, at.CreateAndReduce(equal));
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
        bailOutUnless(at,
                      at.CreateAndReduce(at.CreateICmpEQ(vector(at, finish->getReturnValue()),
                                                         at.CreateVectorSplat(kLanes, reached))));
      at.CreateRet(reached);
      return;
    }
    at.CreateUnreachable();
  }

  // Memory

  /// A live value of each work-item, or the sum of what all have executed.
  void vectoriseLive(Builder &at, llvm::Instruction &instruction) {
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
    llvm::BasicBlock *count = llvm::BasicBlock::Create(context_, "count", wide_);
    llvm::BasicBlock *counted = llvm::BasicBlock::Create(context_, "counted", wide_);
    at.CreateCondBr(at.CreateIsNull(table), counted, count);
    at.SetInsertPoint(count);
    llvm::Type *all = vectorOf(at.getInt64Ty());
    llvm::Value *place = at.CreateBitCast(at.CreateGEP(at.getInt64Ty(), table, wide_->getArg(2)),
                                          all->getPointerTo());
    const llvm::Align kOfOne(sizeof(uint64_t));
    at.CreateAlignedStore(
        at.CreateAdd(at.CreateAlignedLoad(all, place, kOfOne), vector(at, counts)), place, kOfOne);
    at.CreateBr(counted);
    at.SetInsertPoint(counted);
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

  void vectoriseLoad(Builder &at, llvm::LoadInst &load) {
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
    if (load.getMetadata(kConsecutiveMark)) {
      values_[&load].vector = loadAtOnce(at, load, lane(at, load.getPointerOperand(), 0));
      return;
    }
    llvm::Value *pointers = vector(at, load.getPointerOperand());
    llvm::Value *addresses = at.CreatePtrToInt(pointers, vectorOf(at.getInt64Ty()));
    llvm::BasicBlock *together = llvm::BasicBlock::Create(context_, "together", wide_);
    llvm::BasicBlock *apart = llvm::BasicBlock::Create(context_, "apart", wide_);
    llvm::BasicBlock *loaded = llvm::BasicBlock::Create(context_, "loaded", wide_);
    at.CreateCondBr(areConsecutive(at, addresses, bytesOf(load.getType())), together, apart);
    at.SetInsertPoint(together);
    llvm::LoadInst *atOnce = loadAtOnce(at, load, at.CreateExtractElement(pointers, uint64_t{0}));
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

  /// Loads what the work-items load from consecutive places, the first of which is `begin`.
  llvm::LoadInst *loadAtOnce(Builder &at, const llvm::LoadInst &load, llvm::Value *begin) const {
    llvm::Type *type = vectorOf(load.getType());
    llvm::LoadInst *made = at.CreateAlignedLoad(type, at.CreateBitCast(begin, type->getPointerTo()),
                                                llvm::MaybeAlign(1));
    made->setMetadata(llvm::LLVMContext::MD_tbaa, load.getMetadata(llvm::LLVMContext::MD_tbaa));
    return made;
  }

  void vectoriseStore(Builder &at, llvm::StoreInst &store) {
    Written &written = written_.find(bufferOf(store.getPointerOperand()))->second;
    if (written.isRead)
      return noteStore(at, store);
    llvm::Type *type = store.getValueOperand()->getType();
    const bool isConsecutive = store.getMetadata(kConsecutiveMark) != nullptr;
    if (written.isOften()) {
      llvm::Value *addresses = addressesOf(at, store.getPointerOperand());
      if (!isConsecutive)
        bailOutUnless(at, areConsecutive(at, addresses, bytesOf(type)));
      bailOutUnlessApart(at, written, at.CreateExtractElement(addresses, uint64_t{0}),
                         kLanes * bytesOf(type));
    }
    if (isConsecutive && isPacked(type)) {
      llvm::Value *place =
          at.CreateBitCast(lane(at, store.getPointerOperand(), 0), vectorOf(type)->getPointerTo());
      at.CreateAlignedStore(vector(at, store.getValueOperand()), place, llvm::MaybeAlign(1))
          ->setMetadata(llvm::LLVMContext::MD_tbaa, dataTag_);
      return;
    }
    // In the order of the work-items: the last one's stays where several write to one place.
    for (unsigned i = 0; i < kLanes; ++i)
      at.CreateAlignedStore(lane(at, store.getValueOperand(), i),
                            lane(at, store.getPointerOperand(), i), store.getAlign())
          ->setMetadata(llvm::LLVMContext::MD_tbaa, dataTag_);
  }

  llvm::Value *addressesOf(Builder &at, const llvm::Value *pointer) {
    return at.CreatePtrToInt(vector(at, pointer), vectorOf(at.getInt64Ty()));
  }

  // Buffers that are read and written. The stores to them wait until the function can no longer
  // bail out. They are made if no work-item has accessed what another one writes. A loop that waits
  // for such a store still ends: the first work-item reads the same as when it runs alone, and the
  // others take the same path or bail out.

  /// Variables of the wide function for a load from or a store to such a buffer.
  struct Access {
    llvm::Value *first = nullptr;    ///< the address of the first work-item
    llvm::Value *step = nullptr;     ///< distance to the address of the next work-item
    llvm::Value *isSpaced = nullptr; ///< whether it is the same for all work-items, each time
    llvm::Value *low = nullptr;      ///< the begin of all bytes accessed so far
    llvm::Value *high = nullptr;     ///< the end; 0: none
    std::array<llvm::Value *, kLanes> values{}; ///< to be stored
    llvm::Type *type = nullptr;
  };

  void declareAccess(Builder &at, const llvm::Instruction &instruction, llvm::Type *type) {
    Access &access = accesses_[&instruction];
    access.type = type;
    for (llvm::Value **number : {&access.first, &access.step, &access.low, &access.high}) {
      *number = variable(at.getInt64Ty());
      at.CreateStore(at.getInt64(0), *number);
    }
    access.isSpaced = variable(at.getInt1Ty());
    at.CreateStore(at.getTrue(), access.isSpaced);
    if (llvm::isa<llvm::StoreInst>(instruction))
      for (llvm::Value *&value : access.values)
        value = variable(type);
  }

  void noteAddresses(Builder &at, const Access &access, llvm::Value *addresses) {
    llvm::Type *type = at.getInt64Ty();
    llvm::Value *first = at.CreateExtractElement(addresses, uint64_t{0});
    llvm::Value *step = at.CreateSub(at.CreateExtractElement(addresses, uint64_t{1}), first);
    llvm::Value *expected = at.CreateVectorSplat(kLanes, first);
    std::array<llvm::Constant *, kLanes> numbers{};
    for (unsigned i = 0; i < kLanes; ++i)
      numbers[i] = at.getInt64(i);
    expected = at.CreateAdd(expected, at.CreateMul(at.CreateVectorSplat(kLanes, step),
                                                   llvm::ConstantVector::get(numbers)));
    llvm::Value *low = at.CreateIntMinReduce(addresses);
    llvm::Value *high =
        at.CreateAdd(at.CreateIntMaxReduce(addresses), at.getInt64(bytesOf(access.type)));
    llvm::Value *oldLow = at.CreateLoad(type, access.low);
    llvm::Value *oldHigh = at.CreateLoad(type, access.high);
    llvm::Value *isNew = at.CreateICmpEQ(oldHigh, at.getInt64(0));
    const auto isAsBefore = [&](llvm::Value *value, llvm::Value *before) {
      return at.CreateOr(isNew, at.CreateICmpEQ(value, at.CreateLoad(type, before)));
    };
    llvm::Value *isSpaced = at.CreateAndReduce(at.CreateICmpEQ(addresses, expected));
    isSpaced = at.CreateAnd(isSpaced, at.CreateLoad(at.getInt1Ty(), access.isSpaced));
    isSpaced = at.CreateAnd(isSpaced, isAsBefore(first, access.first));
    isSpaced = at.CreateAnd(isSpaced, isAsBefore(step, access.step));
    at.CreateStore(isSpaced, access.isSpaced);
    at.CreateStore(first, access.first);
    at.CreateStore(step, access.step);
    llvm::Value *isLower = at.CreateOr(isNew, at.CreateICmpULT(low, oldLow));
    at.CreateStore(at.CreateSelect(isLower, low, oldLow), access.low);
    at.CreateStore(at.CreateBinaryIntrinsic(llvm::Intrinsic::umax, high, oldHigh), access.high);
  }

  void noteLoad(Builder &at, const llvm::LoadInst &load) {
    noteAddresses(at, accesses_.at(&load), addressesOf(at, load.getPointerOperand()));
  }

  void noteStore(Builder &at, const llvm::StoreInst &store) {
    const Access &access = accesses_.at(&store);
    noteAddresses(at, access, addressesOf(at, store.getPointerOperand()));
    for (unsigned i = 0; i < kLanes; ++i)
      at.CreateStore(lane(at, store.getValueOperand(), i), access.values[i]);
  }

  /// Bails out if the two accesses happen and the `store` of a work-item may overlap the `other`
  /// access of another work-item. `isLater`: `other` is a load that may follow `store`; then also
  /// bails out if the two accesses of one work-item may overlap. The addresses of `store` are
  /// spaced, unless it is `other`.
  void bailOutUnlessApart(Builder &at, const Access &store, const Access &other, bool isLater) {
    const auto get = [&](llvm::Value *number) { return at.CreateLoad(at.getInt64Ty(), number); };
    const auto isLess = [&](llvm::Value *a, llvm::Value *b) { return at.CreateICmpULE(a, b); };
    llvm::Value *storeHigh = get(store.high), *otherHigh = get(other.high);
    llvm::Value *none = at.CreateOr(at.CreateICmpEQ(storeHigh, at.getInt64(0)),
                                    at.CreateICmpEQ(otherHigh, at.getInt64(0)));
    llvm::Value *apart =
        at.CreateOr(isLess(storeHigh, get(other.low)), isLess(otherHigh, get(store.low)));
    // The two are beside each other if both are within one step, like the members of a structure.
    const auto distance = [&](llvm::Value *number) {
      return at.CreateBinaryIntrinsic(llvm::Intrinsic::abs, number, at.getFalse());
    };
    llvm::Value *bytes = at.getInt64(std::max(bytesOf(store.type), bytesOf(other.type)));
    llvm::Value *between = distance(at.CreateSub(get(store.first), get(other.first)));
    llvm::Value *beside = at.CreateAnd(at.CreateICmpEQ(get(store.step), get(other.step)),
                                       at.CreateLoad(at.getInt1Ty(), other.isSpaced));
    beside = at.CreateAnd(beside, isLess(at.CreateAdd(between, bytes), distance(get(store.step))));
    if (isLater)
      beside = at.CreateAnd(beside, isLess(bytes, between));
    bailOutUnless(at, at.CreateOr(none, at.CreateOr(apart, beside)));
  }

  /// Makes the stores that wait for the end, if no work-item accesses what another one stores.
  void storeWhatIsRead(Builder &at) {
    std::vector<const Access *> stores;
    for (const auto &[buffer, written] : written_) {
      if (!written.isRead)
        continue;
      for (size_t i = 0; i < written.stores.size(); ++i) {
        const llvm::StoreInst *store = written.stores[i];
        const Access &access = accesses_.at(store);
        stores.push_back(&access);
        // A store is compared with itself, too: the addresses of the work-items must not overlap.
        for (size_t j = 0; j <= i; ++j)
          bailOutUnlessApart(at, access, accesses_.at(written.stores[j]), false);
        for (const llvm::LoadInst *load : read_.find(buffer)->second)
          bailOutUnlessApart(at, access, accesses_.at(load),
                             llvm::isPotentiallyReachable(store, load));
      }
    }
    for (const Access *access : stores) {
      llvm::BasicBlock *store = llvm::BasicBlock::Create(context_, "store", wide_);
      llvm::BasicBlock *stored = llvm::BasicBlock::Create(context_, "stored", wide_);
      at.CreateCondBr(at.CreateICmpNE(at.CreateLoad(at.getInt64Ty(), access->high), at.getInt64(0)),
                      store, stored);
      at.SetInsertPoint(store);
      llvm::Value *address = at.CreateLoad(at.getInt64Ty(), access->first);
      llvm::Value *step = at.CreateLoad(at.getInt64Ty(), access->step);
      for (llvm::Value *value : access->values) {
        llvm::Value *place = at.CreateIntToPtr(address, access->type->getPointerTo());
        at.CreateAlignedStore(at.CreateLoad(access->type, value), place, llvm::MaybeAlign(1))
            ->setMetadata(llvm::LLVMContext::MD_tbaa, dataTag_);
        address = at.CreateAdd(address, step);
      }
      at.CreateBr(stored);
      at.SetInsertPoint(stored);
    }
  }

  /// Saves the granules of all work-items if those of one are fresh.
  void saveGranules(Builder &at, const llvm::CallInst &call) {
    llvm::BasicBlock *save = llvm::BasicBlock::Create(context_, "save", wide_);
    llvm::BasicBlock *saved = llvm::BasicBlock::Create(context_, "saved", wide_);
    const llvm::Value *fresh = call.getArgOperand(0);
    at.CreateCondBr(varies(fresh) ? at.CreateOrReduce(vector(at, fresh)) : same(fresh), save, saved,
                    llvm::MDBuilder(context_).createBranchWeights(1, 1 << 10));
    at.SetInsertPoint(save);
    constexpr unsigned kFirst = 2; // of the arguments of calls::saveGranules
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
    std::vector<const llvm::StoreInst *> stores; ///< an earlier one of one path first
    bool inLoop = false;
    bool isRead = false;
    bool haveOneSize = true; ///< all stores write equally many bytes
    /// If often: variables with the begin and the end of what has been written; 0: nothing.
    llvm::Value *low = nullptr, *high = nullptr;

    bool isOften() const { return inLoop || stores.size() > 1; }
  };

  /// Bails out if a work-item may write where another one has written. It may not if its bytes are
  /// before all bytes that were written, or behind them. Nor may it if they are the same and all
  /// stores have one size: each of the earlier stores has written all of them then.
  void bailOutUnlessApart(Builder &at, const Written &written, llvm::Value *begin, uint64_t bytes) {
    llvm::Type *type = at.getInt64Ty();
    llvm::Value *end = at.CreateAdd(begin, at.getInt64(bytes));
    llvm::Value *low = at.CreateLoad(type, written.low), *high = at.CreateLoad(type, written.high);
    llvm::Value *none = at.CreateICmpEQ(high, at.getInt64(0));
    llvm::Value *apart = at.CreateOr(at.CreateICmpUGE(begin, high), at.CreateICmpULE(end, low));
    if (written.haveOneSize)
      apart =
          at.CreateOr(apart, at.CreateAnd(at.CreateICmpEQ(begin, low), at.CreateICmpEQ(end, high)));
    bailOutUnless(at, at.CreateOr(none, apart));
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
  /// Loads and stores, by the begin of their buffer.
  llvm::MapVector<const llvm::Instruction *, std::vector<const llvm::LoadInst *>> read_;
  llvm::MapVector<const llvm::Instruction *, Written> written_;
  std::unordered_map<const llvm::Instruction *, Access> accesses_;

  llvm::Function *wide_ = nullptr;
  llvm::BasicBlock *bailOut_ = nullptr;
  std::unordered_map<const llvm::Value *, Value> values_;
  std::unordered_map<const llvm::BasicBlock *, llvm::BasicBlock *> begins_, ends_;
  std::vector<llvm::PHINode *> phis_;
};

} // namespace

llvm::Function *vectoriseItems(llvm::Function &item, const std::vector<LiveVariable> &live) {
  return prepareItem(item, live) ? Vectoriser(item).run() : nullptr;
}

} // namespace aiwc::engine
