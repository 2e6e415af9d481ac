#pragma once

#include <pthread.h>

#include <functional>
#include <optional>

namespace aiwc::engine {

/// A thread with a stack of `kDeepStackBytes` (deep_stack.h), whatever limit the user has set with
/// `ulimit -s`. Join or detach it before its destruction.
class DeepThread {
public:
  DeepThread() = default;
  /// Throws `std::system_error` if the thread cannot be started.
  explicit DeepThread(std::function<void()> work);

  bool joinable() const { return thread_.has_value(); }
  void join();
  void detach();

private:
  std::optional<pthread_t> thread_;
};

} // namespace aiwc::engine
