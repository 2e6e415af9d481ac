#include "lowering/optimisation.h"

#include "decoding/builtins.h"
#include "lowering/passes.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/StripDeadPrototypes.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <functional>
#include <vector>

namespace aiwc::lowering {
namespace {

constexpr unsigned kGeneric = 4;

/// The analyses that passes need. Oclgrind compiles with -fno-builtin: no function is taken for one
/// of the C library. As with clang's options there, loops are not vectorised.
class Passes {
public:
  Passes() : builder_(nullptr, tuning()) {
    functions_.registerPass([] {
      llvm::TargetLibraryInfoImpl library(llvm::Triple("spir64-unknown-unknown"));
      library.disableAllFunctions();
      return llvm::TargetLibraryAnalysis(library);
    });
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(components_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, components_, modules_);
  }

  llvm::PassBuilder &builder() { return builder_; }
  void run(llvm::ModulePassManager passes, llvm::Module &module) { passes.run(module, modules_); }
  void run(llvm::FunctionPassManager passes, llvm::Function &function) {
    passes.run(function, functions_);
  }

private:
  static llvm::PipelineTuningOptions tuning() {
    llvm::PipelineTuningOptions options;
    options.LoopUnrolling = options.LoopInterleaving = true; // as at -Oz, if code shrinks
    options.LoopVectorization = options.SLPVectorization = false;
    return options;
  }

  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder builder_;
};

void setVolatile(llvm::Instruction &instruction, bool value) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    load->setVolatile(value);
  else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    store->setVolatile(value);
  else if (auto *change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    change->setVolatile(value);
  else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    exchange->setVolatile(value);
}

/// LLVM's inference, which leaves volatile accesses alone: not every target has them in every
/// address space, but the simulator has.
struct InferSpacesPass : llvm::PassInfoMixin<InferSpacesPass> {
  static llvm::PreservedAnalyses run(llvm::Function &function,
                                     llvm::FunctionAnalysisManager &analyses) {
    std::vector<llvm::Instruction *> volatiles;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (instruction.isVolatile() && !llvm::isa<llvm::CallBase>(instruction))
        volatiles.push_back(&instruction);
    for (llvm::Instruction *instruction : volatiles)
      setVolatile(*instruction, false);
    llvm::PreservedAnalyses result = llvm::InferAddressSpacesPass(kGeneric).run(function, analyses);
    for (llvm::Instruction *instruction : volatiles) // their addresses are replaced, they stay
      setVolatile(*instruction, true);
    return result;
  }
};

/// The inference of address spaces makes instructions without a location: they get that of the
/// first that uses them.
void restoreLocations(llvm::Function &function) {
  if (!function.getSubprogram())
    return;
  for (llvm::BasicBlock *block : llvm::post_order(&function))
    for (llvm::Instruction &instruction : llvm::reverse(*block)) {
      if (instruction.getDebugLoc() || llvm::isa<llvm::PHINode>(instruction) ||
          llvm::isa<llvm::AllocaInst>(instruction))
        continue;
      for (const llvm::User *user : instruction.users())
        if (const auto *after = llvm::cast<llvm::Instruction>(user); after->getDebugLoc())
          instruction.setDebugLoc(after->getDebugLoc()); // the last in the list is the first one
    }
}

void runOnEach(llvm::Module &module, const std::function<llvm::FunctionPassManager()> &passes) {
  Passes context;
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      context.run(passes(), function);
      restoreLocations(function);
    }
}

} // namespace

void removeUnused(llvm::Module &module) {
  llvm::ModulePassManager passes;
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::StripDeadPrototypesPass());
  Passes().run(std::move(passes), module);
}

void simplify(llvm::Module &module) {
  runOnEach(module, [] {
    llvm::FunctionPassManager passes;
    passes.addPass(InferSpacesPass()); // of variables, for SROA
    passes.addPass(llvm::SROAPass());
    passes.addPass(llvm::SCCPPass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::ADCEPass());
    return passes;
  });
}

void inferSpaces(llvm::Module &module) {
  runOnEach(module, [] {
    llvm::FunctionPassManager passes;
    for (int i = 0; i < 2; ++i) { // the second time for pointers in variables of the first
      passes.addPass(InferSpacesPass());
      passes.addPass(llvm::SROAPass());
    }
    passes.addPass(InferSpacesPass());
    return passes;
  });
}

void runOn(llvm::Function &function, llvm::FunctionPassManager passes) {
  Passes().run(std::move(passes), function);
  restoreLocations(function);
}

void inferSpacesThoroughly(llvm::Function &function) {
  llvm::FunctionPassManager passes;
  for (int i = 0; i < 2; ++i) {
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SROAPass());
    passes.addPass(llvm::GVNPass());
    passes.addPass(InferSpacesPass());
    passes.addPass(llvm::SimplifyCFGPass());
  }
  runOn(function, std::move(passes));
}

bool placeWarpSize(llvm::Module &module, unsigned lanes) {
  llvm::Function *size = module.getFunction(decoding::kWarpSizeFunction);
  if (!size)
    return false;
  while (!size->use_empty()) {
    auto *call = llvm::cast<llvm::CallInst>(size->user_back());
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), lanes));
    call->eraseFromParent();
  }
  size->eraseFromParent();
  runOnEach(module, [] {
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SCCPPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::ADCEPass());
    return passes;
  });
  lowerIntrinsics(module); // as behind `optimise`
  expandAddressArithmetic(module);
  return true;
}

void optimise(llvm::Module &module) {
  Passes context;
  context.run(context.builder().buildPerModuleDefaultPipeline(llvm::OptimizationLevel::Oz), module);
}

} // namespace aiwc::lowering
