// Part of the preloaded library: threads of the application that use OpenCL at once. Oclgrind's
// runtime keeps the objects of the commands of all queues in maps that it changes without a lock,
// so two threads that enqueue at once, each to a queue of its own, crash. It makes the platform and
// its device at the first question about it, without a lock, too.

#include "opencl_api/definition.h"
#include "replaced.h"

#include <pthread.h>

#include <atomic>
#include <memory>
#include <new>

namespace oclgrind {
struct Command;
} // namespace oclgrind

namespace aiwc::plugin {
namespace {

thread_local const char self = 0; ///< its address stands for a thread

/// The thread that holds the lock, or null. One word, not a mutex and a flag: a handler of a signal
/// may fork between two changes.
std::atomic<const char *> holder = nullptr;

bool isHeld() {
  return holder.load(std::memory_order_relaxed) == &self;
}

void lock() {
  for (const char *other = nullptr; !holder.compare_exchange_strong(other, &self); other = nullptr)
    holder.wait(other);
}

void unlock() {
  holder = nullptr;
  holder.notify_one();
}

/// Held while Oclgrind changes its maps. The functions that do so call each other.
class CommandLock {
public:
  CommandLock() : mine_(!isHeld()) {
    if (mine_)
      lock();
  }
  ~CommandLock() {
    if (mine_)
      unlock();
  }
  CommandLock(const CommandLock &) = delete;
  CommandLock &operator=(const CommandLock &) = delete;

private:
  const bool mine_;
};

/// Gives up the lock while functions of the application may run: they may wait for another thread.
/// Oclgrind keeps no place in its maps meanwhile.
class WithoutCommandLock {
public:
  WithoutCommandLock() : wasHeld_(isHeld()) {
    if (wasHeld_)
      unlock();
  }
  ~WithoutCommandLock() {
    if (wasHeld_)
      lock();
  }
  WithoutCommandLock(const WithoutCommandLock &) = delete;
  WithoutCommandLock &operator=(const WithoutCommandLock &) = delete;

private:
  const bool wasHeld_;
};

thread_local unsigned forksUnderLock = 0; ///< that have begun, by handlers of signals

void beginFork() {
  if (isHeld())
    ++forksUnderLock;
  else
    lock();
}

void endFork() {
  if (forksUnderLock > 0)
    --forksUnderLock;
  else
    unlock();
}

/// A child has no other thread that would give up the lock.
__attribute__((constructor)) void lockInForks() {
  pthread_atfork(beginFork, endFork, endFork);
}

struct EventCallback {
  void(CL_CALLBACK *function)(cl_event, cl_int, void *);
  void *data;
};

void CL_CALLBACK callWithoutLock(cl_event event, cl_int status, void *data) {
  const std::unique_ptr<EventCallback> callback(static_cast<EventCallback *>(data));
  const WithoutCommandLock without;
  callback->function(event, status, callback->data);
}

} // namespace
} // namespace aiwc::plugin

using namespace aiwc::plugin;

// NOLINTBEGIN(bugprone-macro-parentheses): the parameters are those of a declaration.
/// Has Oclgrind's function, with this symbol, run under the lock.
#define AIWC_LOCKED(function, symbol, parameters, arguments)                                       \
  __attribute__((visibility("default"))) void function parameters {                                \
    static const auto next = replaced<void(*) parameters>(symbol);                                 \
    const CommandLock lock;                                                                        \
    next arguments;                                                                                \
  }
// NOLINTEND(bugprone-macro-parentheses)
AIWC_LOCKED(asyncEnqueue,
            "_Z12asyncEnqueueP17_cl_command_queuejPN8oclgrind7CommandEjPKP9_cl_eventPS5_",
            (cl_command_queue queue, cl_command_type type, oclgrind::Command *command,
             cl_uint events, const cl_event *waitList, cl_event *event),
            (queue, type, command, events, waitList, event))
AIWC_LOCKED(asyncQueueRetain, "_Z16asyncQueueRetainPN8oclgrind7CommandEP7_cl_mem",
            (oclgrind::Command * command, cl_mem object), (command, object))
AIWC_LOCKED(asyncQueueRetain, "_Z16asyncQueueRetainPN8oclgrind7CommandEP10_cl_kernel",
            (oclgrind::Command * command, cl_kernel kernel), (command, kernel))
AIWC_LOCKED(asyncQueueRelease, "_Z17asyncQueueReleasePN8oclgrind7CommandE",
            (oclgrind::Command * command), (command))

AIWC_OPENCL_FUNCTION(clGetPlatformIDs, most, platforms, count) {
  const CommandLock lock;
  return oclgrindApi().clGetPlatformIDs(most, platforms, count);
}

// Callbacks of the application: for events, and for objects and contexts that are destroyed.

AIWC_OPENCL_FUNCTION(clSetEventCallback, event, status, function, data) {
  if (!function)
    return oclgrindApi().clSetEventCallback(event, status, nullptr, data);
  auto *callback = new (std::nothrow) EventCallback{function, data};
  if (!callback)
    return CL_OUT_OF_HOST_MEMORY;
  const cl_int result = oclgrindApi().clSetEventCallback(event, status, callWithoutLock, callback);
  if (result != CL_SUCCESS)
    delete callback;
  return result;
}

AIWC_OPENCL_FUNCTION(clReleaseMemObject, object) {
  const WithoutCommandLock without;
  return oclgrindApi().clReleaseMemObject(object);
}

AIWC_OPENCL_FUNCTION(clReleaseKernel, kernel) {
  const WithoutCommandLock without;
  return oclgrindApi().clReleaseKernel(kernel);
}
