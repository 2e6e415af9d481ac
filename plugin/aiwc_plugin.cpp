#include "plugin/aiwc_plugin.h"

#include "common/error.h"
#include "common/version.h"
#include "metrics/sampled_groups/group_dependence.h"
#include "metrics/sampled_groups/sampler.h"
#include "plugin/device_questions.h"
#include "plugin/engine/deep_stack.h"
#include "plugin/interruption.h"
#include "plugin/kernel_host_functions.h"
#include "plugin/local_sizes.h"
#include "plugin/messages.h"
#include "profile/source_hash.h"
#include "run/nearest_launches.h"
#include "session/escape.h"
#include "views/summary.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

namespace aiwc::plugin {

namespace {

/// The data that all contexts of the process share. Oclgrind creates one plugin per context.
struct Process {
  /// Held from a kernel's begin to its end. Oclgrind 21.10 uses one counter to distribute the
  /// work-groups of all running kernels: two kernels that run at the same time, from two host
  /// threads, lose some of their work-groups.
  std::mutex running;
  // Guarded by `running`:
  std::map<std::string, uint64_t, std::less<>> launches; ///< per kernel name
  uint64_t count = 0;                                    ///< of launches
  /// Of the launches of which all work-groups were characterised.
  uint64_t instructionsWithoutSample = 0;
  /// Kernels of which a launch needed all work-groups: short ones are not sampled again.
  std::set<std::string, std::less<>> needAllGroups;
};

Process &process() {
  static auto *instance = new Process; // outlives every static destructor
  return *instance;
}

unsigned threadsOf(const SessionOptions &options) {
  return options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
}

/// The option that makes launches faster than they are with `options`.
std::string_view shorterThan(const SessionOptions &options) {
  if (options.onlySampled)
    return {};
  if (options.sampleGroups > 0 || options.accuracy == Accuracy::kFast)
    return "--[aiwc-]only-sampled, which leaves the application's results wrong,";
  return options.accuracy == Accuracy::kExact ? "--[aiwc-]accuracy standard"
                                              : "--[aiwc-]accuracy fast";
}

/// With `process().running` held.
metrics::SampleGoal goalOf(Accuracy accuracy, const std::string &kernel) {
  metrics::SampleGoal goal =
      accuracy == Accuracy::kFast ? metrics::kFastGoal : metrics::kStandardGoal;
  if (const char *const instructions = std::getenv("AIWC_ACCURACY_INSTRUCTIONS")) // for tests
    goal.instructions = std::strtoull(instructions, nullptr, 10);
  return process().needAllGroups.contains(kernel)
             ? goal
             : metrics::goalAfter(goal, process().instructionsWithoutSample);
}

/// What to add to a failure of an application that has changed its user; empty if it has not.
std::string otherUser(const std::filesystem::path &statusFile) {
  struct stat facts {};
  if (::stat(statusFile.c_str(), &facts) != 0 || facts.st_uid == ::geteuid())
    return {};
  return fmt::format(": the application runs as user {}, the launcher as user {}: expected an "
                     "output folder that both can write to",
                     ::geteuid(), facts.st_uid);
}

#ifdef AIWC_OVERHEAD_ANALYSES
/// The families of analyses to measure, from a list of names with commas; none if it is unset.
std::vector<std::string> overheadAnalyses() {
  const char *const names = std::getenv("AIWC_OVERHEAD_ANALYSES");
  std::istringstream stream(names ? names : "");
  std::vector<std::string> families;
  for (std::string name; std::getline(stream, name, ',');)
    families.push_back(name);
  return families;
}
#endif

constexpr const char *kEnoughErrors = "the host of aiwc kernel has seen enough errors";

/// Whether the simulator reports the exception by which the host ended a launch.
bool endsEarly(const char *message) {
  return std::string_view(message).find(kEnoughErrors) != std::string_view::npos;
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
      launches_(threadsOf(options_), options_.engine == EngineChoice::kCompiled), filter_(options_),
      status_(options_.statusFile, options_.output), results_(options_, status_), log_(status_) {
  status_.loaded(kVersion);
  status_.writes();
}

template <typename Work> void AiwcPlugin::guarded(Work work) noexcept {
  std::string message;
  try {
    engine::runOnDeepStack(work);
    return;
  } catch (const std::exception &error) {
    message = error.what();
  } catch (...) {
    message = "unknown internal error";
  }
  fail(std::move(message));
}

void AiwcPlugin::fail(std::string message) noexcept {
  try {
    message += otherUser(options_.statusFile);
  } catch (...) { // no memory: less is said
  }
  // The launcher shows what is in the status file when the application has ended.
  if (status_.error(message))
    return;
  try {
    const ResultsLock lock;
    if (++failures_[message] > 1)
      return;
  } catch (...) { // no memory: said again
  }
  say("aiwc: " + escapeLine(message) + "\n");
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
  guarded([&] { begin(*kernelInvocation); });
}

void AiwcPlugin::begin(const oclgrind::KernelInvocation &kernelInvocation) {
  // Replaced if the launch is offered to us.
  interpretedBecause_ = options_.engine == EngineChoice::kInterpreter ? kNotWanted : kNotOffered;
  settle();
  reportQuestions(status_);
  const std::string &kernel = kernelInvocation.getKernel()->getName();
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
  family_ = nullptr;
  if (!filter_.selects(kernel, number)) {
    results_.tidy();
    return;
  }
  const auto program = programs_.of(*kernelInvocation.getKernel());
  const llvm::Function &function = *kernelInvocation.getKernel()->getFunction();
  launch_.sourceKind = program->sourceKind;
  launch_.sourceHash = program->sourceHash();
  launch_.codeHash = program->codeHash(function);
  launch_.buildOptions = program->buildOptions;
  if (options_.invocations.distinct)
    if (const run::Launch *alike = findKind(*program, function)) {
      become(*alike);
      results_.tidy();
      return;
    }
  characterise(kernelInvocation);
}

void AiwcPlugin::characterise(const oclgrind::KernelInvocation &kernelInvocation) {
  metrics::AnalysisOptions analysis;
  analysis.lineBytes = options_.lineSize;
#ifdef AIWC_OVERHEAD_ANALYSES // only in the build of benchmarks/overhead
  analysis.only = overheadAnalyses();
#endif
  auto program = programs_.of(*kernelInvocation.getKernel());
  invocation_ =
      std::make_unique<Invocation>(kernelInvocation, launch_, std::move(program), analysis,
                                   options_.sampleGroups, !options_.quiet, shorterThan(options_));
  if (options_.embed)
    program_ = contentOf(*kernelInvocation.getKernel()->getProgram());
}

const run::Launch *AiwcPlugin::findKind(ProgramDescription &program, const llvm::Function &kernel) {
  run::Launch work = launch_; // without the source, in which comments and other kernels count
  work.sourceHash.clear();
  const auto hash = [&] {
    return profile::sourceHash(fmt::format("{}\n{}", run::workOf(work), launch_.codeHash));
  };
  kind_ = hash();
  const std::vector<bool> &moving = program.boundsAndOffsets(kernel);
  for (size_t i = 0; i < work.arguments.size(); ++i)
    if (moving[i])
      work.arguments[i].value.clear();
  family_ = &families_[hash()];
  if (family_->process != launch_.process)
    *family_ = {launch_.process, {}};
  const auto known = kinds_.find(kind_);
  return known != kinds_.end() && known->second.process == launch_.process ? &known->second
                                                                           : nullptr;
}

void AiwcPlugin::become(const run::Launch &alike) {
  launch_.profile = alike.profile;
  launch_.alikeTo = alike.number;
  launch_.source = alike.source;
  launch_.instructions = alike.instructions;
  launch_.sampledGroups = alike.sampledGroups;
}

std::optional<std::string>
AiwcPlugin::tryCounted(const oclgrind::KernelInvocation &kernelInvocation) {
  const oclgrind::Kernel &kernel = *kernelInvocation.getKernel();
  const DecodedProgram &decoded = programs_.of(kernel)->decoded(*kernel.getFunction()).program;
  std::optional<uint64_t> instructions;
  const run::Launch *nearest = nullptr;
  const auto compare = [&](const trace::Executed &executed) {
    instructions = executed.instructions;
    if (launch_.alikeTo && launch_.instructions == *instructions)
      return engine::Verdict::kKeep;
    nearest = nearestOf(*instructions);
    return nearest ? engine::Verdict::kKeep : engine::Verdict::kUndo;
  };
  const auto groupDone = [&] {
    if (invocation_)
      invocation_->groupDone(false);
  };
  const auto [undone, refusal] =
      launches_.runCounted(kernelInvocation, decoded, groupDone, compare);
  if (undone) {
    forgetAlike();
    characterise(kernelInvocation);
    return std::nullopt;
  }
  if (!refusal.empty() || !nearest)
    return refusal;
  forgetAlike();
  invocation_.reset();
  launch_.instructions = *instructions;
  launch_.differsIn.emplace();
  for (size_t i = 0; i < launch_.arguments.size(); ++i)
    if (launch_.arguments[i].value != nearest->arguments[i].value)
      launch_.differsIn->push_back(i);
  return "";
}

const run::Launch *AiwcPlugin::nearestOf(uint64_t instructions) const {
  run::Launch counted = launch_;
  counted.instructions = instructions;
  const uint64_t range = run::nearRange(instructions);
  for (auto at = family_->launches.lower_bound(instructions - range);
       at != family_->launches.end() && at->first <= instructions + range; ++at)
    if (run::isNear(at->second, counted))
      return &at->second;
  return nullptr;
}

void AiwcPlugin::forgetAlike() {
  launch_.profile.clear();
  launch_.alikeTo.reset();
  launch_.source.clear();
  launch_.instructions = launch_.sampledGroups = 0;
}

bool AiwcPlugin::runCompiled(const oclgrind::KernelInvocation &kernelInvocation) {
  if (options_.engine == EngineChoice::kInterpreter)
    return false;
  guarded([&] {
    interpretedBecause_ = "an unexpected error occurred"; // if the engine throws
    interpretedBecause_ = tryEngine(kernelInvocation);
  });
  if (interpretedBecause_.empty())
    return true;
  guarded([&] {
    if (invocation_)
      invocation_->startAgain(options_.sampleGroups);
    explain(kernelInvocation.getKernel()->getName(), interpretedBecause_);
  });
  return false;
}

std::string AiwcPlugin::runUnobserved(const oclgrind::KernelInvocation &kernelInvocation) {
  const oclgrind::Kernel &kernel = *kernelInvocation.getKernel();
  const DecodedProgram *decoded = nullptr;
  try {
    decoded = &programs_.of(kernel)->decoded(*kernel.getFunction()).program;
  } catch (const Error &error) {
    return error.what();
  }
  return launches_.run(kernelInvocation, *decoded, nullptr).refusal;
}

bool AiwcPlugin::countsExactly() const {
  return options_.sampleGroups == 0 && !options_.onlySampled;
}

bool AiwcPlugin::leavesOthersOut() const {
  return options_.onlySampled && !metrics::dependsOnOtherGroups(invocation_->decoded().program());
}

std::string AiwcPlugin::tryEngine(const oclgrind::KernelInvocation &kernelInvocation) {
  if (family_ && countsExactly() && (launch_.alikeTo || !family_->launches.empty()))
    if (std::optional<std::string> reason = tryCounted(kernelInvocation))
      return *reason;
  if (!invocation_)
    return runUnobserved(kernelInvocation);
  const bool isChosen = options_.sampleGroups == 0 && options_.accuracy != Accuracy::kExact;
  metrics::Sampler sampler(goalOf(options_.accuracy, launch_.kernel), invocation_->groupCounts(),
                           !leavesOthersOut());
  const auto verdict = [](metrics::Next next) {
    return next == metrics::Next::kAgain ? engine::Verdict::kUndo : engine::Verdict::kKeep;
  };
  const auto groupDone = [&](const engine::GroupDone &group) {
    invocation_->groupDone(group.traced);
    if (!isChosen)
      return engine::Verdict::kKeep;
    if (const auto &work = group.work)
      sampler.add(group.linearId, work->executed, work->leastOfItem, work->mostOfItem);
    return verdict(sampler.afterGroup(group.tracedInstructions));
  };
  const auto launchDone = [&] {
    return sampler.sample()
               ? verdict(sampler.afterLaunch(invocation_->judge(sampler.instructions())))
               : engine::Verdict::kKeep;
  };
  const engine::Wanted wanted{
      [this](uint64_t group) { return invocation_->records(group); }, !leavesOthersOut(), groupDone,
      [this]() -> trace::ChunkConsumer & { return invocation_->newTrace(); }, launchDone};
  for (;;) {
    const engine::Outcome outcome =
        launches_.run(kernelInvocation, invocation_->decoded(), &wanted);
    if (!outcome.undone)
      return outcome.refusal;
    if (sampler.needsAllGroups())
      process().needAllGroups.insert(launch_.kernel);
    invocation_->startAgain(sampler.sample());
  }
}

void AiwcPlugin::explain(const std::string &kernel, const std::string &reason) {
  const bool wanted =
      options_.verbose || (options_.engine == EngineChoice::kCompiled && !options_.quiet);
  if (!wanted || !explained_.emplace(kernel, reason).second)
    return;
  say("aiwc: kernel '" + kernel + "' is interpreted: " + reason + "\n");
}

void AiwcPlugin::kernelEnd(const oclgrind::KernelInvocation *kernelInvocation) {
  const std::unique_lock running = std::move(running_); // held until the return
  stopFollowing();
  if (isDroppedByHost()) {
    guarded([&] { drop(*kernelInvocation); });
  } else {
    guarded([&] { end(); });
    guarded([&] {
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
    if (launch_.alikeTo && !interpretedBecause_.empty())
      engine::Launches::interpreted(launch_.instructions);
    return;
  }
  if (interpretedBecause_.empty())
    invocation_->setEngine("compiled", "", leavesOthersOut());
  else if (options_.engine != EngineChoice::kInterpreter)
    invocation_->setEngine("interpreter", interpretedBecause_);
  profile::KernelProfile profile = invocation_->finish();
  profile.setCount("host_to_device_bytes"_metric, launch_.hostToDevice.bytes);
  profile.setCount("host_to_device_transfers"_metric, launch_.hostToDevice.transfers);
  launch_.complete = profile.complete;
  launch_.simulatorErrors = profile.simulatorErrors;
  launch_.instructions = profile.count("total_instruction_count"_metric);
  launch_.sampledGroups = profile.provenance.sampledGroups;
  if (launch_.sampledGroups == 0)
    process().instructionsWithoutSample += launch_.instructions;
  if (!interpretedBecause_.empty())
    engine::Launches::interpreted(launch_.instructions);
  if (options_.verbose && !options_.quiet)
    say(views::toText(profile));
  launch_.profile = results_.write(std::move(profile), std::move(program_));
  launch_.source = results_.keepSource(invocation_->source().text(), launch_.sourceKind);
  if (family_ && launch_.complete && launch_.simulatorErrors == 0) {
    kinds_.insert_or_assign(kind_, launch_);
    family_->launches.emplace(launch_.instructions, launch_);
  }
}

void AiwcPlugin::conclude() {
  settle();
  guarded([&] { results_.tidy(); });
  guarded([&] {
    if (const size_t lost = log_.report())
      throw Error(fmt::format("{} launch{} of process {} cannot be reported to the launcher: "
                              "run.json lacks {}",
                              lost, lost == 1 ? "" : "es", getpid(), lost == 1 ? "it" : "them"));
  });
  guarded([&] {
    const ResultsLock lock;
    for (const auto &[message, count] : failures_)
      if (count > 1)
        say(fmt::format("aiwc: {} more times: {}\n", count - 1, escapeLine(message)));
    failures_.clear();
  });
  reportQuestions(status_);
}

void AiwcPlugin::settle() {
  guarded([&] {
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
