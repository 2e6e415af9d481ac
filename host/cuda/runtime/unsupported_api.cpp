// What the simulator does not have. A program learns it as an error, its user in a line.
#include "aiwc_refused_library.h"
#include "cuda/runtime/runtime.h"

#include <set>
#include <string>

using namespace aiwc::cuda;

namespace aiwc::cuda {

cudaError_t refuse(const char *function, const char *feature) {
  return answer([&](Runtime &) {
    static auto *said = new std::set<std::string>;
    if (said->insert(function).second)
      say("%s: the simulator has no %s", function, feature);
    throw Failure{cudaErrorNotSupported};
  });
}

} // namespace aiwc::cuda

AIWC_CUDA_API void aiwcRefuse(const char *function, const char *library) {
  refuse(function, library);
}
AIWC_CUDA_API cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t,
                                                      cudaStream_t) {
  return refuse(__func__, "synchronisation of a whole grid");
}
AIWC_CUDA_API cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  return refuse(__func__, "graphs");
}
AIWC_CUDA_API cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *) {
  return refuse(__func__, "graphs");
}
AIWC_CUDA_API cudaError_t cudaGraphCreate(cudaGraph_t *, unsigned int) {
  return refuse(__func__, "graphs");
}
AIWC_CUDA_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, cudaGraphNode_t *,
                                               char *, size_t) {
  return refuse(__func__, "graphs");
}
AIWC_CUDA_API cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) {
  return refuse(__func__, "graphs");
}
AIWC_CUDA_API cudaError_t cudaGraphDestroy(cudaGraph_t) {
  return refuse(__func__, "graphs");
}
AIWC_CUDA_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
  return refuse(__func__, "graphs");
}
AIWC_CUDA_API cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *) {
  return refuse(__func__, "memory that processes share");
}
AIWC_CUDA_API cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned int) {
  return refuse(__func__, "memory that processes share");
}
AIWC_CUDA_API cudaError_t cudaIpcCloseMemHandle(void *) {
  return refuse(__func__, "memory that processes share");
}
AIWC_CUDA_API cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t) {
  return refuse(__func__, "events that processes share");
}
AIWC_CUDA_API cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t) {
  return refuse(__func__, "events that processes share");
}
