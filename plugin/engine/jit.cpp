#include "plugin/engine/jit.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <cstdlib>
#include <string>

namespace aiwc::plugin::engine {
namespace {

template <typename Value> Value expect(llvm::Expected<Value> value) {
  if (!value)
    throw NotCompilable("internal error: " + llvm::toString(value.takeError()));
  return std::move(*value);
}

void expectSuccess(llvm::Error error) {
  if (error)
    throw NotCompilable("internal error: " + llvm::toString(std::move(error)));
}

llvm::orc::JITTargetMachineBuilder machineBuilder(llvm::CodeGenOpt::Level level) {
  auto builder = expect(llvm::orc::JITTargetMachineBuilder::detectHost());
  // Oclgrind rounds after every operation.
  builder.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  builder.setCodeGenOptLevel(level);
  return builder;
}

/// One per level, made when it is first asked for; they outlive every static destructor.
llvm::orc::LLJIT &jit(llvm::CodeGenOpt::Level level) {
  static llvm::orc::LLJIT *instances[2] = {};
  llvm::orc::LLJIT *&instance = instances[level == llvm::CodeGenOpt::None ? 0 : 1];
  if (!instance) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    instance =
        expect(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(machineBuilder(level)).create())
            .release();
  }
  return *instance;
}

/// Few passes: of a kernel's time a few hundredths are spent in its code, the rest where the trace
/// is analysed, while the default pipeline takes a tenth of a second for a long kernel. Those that
/// are made in any case leave less to be compiled.
void optimise(llvm::Module &module, llvm::TargetMachine &machine, Effort effort) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::LoopPassManager inLoops;
  inLoops.addPass(llvm::LoopRotatePass());
  inLoops.addPass(llvm::LICMPass());
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass());
  passes.addPass(llvm::EarlyCSEPass(true));
  if (effort == Effort::kMuch) {
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(inLoops), true));
    passes.addPass(llvm::EarlyCSEPass(true));
  }
  passes.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager pipeline;
  pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  pipeline.run(module, modules);
}

} // namespace

void CompiledKernel::improve(std::unique_ptr<CompiledKernel> kernel) {
  effort = kernel->effort;
  if (!isPreparedAs(*kernel))
    return;
  run = kernel->run;
  better = std::move(kernel);
}

void CompiledKernel::improveUnobserved(std::unique_ptr<CompiledKernel> kernel) {
  if (!isPreparedAs(*kernel)) // the code that is there will do
    kernel->run = run;
  untraced = std::move(kernel);
}

bool CompiledKernel::isPreparedAs(const CompiledKernel &other) const {
  return other.code.slots == code.slots && other.code.blockAccesses == code.blockAccesses &&
         other.code.synchronises == code.synchronises;
}

std::unique_ptr<CompiledKernel> compile(const llvm::Function &kernel, const DecodedProgram &decoded,
                                        const oclgrind::InterpreterCache &cache, Effort effort,
                                        Tracing tracing) {
#ifndef __x86_64__
  throw NotCompilable("the engine does not know this processor");
#endif
  const llvm::CodeGenOpt::Level level =
      effort == Effort::kMuch ? llvm::CodeGenOpt::Less : llvm::CodeGenOpt::None;
  llvm::orc::LLJIT &engine = jit(level);
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*kernel.getParent(), stream);
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = expect(llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(llvm::StringRef(bitcode.data(), bitcode.size()), "kernel"), *context));

  auto machine = expect(machineBuilder(level).createTargetMachine());
  module->setTargetTriple(machine->getTargetTriple().str());
  module->setDataLayout(machine->createDataLayout());
  auto compiled = std::make_unique<CompiledKernel>();
  compiled->effort = effort;
  compiled->code = lower(*module, kernel, decoded, cache, tracing);
  std::string broken;
  llvm::raw_string_ostream brokenStream(broken);
  if (std::getenv("AIWC_ENGINE_DUMP"))
    module->print(llvm::errs(), nullptr);
  if (llvm::verifyModule(*module, &brokenStream))
    throw NotCompilable("internal error: " + brokenStream.str());
  optimise(*module, *machine, effort);

  static unsigned count = 0;
  const std::string name = "kernel" + std::to_string(count++);
  llvm::Expected<llvm::orc::JITDylib &> created = engine.createJITDylib(name);
  if (!created)
    throw NotCompilable("internal error: " + llvm::toString(created.takeError()));
  llvm::orc::JITDylib &library = *created;
  library.addGenerator(expect(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      engine.getDataLayout().getGlobalPrefix())));
  expectSuccess(engine.addIRModule(
      library, llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
  const uint64_t entry = expect(engine.lookup(library, kEntryName)).getAddress();
  compiled->run = reinterpret_cast<void (*)(State *)>(entry); // NOLINT(performance-no-int-to-ptr)
  return compiled;
}

} // namespace aiwc::plugin::engine
