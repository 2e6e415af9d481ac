// Errors: their names and texts, and the last one.
#include "cuda/runtime/runtime.h"

using namespace aiwc::cuda;

AIWC_CUDA_API cudaError_t cudaPeekAtLastError() {
  return lastError();
}
AIWC_CUDA_API cudaError_t cudaGetLastError() {
  const cudaError_t error = lastError();
  forgetLastError();
  return error;
}

AIWC_CUDA_API const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define AIWC_ERROR(name, value, text)                                                              \
  case name:                                                                                       \
    return #name;
    AIWC_CUDA_ERRORS(AIWC_ERROR)
#undef AIWC_ERROR
  }
  return "unrecognized error code";
}

AIWC_CUDA_API const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define AIWC_ERROR(name, value, text)                                                              \
  case name:                                                                                       \
    return text;
    AIWC_CUDA_ERRORS(AIWC_ERROR)
#undef AIWC_ERROR
  }
  return "unrecognized error code";
}
