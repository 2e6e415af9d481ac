// Names of CUDA's objects for profilers.
#pragma once
#include "../nvToolsExt.h"
#include "cuda_runtime_api.h"

static inline void nvtxNameCudaStreamA(cudaStream_t stream, const char *name) {
  (void)stream;
  (void)name;
}
static inline void nvtxNameCudaEventA(cudaEvent_t event, const char *name) {
  (void)event;
  (void)name;
}
