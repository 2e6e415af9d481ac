// What the kernels of these tests need of CUDA: little, so that the tests are of the tool and not
// of the headers that users get.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant)) __attribute__((annotate("aiwc.constant")))

using size_t = unsigned long;

extern "C" {
__device__ size_t _Z12get_local_idj(unsigned) __attribute__((const));
__device__ size_t _Z13get_global_idj(unsigned) __attribute__((const));
__device__ size_t _Z14get_local_sizej(unsigned) __attribute__((const));
__device__ void _Z7barrierj(unsigned) __attribute__((convergent));
__device__ float _Z4sqrtf(float) __attribute__((const));
__device__ float _Z5frexpfPi(float, int *);
__device__ int printf(const char *, ...);
}

static __device__ inline int local() {
  return (int)_Z12get_local_idj(0);
}
static __device__ inline int item() {
  return (int)_Z13get_global_idj(0);
}
static __device__ inline void wait() {
  _Z7barrierj(1);
}
