// Asynchronous copies to shared memory, which are done at once.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

/// Of 4, 8 or 16 bytes, the last `zeros` of which are 0.
AIWC_DEVICE void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes,
                                         size_t zeros = 0) {
  const size_t copied = bytes - zeros; // nothing behind them is read
#pragma unroll
  for (size_t i = 0; i < bytes; i += 4) {
    unsigned int word = 0;
    if (i + 4 <= copied)
      word = ((const unsigned int *)global)[i / 4];
    else
      for (size_t byte = i; byte < copied; ++byte)
        word |= (unsigned int)((const unsigned char *)global)[byte] << 8 * (byte % 4);
    ((unsigned int *)shared)[i / 4] = word;
  }
}
AIWC_DEVICE void __pipeline_commit() {}
AIWC_DEVICE void __pipeline_wait_prior(size_t) {}
