#include "plugin/aiwc_plugin.h"

#include "common/error.h"
#include "common/file.h"
#include "common/version.h"
#include "metrics/sampled_groups/sampler.h"
#include "plugin/device_questions.h"
#include "plugin/interruption.h"
#include "plugin/invocation.h"
#include "plugin/kernel_host_functions.h"
#include "plugin/launch_clock.h"
#include "plugin/local_sizes.h"
#include "plugin/messages.h"
#include "profile/kernel_words.h"
#include "session/status.h"
#include "views/summary.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <unordered_map>

namespace aiwc::plugin {

namespace {

/// What the registers of a work-item have to suffice for. Compilers of CUDA allow any group; those
/// of OpenCL for AMD assume 256 work-items.
uint64_t workItemBound(const llvm::Function &kernel, const profile::Provenance &provenance) {
  if (const llvm::MDNode *required = kernel.getMetadata("reqd_work_group_size")) {
    uint64_t items = 1;
    for (const llvm::MDOperand &size : required->operands())
      if (const auto *number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(size))
        items *= number->getZExtValue();
    return items;
  }
  const profile::Size3 &local = provenance.localSize;
  return provenance.sourceKind == "cuda" ? 1024
                                         : std::max<uint64_t>(256, local[0] * local[1] * local[2]);
}

/// Keeps the program in `folder`. Returns lines: the file name of its bitcode; the most work-items
/// of a group; the kernel; and for each block of the IR its function's number in the module, its
/// own there, and its executions. Empty if these were not counted. Throws Error.
std::string targetRequest(const Invocation &invocation, const profile::KernelProfile &profile,
                          const std::filesystem::path &folder) {
  const decoding::DecodedProgram &decoded = invocation.decoded();
  const trace::Program &program = decoded.program();
  const auto &executions = profile.blockExecutions;
  if (executions.size() != program.blocks.size())
    return {};
  const llvm::Instruction &first = **decoded.instructions(program.function(program.kernel).entry);
  const llvm::Function &kernel = *first.getFunction();
  // Executions of a sample are in proportion to those of the launch.
  double counted = 0;
  for (size_t b = 0; b < executions.size(); ++b)
    counted += static_cast<double>(executions[b]) * program.blocks[b].opCount;
  const double factor = counted > 0 ? profile.real("total_instruction_count"_metric) / counted : 0;

  std::unordered_map<const llvm::Function *, uint64_t> functions;
  for (const llvm::Function &function : *kernel.getParent())
    functions.emplace(&function, functions.size());
  std::unordered_map<const llvm::BasicBlock *, uint64_t> blocks;
  for (const auto &[function, number] : functions) {
    uint64_t block = 0;
    for (const llvm::BasicBlock &own : *function)
      blocks.emplace(&own, block++);
  }
  std::string request = fmt::format(
      "{}\n{}\n{}\n", invocation.program().keepBitcode(folder),
      std::min<uint64_t>(workItemBound(kernel, profile.provenance), 1024), kernel.getName().str());
  for (size_t b = 0; b < executions.size(); ++b) {
    const llvm::Instruction *const begin = *decoded.instructions(static_cast<trace::BlockId>(b));
    if (executions[b] == 0 || !begin || begin != &begin->getParent()->front())
      continue; // not executed, or a later part of a block that a call or a barrier cuts
    request +=
        fmt::format("{} {} {:.17g}\n", functions.at(begin->getFunction()),
                    blocks.at(begin->getParent()), factor * static_cast<double>(executions[b]));
  }
  return request;
}

/// Keeps a request for the profile of this file name in `folder`. Throws Error.
void keepTargetRequest(const std::string &request, const std::filesystem::path &folder,
                       const std::string &profile) {
  NewFile(folder, request, "the request for " + profile + " cannot be kept")
      .claim(folder / (std::string(kTargetRequestPrefix) + profile));
}

/// The data that all contexts of the process share. Oclgrind creates one plugin per context.
struct Process {
  /// Held from a kernel's begin to its end. Oclgrind 21.10 uses one counter to distribute the
  /// work-groups of all running kernels: two kernels that run at the same time, from two host
  /// threads, lose some of their work-groups.
  std::mutex running;
  // Guarded by `running`:
  std::map<std::string, uint64_t, std::less<>> launches; ///< per kernel name
  uint64_t count = 0;                                    ///< of launches
  std::set<std::string> withRaces;                       ///< kernels, as WarpRaces finds them
  std::set<std::string> withEmptyLaunches;               ///< kernels
};

Process &process() {
  static auto *instance = new Process; // outlives every static destructor
  return *instance;
}

unsigned threadsOf(const SessionOptions &options) {
  return options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
}

/// What makes launches faster than they are with `options`; empty: nothing more.
std::string hintOf(const SessionOptions &options) {
  if (options.hasBudget())
    return {};
  const std::string bound = "--aiwc-budget 60s bounds such a wait, and then leaves the "
                            "application's results unfinished";
  if (options.sampleGroups > 0 || options.accuracy.level == AccuracyLevel::kFast)
    return asTyped(bound);
  return asTyped(fmt::format("--aiwc-accuracy {} would shorten such a wait; {}",
                             options.accuracy.level == AccuracyLevel::kExact ? "standard" : "fast",
                             bound));
}

/// When the budget is used up, so many launches of a kernel with one NDRange are enough.
constexpr size_t kEnoughLaunches = 4;
/// Fewer are enough if those since then took more than this part of the budget.
constexpr double kLatePart = 0.1;

constexpr const char *kEnoughErrors = "the host of aiwc kernel has seen enough errors";

/// Whether the simulator reports the exception by which the host ended a launch.
bool endsEarly(const char *message) {
  return std::string_view(message).find(kEnoughErrors) != std::string_view::npos;
}

/// OpenCL allows a global size of 0. A run has no place for such a launch: a profile of nothing
/// could predict nothing, and transfers belong to the launches around it.
bool isEmpty(const oclgrind::KernelInvocation &launch) {
  const oclgrind::Size3 &size = launch.getGlobalSize();
  return size.x == 0 || size.y == 0 || size.z == 0;
}

bool isDroppedByHost() {
  static const auto isDropped =
      reinterpret_cast<LaunchDroppedFunction>(dlsym(RTLD_DEFAULT, kLaunchDroppedName));
  return isDropped && isDropped();
}

/// Reports what the application has asked of the device, if it has asked more than was reported.
void reportQuestions(StatusFile &status) {
  static const auto askedOf =
      reinterpret_cast<uint64_t (*)()>(dlsym(RTLD_DEFAULT, "aiwcAskedOfDevice"));
  static std::atomic<uint64_t> reported = 0;
  const uint64_t asked = askedOf ? askedOf() : 0;
  if (reported.exchange(asked) == asked)
    return;
  std::string names;
  for (size_t i = 0; i < kQuestions.size(); ++i)
    if (asked >> i & 1)
      names += std::string(kQuestions[i].name) + " ";
  status.asked(names);
}

} // namespace

thread_local const Invocation *AiwcPlugin::threadsInvocation = nullptr;
thread_local ExecutionTracker *AiwcPlugin::threadsTracker = nullptr;

AiwcPlugin::AiwcPlugin(const oclgrind::Context *context, SessionOptions options)
    : TracingPlugin(context), options_(std::move(options)),
      launches_(threadsOf(options_), options_.engine == EngineChoice::kOptimised),
      filter_(options_), status_(options_.statusFile, options_.output),
      errors_(status_, options_.statusFile), results_(options_, status_), log_(status_),
      sampling_(launches_, options_) {
  status_.loaded(kVersion);
  status_.writes();
}

void AiwcPlugin::tellHost(const char *message) const {
  static const auto tell =
      reinterpret_cast<SimulatorErrorFunction>(dlsym(RTLD_DEFAULT, kSimulatorErrorName));
  if (!tell || endsEarly(message) || !tell(message) || interpretedBecause_.empty())
    return;
  // The interpreter catches it where it runs work-items, and reports it as an error.
  throw oclgrind::FatalError(kEnoughErrors, __FILE__, __LINE__);
}

void AiwcPlugin::kernelBegin(const oclgrind::KernelInvocation *kernelInvocation) {
  beforeLaunch(process().running);
  std::unique_lock running(process().running);
  running_ = std::move(running); // only now: before the lock another thread may use it
  errors_.guard([&] { begin(*kernelInvocation); });
}

void AiwcPlugin::begin(const oclgrind::KernelInvocation &kernelInvocation) {
  const std::string &kernel = kernelInvocation.getKernel()->getName();
  if (isEmpty(kernelInvocation)) {
    if (!options_.quiet && process().withEmptyLaunches.insert(kernel).second)
      say(fmt::format("aiwc: kernel '{}': launches of global size 0 execute nothing: the run "
                      "leaves them out\n",
                      kernel));
    return;
  }
  programTime().begun = secondsNow();
  // Replaced if the launch is offered to us.
  interpretedBecause_ =
      options_.engine == EngineChoice::kInterpreter ? asTyped(kNotWanted) : kNotOffered;
  settle();
  reportQuestions(status_);
  const uint64_t number = process().launches[kernel]++;
  if (number == 0)
    status_.kernelLaunched(kernel);
  launch_ = launched(kernelInvocation, allocations_);
  launch_.localSizeLeftOpen = takeLocalSizeLeftOpen();
  launch_.process = static_cast<uint64_t>(getpid());
  launch_.number = process().count++;
  launch_.invocation = number;
  const TransferCounts toDevice = transfers_.takeToDevice();
  launch_.hostToDevice = {toDevice.bytes, toDevice.transfers};
  transfers_.takeToHost(); // drops reads before the first launch
  representatives_.begin();
  const auto program = programs_.of(*kernelInvocation.getKernel());
  const llvm::Function &function = *kernelInvocation.getKernel()->getFunction();
  launch_.sourceKind = program->sourceKind;
  launch_.sourceHash = program->sourceHash();
  launch_.codeHash = program->codeHash(function);
  launch_.buildOptions = program->buildOptions;
  if (!filter_.selects(kernel, number)) {
    results_.tidy();
    return;
  }
  const bool mayBeRepresented = options_.invocations.onePerKind;
  const bool isCompared =
      (mayBeRepresented || options_.hasTime()) &&
      hashSteering(launch_, kernelInvocation, program->steeringContents(function));
  const run::Launch *const same =
      isCompared ? representatives_.find(launch_, memoryLayout(launch_, kernelInvocation))
                 : nullptr;
  // Whether this launch does not run; `onlySample`: of the launches like it, only a sample did.
  const auto leavesOut = [&](bool onlySample) {
    return isTimeUsedUp(2) ||
           (onlySample && isTimeUsedUp() &&
            !metrics::dependsOnOtherGroups(program->decoded(function).program.program()));
  };
  const bool isOver = same && leavesOut(same->sampledGroups > 0);
  if (isOver || (same && mayBeRepresented)) {
    takeProfile(launch_, *same);
    launch_.othersLeftOut = isOver;
    results_.tidy();
    return;
  }
  if (isTimeUsedUp())
    if (const auto known = Representatives::known(launch_); isEnough(known)) {
      launch_.othersLeftOut = leavesOut(known.othersLeftOut);
      results_.tidy();
      return;
    }
  characterise(kernelInvocation);
}

void AiwcPlugin::characterise(const oclgrind::KernelInvocation &kernelInvocation) {
  metrics::AnalysisOptions analysis;
  analysis.lineBytes = options_.lineSize;
  auto program = programs_.of(*kernelInvocation.getKernel());
  invocation_ =
      std::make_unique<Invocation>(kernelInvocation, launch_, std::move(program), analysis,
                                   options_.sampleGroups, !options_.quiet, hintOf(options_));
}

bool AiwcPlugin::isTimeUsedUp(double times) const {
  return options_.hasTime() && programTime().seconds >= times * options_.budget;
}

bool AiwcPlugin::isEnough(const Representatives::Known &known) const {
  return known.launches >= kEnoughLaunches || known.lateSeconds > kLatePart * options_.budget;
}

bool AiwcPlugin::runCompiled(const oclgrind::KernelInvocation &kernelInvocation) {
  if (isEmpty(kernelInvocation))
    return true;
  if (options_.engine == EngineChoice::kInterpreter)
    return false;
  errors_.guard([&] {
    interpretedBecause_ = "an unexpected error occurred"; // if the engine throws
    interpretedBecause_ = tryEngine(kernelInvocation);
  });
  if (interpretedBecause_.empty())
    return true;
  // The interpreter would take too long. The user knows its reason from an earlier launch, or it
  // comes from unfinished data.
  if (isTimeUsedUp() && (programTime().leftOut || Representatives::known(launch_).interpreted)) {
    interpretedBecause_.clear();
    launch_.othersLeftOut = true;
    invocation_.reset();
    return true;
  }
  errors_.guard([&] {
    if (invocation_)
      invocation_->startAgain(options_.sampleGroups);
    explain(kernelInvocation.getKernel()->getName(), interpretedBecause_);
  });
  return false;
}

std::string AiwcPlugin::runUntraced(const oclgrind::KernelInvocation &kernelInvocation) {
  const oclgrind::Kernel &kernel = *kernelInvocation.getKernel();
  const decoding::DecodedProgram *decoded = nullptr;
  try {
    decoded = &programs_.of(kernel)->decoded(*kernel.getFunction()).program;
  } catch (const Error &error) {
    return error.what();
  }
  return launches_.run(kernelInvocation, *decoded, nullptr).refusal;
}

std::string AiwcPlugin::tryEngine(const oclgrind::KernelInvocation &kernelInvocation) {
  if (!invocation_)
    return launch_.othersLeftOut ? "" : runUntraced(kernelInvocation);
  const SamplingLoop::Ran ran = sampling_.run(kernelInvocation, *invocation_);
  launch_.smallerSample = ran.smallerSample;
  return ran.stopped ? withoutProfile(kernelInvocation) : ran.refusal;
}

std::string AiwcPlugin::withoutProfile(const oclgrind::KernelInvocation &kernelInvocation) {
  const auto [x, y, z] = invocation_->groupCounts();
  // As of other launches, all groups run of those that have no sample.
  launch_.othersLeftOut = x * y * z >= metrics::Sampler::kLeastGroups &&
                          !metrics::dependsOnOtherGroups(invocation_->decoded().program());
  invocation_.reset();
  results_.tidy();
  if (!options_.quiet && explained_.emplace(launch_.kernel, "").second)
    say(asTyped(fmt::format("aiwc: kernel '{}': a work-group takes longer than --aiwc-budget: "
                            "launches of this size have no profile{}\n",
                            launch_.kernel, launch_.othersLeftOut ? ", and do not run" : "")));
  return launch_.othersLeftOut ? "" : runUntraced(kernelInvocation);
}

void AiwcPlugin::explain(const std::string &kernel, const std::string &reason) {
  const bool wanted =
      options_.verbose || (namesInterpretedKernels(options_.engine) && !options_.quiet);
  if (!wanted || !explained_.emplace(kernel, reason).second)
    return;
  say("aiwc: kernel '" + kernel + "' is interpreted: " + reason + "\n");
}

void AiwcPlugin::tellOfRace(uint32_t line) const {
  if (!process().withRaces.insert(launch_.kernel).second)
    return;
  const bool canWait = launch_.sourceKind == "cuda" && !invocation_->program().runsWarpsInStep;
  say(fmt::format("aiwc: kernel '{}'{}: {}{}\n", launch_.kernel,
                  line > 0 ? fmt::format(", line {}", line) : "",
                  profile::exchangeNote(launch_.sourceKind),
                  canWait ? " (aiwc build --warps-in-step has them wait for one another)" : ""));
}

void AiwcPlugin::kernelEnd(const oclgrind::KernelInvocation *kernelInvocation) {
  const std::unique_lock running = std::move(running_); // held until the return
  stopFollowing();
  if (isEmpty(*kernelInvocation))
    return;
  if (isDroppedByHost()) {
    errors_.guard([&] { drop(*kernelInvocation); });
  } else {
    errors_.guard([&] { end(); });
    errors_.guard([&] {
      ProgramTime &program = programTime();
      launch_.seconds = std::max(0.0, secondsNow() - program.begun);
      program.seconds += launch_.seconds;
      ++program.launches;
      program.leftOut |= launch_.othersLeftOut;
      const ResultsLock lock;
      ended_ = Ended{launch_.number, getpid()};
      log_.add(std::move(launch_));
    });
  }
  threadsInvocation = nullptr;
  threadsTracker = nullptr;
  invocation_.reset();
}

void AiwcPlugin::drop(const oclgrind::KernelInvocation &kernelInvocation) {
  --process().count;
  --process().launches[kernelInvocation.getKernel()->getName()];
  engine::Launches::forgetFailure(kernelInvocation);
}

void AiwcPlugin::end() {
  launch_.engine = interpretedBecause_.empty() ? "compiled" : "interpreter";
  launch_.engineReason = interpretedBecause_;
  if (!invocation_) {
    launch_.othersLeftOut = launch_.othersLeftOut && interpretedBecause_.empty();
    return;
  }
  if (interpretedBecause_.empty())
    invocation_->setEngine("compiled");
  else if (options_.engine != EngineChoice::kInterpreter)
    invocation_->setEngine("interpreter", interpretedBecause_);
  profile::KernelProfile profile = invocation_->finish();
  if (const std::optional<uint32_t> line = invocation_->raceInWarp()) {
    tellOfRace(*line);
    launch_.exchangesWithoutBarrier = profile.provenance.exchangesWithoutBarrier = true;
  }
  profile.setCount("host_to_device_bytes"_metric, launch_.hostToDevice.bytes);
  profile.setCount("host_to_device_transfers"_metric, launch_.hostToDevice.transfers);
  launch_.complete = profile.complete;
  launch_.simulatorErrors = profile.simulatorErrors;
  launch_.instructions = profile.count("total_instruction_count"_metric);
  launch_.sampledGroups = profile.provenance.sampledGroups;
  launch_.othersLeftOut = profile.provenance.othersLeftOut;
  if (launch_.sampledGroups == 0)
    SamplingLoop::ranWithoutSample(launch_.instructions);
  if (options_.verbose && !options_.quiet)
    say(views::toText(profile));
  std::string request;
  if (options_.targets && profile.complete && !options_.statusFile.empty())
    errors_.guard(
        [&] { request = targetRequest(*invocation_, profile, options_.statusFile.parent_path()); });
  launch_.profile = results_.write(std::move(profile));
  if (!request.empty())
    errors_.guard(
        [&] { keepTargetRequest(request, options_.statusFile.parent_path(), launch_.profile); });
  launch_.source = results_.keepSource(invocation_->source().text(), launch_.sourceKind);
  representatives_.add(launch_, isTimeUsedUp() ? secondsNow() - programTime().begun : 0);
}

void AiwcPlugin::conclude() {
  settle();
  errors_.guard([&] { results_.tidy(); });
  errors_.guard([&] {
    if (const size_t lost = log_.report())
      throw Error(fmt::format("{} launch{} of process {} cannot be reported to the launcher: "
                              "run.json lacks {}",
                              lost, lost == 1 ? "" : "es", getpid(), lost == 1 ? "it" : "them"));
  });
  errors_.conclude();
  reportQuestions(status_);
}

void AiwcPlugin::settle() {
  errors_.guard([&] {
    const ResultsLock lock;
    if (!ended_ || ended_->process != getpid())
      return;
    const TransferCounts toHost = transfers_.takeToHost();
    log_.addHostReads(ended_->number, {toHost.bytes, toHost.transfers});
    ended_.reset();
    results_.settle(toHost);
  });
}

} // namespace aiwc::plugin
