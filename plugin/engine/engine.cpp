#include "plugin/engine/engine.h"

#include "engine_passes/value_types.h"
#include "plugin/engine/group_threads.h"
#include "simulator/images.h"

#include <algorithm>
#include <utility>

namespace aiwc::engine {

namespace {

size_t product(const oclgrind::Size3 &size) {
  return size.x * size.y * size.z;
}

/// An option of Oclgrind that is set and needs the interpreter; null if there is none.
const char *interpretersOption() {
  for (const char *variable : {"OCLGRIND_INST_COUNTS", "OCLGRIND_DATA_RACES",
                               "OCLGRIND_UNINITIALIZED", "OCLGRIND_INTERACTIVE", "OCLGRIND_QUICK"})
    if (oclgrind::checkEnv(variable))
      return variable;
  return nullptr;
}

/// Better machine code saves one or two nanoseconds per instruction executed and costs about 80
/// microseconds more per instruction compiled. So it pays if the average block of the kernel is
/// executed about 50 000 times.
bool isWorthOptimising(uint64_t blocksExecuted, const trace::Program &program) {
  constexpr uint64_t kExecutions = 50000;
  return blocksExecuted >= kExecutions * program.blocks.size();
}

/// Code that runs several work-items at once takes up to a millisecond per instruction of the
/// kernel to compile, and saves at most a nanosecond for each that is executed.
bool isWorthWide(uint64_t instructionsExecuted, const trace::Program &program) {
  constexpr uint64_t kExecutions = 4000000;
  return instructionsExecuted >= kExecutions * program.operations.size();
}

/// Handing a round of groups to threads, and comparing what they accessed, takes some 50
/// microseconds.
constexpr uint64_t kLeastInRound = 1'000'000;

/// A round takes about a quarter of a second. Only between rounds can the launch be ended, its
/// progress be shown and its code be improved.
constexpr uint64_t kMostInRound = 500'000'000;

/// A group that runs before those that precede it may execute so many times what an earlier one has
/// executed, and at least what a round has.
constexpr uint64_t kMostTimesWork = 16;

/// Whether to run so many groups, each of which executes so many instructions, on several threads
/// at once.
bool isWorthThreads(const Observer &observer, size_t groups, uint64_t instructions) {
  return groups > 1 && (observer.optimised || groups * instructions >= kLeastInRound);
}

/// Whether so many groups are worth a proof, which takes as long as a short launch.
bool isWorthProof(const Observer &observer, size_t groups, const oclgrind::Size3 &size) {
  constexpr size_t kLeastItems = 1 << 14;
  return observer.optimised || groups * product(size) >= kLeastItems;
}

/// Null if the system refuses threads or memory.
std::unique_ptr<GroupThreads> groupThreads(const EngineLaunch &launch, unsigned threads) {
  try {
    return std::make_unique<GroupThreads>(launch, threads);
  } catch (const std::exception &) {
    return nullptr;
  }
}

/// The groups of `observer` that are not traced and come next, up to the end of a round.
size_t endOfRound(const Observer &observer, size_t begin, size_t groups, uint64_t instructions) {
  const size_t most = std::max<size_t>(GroupThreads::kPartsPerThread * observer.threads,
                                       kMostInRound / std::max<uint64_t>(1, instructions));
  size_t end = begin + 1;
  while (end < groups && end - begin < most && !observer.isTraced(end))
    ++end;
  return end;
}

/// The formats of the images and the bits of the samplers among the launch's arguments.
ArgumentValues imagesAndSamplers(const oclgrind::Kernel &kernel) {
  ArgumentValues values;
  for (auto argument = kernel.values_begin(); argument != kernel.values_end(); ++argument) {
    const llvm::Type &type = *argument->first->getType();
    if (imageTypeName(type).empty() && !isSampler(type))
      continue;
    const uint64_t value = argument->second.getPointer();
    if (const oclgrind::Image *image = isSampler(type) ? nullptr : simulator::imageOf(value))
      values[argument->first].insert(formatCode(image->format));
    if (isSampler(type) && value) // in Oclgrind the address of the constant
      values[argument->first].insert(
          reinterpret_cast<const llvm::ConstantInt *>(value) // NOLINT(performance-no-int-to-ptr)
              ->getZExtValue());
  }
  return values;
}

LoweredKernel lowerFor(const oclgrind::KernelInvocation &invocation,
                       const decoding::DecodedProgram &decoded, Tier tier,
                       Tracing tracing = Tracing::kOn, Groups groups = Groups::kInOrder,
                       const Accesses &inBounds = {}) {
  const oclgrind::Kernel &kernel = *invocation.getKernel();
  return {*kernel.getFunction(),
          decoded,
          *kernel.getProgram()->getInterpreterCache(kernel.getFunction()),
          tier,
          tracing,
          tier == Tier::kOptimised ? imagesAndSamplers(kernel) : ArgumentValues(),
          groups,
          inBounds};
}

bool onlyOurPlugin() {
  const char *plugins = std::getenv("OCLGRIND_PLUGINS");
  return !plugins || !std::strchr(plugins, ':');
}

} // namespace

Engine &Engine::instance() {
  static auto *engine = new Engine; // outlives every static destructor
  return *engine;
}

Engine::Entry &Engine::entryFor(const oclgrind::KernelInvocation &invocation,
                                const decoding::DecodedProgram &decoded) {
  const oclgrind::Kernel &kernel = *invocation.getKernel();
  Entry &entry = entries_[kernel.getFunction()];
  if (entry.decoding != decoded.id()) { // a program may lie where an earlier one lay
    entry = Entry();
    entry.decoding = decoded.id();
  }
  return entry;
}

void Engine::compile(Entry &entry, const oclgrind::KernelInvocation &invocation,
                     const decoding::DecodedProgram &decoded, bool optimised) {
  try {
    LoweredKernel lowered =
        lowerFor(invocation, decoded, optimised ? Tier::kOptimised : Tier::kBaseline);
    entry.kernel = lowered.wasImproved() ? lowerFor(invocation, decoded, Tier::kOptimised).compile()
                                         : lowered.compile();
  } catch (const std::exception &error) {
    entry.refusal = error.what();
  } catch (...) { // Oclgrind's exceptions are no std::exception here
    entry.refusal = "Oclgrind does not know a function that it calls";
  }
}

void Engine::forgetFailure(const llvm::Function &kernel) {
  const auto entry = entries_.find(&kernel);
  if (entry != entries_.end() && entry->second.kernel)
    entry->second.refusal.clear();
}

/// The run of one launch. Its work-groups run in the order of their ids; those that are not traced
/// may run on several threads at once.
class Engine::Run {
public:
  /// The memory is empty between launches.
  Run(Entry &entry, const oclgrind::KernelInvocation &invocation,
      const decoding::DecodedProgram &decoded, const Observer &observer, GlobalView &global,
      Stacks &stacks, trace::Recorder::Memory &traceMemory, std::vector<MappedRegion> mapped)
      : entry_(entry), invocation_(invocation), decoded_(decoded), observer_(observer),
        global_(global), launch_{*entry.kernel,
                                 invocation,
                                 decoded.program(),
                                 global,
                                 stacks,
                                 apart_,
                                 observer.groupDone != nullptr},
        runtime_(launch_, observer.trace, traceMemory), count_(product(invocation.getNumGroups())),
        pointers_(runtime_.globalPointers()) {
    const oclgrind::Memory &memory = *invocation.getContext()->getGlobalMemory();
    global.begin(std::move(mapped));
    for (const GlobalPointer &pointer : pointers_)
      global.add(memory, pointer.address);
    if (entry.kernel->code.loadsAddresses) // OpenCL C 1.2 has none in memory, but CUDA has
      global.addAll(memory);
    runtime_.prepareImages();
  }

  /// `Outcome::refusal` is what the launch did that the interpreter has to do.
  Outcome run() {
    while (next_ < count_ && !undone_ && failure_.empty()) {
      const bool traced = observer_.isTraced(next_);
      if (!traced && !observer_.runsOthers)
        finishGroup(nullptr);
      else if (traced || !runAtOnce())
        runGroup(traced);
    }
    if (!undone_) {
      for (const bool traced : {false, true})
        entry_.blocksExecuted[traced] += runtime_.blocksExecuted(traced);
      entry_.untracedInstructions += untracedInstructions();
    }
    if (failure_.empty() && !undone_)
      undone_ = observer_.finish() == Verdict::kUndo;
    if (failure_.empty() && !undone_)
      runtime_.writeOutput();
    return {undone_, failure_};
  }

private:
  /// Ends the next group. `work`: what it has executed without a trace.
  void finishGroup(const GroupWork *work) {
    const size_t group = next_++;
    undone_ = observer_.groupDone && observer_.groupDone(group, work) == Verdict::kUndo;
  }

  void runGroup(bool traced) {
    if (!runtime_.runGroup(next_, traced)) {
      failure_ = runtime_.reason();
      return;
    }
    if (!traced) {
      instructions_ = runtime_.work().executed.instructions;
      ranApart_ |= apart_ != nullptr;
    }
    finishGroup(traced ? nullptr : &runtime_.work());
    improveIfPossible(traced);
  }

  /// Runs the next groups, none of which is traced, on several threads. Returns false if this is
  /// not allowed or does not pay; then no group has run.
  bool runAtOnce() {
    useProof();
    if (observer_.threads == 1 || next_ < inOrderUntil_ ||
        (apart_ ? !ranApart_ : entry_.needsOrder()) || !GroupThreads::canRun(launch_, pointers_))
      return false;
    const size_t end = endOfRound(observer_, next_, count_, instructions_);
    inOrderUntil_ = instructions_ > 0 ? end : next_ + 1;
    if (!isWorthThreads(observer_, end - next_, instructions_))
      return false;
    if (!atOnce_)
      atOnce_ = groupThreads(launch_, observer_.threads);
    if (!atOnce_) {
      entry_.roundsRolledBack = Entry::kMostRolledBack;
      inOrderUntil_ = count_;
      return false;
    }
    bool done = false;
    if (apart_) {
      GroupThreads::Round round = atOnce_->runApart(next_, end, runtime_);
      failure_ = std::move(round.failure);
      if (!failure_.empty())
        return true;
      done = round.done;
    }
    for (; !apart_ && !done && !entry_.needsOrder(); entry_.roundsRolledBack += !done)
      done = atOnce_->run(next_, end, entry_.roundsRolledBack > 0,
                          std::max(kMostInRound, kMostTimesWork * instructions_));
    if (!done)
      return false;
    while (next_ < end && !undone_)
      finishGroup(&atOnce_->work(next_));
    improveIfPossible(false);
    return true;
  }

  /// Proves that the groups are apart, if that pays, and takes the code for such launches.
  void useProof() {
    if (!isProved_ && isWorthProof(observer_, count_ - next_, invocation_.getLocalSize())) {
      isProved_ = true;
      if (!entry_.accesses)
        entry_.accesses =
            std::make_unique<ProvableAccesses>(*invocation_.getKernel()->getFunction());
      if (!entry_.isNeverApart && !entry_.kernel->code.loadsAddresses)
        proof_ = entry_.accesses->prove(invocation_, pointers_, global_);
    }
    if (apart_ || !entry_.kernel->apart || !proof_.covers(entry_.kernel->apart->code))
      return;
    // What has no saved memory cannot be undone: neither code nor callbacks may want it.
    if (observer_.mayUndo || entry_.kernel->apart->code.callsRuntime)
      for (const LaunchProof::Range &range : proof_.written)
        global_.saveGranules(range.address, range.size);
    apart_ = entry_.kernel->apart.get();
  }

  uint64_t untracedInstructions() const {
    return runtime_.untracedInstructions() + (atOnce_ ? atOnce_->untracedInstructions() : 0);
  }

  /// Compiles better code for traced or untraced work-groups, once enough has been executed, in all
  /// launches, to pay for the compilation. If the compilation fails, the existing code stays in
  /// use.
  void improveIfPossible(bool traced) {
    if (undone_)
      return;
    try {
      improve(traced);
    } catch (...) { // too long, no memory, or no executable memory
      entry_.isGoodEnough = true;
    }
    if (apart_)
      apart_ = entry_.kernel->apart.get();
  }

  void improve(bool traced) {
    CompiledKernel &kernel = *entry_.kernel;
    if (entry_.isGoodEnough)
      return;
    // Code for groups that are apart is made for what is known in one launch. Launches of which
    // less is known have the other code.
    const bool areApart = !traced && proof_.groupsAreApart && !entry_.isNeverApart &&
                          (!kernel.apart || proof_.covers(kernel.apart->code));
    CompiledKernel *const untraced = areApart ? kernel.apart.get() : kernel.untraced.get();
    const bool vectorises = !traced && untraced;
    if (traced ? kernel.tier == Tier::kOptimised : vectorises && untraced->code.triedWide)
      return;
    const trace::Program &program = decoded_.program();
    const bool isWorth =
        vectorises ? isWorthWide(entry_.untracedInstructions + untracedInstructions(), program)
                   : isWorthOptimising(
                         entry_.blocksExecuted[traced] + runtime_.blocksExecuted(traced), program);
    if (!observer_.optimised && !isWorth)
      return;
    const Tracing tracing = traced                              ? Tracing::kOn
                            : vectorises || observer_.optimised ? Tracing::kOffAndWide
                                                                : Tracing::kOff;
    const Groups groups = areApart                                        ? Groups::kApart
                          : observer_.threads > 1 && !entry_.needsOrder() ? Groups::kAtOnce
                                                                          : Groups::kInOrder;
    LoweredKernel lowered =
        lowerFor(invocation_, decoded_, Tier::kOptimised, tracing, groups,
                 vectorises && areApart ? untraced->code.inBounds : proof_.inBounds);
    if (areApart && !lowered.code().builtins.empty()) {
      entry_.isNeverApart = true;
      return;
    }
    if (vectorises && !lowered.code().runsSeveral) { // it would be the same code again
      untraced->code.triedWide = true;
      return;
    }
    if (traced)
      kernel.improve(lowered.compile());
    else
      kernel.improveUntraced(lowered.compile());
  }

  Entry &entry_;
  const oclgrind::KernelInvocation &invocation_;
  const decoding::DecodedProgram &decoded_;
  const Observer &observer_;
  GlobalView &global_;
  const CompiledKernel *apart_ = nullptr; ///< once the groups are known to be apart
  const EngineLaunch launch_;
  ThreadRuntime runtime_;
  const size_t count_; ///< of groups
  const std::vector<GlobalPointer> pointers_;

  size_t next_ = 0; ///< the group that comes next
  bool undone_ = false;
  std::string failure_; ///< why the launch needs the interpreter; empty: it does not
  LaunchProof proof_;
  bool isProved_ = false;     ///< `proof_` has been tried
  bool ranApart_ = false;     ///< `runtime_` has run a group of `apart_`, and has memory for others
  size_t inOrderUntil_ = 0;   ///< groups before are too few to run at once
  uint64_t instructions_ = 0; ///< of the last group that was not traced
  std::unique_ptr<GroupThreads> atOnce_; ///< once there are groups to run so
};

Outcome Engine::run(const oclgrind::KernelInvocation &invocation,
                    const decoding::DecodedProgram &decoded, const Observer &observer,
                    std::vector<MappedRegion> mapped) {
  if (const char *option = interpretersOption())
    return {.refusal = std::string(option) + " is set"};
  if (!onlyOurPlugin())
    return {.refusal = "another plugin is loaded"};
  Entry &entry = entryFor(invocation, decoded);
  if (!entry.kernel && entry.refusal.empty())
    compile(entry, invocation, decoded, observer.optimised);
  if (!entry.refusal.empty())
    return {.refusal = entry.refusal};
  if (entry.kernel->code.synchronises &&
      !Stacks::fit(product(invocation.getLocalSize()), entry.kernel->frameBytes))
    return {.refusal = "the stacks of its work-items would take too much memory"};
#ifdef AIWC_THREAD_SANITIZER
  if (entry.kernel->code.synchronises)
    return {.refusal = "ThreadSanitizer cannot follow its work-items"};
#endif

  // Empty between launches; outlives every static destructor.
  static GlobalView &global = *new GlobalView;
  static Stacks &stacks = *new Stacks;
  static auto &traceMemory = *new trace::Recorder::Memory;
  Outcome outcome{.refusal = describe(Failure::kInternal)};
  try {
    outcome =
        Run(entry, invocation, decoded, observer, global, stacks, traceMemory, std::move(mapped))
            .run();
  } catch (...) { // no memory, or a callback has thrown
  }
  if (!outcome.refusal.empty())
    entry.refusal = "in this or an earlier launch " + outcome.refusal;
  if (!outcome.refusal.empty() || outcome.undone)
    global.restore();
  global.clear();
  stacks.releaseIfLarge();
  return {outcome.undone, entry.refusal};
}

} // namespace aiwc::engine
