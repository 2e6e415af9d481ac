#include "decoding/uniform_values.h"

#include "decoding/builtins.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace aiwc::decoding {

struct UniformValues::Body {
  explicit Body(const llvm::Function &of)
      : function(of), dominators(const_cast<llvm::Function &>(of)), loops(dominators) {
    llvm::ReversePostOrderTraversal<const llvm::Function *> order(&of);
    blocks.assign(order.begin(), order.end());
  }

  const llvm::Function &function;
  // Both only read, but have no interface for constant functions.
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  std::vector<const llvm::BasicBlock *> blocks; ///< in reverse postorder
  std::vector<const llvm::CallBase *> calls;    ///< of this function
};

namespace {

std::string_view nameOfBuiltin(const llvm::Function &function) {
  return plainName({function.getName().data(), function.getName().size()});
}

bool isId(std::string_view name) {
  static constexpr auto kIds =
      std::to_array<std::string_view>({"get_global_id", "get_local_id", "get_group_id",
                                       "get_global_linear_id", "get_local_linear_id"});
  return std::ranges::find(kIds, name) != kIds.end();
}

const llvm::ConstantInt *constantOf(const llvm::Value &value) {
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&value);
  return constant && constant->getBitWidth() <= 64 ? constant : nullptr;
}

} // namespace

UniformValues::UniformValues(std::span<const llvm::Function *const> functions,
                             const std::function<bool(const llvm::Value &)> &isWritten) {
  for (const llvm::Function *function : functions)
    add(*function);
  for (const llvm::Function *function : functions)
    for (const llvm::BasicBlock &block : *function)
      for (const llvm::Instruction &instruction : block)
        if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
          if (load->getPointerAddressSpace() != 0 && isWritten(*load->getPointerOperand()))
            volatile_.insert(load);
  solve();
}

UniformValues::~UniformValues() = default;

void UniformValues::add(const llvm::Function &function) {
  bodies_.push_back(std::make_unique<Body>(function));
  bodyOf_[&function] = bodies_.back().get();
}

void UniformValues::solve() {
  for (const auto &body : bodies_)
    for (const llvm::BasicBlock *block : body->blocks)
      for (const llvm::Instruction &instruction : *block)
        if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (const llvm::Function *callee = calledFunction(*call))
            if (const auto of = bodyOf_.find(callee); of != bodyOf_.end())
              const_cast<Body *>(of->second)->calls.push_back(call);
  // All values begin as unknown, and what is unknown agrees with everything: a loop's counter is
  // uniform if it starts so and nothing in the loop contradicts.
  constexpr int kMostSweeps = 50;
  bool changed = true;
  for (int sweep = 0; changed && sweep < kMostSweeps; ++sweep) {
    changed = false;
    for (const auto &body : bodies_) {
      for (const llvm::Argument &argument : body->function.args()) {
        Terms terms;
        for (const llvm::CallBase *call : body->calls)
          if (argument.getArgNo() < call->arg_size())
            if (const auto passed = termsAt(*call->getArgOperand(argument.getArgNo()), *call);
                passed && !passed->empty())
              terms = body->calls.size() == 1 ? *passed : itself(argument);
        if (const auto old = terms_.find(&argument); old == terms_.end() || old->second != terms) {
          terms_[&argument] = std::move(terms);
          changed = true;
        }
      }
      for (const llvm::BasicBlock *block : body->blocks)
        for (const llvm::Instruction &instruction : *block)
          if (!instruction.getType()->isVoidTy())
            changed = visit(instruction) || changed;
    }
  }
  if (changed) // never seen; then nothing is claimed
    for (auto &[value, terms] : terms_)
      terms = itself(*value);
}

bool UniformValues::visit(const llvm::Instruction &instruction) {
  std::optional<Terms> terms = compute(instruction);
  if (!terms)
    return false;
  const auto old = terms_.find(&instruction);
  if (old != terms_.end() && old->second == *terms)
    return false;
  terms_[&instruction] = std::move(*terms);
  return true;
}

bool UniformValues::isUniform(const llvm::Value &value) const {
  const auto terms = termsOf(value);
  return terms && terms->empty();
}

bool UniformValues::repeats(const llvm::Instruction &instruction) const {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const auto operands = call ? llvm::iterator_range(call->arg_begin(), call->arg_end())
                             : llvm::iterator_range(instruction.op_begin(), instruction.op_end());
  return !operands.empty() && std::ranges::all_of(operands, [&](const llvm::Use &operand) {
    const auto terms = termsAt(*operand, instruction);
    return terms && terms->empty();
  });
}

std::optional<UniformValues::Terms> UniformValues::termsOf(const llvm::Value &value) const {
  if (!llvm::isa<llvm::Instruction>(value) && !llvm::isa<llvm::Argument>(value))
    return Terms();
  const auto found = terms_.find(&value);
  return found == terms_.end() ? std::nullopt : std::optional(found->second);
}

/// Of a value where `user` reads it.
std::optional<UniformValues::Terms> UniformValues::termsAt(const llvm::Value &value,
                                                           const llvm::Instruction &user) const {
  return leaveAlike(value, user) ? termsOf(value) : std::optional(itself(value));
}

bool UniformValues::leaveAlike(const llvm::Value &value, const llvm::Instruction &user) const {
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || instruction->getParent() == user.getParent())
    return true;
  const Body &body = *bodyOf_.at(instruction->getFunction());
  for (const llvm::Loop *loop = body.loops.getLoopFor(instruction->getParent());
       loop && !loop->contains(user.getParent()); loop = loop->getParentLoop()) {
    llvm::SmallVector<llvm::BasicBlock *, 4> exiting;
    loop->getExitingBlocks(exiting);
    for (const llvm::BasicBlock *block : exiting)
      if (!branchesAlike(*block))
        return false;
  }
  return true;
}

/// Whether all work-items that leave the block go to the same successor. What is unknown agrees.
bool UniformValues::branchesAlike(const llvm::BasicBlock &block) const {
  const llvm::Instruction *end = block.getTerminator();
  if (!end || end->getNumSuccessors() < 2)
    return true;
  const auto terms = termsOf(*end->getOperand(0)); // the condition
  return !terms || terms->empty();
}

/// Whether work-items that arrive in `join` in the same iteration come from the same predecessor:
/// no branch on the ways to it from the block that dominates it depends on the work-item.
bool UniformValues::isChosenAlike(const Body &body, const llvm::BasicBlock &join) const {
  const auto *node = body.dominators.getNode(&join);
  if (!node || !node->getIDom())
    return true;
  const llvm::BasicBlock *dominator = node->getIDom()->getBlock();
  std::vector<const llvm::BasicBlock *> open(llvm::pred_begin(&join), llvm::pred_end(&join));
  std::unordered_set<const llvm::BasicBlock *> seen;
  while (!open.empty()) {
    const llvm::BasicBlock *block = open.back();
    open.pop_back();
    if (!seen.insert(block).second)
      continue;
    if (!branchesAlike(*block))
      return false;
    if (block != dominator && block != &join)
      open.insert(open.end(), llvm::pred_begin(block), llvm::pred_end(block));
  }
  return true;
}

UniformValues::Terms UniformValues::sum(const Terms &a, const Terms &b, int64_t times) {
  std::map<const llvm::Value *, int64_t> all(a.begin(), a.end());
  for (const auto &[value, count] : b)
    // Wraps as the kernel's own arithmetic does.
    all[value] = static_cast<int64_t>(static_cast<uint64_t>(all[value]) +
                                      static_cast<uint64_t>(count) * static_cast<uint64_t>(times));
  Terms result;
  for (const auto &[value, count] : all)
    if (count != 0)
      result.emplace_back(value, count);
  return result;
}

std::optional<UniformValues::Terms> UniformValues::ofPhi(const llvm::PHINode &phi) {
  if (apart_.contains(&phi))
    return itself(phi);
  std::optional<Terms> terms;
  bool same = true;
  const llvm::Value *only = nullptr;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const llvm::Value *incoming = phi.getIncomingValue(i);
    const auto found = termsAt(*incoming, *phi.getIncomingBlock(i)->getTerminator());
    if (!found)
      continue;
    same = same && (!terms || *terms == *found);
    terms = found;
    if (i == 0)
      only = incoming;
    else if (only != incoming)
      only = nullptr;
  }
  if (!terms)
    return std::nullopt;
  if (same && (only || isChosenAlike(phi)))
    return terms;
  apart_.insert(&phi);
  return itself(phi);
}

bool UniformValues::isChosenAlike(const llvm::PHINode &phi) const {
  const Body &body = *bodyOf_.at(phi.getFunction());
  const llvm::Loop *loop = body.loops.getLoopFor(phi.getParent());
  const bool counts = loop && loop->getHeader() == phi.getParent() && loop->getLoopLatch() &&
                      phi.getNumIncomingValues() == 2;
  return counts ||
         std::ranges::all_of(
             phi.incoming_values(),
             [&](const llvm::Use &value) { return value == phi.getIncomingValue(0); }) ||
         isChosenAlike(body, *phi.getParent());
}

std::optional<UniformValues::Terms>
UniformValues::ofOthers(const llvm::Instruction &instruction) const {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const auto operands = call ? llvm::iterator_range(call->arg_begin(), call->arg_end())
                             : llvm::iterator_range(instruction.op_begin(), instruction.op_end());
  for (const llvm::Use &operand : operands) {
    if (llvm::isa<llvm::MetadataAsValue>(operand))
      continue;
    const auto terms = termsAt(*operand, instruction);
    if (!terms)
      return std::nullopt;
    if (!terms->empty())
      return itself(instruction);
  }
  return Terms();
}

std::optional<UniformValues::Terms> UniformValues::ofCall(const llvm::CallBase &call) {
  const llvm::Function *callee = calledFunction(call);
  if (!callee)
    return itself(call);
  if (const auto body = bodyOf_.find(callee); body != bodyOf_.end()) {
    const llvm::ReturnInst *only = nullptr;
    for (const llvm::BasicBlock &block : *callee)
      if (const auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
        if (only)
          return itself(call);
        only = end;
      }
    if (!only || !only->getReturnValue())
      return itself(call);
    const auto terms = termsAt(*only->getReturnValue(), *only);
    return !terms || terms->empty() ? terms : itself(call);
  }
  const std::string_view name = nameOfBuiltin(*callee);
  if (isId(name)) {
    const auto *dimension = call.arg_size() > 0 ? constantOf(*call.getArgOperand(0)) : nullptr;
    if (!dimension && call.arg_size() > 0)
      return itself(call);
    const auto first =
        ids_.try_emplace({std::string(name), dimension ? dimension->getZExtValue() : 0}, &call);
    return itself(*first.first->second);
  }
  const BuiltinTraits traits = builtinTraits(call, *callee);
  if (traits.memory != trace::MemoryKind::kNone || traits.meeting || name.starts_with("atom"))
    return itself(call);
  return ofOthers(call);
}

std::optional<UniformValues::Terms> UniformValues::compute(const llvm::Instruction &instruction) {
  const auto operand = [&](unsigned i) { return termsAt(*instruction.getOperand(i), instruction); };
  switch (instruction.getOpcode()) {
  case llvm::Instruction::PHI:
    return ofPhi(llvm::cast<llvm::PHINode>(instruction));
  case llvm::Instruction::Call:
    return ofCall(llvm::cast<llvm::CallBase>(instruction));
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::Trunc:
  case llvm::Instruction::Freeze:
    return operand(0);
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub: {
    const auto a = operand(0);
    const auto b = operand(1);
    if (!a || !b)
      return std::nullopt;
    return sum(*a, *b, instruction.getOpcode() == llvm::Instruction::Add ? 1 : -1);
  }
  case llvm::Instruction::Mul:
  case llvm::Instruction::Shl:
    if (const auto *factor = constantOf(*instruction.getOperand(1))) {
      const auto a = operand(0);
      const bool shift = instruction.getOpcode() == llvm::Instruction::Shl;
      if (!a || (shift && factor->getZExtValue() > 62))
        return a ? std::optional(itself(instruction)) : std::nullopt;
      return sum({}, *a, shift ? int64_t{1} << factor->getZExtValue() : factor->getSExtValue());
    }
    return ofOthers(instruction);
  case llvm::Instruction::ICmp: {
    const auto a = operand(0);
    const auto b = operand(1);
    if (!a || !b)
      return std::nullopt;
    return *a == *b ? Terms() : itself(instruction);
  }
  case llvm::Instruction::Select: {
    const auto condition = operand(0);
    const auto a = operand(1);
    const auto b = operand(2);
    if (!condition || !a || !b)
      return std::nullopt;
    return condition->empty() && *a == *b ? *a : itself(instruction);
  }
  case llvm::Instruction::Load: {
    const auto &load = llvm::cast<llvm::LoadInst>(instruction);
    const unsigned space = load.getPointerAddressSpace();
    const bool readOnly = (space == 1 || space == 2) && !volatile_.contains(&load);
    return readOnly ? ofOthers(instruction) : itself(instruction);
  }
  case llvm::Instruction::Alloca:
  case llvm::Instruction::AtomicRMW:
  case llvm::Instruction::AtomicCmpXchg:
    return itself(instruction);
  default:
    return ofOthers(instruction);
  }
}

} // namespace aiwc::decoding
