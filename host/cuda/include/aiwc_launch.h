// What the compiler calls for kernel<<<grid, block, bytes, stream>>>(...).
#pragma once
#pragma GCC system_header
#include "driver_types.h"

typedef cudaError_t hipError_t;
typedef cudaStream_t hipStream_t;
extern "C" {
unsigned int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes = 0,
                                        cudaStream_t stream = 0);
hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes,
                                     cudaStream_t *stream);
hipError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                           size_t sharedBytes, hipStream_t stream);
}
