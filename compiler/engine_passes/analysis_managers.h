#pragma once

#include <llvm/Passes/PassBuilder.h>

namespace aiwc::engine {

/// The analyses that LLVM's passes ask for, of modules, functions and loops.
struct AnalysisManagers {
  explicit AnalysisManagers(llvm::PassBuilder &builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
};

} // namespace aiwc::engine
