/// The entry points: Oclgrind's callbacks, handed to the parts that do the work. Nothing thrown
/// leaves this file.
#include "common/error.h"
#include "common/version.h"
#include "embed/program_file.h"
#include "plugin/engine/launches.h"
#include "plugin/host_transfers.h"
#include "plugin/intrinsics.h"
#include "plugin/invocation.h"
#include "plugin/tracing_plugin.h"
#include "profile/store.h"
#include "profile/summary.h"
#include "session/options.h"
#include "session/status.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::plugin {
namespace {

/// What all contexts of the process share. Oclgrind makes one plugin per context.
struct Process {
  /// Held from a kernel's begin to its end. Oclgrind 21.10 hands out the work-groups of all running
  /// kernels by one counter: two that run at once, from two host threads, lose some of theirs.
  std::mutex running;
  std::map<std::string, uint64_t, std::less<>> launches; ///< per kernel name; guarded by `running`
};

Process &process() {
  static auto *instance = new Process; // outlives every static destructor
  return *instance;
}

constexpr const char *kNotOffered = "the library of the compiled engine is not preloaded";

#ifdef AIWC_OVERHEAD_ANALYSES
/// The families that are to be measured: names with commas between them, or nothing.
std::vector<std::string> overheadAnalyses() {
  const char *const names = std::getenv("AIWC_OVERHEAD_ANALYSES");
  std::istringstream stream(names ? names : "");
  std::vector<std::string> families;
  for (std::string name; std::getline(stream, name, ',');)
    families.push_back(name);
  return families;
}
#endif

class AiwcPlugin final : public TracingPlugin {
public:
  AiwcPlugin(const oclgrind::Context *context, SessionOptions options);

  void kernelBegin(const oclgrind::KernelInvocation *kernelInvocation) override;
  void kernelEnd(const oclgrind::KernelInvocation *kernelInvocation) override;
  void log(oclgrind::MessageType type, const char *message) override {
    if (type == oclgrind::ERROR && invocation_)
      invocation_->simulatorError(message);
  }

  // Work-items being set up write their private memory through these as well.
  void hostMemoryLoad(const oclgrind::Memory *memory, size_t, size_t size) override {
    if (isGlobal(memory))
      transfers_.load(size);
  }
  void hostMemoryStore(const oclgrind::Memory *memory, size_t address, size_t size,
                       const uint8_t *storeData) override {
    if (isGlobal(memory))
      transfers_.store(*memory, address, size, storeData);
  }
  void memoryAllocated(const oclgrind::Memory *memory, size_t, size_t size, cl_mem_flags,
                       const uint8_t *initData) override {
    if (isGlobal(memory))
      transfers_.allocated(size, initData);
  }
  void memoryMap(const oclgrind::Memory *memory, size_t address, size_t offset, size_t size,
                 cl_map_flags flags) override {
    if (isGlobal(memory))
      transfers_.map(static_cast<const uint8_t *>(memory->getPointer(address)) + offset, size,
                     flags);
    launches_.regionMapped();
  }
  void memoryUnmap(const oclgrind::Memory *memory, size_t, const void *ptr) override {
    if (isGlobal(memory))
      transfers_.unmap(ptr);
    launches_.regionUnmapped();
  }

  bool isThreadSafe() const override { return true; }

  /// Whether the compiled engine has run the kernel that has begun.
  bool runCompiled(const oclgrind::KernelInvocation &kernelInvocation);

  /// The last invocation's host reads are complete: completes its profile on disk.
  void settle();

private:
  static bool isGlobal(const oclgrind::Memory *memory) {
    return memory->getAddressSpace() == oclgrind::AddrSpaceGlobal;
  }

  ExecutionTracker *trackerFor(const oclgrind::WorkGroup &workGroup) override {
    if (!invocation_ || !invocation_->characterises(workGroup.getGroupID()))
      return nullptr;
    // A thread lives for one invocation, and takes part in no other.
    if (threadsInvocation != invocation_.get() || !threadsTracker) {
      threadsInvocation = invocation_.get();
      threadsTracker = &invocation_->newTracker();
    }
    return threadsTracker;
  }
  void groupDone() override {
    if (invocation_)
      invocation_->groupDone();
  }

  void begin(const oclgrind::KernelInvocation &kernelInvocation);
  void end();
  /// Puts the profile into a copy of its program.
  void embed(const profile::KernelProfile &profile, const std::string &program);
  /// Runs `work`; whatever it throws becomes a message to the user.
  template <typename Work> void guarded(Work work) noexcept;

  /// A profile on disk whose host reads are not all known yet.
  struct Unsettled {
    profile::KernelProfile profile;
    profile::Stored stored;
    std::string program; ///< empty where profiles are not embedded
    pid_t owner;         ///< a forked child leaves it to its parent
  };

  static thread_local const Invocation *threadsInvocation;
  static thread_local ExecutionTracker *threadsTracker;

  SessionOptions options_;
  engine::Launches launches_;
  InvocationFilter filter_;
  StatusFile status_;
  profile::ProfileStore store_;
  HostTransfers transfers_;
  TransferCounts toDevice_; ///< before the current invocation
  std::unique_ptr<Invocation> invocation_;
  std::string program_; ///< of the current invocation, where profiles are embedded
  std::unique_lock<std::mutex> running_;
  std::optional<Unsettled> unsettled_;
};

thread_local const Invocation *AiwcPlugin::threadsInvocation = nullptr;
thread_local ExecutionTracker *AiwcPlugin::threadsTracker = nullptr;

AiwcPlugin::AiwcPlugin(const oclgrind::Context *context, SessionOptions options)
    : TracingPlugin(context), options_(std::move(options)), launches_(options_), filter_(options_),
      status_(options_.statusFile), store_(options_.output, options_.csv) {
  status_.loaded(kVersion);
}

template <typename Work> void AiwcPlugin::guarded(Work work) noexcept {
  std::string message;
  try {
    work();
    return;
  } catch (const std::exception &error) {
    message = error.what();
  } catch (...) {
    message = "unknown internal error";
  }
  // The launcher shows what is in the status file when the application has ended.
  if (options_.statusFile.empty())
    std::fprintf(stderr, "aiwc: %s\n", message.c_str());
  status_.error(message);
}

void AiwcPlugin::kernelBegin(const oclgrind::KernelInvocation *kernelInvocation) {
  std::unique_lock running(process().running);
  running_ = std::move(running); // not before: until then it is another thread's
  guarded([&] { begin(*kernelInvocation); });
}

void AiwcPlugin::begin(const oclgrind::KernelInvocation &kernelInvocation) {
  settle();
  const std::string &kernel = kernelInvocation.getKernel()->getName();
  const uint64_t number = process().launches[kernel]++;
  if (number == 0)
    status_.kernelLaunched(kernel);
  toDevice_ = transfers_.takeToDevice();
  transfers_.takeToHost(); // of before the first invocation, or of one that was not selected
  metrics::AnalysisOptions analysis;
  analysis.lineBytes = options_.lineSize;
#ifdef AIWC_OVERHEAD_ANALYSES // in the build of benchmarks/overhead alone
  analysis.only = overheadAnalyses();
#endif
  if (!filter_.selects(kernel, number))
    return;
  invocation_ = std::make_unique<Invocation>(kernelInvocation, number, analysis,
                                             options_.sampleGroups, !options_.quiet);
  if (options_.embed)
    program_ = contentOf(*kernelInvocation.getKernel()->getProgram());
  if (options_.engine !=
      EngineChoice::kInterpreter) // what holds unless the launch is offered to us
    invocation_->setEngine("interpreter", kNotOffered);
}

bool AiwcPlugin::runCompiled(const oclgrind::KernelInvocation &kernelInvocation) {
  bool done = false;
  guarded([&] { done = launches_.run(kernelInvocation, invocation_.get()); });
  return done;
}

void AiwcPlugin::kernelEnd(const oclgrind::KernelInvocation *) {
  const std::unique_lock running = std::move(running_); // the next kernel begins when we return
  stopFollowing();
  guarded([&] { end(); });
  threadsInvocation = nullptr;
  threadsTracker = nullptr;
  invocation_.reset();
}

void AiwcPlugin::end() {
  if (!invocation_)
    return;
  profile::KernelProfile profile = invocation_->finish();
  profile.setCount("host_to_device_bytes"_metric, toDevice_.bytes);
  profile.setCount("host_to_device_transfers"_metric, toDevice_.transfers);
  if (!options_.quiet)
    std::fputs(profile::toText(profile).c_str(), stderr);
  // Whatever happens to the application from here on, the invocation is on disk. What the host is
  // going to read back has no value until the next invocation begins.
  const profile::Stored stored = store_.write(profile);
  status_.profileWritten(stored.json);
  unsettled_ = Unsettled{std::move(profile), stored, std::move(program_), getpid()};
  embed(unsettled_->profile, unsettled_->program);
}

void AiwcPlugin::embed(const profile::KernelProfile &profile, const std::string &program) {
  // The profile of a part of an invocation is of no use to a prediction.
  if (!options_.embed || !profile.complete)
    return;
  const bool made = embed::addToProgramFile(store_.folder(), profile, program);
  if (made && !options_.quiet)
    std::fprintf(stderr, "aiwc: profiles are embedded in %s\n",
                 embed::programFile(store_.folder(), profile.provenance).c_str());
}

void AiwcPlugin::settle() {
  if (!unsettled_ || unsettled_->owner != getpid())
    return;
  const TransferCounts toHost = transfers_.takeToHost();
  Unsettled last = std::move(*unsettled_);
  unsettled_.reset();
  guarded([&] {
    last.profile.setCount("device_to_host_bytes"_metric, toHost.bytes);
    last.profile.setCount("device_to_host_transfers"_metric, toHost.transfers);
    store_.rewrite(last.stored, last.profile);
    embed(last.profile, last.program);
  });
}

/// The plugins of contexts that live. An application that never releases its context is still
/// settled when the process exits.
struct Registry {
  std::mutex mutex;
  std::map<const oclgrind::Context *, std::unique_ptr<AiwcPlugin>> plugins;
};

Registry &registry() {
  static auto *instance = new Registry; // outlives every static destructor
  return *instance;
}

/// A kernel has begun; see `runCompiled`.
bool takeLaunch(const oclgrind::KernelInvocation *kernelInvocation) {
  AiwcPlugin *plugin = nullptr;
  {
    const std::scoped_lock lock(registry().mutex);
    const auto entry = registry().plugins.find(kernelInvocation->getContext());
    if (entry != registry().plugins.end())
      plugin = entry->second.get();
  }
  return plugin && plugin->runCompiled(*kernelInvocation);
}

/// Asks the preloaded library, where there is one, for the launches of kernels.
void askForLaunches(const aiwc::SessionOptions &options) {
  if (options.engine == EngineChoice::kInterpreter)
    return;
  using Take = bool (*)(const oclgrind::KernelInvocation *);
  if (const auto offer = reinterpret_cast<void (*)(Take)>(dlsym(RTLD_DEFAULT, "aiwcOfferLaunches")))
    offer(takeLaunch);
  else if (options.engine == EngineChoice::kCompiled || options.verbose)
    std::fprintf(stderr, "aiwc: kernels are interpreted: %s\n", kNotOffered);
}

__attribute__((destructor)) void settleAtExit() {
  for (const auto &[context, plugin] : registry().plugins)
    plugin->settle();
}

} // namespace
} // namespace aiwc::plugin

using namespace aiwc::plugin;

extern "C" {

__attribute__((visibility("default"))) void initializePlugins(oclgrind::Context *context) {
  try {
    const aiwc::SessionOptions options = aiwc::optionsFromEnvironment();
    aiwc::plugin::addIntrinsics();
    auto plugin = std::make_unique<AiwcPlugin>(context, options);
    context->registerPlugin(plugin.get());
    const std::scoped_lock lock(registry().mutex);
    registry().plugins[context] = std::move(plugin);
    askForLaunches(options);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "aiwc: %s\n", error.what());
  }
}

__attribute__((visibility("default"))) void releasePlugins(oclgrind::Context *context) {
  const std::scoped_lock lock(registry().mutex);
  const auto entry = registry().plugins.find(context);
  if (entry == registry().plugins.end())
    return;
  entry->second->settle();
  context->unregisterPlugin(entry->second.get());
  registry().plugins.erase(entry);
}

} // extern "C"
