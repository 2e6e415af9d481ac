#include "plugin/engine/deep_thread.h"

#include "plugin/engine/deep_stack.h"

#include <memory>
#include <system_error>
#include <utility>

namespace aiwc::engine {
namespace {

using Work = std::function<void()>;

void *runWork(void *work) {
  (*std::unique_ptr<Work>(static_cast<Work *>(work)))();
  return nullptr;
}

} // namespace

DeepThread::DeepThread(Work work) {
  auto passed = std::make_unique<Work>(std::move(work));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kDeepStackBytes);
  pthread_t thread{};
  const int error = pthread_create(&thread, &attributes, runWork, passed.get());
  pthread_attr_destroy(&attributes);
  if (error != 0)
    throw std::system_error(error, std::generic_category());
  static_cast<void>(passed.release()); // the thread owns it
  thread_ = thread;
}

void DeepThread::join() {
  pthread_join(*thread_, nullptr);
  thread_.reset();
}

void DeepThread::detach() {
  pthread_detach(*thread_);
  thread_.reset();
}

} // namespace aiwc::engine
