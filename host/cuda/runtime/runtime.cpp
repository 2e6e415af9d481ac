#include "cuda/runtime/runtime.h"

#include <unistd.h>

#include <cstdarg>
#include <cstdio>

namespace aiwc::cuda {

void say(const char *format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  char text[1024];
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "aiwc: %s\n", text);
}

Runtime &Runtime::get() {
  static auto *instance = new Runtime;
  return *instance;
}

Simulator &Runtime::start() {
  if (!simulator && !hasLooked_) {
    hasLooked_ = true;
    simulator = Simulator::find(mostSharedBytes());
    if (!simulator)
      say("this program was built by aiwc build and runs in the simulator: aiwc run -- %s",
          program_invocation_name);
  }
  require(simulator != nullptr, cudaErrorNoDevice);
  return *simulator;
}

void requireStream(Runtime &runtime, cudaStream_t stream) {
  const bool isDefault = !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
  require(isDefault || runtime.streams.contains(stream), cudaErrorInvalidResourceHandle);
}

namespace {
thread_local cudaError_t last = cudaSuccess;
}

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess)
    last = error;
  return error;
}
cudaError_t lastError() {
  return last;
}
void forgetLastError() {
  // CUDA keeps errors after which its context is lost.
  if (last != cudaErrorNoDevice &&
      (last != cudaErrorAssert || Runtime::get().ofDevice == cudaSuccess))
    last = cudaSuccess;
}

} // namespace aiwc::cuda
