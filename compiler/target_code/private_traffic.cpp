#include "common/error.h"
#include "target_code/retarget.h"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/CodeGen/MachineFrameInfo.h>
#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/CodeGen/MachineLoopInfo.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/PseudoSourceValue.h>
#include <llvm/CodeGen/TargetFrameLowering.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <map>
#include <optional>
#include <set>
#include <utility>

namespace aiwc::target_code {
namespace {

constexpr const char *kArrayName = "aiwc.array.";

/// A block by the numbers of its function and of itself in the simulator's module.
using Place = std::pair<uint32_t, uint32_t>;

/// Arrays by number, and for each block the bytes that it accesses of one or more arrays.
struct ArrayAccess {
  Place place;
  std::vector<unsigned> arrays;
  double bytes;
};

/// The number in the name of an array, or of a part of it that an optimisation has made.
std::optional<unsigned> numberOf(llvm::StringRef name) {
  unsigned number = 0;
  if (!name.consume_front(kArrayName) || name.consumeInteger(10, number))
    return std::nullopt;
  return number;
}

/// What is noted of the simulator's blocks before optimisations change them: lines of debug
/// information are their numbers.
class Origins {
public:
  Origins(const llvm::Module &simulated, llvm::Module &module) {
    std::map<std::string, uint32_t> numbers;
    for (const llvm::Function &function : simulated)
      numbers.emplace(function.getName().str(), static_cast<uint32_t>(numbers.size()));
    llvm::DIBuilder builder(module);
    llvm::DIFile *const file = builder.createFile("blocks", "");
    // For profiling: copies of a block note how many there are.
    builder.createCompileUnit(llvm::dwarf::DW_LANG_C, file, "", true, "", 0, "",
                              llvm::DICompileUnit::LineTablesOnly, 0, true, true);
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
    for (llvm::Function &function : module) {
      if (function.isDeclaration())
        continue;
      llvm::DISubprogram *const program = builder.createFunction(
          file, function.getName(), "", file, 1,
          builder.createSubroutineType(builder.getOrCreateTypeArray({})), 1, llvm::DINode::FlagZero,
          llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
      function.setSubprogram(program);
      uint32_t block = 0;
      for (llvm::BasicBlock &from : function) {
        places_.emplace_back(numbers.at(function.getName().str()), block++);
        const auto *const location = llvm::DILocation::get(
            module.getContext(), static_cast<unsigned>(places_.size()), 1, program);
        for (llvm::Instruction &instruction : from)
          instruction.setDebugLoc(location);
      }
    }
    builder.finalize();
    noteArrays(module);
  }

  /// None for an instruction that belongs to no block.
  std::optional<Place> placeOf(const llvm::DILocation *location) const {
    if (!location || location->getLine() == 0 || location->getLine() > places_.size())
      return std::nullopt;
    return places_[location->getLine() - 1];
  }
  const std::vector<ArrayAccess> &accesses() const { return accesses_; }

private:
  void noteArrays(llvm::Module &module) {
    std::map<const llvm::Value *, unsigned> arrays;
    for (llvm::Function &function : module)
      for (llvm::Instruction &instruction : llvm::instructions(function))
        if (llvm::isa<llvm::AllocaInst>(instruction)) {
          const auto number = static_cast<unsigned>(arrays.size());
          arrays.emplace(&instruction, number);
          instruction.setName(kArrayName + std::to_string(number));
        }
    const llvm::DataLayout &layout = module.getDataLayout();
    for (llvm::Function &function : module)
      for (llvm::Instruction &instruction : llvm::instructions(function)) {
        const auto note = [&](const llvm::Value *pointer, uint64_t bytes) {
          std::set<const llvm::Value *> seen;
          std::vector<unsigned> found;
          collect(pointer, arrays, seen, found);
          if (!found.empty())
            accesses_.push_back({*placeOf(instruction.getDebugLoc()), std::move(found),
                                 static_cast<double>(bytes)});
        };
        if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
          note(load->getPointerOperand(), layout.getTypeStoreSize(load->getType()));
        } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
          note(store->getPointerOperand(),
               layout.getTypeStoreSize(store->getValueOperand()->getType()));
        } else if (const auto *set = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&instruction)) {
          const auto *const size = llvm::dyn_cast<llvm::ConstantInt>(set->getLength());
          note(set->getRawDest(), size ? size->getZExtValue() : 0);
          if (const auto *copy = llvm::dyn_cast<llvm::AnyMemTransferInst>(set))
            note(copy->getRawSource(), size ? size->getZExtValue() : 0);
        }
      }
  }

  /// Follows parameters to what callers pass.
  static void collect(const llvm::Value *pointer,
                      const std::map<const llvm::Value *, unsigned> &arrays,
                      std::set<const llvm::Value *> &seen, std::vector<unsigned> &found) {
    llvm::SmallVector<const llvm::Value *, 4> objects;
    llvm::getUnderlyingObjects(pointer, objects);
    for (const llvm::Value *object : objects) {
      if (!seen.insert(object).second)
        continue;
      if (const auto array = arrays.find(object); array != arrays.end())
        found.push_back(array->second);
      if (const auto *parameter = llvm::dyn_cast<llvm::Argument>(object))
        for (const llvm::User *user : parameter->getParent()->users())
          if (const auto *call = llvm::dyn_cast<llvm::CallBase>(user);
              call && call->getCalledFunction() == parameter->getParent())
            collect(call->getArgOperand(parameter->getArgNo()), arrays, seen, found);
    }
  }

  std::vector<Place> places_;
  std::vector<ArrayAccess> accesses_;
};

/// What the machine code keeps in memory.
struct Kept {
  std::map<unsigned, uint64_t> arrays; ///< bytes of a work-item by number
  uint64_t spillSlots = 0;             ///< bytes of a work-item
  std::map<Place, double> spilled;     ///< bytes for one execution of the block
};

/// A block of the simulator's IR, of which there are `copies` in the machine code.
struct Origin {
  Place place;
  unsigned copies;
  auto
  operator<=>(const Origin &) const = default; // NOLINT(modernize-use-nullptr): none is written
};

class MemoryReader final : public llvm::MachineFunctionPass {
public:
  MemoryReader(const Origins &origins, Kept &kept)
      : llvm::MachineFunctionPass(id), origins_(origins), kept_(kept) {}

  bool runOnMachineFunction(llvm::MachineFunction &function) override {
    const llvm::MachineFrameInfo &frame = function.getFrameInfo();
    for (int i = 0; i < frame.getObjectIndexEnd(); ++i) {
      // Other stacks are lanes of registers.
      if (frame.isDeadObjectIndex(i) || frame.getStackID(i) != llvm::TargetStackID::Default)
        continue;
      const llvm::AllocaInst *const array = frame.getObjectAllocation(i);
      const auto number = array ? numberOf(array->getName()) : std::nullopt;
      const auto bytes = static_cast<uint64_t>(frame.getObjectSize(i));
      if (number)
        kept_.arrays[*number] += bytes;
      else if (frame.isSpillSlotObjectIndex(i))
        kept_.spillSlots += bytes;
    }
    std::optional<Origin> origin; // a block without any has that of the block before it
    for (const llvm::MachineBasicBlock &block : function) {
      if (const auto own = originOf(block))
        origin = own;
      const double bytes = spilledBytes(block, frame);
      if (bytes > 0 && origin)
        kept_.spilled[origin->place] += bytes / origin->copies;
    }
    return false;
  }

  static inline char id = 0;

private:
  std::optional<Origin> originOf(const llvm::MachineBasicBlock &block) const {
    std::map<Origin, unsigned> votes;
    for (const llvm::MachineInstr &instruction : block)
      if (const llvm::DILocation *location = instruction.getDebugLoc();
          location && !instruction.isMetaInstruction())
        if (const auto place = origins_.placeOf(location))
          ++votes[{*place, std::max(1U, location->getDuplicationFactor())}];
    std::optional<Origin> best;
    unsigned most = 0;
    for (const auto &[origin, count] : votes)
      if (count > most) {
        best = origin;
        most = count;
      }
    return best;
  }

  static double spilledBytes(const llvm::MachineBasicBlock &block,
                             const llvm::MachineFrameInfo &frame) {
    double bytes = 0;
    for (const llvm::MachineInstr &instruction : block.instrs()) { // those in bundles, too
      if (!instruction.mayLoadOrStore())
        continue;
      for (const llvm::MachineMemOperand *operand : instruction.memoperands()) {
        const auto *const slot =
            llvm::dyn_cast_or_null<llvm::FixedStackPseudoSourceValue>(operand->getPseudoValue());
        if (slot && frame.isSpillSlotObjectIndex(slot->getFrameIndex()))
          bytes += static_cast<double>(operand->getSize());
      }
    }
    return bytes;
  }

  const Origins &origins_;
  Kept &kept_;
};

std::unique_ptr<llvm::TargetMachine> machineOf(const Target &target) {
  static const bool known = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  std::string problem;
  const llvm::Target *const found =
      known ? llvm::TargetRegistry::lookupTarget(target.triple, problem) : nullptr;
  if (!found)
    throw Error("LLVM has no code generator for " + std::string(target.triple) + ": " + problem);
  return std::unique_ptr<llvm::TargetMachine>(
      found->createTargetMachine(target.triple, target.cpu, "", llvm::TargetOptions(),
                                 llvm::Reloc::PIC_, llvm::None, llvm::CodeGenOpt::Aggressive));
}

/// Has the loops of few iterations unrolled whose bodies are too long for LLVM's limit: compilers
/// of devices have other limits. Those that the source or an optimisation excludes stay.
struct UnrollShortLoops : llvm::PassInfoMixin<UnrollShortLoops> {
  static constexpr unsigned kMostIterations = 4;

  // NOLINTNEXTLINE(readability-convert-member-functions-to-static): passes have it so
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder())
      if (const unsigned iterations = evolution.getSmallConstantTripCount(loop);
          iterations > 0 && iterations <= kMostIterations &&
          !llvm::findStringMetadataForLoop(loop, "llvm.loop.unroll.disable"))
        llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.full", 1);
    return llvm::PreservedAnalyses::all();
  }
};

void optimise(llvm::Module &module, llvm::TargetMachine &machine, bool unrollShortLoops = false) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  machine.registerPassBuilderCallbacks(builder);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  if (unrollShortLoops)
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(UnrollShortLoops()));
  passes.addPass(builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3));
  passes.run(module, modules);
}

void generate(llvm::Module &module, llvm::TargetMachine &machine, const Origins &origins,
              Kept &kept) {
  auto &generator = static_cast<llvm::LLVMTargetMachine &>(machine);
  llvm::legacy::PassManager passes;
  llvm::TargetPassConfig *const config = generator.createPassConfig(passes);
  passes.add(config);
  passes.add(new llvm::MachineModuleInfoWrapperPass(&generator));
  if (config->addISelPasses())
    throw Error("LLVM cannot select instructions");
  config->addMachinePasses();
  config->setInitialized();
  passes.add(new MemoryReader(origins, kept));
  passes.run(module);
}

/// Leaves of the arrays only those that the module has in memory if short loops are unrolled, too.
void leaveArraysOfLongLoops(Kept &kept, llvm::Module &module, llvm::TargetMachine &machine) {
  optimise(module, machine, true);
  std::set<unsigned> left;
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (llvm::isa<llvm::AllocaInst>(instruction))
        if (const auto number = numberOf(instruction.getName()))
          left.insert(*number);
  std::erase_if(kept.arrays, [&](const auto &array) { return !left.contains(array.first); });
}

} // namespace

PrivateMemory privateMemory(const llvm::Module &simulated, const std::string &kernel,
                            const Target &target, unsigned workItems) {
  const std::unique_ptr<llvm::Module> module = retargeted(simulated, kernel, target);
  Origins origins(simulated, *module);
  lowerBuiltins(*module, target);
  if (target.isAmd)
    module->getFunction(kernel)->addFnAttr("amdgpu-flat-work-group-size",
                                           "1," + std::to_string(workItems));
  std::string problem;
  llvm::raw_string_ostream text(problem);
  if (llvm::verifyModule(*module, &text))
    throw Error("the kernel has no form for the target: " +
                text.str().substr(0, text.str().find('\n')));
  const auto machine = machineOf(target);
  optimise(*module, *machine);
  Kept kept;
  const auto optimised = llvm::CloneModule(*module); // the code generator changes the module
  generate(*module, *machine, origins, kept);
  if (!kept.arrays.empty())
    leaveArraysOfLongLoops(kept, *optimised, *machine);

  std::map<Place, BlockTraffic> traffic;
  const auto at = [&](const Place &place) -> BlockTraffic & {
    BlockTraffic &block = traffic[place];
    std::tie(block.function, block.block) = place;
    return block;
  };
  for (const ArrayAccess &access : origins.accesses())
    for (const unsigned array : access.arrays)
      if (kept.arrays.contains(array)) {
        at(access.place).bytes += access.bytes;
        break;
      }
  for (const auto &[place, bytes] : kept.spilled)
    at(place).bytes += bytes;
  PrivateMemory result{kept.spillSlots, {}};
  for (const auto &[array, bytes] : kept.arrays)
    result.stackBytes += bytes;
  for (const auto &[place, block] : traffic)
    result.blocks.push_back(block);
  return result;
}

} // namespace aiwc::target_code
