#pragma once

#include "plugin/engine/held_output.h"
#include "plugin/engine/launches.h"
#include "plugin/error_report.h"
#include "plugin/host_transfers.h"
#include "plugin/invocation.h"
#include "plugin/launch_log.h"
#include "plugin/launched.h"
#include "plugin/results.h"
#include "plugin/sampling_loop.h"
#include "plugin/tracing_plugin.h"
#include "session/options.h"
#include "session/status.h"

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace aiwc::plugin {

/// The reason that a profile gives for a launch that was never offered to the compiled engine.
inline constexpr const char *kNotOffered = "the library of the compiled engine is not preloaded";
/// The reason for a launch that the compiled engine should not execute.
inline constexpr const char *kNotWanted = "--aiwc-engine=interpreter";

/// The plugin of one OpenCL context. It passes Oclgrind's callbacks on: what work-items execute to
/// the trackers of the current `Invocation`, the host's accesses to `HostTransfers`, offered
/// launches to `SamplingLoop`, and finished profiles to `Results`. It selects the invocations to
/// characterise by the session's options, characterises one invocation at a time, and has
/// `ErrorReport` catch every exception.
class AiwcPlugin final : public TracingPlugin {
public:
  AiwcPlugin(const oclgrind::Context *context, SessionOptions options);

  void kernelBegin(const oclgrind::KernelInvocation *kernelInvocation) override;
  void kernelEnd(const oclgrind::KernelInvocation *kernelInvocation) override;
  void log(oclgrind::MessageType type, const char *message) override {
    if (type == oclgrind::ERROR || type == oclgrind::WARNING)
      engine::countLoggedMessage();
    if (type != oclgrind::ERROR)
      return;
    if (invocation_)
      invocation_->simulatorError(message);
    tellHost(message);
  }

  // Oclgrind also calls these when it sets up the private memory of a work-item.
  void hostMemoryLoad(const oclgrind::Memory *memory, size_t, size_t size) override {
    if (isGlobal(memory))
      transfers_.load(size);
  }
  void hostMemoryStore(const oclgrind::Memory *memory, size_t, size_t size,
                       const uint8_t *) override {
    if (isGlobal(memory))
      transfers_.store(size);
  }
  void memoryAllocated(const oclgrind::Memory *memory, size_t address, size_t size, cl_mem_flags,
                       const uint8_t *initData) override {
    if (!isGlobal(memory))
      return;
    transfers_.allocated(size, initData);
    allocations_.allocated(*memory, address);
  }
  void memoryMap(const oclgrind::Memory *memory, size_t address, size_t offset, size_t size,
                 cl_map_flags flags) override {
    if (isGlobal(memory))
      transfers_.map(static_cast<const uint8_t *>(memory->getPointer(address)) + offset, size,
                     flags);
    launches_.mapped().map(*memory, address, offset, size, flags);
  }
  void memoryUnmap(const oclgrind::Memory *memory, size_t, const void *ptr) override {
    if (isGlobal(memory))
      transfers_.unmap(ptr);
    launches_.mapped().unmap(ptr);
  }

  bool isThreadSafe() const override { return true; }

  /// Offers the kernel that has begun to the compiled engine. Returns whether the engine ran it.
  bool runCompiled(const oclgrind::KernelInvocation &kernelInvocation);

  /// Completes what is on disk. Call before the context or the process ends. Any thread may call
  /// it.
  void conclude();

private:
  static bool isGlobal(const oclgrind::Memory *memory) {
    return memory->getAddressSpace() == oclgrind::AddrSpaceGlobal;
  }

  ExecutionTracker *trackerFor(const oclgrind::WorkGroup &workGroup) override {
    if (!invocation_ || !invocation_->records(workGroup.getGroupID()))
      return nullptr;
    // A simulator thread takes part in one invocation only.
    if (threadsInvocation != invocation_.get() || !threadsTracker) {
      threadsInvocation = invocation_.get();
      threadsTracker = &invocation_->newTracker();
    }
    return threadsTracker;
  }
  void groupDone(bool followed) override {
    if (invocation_)
      invocation_->groupDone(followed);
  }

  void begin(const oclgrind::KernelInvocation &kernelInvocation);
  /// Begins to characterise the current launch.
  void characterise(const oclgrind::KernelInvocation &kernelInvocation);
  /// Whether the launches before have taken the budget, or so many times as much.
  bool isTimeUsedUp(double times = 1) const;
  /// Whether more launches like these need not be characterised when the time is used up.
  bool isEnough(const Representatives::Known &known) const;
  void end();
  void tellOfRace(uint32_t line) const;
  /// Adds the host's reads since the last invocation to its profile on disk. Call when the host can
  /// read no more of its results. Any thread may call it.
  void settle();
  /// Runs the kernel with the compiled engine. Returns an empty string, or the reason why the
  /// interpreter has to run the kernel.
  std::string tryEngine(const oclgrind::KernelInvocation &kernelInvocation);
  /// The same, for a launch that takes too long to characterise: it gets no profile.
  std::string withoutProfile(const oclgrind::KernelInvocation &kernelInvocation);
  /// The same, for a launch that is not characterised.
  std::string runUntraced(const oclgrind::KernelInvocation &kernelInvocation);
  /// Prints why a kernel is interpreted, once per kernel and reason, if the user asked for that.
  void explain(const std::string &kernel, const std::string &reason);
  /// Tells the host program of `aiwc kernel` of an error; other applications do not ask. Ends the
  /// launch, by an exception of Oclgrind's, if the host has seen enough.
  void tellHost(const char *message) const;
  /// Undoes what `begin` did, for a launch that the host makes again with other arguments.
  void drop(const oclgrind::KernelInvocation &kernelInvocation);

  static thread_local const Invocation *threadsInvocation;
  static thread_local ExecutionTracker *threadsTracker;

  SessionOptions options_;
  engine::Launches launches_;
  InvocationFilter filter_;
  StatusFile status_;
  ErrorReport errors_;
  Results results_;
  LaunchLog log_;
  SamplingLoop sampling_;
  Representatives representatives_; ///< if not all launches of a kind are characterised
  HostTransfers transfers_;
  Allocations allocations_;
  ProgramDescriptions programs_;
  run::Launch launch_; ///< the current one
  /// The last launch of this context that has ended, until it is known what the host reads after
  /// it. Guarded by ResultsLock.
  struct Ended {
    uint64_t number; ///< in its process
    pid_t process;
  };
  std::optional<Ended> ended_;
  std::unique_ptr<Invocation> invocation_;
  std::string interpretedBecause_; ///< the current launch; empty if it was compiled
  std::unique_lock<std::mutex> running_;
  std::set<std::pair<std::string, std::string>> explained_; ///< kernels and reasons already printed
};

} // namespace aiwc::plugin
