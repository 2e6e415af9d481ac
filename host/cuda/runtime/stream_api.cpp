// Streams and events. Since all work is done when a function returns, every stream is idle. An
// event keeps the host's time.
#include "cuda/runtime/runtime.h"

#include <chrono>

using namespace aiwc::cuda;

struct CUstream_st {
  unsigned int flags = 0;
  int priority = 0;
};
struct CUevent_st {
  bool hasTime = true, isRecorded = false;
  std::chrono::steady_clock::time_point time;
};

namespace {

void requireEvent(Runtime &runtime, cudaEvent_t event) {
  require(runtime.events.contains(event), cudaErrorInvalidResourceHandle);
}

} // namespace

AIWC_CUDA_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags,
                                                       int priority) {
  return answer([&](Runtime &runtime) {
    require(stream && flags <= cudaStreamNonBlocking, cudaErrorInvalidValue);
    auto created = std::make_unique<CUstream_st>(CUstream_st{flags, priority});
    runtime.streams.insert(created.get());
    *stream = created.release();
  });
}
AIWC_CUDA_API cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}
AIWC_CUDA_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
AIWC_CUDA_API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return answer([&](Runtime &runtime) {
    require(runtime.streams.erase(stream) > 0, cudaErrorInvalidResourceHandle);
    delete stream;
  });
}
AIWC_CUDA_API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return answer([&](Runtime &runtime) { requireStream(runtime, stream); });
}
AIWC_CUDA_API cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return cudaStreamSynchronize(stream);
}
AIWC_CUDA_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                              unsigned int) {
  return answer([&](Runtime &runtime) {
    requireStream(runtime, stream);
    requireEvent(runtime, event);
  });
}
AIWC_CUDA_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
  return answer([&](Runtime &runtime) {
    requireStream(runtime, stream);
    require(flags, cudaErrorInvalidValue);
    *flags = runtime.streams.contains(stream) ? stream->flags : cudaStreamDefault;
  });
}
AIWC_CUDA_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  return answer([&](Runtime &runtime) {
    requireStream(runtime, stream);
    require(priority, cudaErrorInvalidValue);
    *priority = runtime.streams.contains(stream) ? stream->priority : 0;
  });
}
AIWC_CUDA_API cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID,
                                                 const cudaStreamAttrValue *value) {
  return answer([&](Runtime &runtime) {
    requireStream(runtime, stream);
    require(value, cudaErrorInvalidValue);
  });
}
AIWC_CUDA_API cudaError_t cudaCtxResetPersistingL2Cache() {
  return answer([](Runtime &) {});
}
AIWC_CUDA_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                                cudaStreamCaptureStatus *status) {
  return answer([&](Runtime &runtime) {
    requireStream(runtime, stream);
    require(status, cudaErrorInvalidValue);
    *status = cudaStreamCaptureStatusNone;
  });
}
AIWC_CUDA_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                                void *data, unsigned int) {
  const cudaError_t status = answer([&](Runtime &runtime) {
    requireStream(runtime, stream);
    require(callback, cudaErrorInvalidValue);
  });
  if (status == cudaSuccess)
    callback(stream, cudaSuccess, data);
  return status;
}
AIWC_CUDA_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function,
                                             void *data) {
  const cudaError_t status = answer([&](Runtime &runtime) {
    requireStream(runtime, stream);
    require(function, cudaErrorInvalidValue);
  });
  if (status == cudaSuccess)
    function(data);
  return status;
}

AIWC_CUDA_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  return answer([&](Runtime &runtime) {
    require(event, cudaErrorInvalidValue);
    auto created = std::make_unique<CUevent_st>();
    created->hasTime = (flags & cudaEventDisableTiming) == 0;
    runtime.events.insert(created.get());
    *event = created.release();
  });
}
AIWC_CUDA_API cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
AIWC_CUDA_API cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return answer([&](Runtime &runtime) {
    require(runtime.events.erase(event) > 0, cudaErrorInvalidResourceHandle);
    delete event;
  });
}
AIWC_CUDA_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                                   unsigned int) {
  return answer([&](Runtime &runtime) {
    requireStream(runtime, stream);
    requireEvent(runtime, event);
    event->isRecorded = true;
    event->time = std::chrono::steady_clock::now();
  });
}
AIWC_CUDA_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
AIWC_CUDA_API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return answer([&](Runtime &runtime) { requireEvent(runtime, event); });
}
AIWC_CUDA_API cudaError_t cudaEventQuery(cudaEvent_t event) {
  return cudaEventSynchronize(event);
}
AIWC_CUDA_API cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start,
                                               cudaEvent_t end) {
  return answer([&](Runtime &runtime) {
    require(milliseconds, cudaErrorInvalidValue);
    for (const cudaEvent_t event : {start, end}) {
      requireEvent(runtime, event);
      require(event->isRecorded && event->hasTime, cudaErrorInvalidResourceHandle);
    }
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  });
}
