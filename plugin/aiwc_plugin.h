#pragma once

#include "plugin/engine/launches.h"
#include "plugin/host_transfers.h"
#include "plugin/invocation.h"
#include "plugin/results.h"
#include "plugin/tracing_plugin.h"
#include "session/options.h"
#include "session/status.h"

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace aiwc::plugin {

/// Why a launch is interpreted that nobody has offered to the compiled engine.
inline constexpr const char *kNotOffered = "the library of the compiled engine is not preloaded";

/// What Oclgrind tells about one context, handed to the parts that make something of it: what its
/// work-items execute to the trackers of the invocation that runs (`Invocation`), what crosses
/// between host and device to `HostTransfers`, a launch that is offered to `engine::Launches`, and
/// what has come of it to `Results`. It decides by the session's options which invocations are
/// characterised, keeps them apart, and lets nothing escape that is thrown.
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

  /// The host has read what it is going to read of the last invocation: completes its profile on
  /// disk. From any thread.
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
  /// Has the compiled engine run the kernel. Empty, or why the interpreter has to.
  std::string tryEngine(const oclgrind::KernelInvocation &kernelInvocation);
  /// Tells the user who asked to be told, once.
  void explain(const std::string &kernel, const std::string &reason);
  /// Runs `work`; whatever it throws becomes a message to the user.
  template <typename Work> void guarded(Work work) noexcept;

  static thread_local const Invocation *threadsInvocation;
  static thread_local ExecutionTracker *threadsTracker;

  SessionOptions options_;
  engine::Launches launches_;
  InvocationFilter filter_;
  StatusFile status_;
  Results results_;
  HostTransfers transfers_;
  TransferCounts toDevice_; ///< before the current invocation
  std::unique_ptr<Invocation> invocation_;
  std::string program_; ///< of the current invocation, where profiles are embedded
  std::unique_lock<std::mutex> running_;
  std::set<std::pair<std::string, std::string>> explained_; ///< kernels and reasons told
};

} // namespace aiwc::plugin
