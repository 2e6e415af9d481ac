// Asynchronous copies to shared memory, which are done at once.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

/// Of 4, 8 or 16 bytes, the last `zeros` of which are 0.
AIWC_DEVICE void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes,
                                         size_t zeros = 0) {
  const size_t copied = (bytes - zeros) / sizeof(int);
#pragma unroll
  for (size_t i = 0; i < bytes / sizeof(int); ++i)
    ((int *)shared)[i] = i < copied ? ((const int *)global)[i] : 0;
}
AIWC_DEVICE void __pipeline_commit() {}
AIWC_DEVICE void __pipeline_wait_prior(size_t) {}
