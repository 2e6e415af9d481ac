#include "plugin/engine/background_compilation.h"

#include "common/signals.h"
#include "plugin/engine/deep_thread.h"

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

namespace aiwc::engine {
namespace {

using Task = std::packaged_task<std::unique_ptr<CompiledKernel>()>;

thread_local bool isBackground = false;

class Threads {
public:
  static Threads &instance() {
    static auto *threads = new Threads; // outlives every static destructor
    return *threads;
  }

  void start(Task task) {
    count(1);
    try {
      const AllSignalsBlocked blocked;
      auto shared = std::make_shared<Task>(std::move(task)); // a std::function is copied
      startDeepThread([this, own = std::move(shared)]() mutable {
        isBackground = true;
        (*own)();
        own.reset();
        count(-1);
      });
    } catch (...) {
      count(-1);
      throw;
    }
  }

  void checkpoint() {
    if (!stop_.load(std::memory_order_relaxed))
      return;
    std::unique_lock lock(mutex_);
    --running_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !stop_; });
    ++running_;
  }

private:
  Threads() {
    std::atexit(stop); // later than LLVM's own, and thus called before them
    pthread_atfork(beginFork, resume, startAnew);
  }

  void count(int more) {
    const std::scoped_lock lock(mutex_);
    running_ += more;
    changed_.notify_all();
  }

  /// Waits until every thread has ended or stands at a checkpoint.
  static void stop() {
    Threads &all = instance();
    std::unique_lock lock(all.mutex_);
    all.stop_ = true;
    all.changed_.wait(lock, [&] { return all.running_ == 0; });
  }

  static void beginFork() {
    stop();
    instance().mutex_.lock(); // so that the child finds it in a known state
  }

  static void resume() {
    Threads &all = instance();
    all.stop_ = false;
    all.mutex_.unlock();
    all.changed_.notify_all();
  }

  /// In the child, which has none of the threads. The condition variable would wait for those that
  /// wait for it.
  static void startAnew() {
    Threads &all = instance();
    all.stop_ = false;
    all.running_ = 0;
    all.mutex_.unlock();
    new (&all.changed_) std::condition_variable;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> stop_ = false; ///< changes under `mutex_`
  int running_ = 0;                ///< threads that compile, without those at a checkpoint
};

} // namespace

std::future<std::unique_ptr<CompiledKernel>> compileInBackground(LoweredKernel kernel) {
  Task task([lowered = std::move(kernel)]() mutable { return lowered.compile(); });
  auto future = task.get_future();
  Threads::instance().start(std::move(task));
  return future;
}

void compilationCheckpoint() {
  if (isBackground)
    Threads::instance().checkpoint();
}

} // namespace aiwc::engine
