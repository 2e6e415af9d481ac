#include "plugin/engine/jit.h"

#include "engine_passes/analysis_managers.h"
#include "plugin/engine/engine_build.h"
#include "session/code_cache.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace aiwc::engine {
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

llvm::CodeGenOpt::Level levelOf(Tier tier) {
  return tier == Tier::kOptimised ? llvm::CodeGenOpt::Less : llvm::CodeGenOpt::None;
}

/// Most instructions that are compiled: about 5 s of work for the baseline tier, and 3 s for the
/// optimised one, for which some of LLVM's passes take quadratic time.
constexpr uint64_t mostInstructions(Tier tier) {
  return tier == Tier::kOptimised ? 100000 : 700000;
}

void checkLength(uint64_t instructions, Tier tier) {
  if (instructions > mostInstructions(tier))
    throw NotCompilable("it is so long that compiling it would take too long");
}

llvm::orc::JITDylib &expectReference(llvm::Expected<llvm::orc::JITDylib &> library) {
  if (!library)
    throw NotCompilable("internal error: " + llvm::toString(library.takeError()));
  return *library;
}

/// Instructions of the program that the interpreter executes.
uint64_t instructionsOf(const decoding::DecodedProgram &decoded) {
  uint64_t count = 0;
  for (size_t i = 0; i < decoded.program().blocks.size(); ++i)
    for (const llvm::Instruction *const *at = decoded.instructions(static_cast<trace::BlockId>(i));
         *at; ++at)
      ++count;
  return count;
}

/// Instructions of the module. One on a vector counts as one for each 64 bytes of its result.
uint64_t instructionsOf(const llvm::Module &module) {
  uint64_t count = 0;
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block)
        count += std::max<uint64_t>(1, instruction.getType()->getPrimitiveSizeInBits() / 512);
  return count;
}

void initialiseTarget() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
}

/// ORC's error messages; its return values lack them.
std::string reported;

/// Makes object files part of the process. It outlives every static destructor.
llvm::orc::LLJIT &linker() {
  static llvm::orc::LLJIT &instance = *[] {
    initialiseTarget();
    auto made = expect(llvm::orc::LLJITBuilder()
                           .setJITTargetMachineBuilder(machineBuilder(llvm::CodeGenOpt::None))
                           .create());
    // By default ORC prints its errors.
    made->getExecutionSession().setErrorReporter(
        [](llvm::Error error) { reported += llvm::toString(std::move(error)); });
    return made.release();
  }();
  return instance;
}

CodeCache *codeCache = nullptr; ///< null: machine code is not cached; outlives static destructors

CodeCounts counts;

/// Identifies the machine code of a lowered module in the cache.
std::string keyOf(const llvm::Module &module, const llvm::TargetMachine &machine, Tier tier) {
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  return CodeCache::keyOf({engineBuild(),
                           machine.getTargetTriple().str(),
                           machine.getTargetCPU(),
                           machine.getTargetFeatureString(),
                           std::to_string(static_cast<int>(tier)),
                           {bitcode.data(), bitcode.size()}});
}

/// Under this key the cache has the key of the optimised tier of a kernel whose baseline tier has
/// the key `key`.
std::string keyOfBetter(std::string_view key) {
  return CodeCache::keyOf({"better", key});
}

/// Writes "a ? true : b" and "a ? b : false", which SimplifyCFG makes of two branches, as bitwise
/// operations. The fast instruction selector of LLVM 14 knows no other selection of truth values,
/// and leaves the rest of a block to the slow one, which takes ten times as long. Call it after the
/// last pass that knows poison: an operand that does not count may be poison.
void replaceLogicalSelects(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
        auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
        if (!select || !select->getType()->isIntegerTy(1))
          continue;
        llvm::IRBuilder<> at(select);
        llvm::Value *condition = select->getCondition();
        llvm::Value *value = nullptr;
        if (llvm::PatternMatch::match(select->getTrueValue(), llvm::PatternMatch::m_One()))
          value = at.CreateOr(condition, select->getFalseValue());
        else if (llvm::PatternMatch::match(select->getFalseValue(), llvm::PatternMatch::m_Zero()))
          value = at.CreateAnd(condition, select->getTrueValue());
        else
          continue;
        select->replaceAllUsesWith(value);
        select->eraseFromParent();
      }
}

/// Runs few passes: only a few per cent of a kernel's time are spent in its code, the rest in the
/// analysis of the trace, while the default pipeline takes 0.1 s for a long kernel. The passes that
/// run even for the baseline tier reduce the code to compile.
void optimise(llvm::Module &module, llvm::TargetMachine &machine, Tier tier) {
  llvm::PassBuilder builder(&machine);
  AnalysisManagers analyses(builder);
  llvm::LoopPassManager inLoops;
  inLoops.addPass(llvm::LoopRotatePass());
  inLoops.addPass(llvm::LICMPass());
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass());
  passes.addPass(llvm::EarlyCSEPass(true));
  if (tier == Tier::kOptimised) {
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(inLoops), true));
    passes.addPass(llvm::EarlyCSEPass(true));
  }
  passes.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager pipeline;
  pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  pipeline.run(module, analyses.modules);
  if (tier == Tier::kBaseline)
    replaceLogicalSelects(module);
}

} // namespace

/// What the code generator says of a module.
struct CodeGeneratorReport {
  llvm::StringMap<uint64_t> frames; ///< bytes, by function; none if the function has no frame
  std::string errors;
};

namespace {

/// Collects what LLVM would print. Without it, LLVM would end the process after an error.
class Collector final : public llvm::DiagnosticHandler {
public:
  explicit Collector(std::shared_ptr<CodeGeneratorReport> report) : report_(std::move(report)) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getKind() == llvm::DK_StackSize) {
      const auto &frame = llvm::cast<llvm::DiagnosticInfoStackSize>(info);
      report_->frames[frame.getFunction().getName()] = frame.getResourceSize();
    } else if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(report_->errors);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }

private:
  std::shared_ptr<CodeGeneratorReport> report_;
};

/// Bytes that a call takes in addition to the frame that the code generator reports: the return
/// address, saved registers and the padding that aligns the frame.
constexpr size_t kCallBytes = 256;

/// The bytes of the deepest chain of calls.
size_t deepestFrames(const KernelCode &code, const CodeGeneratorReport &report) {
  std::vector<size_t> depths;
  for (const LoweredFunction &function : code.functions) {
    size_t deepest = 0;
    for (const size_t callee : function.callees)
      deepest = std::max(deepest, depths[callee]);
    depths.push_back(deepest + report.frames.lookup(function.name) + kCallBytes);
  }
  return depths.back();
}

} // namespace

void CompiledKernel::improve(std::unique_ptr<CompiledKernel> kernel) {
  tier = kernel->tier;
  if (!isPreparedAs(*kernel))
    return;
  run = kernel->run;
  frameBytes = std::max(frameBytes, kernel->frameBytes);
  if (!cacheKey.empty() && !kernel->cacheKey.empty())
    codeCache->store(keyOfBetter(cacheKey), kernel->cacheKey);
  better = std::move(kernel);
}

void CompiledKernel::improveUntraced(std::unique_ptr<CompiledKernel> kernel) {
  if (!isPreparedAs(*kernel)) { // untraced groups keep the existing code
    if (kernel->code.isApart)
      return;
    kernel->run = run;
    kernel->code.runsGroups = false;
  }
  frameBytes = std::max(frameBytes, kernel->frameBytes);
  (kernel->code.isApart ? apart : untraced) = std::move(kernel);
}

bool CompiledKernel::isPreparedAs(const CompiledKernel &other) const {
  return other.code.slots == code.slots && other.code.blockAccesses == code.blockAccesses &&
         other.code.synchronises == code.synchronises;
}

LoweredKernel::LoweredKernel(const llvm::Function &kernel, const decoding::DecodedProgram &decoded,
                             const oclgrind::InterpreterCache &cache, Tier tier, Tracing tracing,
                             const ArgumentValues &seen, Groups groups, const Accesses &inBounds)
    : context_(std::make_unique<llvm::LLVMContext>()), kernel_(std::make_unique<CompiledKernel>()),
      report_(std::make_shared<CodeGeneratorReport>()) {
  checkLength(instructionsOf(decoded), tier); // they become several times as many
  initialiseTarget();
  context_->setDiagnosticHandler(std::make_unique<Collector>(report_));
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*kernel.getParent(), stream);
  module_ = expect(llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(llvm::StringRef(bitcode.data(), bitcode.size()), "kernel"), *context_));

  machine_ = expect(machineBuilder(levelOf(tier)).createTargetMachine());
  module_->setTargetTriple(machine_->getTargetTriple().str());
  module_->setDataLayout(machine_->createDataLayout());
  module_->setSourceFileName(""); // the code does not depend on it, and its key shall not
  kernel_->tier = tier;
  kernel_->code = lower(*module_, kernel, decoded, cache, tracing, seen, groups, inBounds);
  checkLength(instructionsOf(*module_), tier);
  if (codeCache && !engineBuild().empty())
    kernel_->cacheKey = keyOf(*module_, *machine_, tier);
  if (std::getenv("AIWC_ENGINE_DUMP"))
    module_->print(llvm::errs(), nullptr);
#ifndef NDEBUG // it takes a twentieth of the time of a compilation
  std::string broken;
  llvm::raw_string_ostream brokenStream(broken);
  if (llvm::verifyModule(*module_, &brokenStream))
    throw NotCompilable("internal error: " + brokenStream.str());
#endif
}

LoweredKernel::~LoweredKernel() = default;
LoweredKernel::LoweredKernel(LoweredKernel &&) noexcept = default;

bool LoweredKernel::wasImproved() const {
  if (kernel_->cacheKey.empty())
    return false;
  const CodeCache &cache = *codeCache;
  const std::optional<std::string> better = cache.find(keyOfBetter(kernel_->cacheKey));
  return better && cache.find(*better);
}

bool LoweredKernel::takeFromCache(const CodeCache &cache) {
  const std::optional<std::string> cached = cache.find(kernel_->cacheKey);
  if (!cached || cached->size() <= sizeof kernel_->frameBytes)
    return false;
  try {
    link(cached->substr(sizeof kernel_->frameBytes));
  } catch (const NotCompilable &) {
    return false; // so can be the code that the caller compiles, and then it says why
  }
  std::memcpy(&kernel_->frameBytes, cached->data(), sizeof kernel_->frameBytes);
  return true;
}

std::string LoweredKernel::generate() {
  optimise(*module_, *machine_, kernel_->tier);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  llvm::legacy::PassManager passes;
  llvm::MCContext *context = nullptr;
  if (machine_->addPassesToEmitMC(passes, context, stream))
    throw NotCompilable("internal error: no code generator");
  passes.run(*module_);
  if (!report_->errors.empty())
    throw NotCompilable("its machine code could not be generated: " + report_->errors);
  kernel_->frameBytes = deepestFrames(kernel_->code, *report_);
  return {object.data(), object.size()};
}

void LoweredKernel::link(const std::string &object) {
  static unsigned count = 0;
  const std::string name = "kernel" + std::to_string(count++);
  llvm::orc::LLJIT &process = linker();
  llvm::orc::JITDylib &library = expectReference(process.createJITDylib(name));
  library.addGenerator(expect(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      process.getDataLayout().getGlobalPrefix())));
  expectSuccess(process.addObjectFile(library, llvm::MemoryBuffer::getMemBufferCopy(object, name)));
  reported.clear();
  llvm::Expected<llvm::JITEvaluatedSymbol> found = process.lookup(library, kEntryName);
  if (!found) {
    const std::string failure = llvm::toString(found.takeError());
    throw NotCompilable("its machine code could not be generated: " +
                        (reported.empty() ? failure : reported));
  }
  const uint64_t entry = found->getAddress();
  kernel_->run.function =
      reinterpret_cast<decltype(kernel_->run.function)>(entry); // NOLINT(performance-no-int-to-ptr)
  kernel_->run.addresses = kernel_->code.addresses.data();
}

std::unique_ptr<CompiledKernel> LoweredKernel::compile() {
  CodeCache *const cache = kernel_->cacheKey.empty() ? nullptr : codeCache;
  if (cache && takeFromCache(*cache)) {
    ++counts.cached;
    return std::move(kernel_);
  }
  const std::string object = generate();
  link(object);
  ++counts.compiled;
  if (cache) {
    std::string content(sizeof kernel_->frameBytes, '\0');
    std::memcpy(content.data(), &kernel_->frameBytes, content.size());
    cache->store(kernel_->cacheKey, content + object);
  }
  return std::move(kernel_);
}

CodeCounts codeCounts() {
  return counts;
}

void cacheCodeIn(const std::filesystem::path &folder) {
  codeCache = folder.empty() ? nullptr : new CodeCache(folder);
}

} // namespace aiwc::engine
