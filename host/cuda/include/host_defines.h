// The words of the language, and what a program can ask about the compiler. Files that an ordinary
// compiler compiles get the words without a meaning.
#pragma once
#define __HOST_DEFINES_H__ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header

#ifdef __HIP__ // while the language is compiled; nvcc's programs must not see it (cuda_runtime.h)
#define AIWC_CUDA
#endif

#ifdef AIWC_CUDA
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
// Kernels get a calling convention of their own from the device's compiler, so that a pointer to
// them in the host's code would have another type. A second one, which the target has not, gives
// their type the default one again; the code keeps the kernel's.
#ifdef __HIP_DEVICE_COMPILE__
#define __global__ __attribute__((global, pascal))
#define __launch_bounds__(...) __attribute__((annotate("aiwc.launch_bounds", __VA_ARGS__)))
#else
#define __global__ __attribute__((global))
#endif
#define __shared__ __attribute__((shared))
// The compiler gives variables in constant memory the address space of others.
#define __constant__ __attribute__((constant, annotate("aiwc.constant")))
#define __managed__ __attribute__((managed))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#endif
#define __grid_constant__
#ifndef __launch_bounds__
#define __launch_bounds__(...)
#endif
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __inline_hint__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define CUDARTAPI
#define CUDAAPI
#define CUDART_CB
#define CUDA_CB
#define __device_builtin__
#define __cudart_builtin__
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif

// GCC's library writes __attribute__((__noinline__)), for which CUDA's word must not exist yet.
#ifdef AIWC_CUDA
#include <memory>
#define __noinline__ __attribute__((noinline))
#endif

#define CUDART_VERSION 11080
#define CUDA_VERSION 11080
#define __CUDART_API_VERSION CUDART_VERSION

#ifdef AIWC_CUDA
// The simulated device has compute capability 7.0, or what `-arch` asks for, without textures.
#ifdef AIWC_HIPCC
#define __HIP_PLATFORM_AMD__ 1
#else
#define __CUDACC__ 1
#define __NVCC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 11
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#ifdef __HIP_DEVICE_COMPILE__
#define __CUDA_ARCH__ AIWC_CUDA_ARCH
#endif

/// Of the functions in these headers: inlined, without lines of their own, so that a profile counts
/// what they do at the line that calls them.
#define AIWC_DEVICE static __attribute__((device, always_inline, nodebug, unused)) inline
#define AIWC_HOST static __attribute__((host, always_inline, unused)) inline
#define AIWC_BOTH static __attribute__((host, device, always_inline, nodebug, unused)) inline
#define AIWC_BOTH_MEMBER __attribute__((host, device, nodebug))
/// Declares a function of OpenCL C by its mangled name. It depends on its arguments only.
#define AIWC_OPENCL(type, name, parameters, symbol)                                                \
  __attribute__((device, const, nothrow)) type name parameters __asm__(symbol)
/// A function of device code that only returns `result`.
#define AIWC_COMPUTED(type, name, parameters, result)                                              \
  AIWC_DEVICE type name parameters {                                                               \
    return result;                                                                                 \
  }
#else
#define AIWC_HOST static inline
#define AIWC_BOTH static inline
#define AIWC_BOTH_MEMBER
#endif
