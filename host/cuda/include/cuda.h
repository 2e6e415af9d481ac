// The driver API's header, for programs that include it beside the runtime API's. The simulator has
// none of the driver API's functions.
#pragma once
#define __cuda_cuda_h__ // programs test it
#pragma GCC system_header
#include "cuda_runtime.h"

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
enum cudaError_enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_UNKNOWN = 999 };
typedef enum cudaError_enum CUresult;
