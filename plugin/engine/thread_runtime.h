#pragma once

#include "plugin/engine/fiber_switch.h"
#include "plugin/engine/jit.h"
#include "plugin/engine/memory_view.h"

#include <array>
#include <boost/context/detail/fcontext.hpp>
#include <csetjmp>

namespace aiwc::plugin::engine {

/// What a launch has in common for all threads.
struct Launch {
  const CompiledKernel &kernel;
  const oclgrind::KernelInvocation &invocation;
  const trace::Program &program;
  GlobalView &global;
};

/// The thread of a launch that runs its work-groups, one after another. It lays a group out (ids,
/// local and private memory, the `State`) and calls the kernel for each of its work-items
/// (thread_runtime.cpp), in a fiber each where they synchronise (thread_fibers.cpp); makes the
/// copies that they ask for together (async_copies.cpp); calls Oclgrind's own functions for them
/// and keeps what they print (thread_builtins.cpp); and stops in the middle where a check fails.
/// Compiled code reaches it through runtime_calls.h.
class ThreadRuntime {
public:
  ThreadRuntime(const Launch &launch, trace::ChunkConsumer &consumer);
  ~ThreadRuntime();
  ThreadRuntime(const ThreadRuntime &) = delete;
  ThreadRuntime &operator=(const ThreadRuntime &) = delete;

  /// The arguments and variables, as Oclgrind would hand them to a work-item.
  const std::vector<uint8_t> &values() const { return values_; }
  /// False where the kernel did something that only the interpreter can do or report. The trace
  /// then ends in the middle, and nothing but `failure` may be called.
  bool runGroup(oclgrind::Size3 id, bool observed);
  Failure failure() const { return reason_; }
  /// Writes what the groups have printed. For the end of a launch that was not given up.
  void writeOutput();
  /// Blocks that all groups have executed which were observed, or not, as far as these ran code
  /// that writes a trace.
  uint64_t blocksExecuted(bool observed) const { return trace_.blocksExecuted(observed); }

  // For calls.
  [[noreturn]] void fail(Failure failure);
  void flush() { trace_.flushFull(); }
  void savePages(uint64_t address, uint64_t size) { launch_.global.savePages(address, size); }
  uint64_t allocate(uint64_t size);
  void release(uint64_t address);
  /// The work-item that runs has come to a barrier, or waits for copies; the other one has it wait.
  void arriveAtBarrier(uint64_t site, uint64_t fence, const uint64_t *events, uint64_t eventCount);
  void waitAtBarrier();
  uint64_t asyncCopy(const void *site, bool toLocal, uint64_t destination, uint64_t source,
                     uint64_t elementSize, uint64_t count, uint64_t stride, uint64_t event);
  uint8_t *bytes(uint64_t space, uint64_t address, uint64_t size, bool write);
  void evaluate(const BuiltinSite &site, const uint8_t *arguments, uint8_t *result);
  void evaluateStore(const BuiltinSite &site, uint8_t *arguments, uint8_t *result, uint64_t address,
                     uint8_t *native);
  bool holdsBackTooMuch() const;
  void print(const BuiltinSite &site, const uint8_t *arguments);
  void readText(trace::Access first, uint64_t count);

private:
  enum class Outcome { kFinished, kBarrier, kFailed };

  struct Fiber {
    boost::context::detail::fcontext_t context = nullptr;
    Outcome outcome = Outcome::kFinished;
    uint64_t site = 0, fence = 0;
    std::vector<uint64_t> events;
    size_t copies = 0; ///< of the group's pending ones, how many it has asked for
  };

  struct AsyncCopy {
    const void *site;
    bool toLocal;
    uint64_t destination, source, elementSize, count, stride, event;
    bool operator==(const AsyncCopy &) const = default;
  };

  void makeScratch();
  /// Runs the work-item that the state describes.
  void runKernel() { (observed_ ? launch_.kernel.run : launch_.kernel.unobserved())(&state_); }
  void prepareScratch();
  void prepareLocalMemory();
  void preparePrivateMemory();
  void beginItem(uint32_t item);
  void numberItems();
  void selectItem(uint32_t item);
  bool runItems();
  bool runFibers();
  bool giveUp(Failure failure) {
    reason_ = failure;
    return false;
  }
  bool resume(uint32_t item);
  bool leaveBarrier();
  void performCopies(uint64_t event);
  uint8_t *stackTop(uint32_t item);
  void freeStacks();
  Stack stackOf(uint32_t item);
  static void enterFiber(boost::context::detail::transfer_t transfer);
  [[noreturn]] void leaveFiber(Outcome outcome);

  const Launch &launch_;
  State state_;
  trace::Recorder trace_;
  std::unique_ptr<oclgrind::WorkGroup> scratchGroup_;
  oclgrind::WorkItem *scratchItem_ = nullptr;
  uint64_t staging_ = 0;     ///< a buffer in its private memory; 0 where there is none
  uint32_t evaluations_ = 0; ///< that it has been used for
  std::vector<const BuiltinSite *> printed_;
  std::vector<uint8_t> printedArguments_; ///< of one after another
  std::vector<uint8_t> values_;

  std::vector<BufferEntry> local_;
  std::vector<std::unique_ptr<uint8_t[]>> localData_;
  std::vector<std::vector<uint8_t>> privateArguments_;
  std::deque<PrivateView> private_; ///< per work-item of a group that synchronises, else one

  oclgrind::Size3 groupSize_;
  std::vector<std::array<uint64_t, 3>> localIds_; ///< of the group's work-items
  std::array<uint64_t, 3> groupOrigin_{};         ///< the global id of its first one
  bool observed_ = true;                          ///< the group
  uint32_t items_ = 0;
  uint32_t item_ = 0; ///< the one that runs
  std::jmp_buf failure_;
  Failure reason_ = Failure::kInternal;
  std::vector<Fiber> fibers_;
  boost::context::detail::fcontext_t scheduler_ = nullptr;
  Stack schedulerStack_;
  uint8_t *stacks_ = nullptr;
  size_t stackCount_ = 0;
  std::vector<AsyncCopy> copies_;
  uint64_t nextEvent_ = 1;
};

} // namespace aiwc::plugin::engine
