#include "plugin/aiwc_plugin.h"

#include "common/version.h"
#include "plugin/engine/deep_stack.h"
#include "plugin/messages.h"
#include "profile/summary.h"
#include "session/escape.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>
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
  std::map<std::string, uint64_t, std::less<>> launches; ///< per kernel name; guarded by `running`
};

Process &process() {
  static auto *instance = new Process; // outlives every static destructor
  return *instance;
}

unsigned threadsOf(const SessionOptions &options) {
  return options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
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

} // namespace

thread_local const Invocation *AiwcPlugin::threadsInvocation = nullptr;
thread_local ExecutionTracker *AiwcPlugin::threadsTracker = nullptr;

AiwcPlugin::AiwcPlugin(const oclgrind::Context *context, SessionOptions options)
    : TracingPlugin(context), options_(std::move(options)), launches_(threadsOf(options_)),
      filter_(options_), status_(options_.statusFile), results_(options_, status_),
      counter_(status_) {
  status_.loaded(kVersion);
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
  // The launcher shows what is in the status file when the application has ended.
  if (!status_.error(message))
    say("aiwc: " + escapeLine(message) + "\n");
}

void AiwcPlugin::kernelBegin(const oclgrind::KernelInvocation *kernelInvocation) {
  std::unique_lock running(process().running);
  running_ = std::move(running); // only now: before the lock another thread may use it
  guarded([&] { begin(*kernelInvocation); });
}

void AiwcPlugin::begin(const oclgrind::KernelInvocation &kernelInvocation) {
  // Replaced if the launch is offered to us.
  interpretedBecause_ = options_.engine == EngineChoice::kInterpreter ? kNotWanted : kNotOffered;
  settle();
  const std::string &kernel = kernelInvocation.getKernel()->getName();
  const uint64_t number = process().launches[kernel]++;
  if (number == 0)
    status_.kernelLaunched(kernel);
  toDevice_ = transfers_.takeToDevice();
  transfers_.takeToHost(); // drops reads of earlier, unselected invocations
  metrics::AnalysisOptions analysis;
  analysis.lineBytes = options_.lineSize;
#ifdef AIWC_OVERHEAD_ANALYSES // only in the build of benchmarks/overhead
  analysis.only = overheadAnalyses();
#endif
  if (!filter_.selects(kernel, number))
    return;
  invocation_ = std::make_unique<Invocation>(kernelInvocation, number, analysis,
                                             options_.sampleGroups, !options_.quiet);
  if (options_.embed)
    program_ = contentOf(*kernelInvocation.getKernel()->getProgram());
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
      invocation_->discardTraces();
    explain(kernelInvocation.getKernel()->getName(), interpretedBecause_);
  });
  return false;
}

std::string AiwcPlugin::tryEngine(const oclgrind::KernelInvocation &kernelInvocation) {
  if (!invocation_)
    return launches_.run(kernelInvocation, nullptr);
  const engine::Wanted wanted{
      invocation_->decoded(), [this](uint64_t group) { return invocation_->characterises(group); },
      [this] { invocation_->groupDone(); },
      [this]() -> trace::ChunkConsumer & { return invocation_->newTrace(); }};
  return launches_.run(kernelInvocation, &wanted);
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
  guarded([&] { end(kernelInvocation->getKernel()->getName()); });
  threadsInvocation = nullptr;
  threadsTracker = nullptr;
  invocation_.reset();
}

void AiwcPlugin::end(const std::string &kernel) {
  if (!invocation_)
    return counter_.count(kernel, interpretedBecause_, std::nullopt);
  if (interpretedBecause_.empty())
    invocation_->setEngine("compiled");
  else if (options_.engine != EngineChoice::kInterpreter)
    invocation_->setEngine("interpreter", interpretedBecause_);
  profile::KernelProfile profile = invocation_->finish();
  counter_.count(kernel, interpretedBecause_, profile.count("total_instruction_count"_metric));
  profile.setCount("host_to_device_bytes"_metric, toDevice_.bytes);
  profile.setCount("host_to_device_transfers"_metric, toDevice_.transfers);
  if (!options_.quiet)
    say(profile::toText(profile));
  results_.write(std::move(profile), std::move(program_));
}

void AiwcPlugin::conclude() {
  settle();
  counter_.report();
}

void AiwcPlugin::settle() {
  guarded([&] { results_.settle(transfers_); });
}

} // namespace aiwc::plugin
