// cuFFT, whose functions are refused.
#pragma once
#define _CUFFT_H_ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header
#include "aiwc_refused_library.h"
#include "cuComplex.h"

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_TYPE = 3,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6,
  CUFFT_SETUP_FAILED = 7,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_UNALIGNED_DATA = 9,
  CUFFT_INVALID_DEVICE = 11,
  CUFFT_NO_WORKSPACE = 13,
  CUFFT_NOT_IMPLEMENTED = 14,
  CUFFT_NOT_SUPPORTED = 16,
  CUFFT_MISSING_DEPENDENCY = 17,
  CUFFT_NVRTC_FAILURE = 18,
  CUFFT_NVJITLINK_FAILURE = 19,
  CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;
typedef enum cufftType_t {
  CUFFT_R2C = 0x2a,
  CUFFT_C2R = 0x2c,
  CUFFT_C2C = 0x29,
  CUFFT_D2Z = 0x6a,
  CUFFT_Z2D = 0x6c,
  CUFFT_Z2Z = 0x69
} cufftType;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

#define AIWC_FFT(name) AIWC_REFUSED(cufftResult, cufft##name, CUFFT_NOT_SUPPORTED, "cuFFT")
AIWC_FFT(Create)
AIWC_FFT(Destroy)
AIWC_FFT(Plan1d)
AIWC_FFT(Plan2d)
AIWC_FFT(Plan3d)
AIWC_FFT(PlanMany)
AIWC_FFT(MakePlan1d)
AIWC_FFT(MakePlan2d)
AIWC_FFT(MakePlan3d)
AIWC_FFT(MakePlanMany)
AIWC_FFT(SetStream)
AIWC_FFT(SetWorkArea)
AIWC_FFT(SetAutoAllocation)
AIWC_FFT(GetSize)
AIWC_FFT(ExecC2C)
AIWC_FFT(ExecR2C)
AIWC_FFT(ExecC2R)
AIWC_FFT(ExecZ2Z)
AIWC_FFT(ExecD2Z)
AIWC_FFT(ExecZ2D)
#undef AIWC_FFT
