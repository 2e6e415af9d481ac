#pragma once

#include <functional>

namespace aiwc::engine {

/// Work on a thread of the process that was started for earlier work, or on a new one, which stays
/// for later work. Join it before its destruction. The thread has a stack of `kDeepStackBytes`
/// (deep_stack.h), whatever limit the user has set with `ulimit -s`.
class PooledThread {
public:
  PooledThread() = default;
  /// Throws `std::system_error` if there is no thread and none can be started.
  explicit PooledThread(std::function<void()> work);

  bool joinable() const { return thread_ != nullptr; }
  /// Waits for the end of the work.
  void join();

private:
  struct Thread;
  class Pool;

  Thread *thread_ = nullptr;
};

} // namespace aiwc::engine
