#include "plugin/engine/engine.h"

#include "engine_passes/image_types.h"
#include "plugin/engine/background_compilation.h"
#include "plugin/engine/group_threads.h"
#include "simulator/images.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace aiwc::engine {

namespace {

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
bool isWorthMuch(uint64_t blocksExecuted, const trace::Program &program) {
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
  return observer.optimised || groups * size.x * size.y * size.z >= kLeastItems;
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
                       const decoding::DecodedProgram &decoded, Effort effort,
                       Tracing tracing = Tracing::kOn, Groups groups = Groups::kInOrder,
                       const Accesses &inBounds = {}) {
  const oclgrind::Kernel &kernel = *invocation.getKernel();
  return {*kernel.getFunction(),
          decoded,
          *kernel.getProgram()->getInterpreterCache(kernel.getFunction()),
          effort,
          tracing,
          imagesAndSamplers(kernel),
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
        lowerFor(invocation, decoded, optimised ? Effort::kMuch : Effort::kLittle);
    entry.kernel = lowered.wasImproved() ? lowerFor(invocation, decoded, Effort::kMuch).compile()
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

void Engine::Entry::takeImproved() {
  if (!improved.valid() || improved.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return;
  adopt(improved.get());
}

void Engine::Entry::adopt(std::unique_ptr<CompiledKernel> better) const {
  if (improvedIsTraced)
    kernel->improve(std::move(better));
  else
    kernel->improveUntraced(std::move(better));
}

void Engine::improve(Entry &entry, const oclgrind::KernelInvocation &invocation,
                     const decoding::DecodedProgram &decoded, const Observer &observer, bool traced,
                     const Executed &executed, const LaunchProof &proof) {
  entry.takeImproved();
  const CompiledKernel &kernel = *entry.kernel;
  if (entry.improved.valid() || entry.isGoodEnough)
    return;
  // Code for groups that are apart is made for what is known in one launch. Launches of which less
  // is known have the other code.
  const bool areApart = !traced && proof.groupsAreApart && !entry.isNeverApart &&
                        (!kernel.apart || proof.covers(kernel.apart->code));
  CompiledKernel *const untraced = areApart ? kernel.apart.get() : kernel.untraced.get();
  const bool widens = !traced && untraced;
  if (traced ? kernel.effort == Effort::kMuch : widens && untraced->code.triedWide)
    return;
  const bool isWorth =
      widens
          ? isWorthWide(entry.untracedInstructions + executed.untracedInstructions,
                        decoded.program())
          : isWorthMuch(entry.blocksExecuted[traced] + executed.blocks[traced], decoded.program());
  if (!observer.optimised && !isWorth)
    return;
  const Tracing tracing = traced                         ? Tracing::kOn
                          : widens || observer.optimised ? Tracing::kOffAndWide
                                                         : Tracing::kOff;
  const Groups groups = areApart                                      ? Groups::kApart
                        : observer.threads > 1 && !entry.needsOrder() ? Groups::kAtOnce
                                                                      : Groups::kInOrder;
  LoweredKernel lowered = lowerFor(invocation, decoded, Effort::kMuch, tracing, groups,
                                   widens && areApart ? untraced->code.inBounds : proof.inBounds);
  if (areApart && !lowered.code().builtins.empty()) {
    entry.isNeverApart = true;
    return;
  }
  if (widens && !lowered.code().runsSeveral) { // it would be the same code again
    untraced->code.triedWide = true;
    return;
  }
  entry.improvedIsTraced = traced;
  if (observer.threads > 1 && !observer.optimised)
    entry.improved = compileInBackground(std::move(lowered));
  else
    entry.adopt(lowered.compile());
}

void Engine::improveIfPossible(Entry &entry, const oclgrind::KernelInvocation &invocation,
                               const decoding::DecodedProgram &decoded, const Observer &observer,
                               bool traced, const Executed &executed, const LaunchProof &proof) {
  try {
    improve(entry, invocation, decoded, observer, traced, executed, proof);
  } catch (...) { // no thread, no memory, or no executable memory
    entry.isGoodEnough = true;
  }
}

LaunchProof Engine::prove(Entry &entry, const oclgrind::KernelInvocation &invocation,
                          std::span<const GlobalPointer> pointers, const GlobalView &global) {
  if (entry.isNeverApart || entry.kernel->code.loadsAddresses)
    return {};
  if (!entry.accesses)
    entry.accesses = std::make_unique<ProvableAccesses>(*invocation.getKernel()->getFunction());
  return entry.accesses->prove(invocation, pointers, global);
}

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
  const oclgrind::Size3 groupSize = invocation.getLocalSize();
  if (entry.kernel->code.synchronises &&
      !Stacks::fit(groupSize.x * groupSize.y * groupSize.z, entry.kernel->frameBytes))
    return {.refusal = "the stacks of its work-items would take too much memory"};
#ifdef AIWC_THREAD_SANITIZER
  if (entry.kernel->code.synchronises)
    return {.refusal = "ThreadSanitizer cannot follow its work-items"};
#endif

  // Empty between launches; outlives every static destructor.
  static GlobalView &global = *new GlobalView;
  static Stacks &stacks = *new Stacks;
  static auto &traceMemory = *new trace::Recorder::Memory;
  const CompiledKernel *apart = nullptr; // once the groups are known to be apart
  const EngineLaunch launch{*entry.kernel, invocation, decoded.program(), global, stacks, apart};
  std::unique_ptr<GroupThreads> atOnce; // once there are groups to run so
  bool complete = true;
  bool undone = false;
  std::string reason = describe(Failure::kInternal);
  try {
    ThreadRuntime runtime(launch, observer.trace, traceMemory);
    const oclgrind::Memory &memory = *invocation.getContext()->getGlobalMemory();
    global.begin(std::move(mapped));
    const std::vector<GlobalPointer> pointers = runtime.globalPointers();
    for (const GlobalPointer &pointer : pointers)
      global.add(memory, pointer.address);
    if (entry.kernel->code.loadsAddresses) // OpenCL C 1.2 has none in memory, but CUDA has
      global.addAll(memory);
    runtime.prepareImages();
    const oclgrind::Size3 groups = invocation.getNumGroups();
    const size_t count = groups.x * groups.y * groups.z;
    const auto executed = [&] {
      return Executed{{runtime.blocksExecuted(false), runtime.blocksExecuted(true)},
                      runtime.untracedInstructions() +
                          (atOnce ? atOnce->untracedInstructions() : 0)};
    };
    LaunchProof proof;
    bool isProved = false; // `proof` has been tried
    bool ranApart = false; // `runtime` has run a group of `apart`, and has the memory for others
    const auto improve = [&](bool traced) {
      improveIfPossible(entry, invocation, decoded, observer, traced, executed(), proof);
      if (apart)
        apart = entry.kernel->apart.get();
    };
    size_t inOrderUntil = 0;   // before, groups are too few to run at once
    uint64_t instructions = 0; // of the last group that was not traced
    for (size_t i = 0; i < count && !undone;) {
      const bool traced = observer.isTraced(i);
      if (!traced && !observer.runsOthers) {
        undone = observer.groupDone(i++, nullptr) == Verdict::kUndo;
        continue;
      }
      if (!traced && !isProved && isWorthProof(observer, count - i, groupSize)) {
        proof = prove(entry, invocation, pointers, global);
        isProved = true;
      }
      if (!traced && !apart && entry.kernel->apart && proof.covers(entry.kernel->apart->code)) {
        // What has no saved memory cannot be undone: neither code nor callbacks may want it.
        if (observer.mayUndo || entry.kernel->apart->code.callsRuntime)
          for (const LaunchProof::Range &range : proof.written)
            global.savePages(range.address, range.size);
        apart = entry.kernel->apart.get();
      }
      if (!traced && i >= inOrderUntil && observer.threads > 1 &&
          (apart ? ranApart : !entry.needsOrder()) && GroupThreads::canRun(launch, pointers)) {
        const size_t end = endOfRound(observer, i, count, instructions);
        inOrderUntil = instructions > 0 ? end : i + 1;
        if (isWorthThreads(observer, end - i, instructions)) {
          if (!atOnce)
            atOnce = groupThreads(launch, observer.threads);
          if (!atOnce) {
            entry.roundsTakenBack = Entry::kMostTakenBack;
            inOrderUntil = count;
          }
          bool done = false;
          if (apart && atOnce) {
            const GroupThreads::Round round = atOnce->runApart(i, end, runtime);
            complete = round.failure.empty();
            if (!complete) {
              reason = round.failure;
              break;
            }
            done = round.done;
          }
          for (; !apart && !done && !entry.needsOrder(); entry.roundsTakenBack += !done)
            done = atOnce->run(i, end, entry.roundsTakenBack > 0,
                               std::max(kMostInRound, kMostTimesWork * instructions));
          if (done) {
            for (; i < end && !undone; ++i)
              undone = observer.groupDone(i, &atOnce->work(i)) == Verdict::kUndo;
            if (!undone)
              improve(false);
            continue;
          }
        }
      }
      complete = runtime.runGroup(oclgrind::Size3(i, groups), traced);
      if (!complete) {
        reason = runtime.reason();
        break;
      }
      if (!traced) {
        instructions = runtime.work().executed.instructions;
        ranApart |= apart != nullptr;
      }
      undone = observer.groupDone(i++, traced ? nullptr : &runtime.work()) == Verdict::kUndo;
      if (!undone)
        improve(traced);
    }
    if (!undone) {
      const Executed all = executed();
      for (const bool traced : {false, true})
        entry.blocksExecuted[traced] += all.blocks[traced];
      entry.untracedInstructions += all.untracedInstructions;
    }
    if (complete && !undone)
      undone = observer.finish() == Verdict::kUndo;
    if (complete && !undone)
      runtime.writeOutput();
  } catch (...) {
    complete = false;
  }
  if (!complete)
    entry.refusal = "in this or an earlier launch " + reason;
  if (!complete || undone)
    global.restore();
  global.clear();
  stacks.releaseIfLarge();
  return {undone, entry.refusal};
}

} // namespace aiwc::engine
