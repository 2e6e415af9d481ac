#include "plugin/engine/jit.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>

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

llvm::orc::JITTargetMachineBuilder machineBuilder() {
  auto builder = expect(llvm::orc::JITTargetMachineBuilder::detectHost());
  // Oclgrind rounds after every operation.
  builder.getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  builder.setCodeGenOptLevel(llvm::CodeGenOpt::Default);
  return builder;
}

llvm::orc::LLJIT &jit() {
  static llvm::orc::LLJIT *instance = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return expect(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(machineBuilder()).create())
        .release(); // outlives every static destructor
  }();
  return *instance;
}

void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
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
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules);
}

} // namespace

std::unique_ptr<CompiledKernel> compile(const llvm::Function &kernel, const DecodedProgram &decoded,
                                        const oclgrind::InterpreterCache &cache) {
#ifndef __x86_64__
  throw NotCompilable("the engine does not know this processor");
#endif
  llvm::orc::LLJIT &engine = jit();
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*kernel.getParent(), stream);
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = expect(llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(llvm::StringRef(bitcode.data(), bitcode.size()), "kernel"), *context));

  auto machine = expect(machineBuilder().createTargetMachine());
  module->setTargetTriple(machine->getTargetTriple().str());
  module->setDataLayout(machine->createDataLayout());
  auto compiled = std::make_unique<CompiledKernel>();
  compiled->code = lower(*module, kernel, decoded, cache);
  std::string broken;
  llvm::raw_string_ostream brokenStream(broken);
  if (std::getenv("AIWC_ENGINE_DUMP"))
    module->print(llvm::errs(), nullptr);
  if (llvm::verifyModule(*module, &brokenStream))
    throw NotCompilable("internal error: " + brokenStream.str());
  optimise(*module, *machine);

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
  compiled->run =
      reinterpret_cast<void (*)(State *)>(expect(engine.lookup(library, kEntryName)).getAddress());
  return compiled;
}

} // namespace aiwc::plugin::engine
