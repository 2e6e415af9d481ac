#include "plugin/engine/background_compilation.h"

#include "common/signals.h"

#include <pthread.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

namespace aiwc::plugin::engine {
namespace {

using Task = std::packaged_task<std::unique_ptr<CompiledKernel>()>;

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
      std::thread([this, work = std::move(task)]() mutable {
        work();
        work = {};
        count(-1);
      }).detach();
    } catch (...) {
      count(-1);
      throw;
    }
  }

private:
  Threads() {
    std::atexit(wait); // later than LLVM's own, and thus called before them
    pthread_atfork(wait, nullptr, nullptr);
  }

  void count(int more) {
    const std::scoped_lock lock(mutex_);
    running_ += more;
    done_.notify_all();
  }

  static void wait() {
    Threads &all = instance();
    std::unique_lock lock(all.mutex_);
    all.done_.wait(lock, [&] { return all.running_ == 0; });
  }

  std::mutex mutex_;
  std::condition_variable done_;
  int running_ = 0;
};

} // namespace

std::future<std::unique_ptr<CompiledKernel>> compileInBackground(LoweredKernel kernel) {
  Task task([lowered = std::move(kernel)]() mutable { return lowered.compile(); });
  auto future = task.get_future();
  Threads::instance().start(std::move(task));
  return future;
}

} // namespace aiwc::plugin::engine
