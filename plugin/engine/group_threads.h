#pragma once

#include "plugin/engine/deep_thread.h"
#include "plugin/engine/thread_runtime.h"
#include "plugin/engine/thread_view.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <span>
#include <string>

namespace aiwc::engine {

/// Runs untraced work-groups of a launch on several threads at once. A round has consecutive
/// groups. If the order of the groups matters, because one needs what another one writes or prints,
/// say, the round is rolled back and its groups have to run in order.
class GroupThreads {
public:
  /// A round has this many parts per thread, so that a thread that finishes early can take another
  /// part.
  static constexpr size_t kPartsPerThread = 4;

  /// Whether the groups of a launch with these pointers may run at once.
  static bool canRun(const EngineLaunch &launch, std::span<const GlobalPointer> pointers);

  /// The buffers of `launch` are accessible already. `threads`: at least 2; the calling thread is
  /// one of them. Throws if the system refuses threads or memory.
  GroupThreads(const EngineLaunch &launch, unsigned threads);
  ~GroupThreads();
  GroupThreads(const GroupThreads &) = delete;
  GroupThreads &operator=(const GroupThreads &) = delete;

  /// Runs the groups with the linear ids [begin, end). Returns false if they have to run in order;
  /// memory is then as it was before. `exactBorders`: whether the groups at the borders of parts
  /// are exact (thread_view.h), which takes longer. A group that executes more than `mostWork`
  /// instructions may never end, and has to run in order.
  bool run(size_t begin, size_t end, bool exactBorders, uint64_t mostWork);
  struct Round {
    bool done = false;   ///< false: no group has run
    std::string failure; ///< why the launch needs the interpreter; empty: it does not
  };
  /// The same for a launch whose groups are apart. `spare`, which has run such a group before, runs
  /// those for whose begin a thread has no memory.
  Round runApart(size_t begin, size_t end, ThreadRuntime &spare);
  /// What a group of the last round executed.
  const GroupWork &work(size_t group) const { return works_[group - begin_]; }
  /// Number of instructions executed in all rounds.
  uint64_t untracedInstructions() const;

private:
  struct Worker {
    Worker(const EngineLaunch &launch, ThreadView &view);

    ThreadView &view;
    Stacks stacks;
    EngineLaunch launch; ///< with these stacks
    trace::Recorder::Memory traceMemory;
    ThreadRuntime runtime;
    /// A group failed, of a launch whose groups are apart: its code, if that can, or before it ran.
    bool failed = false;
    PooledThread thread; ///< none for the first, which is the calling thread
  };

  void endThreads();
  void cut(size_t begin, size_t end);
  void runRound();
  void runPart(Worker &worker);
  bool runApart(Worker &worker, size_t part, size_t group);
  void serve(Worker &worker);

  const EngineLaunch &launch_;
  ThreadViews views_;
  std::deque<Worker> workers_;

  // Of the round
  size_t begin_ = 0;
  bool exactBorders_ = false;
  bool areApart_ = false;
  std::vector<size_t> parts_; ///< part i has the groups from parts_[i] to parts_[i + 1]
  std::vector<size_t> next_;  ///< if `areApart_`: by part, the first group that has not run
  std::vector<GroupWork> works_;
  std::atomic<size_t> nextPart_{0};

  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by `mutex_`
  uint64_t round_ = 0;
  size_t busy_ = 0; ///< workers that have not finished the round
  bool closed_ = false;
};

} // namespace aiwc::engine
