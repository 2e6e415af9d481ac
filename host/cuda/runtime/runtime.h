// The state of the library, and the boundary at which its functions catch.
#pragma once

#include "cuda/runtime/failure.h"
#include "cuda/runtime/memory.h"
#include "cuda/runtime/programs.h"
#include "cuda/runtime/simulator.h"
#include "cuda_runtime_api.h"

#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <unordered_set>

/// Functions of the API are what the library exports.
#define AIWC_CUDA_API extern "C" __attribute__((visibility("default")))

namespace aiwc::cuda {

struct Runtime {
  /// Never destroyed: programs call the API in destructors of static objects.
  static Runtime &get();

  /// Finds the simulator at the first call. Fails with cudaErrorNoDevice, and says why once, if
  /// there is none.
  Simulator &start();

  std::mutex mutex; ///< the simulator runs one kernel at a time
  std::unique_ptr<Simulator> simulator;
  Memory memory;
  Programs programs;
  std::unordered_set<const void *> streams, events; ///< those that exist
  /// What a kernel ended with, which each later call returns until the device is reset.
  cudaError_t ofDevice = cudaSuccess;

private:
  bool hasLooked_ = false;
};

/// Of a block of a GPU of the program's compute capability, if the program asks for it.
size_t mostSharedBytes();

/// The last error of the thread that is not a success.
cudaError_t remember(cudaError_t error);
cudaError_t lastError();
void forgetLastError();

/// Runs a function of the API, with the lock. Its failures become the result.
template <typename Function> cudaError_t answer(Function function) noexcept {
  try {
    Runtime &runtime = Runtime::get();
    const std::scoped_lock lock(runtime.mutex);
    runtime.start();
    require(runtime.ofDevice == cudaSuccess, runtime.ofDevice);
    function(runtime);
    return cudaSuccess;
  } catch (const Failure &failure) {
    return remember(failure.error);
  } catch (const std::bad_alloc &) {
    return remember(cudaErrorMemoryAllocation);
  } catch (const std::exception &error) {
    say("%s", error.what());
    return remember(cudaErrorUnknown);
  }
}

/// Answers that the simulator does not have the feature, and says so once for each function.
cudaError_t refuse(const char *function, const char *feature);

/// Answers with a value.
template <typename Value> cudaError_t give(Value *to, Value value) {
  return answer([&](Runtime &) {
    require(to, cudaErrorInvalidValue);
    *to = value;
  });
}

/// Fails unless the stream exists; the default streams do.
void requireStream(Runtime &runtime, cudaStream_t stream);

} // namespace aiwc::cuda
