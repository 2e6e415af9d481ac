#include "decoding/builtins.h"
#include "lowering/optimisation.h"
#include "lowering/passes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <optional>
#include <utility>

namespace aiwc::lowering {
namespace {

/// Instructions that loops become at most. LLVM for AMD unrolls loops over private arrays up to a
/// cost of 2,700, to which some instructions add nothing.
constexpr uint64_t kMostInstructions = 4096;

using Loops = llvm::SmallSetVector<llvm::Loop *, 8>;

/// The loops whose counters the index of an element consists of.
class CountingLoops {
public:
  explicit CountingLoops(llvm::ScalarEvolution &evolution) : evolution_(evolution) {}

  /// Whether nothing but loops' counters and constants make up `index`.
  bool add(llvm::Value &index) {
    if (llvm::isa<llvm::ConstantInt>(index))
      return true;
    if (!evolution_.isSCEVable(index.getType()))
      return false;
    Loops found;
    const bool counts =
        !llvm::SCEVExprContains(evolution_.getSCEV(&index), [&](const llvm::SCEV *part) {
          if (const auto *counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part))
            found.insert(const_cast<llvm::Loop *>(counter->getLoop()));
          return llvm::isa<llvm::SCEVUnknown>(part) || llvm::isa<llvm::SCEVCouldNotCompute>(part);
        });
    if (counts) {
      loops.insert(found.begin(), found.end());
      return true;
    }
    // Such as the lowest bits of a counter.
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(&index);
    return instruction &&
           (llvm::isa<llvm::CastInst>(instruction) ||
            llvm::isa<llvm::BinaryOperator>(instruction)) &&
           llvm::all_of(instruction->operands(), [&](llvm::Use &operand) { return add(*operand); });
  }

  Loops loops;

private:
  llvm::ScalarEvolution &evolution_;
};

/// How a kernel uses an array.
struct Uses {
  Loops loops; ///< that count through it
  llvm::SmallVector<llvm::Instruction *, 8> accesses;
};

/// Null if something else is done with the array than loading and storing elements whose indices
/// are known once loops are unrolled: it stays in memory then.
std::optional<Uses> usesOf(llvm::AllocaInst &array, llvm::ScalarEvolution &evolution) {
  Uses uses;
  CountingLoops counting(evolution);
  llvm::SmallVector<llvm::Instruction *, 8> pointers = {&array};
  while (!pointers.empty()) {
    llvm::Instruction *pointer = pointers.pop_back_val();
    for (llvm::User *user : pointer->users()) {
      auto *instruction = llvm::cast<llvm::Instruction>(user);
      if (auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
        if (!llvm::all_of(element->indices(),
                          [&](llvm::Use &index) { return counting.add(*index); }))
          return std::nullopt;
        pointers.push_back(element);
      } else if (llvm::isa<llvm::BitCastInst>(instruction)) {
        pointers.push_back(instruction);
      } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction)) {
        if (!store->isSimple() || store->getValueOperand() == pointer)
          return std::nullopt;
        uses.accesses.push_back(instruction);
      } else if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
        if (!load->isSimple())
          return std::nullopt;
        uses.accesses.push_back(instruction);
      } else if (const auto *bytes = llvm::dyn_cast<llvm::MemIntrinsic>(instruction)) {
        if (bytes->isVolatile() || !llvm::isa<llvm::ConstantInt>(bytes->getLength()))
          return std::nullopt;
      } else if (const auto *marker = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
                 !marker || !marker->isLifetimeStartOrEnd()) {
        return std::nullopt;
      }
    }
  }
  uses.loops = std::move(counting.loops);
  return uses;
}

/// Whether the call has its place (numberMeetings), which a copy of it would share.
bool isPlacedMeeting(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && decoding::isMeeting(callee->getName()) &&
         callee->getCallingConv() == llvm::CallingConv::SPIR_FUNC;
}

/// The instructions of a loop once `unrolled` loops are; more than kMostInstructions if it cannot
/// be unrolled.
uint64_t instructionsOf(llvm::Loop &loop, const Loops &unrolled, llvm::ScalarEvolution &evolution) {
  uint64_t trips = 1;
  if (unrolled.contains(&loop)) {
    trips = evolution.getSmallConstantTripCount(&loop);
    if (trips == 0 || llvm::findStringMetadataForLoop(&loop, "llvm.loop.unroll.disable"))
      return kMostInstructions + 1;
  }
  uint64_t instructions = 0;
  for (llvm::BasicBlock *block : loop.blocks())
    if (llvm::none_of(loop.getSubLoops(),
                      [&](const llvm::Loop *inner) { return inner->contains(block); })) {
      if (trips > 1 && llvm::any_of(*block, isPlacedMeeting))
        return kMostInstructions + 1;
      instructions += block->size();
    }
  for (llvm::Loop *inner : loop.getSubLoops())
    instructions += instructionsOf(*inner, unrolled, evolution);
  return instructions > kMostInstructions ? instructions : trips * instructions;
}

/// Marks the loops that are to be unrolled, and says whether there is an array that is in registers
/// then: with no loop to unroll, one whose loops the last passes before have unrolled.
struct MarkLoops : llvm::PassInfoMixin<MarkLoops> {
  explicit MarkLoops(bool &isAny) : isAny(&isAny) {}

  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    for (llvm::Instruction &instruction : function.getEntryBlock())
      if (auto *array = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          array && !array->getAllocatedType()->isSingleValueType()) {
        const std::optional<Uses> uses = usesOf(*array, evolution);
        if (!uses || llvm::any_of(uses->loops, [&](llvm::Loop *loop) {
              return instructionsOf(*loop, uses->loops, evolution) > kMostInstructions;
            }))
          continue;
        *isAny = true;
        for (llvm::Loop *loop : uses->loops)
          llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.full", 1);
        // Programs read in one type what they wrote in another, such as two halves as an unsigned.
        for (llvm::Instruction *access : uses->accesses)
          access->setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
      }
    return llvm::PreservedAnalyses::all();
  }

  bool *isAny;
};

} // namespace

bool keepArraysInRegisters(llvm::Module &module) {
  bool hasChanged = false;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || function.hasOptNone()) // -cl-opt-disable
      continue;
    bool isMarked = false;
    llvm::FunctionPassManager marking;
    marking.addPass(MarkLoops(isMarked));
    runOn(function, std::move(marking));
    if (!isMarked)
      continue;
    hasChanged = true;
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::LoopUnrollPass(llvm::LoopUnrollOptions(2, /*OnlyWhenForced=*/true)));
    for (int i = 0; i < 2; ++i) { // the second time for indices that the first has made constants
      passes.addPass(llvm::SROAPass());
      passes.addPass(llvm::EarlyCSEPass(true));
      passes.addPass(llvm::InstCombinePass());
      passes.addPass(llvm::SimplifyCFGPass());
      passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(), true));
      passes.addPass(llvm::GVNPass());
    }
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::ADCEPass());
    runOn(function, std::move(passes));
  }
  return hasChanged;
}

} // namespace aiwc::lowering
