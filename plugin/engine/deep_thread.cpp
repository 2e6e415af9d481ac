#include "plugin/engine/deep_thread.h"

#include "common/write.h"
#include "plugin/engine/deep_stack.h"

#include <pthread.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

namespace aiwc::engine {
namespace {

using Work = std::function<void()>;

void *runWork(void *work) {
  (*std::unique_ptr<Work>(static_cast<Work *>(work)))();
  return nullptr;
}

/// Starts a thread that nobody waits for. Throws `std::system_error` if it cannot be started.
void startDeepThread(Work work) {
  auto passed = std::make_unique<Work>(std::move(work));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kDeepStackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  const int error = pthread_create(&thread, &attributes, runWork, passed.get());
  pthread_attr_destroy(&attributes);
  if (error != 0)
    throw std::system_error(error, std::generic_category());
  static_cast<void>(passed.release()); // the thread owns it
}

} // namespace

struct PooledThread::Thread {
  std::mutex mutex;
  std::condition_variable changed;
  Work work; ///< guarded by `mutex`; empty: none
};

/// The threads without work.
class PooledThread::Pool {
public:
  static Pool &instance() {
    static auto *pool = new Pool; // outlives every static destructor
    return *pool;
  }

  Thread *start(Work work) {
    Thread *thread = take();
    if (!thread) {
      auto made = std::make_unique<Thread>();
      reserve();
      const AllSignalsBlocked blocked;
      startDeepThread([own = made.get()] { serve(*own); });
      thread = made.release(); // as long as the process
    }
    {
      const std::scoped_lock lock(thread->mutex);
      thread->work = std::move(work);
    }
    thread->changed.notify_all();
    return thread;
  }

  void finish(Thread *thread) {
    {
      std::unique_lock lock(thread->mutex);
      thread->changed.wait(lock, [&] { return !thread->work; });
    }
    const std::scoped_lock lock(mutex_);
    idle_.push_back(thread);
  }

private:
  Pool() {
    pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                   [] {
                     instance().idle_.clear(); // the child has none of the threads
                     instance().mutex_.unlock();
                   });
  }

  Thread *take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty())
      return nullptr;
    Thread *thread = idle_.back();
    idle_.pop_back();
    return thread;
  }

  /// Makes room for one more thread, so that `finish` needs no memory.
  void reserve() {
    const std::scoped_lock lock(mutex_);
    idle_.reserve(++threads_);
  }

  static void serve(Thread &thread) {
    std::unique_lock lock(thread.mutex);
    for (;;) {
      thread.changed.wait(lock, [&] { return thread.work != nullptr; });
      lock.unlock();
      thread.work();
      lock.lock();
      thread.work = nullptr;
      thread.changed.notify_all();
    }
  }

  std::mutex mutex_;
  std::vector<Thread *> idle_; ///< guarded by `mutex_`, as is:
  size_t threads_ = 0;
};

PooledThread::PooledThread(Work work) : thread_(Pool::instance().start(std::move(work))) {}

void PooledThread::join() {
  Pool::instance().finish(thread_);
  thread_ = nullptr;
}

} // namespace aiwc::engine
