// cuBLAS: handles, copies and products of matrices work, what else computes is refused.
#pragma once
#define CUBLAS_V2_H_ // programs test these
#define CUBLAS_API_H_
#pragma GCC system_header
#include "aiwc_refused_library.h"
#include "cuComplex.h"
#include "library_types.h"
#ifdef __cplusplus // programs expect these types of cuBLAS
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif

typedef enum cublasStatus {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
static inline const char *cublasGetStatusName(cublasStatus_t status) {
#define AIWC_NAMED(name)                                                                           \
  if (status == CUBLAS_STATUS_##name)                                                              \
    return "CUBLAS_STATUS_" #name;
  AIWC_NAMED(SUCCESS)
  AIWC_NAMED(NOT_INITIALIZED)
  AIWC_NAMED(ALLOC_FAILED)
  AIWC_NAMED(INVALID_VALUE)
  AIWC_NAMED(ARCH_MISMATCH)
  AIWC_NAMED(MAPPING_ERROR)
  AIWC_NAMED(EXECUTION_FAILED)
  AIWC_NAMED(INTERNAL_ERROR)
  AIWC_NAMED(NOT_SUPPORTED)
  AIWC_NAMED(LICENSE_ERROR)
#undef AIWC_NAMED
  return "unknown status";
}
#define cublasGetStatusString cublasGetStatusName
typedef enum cublasOperation {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2
} cublasOperation_t;
typedef enum cublasFillMode {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum cublasDiagType { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum cublasSideMode { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum cublasPointerMode {
  CUBLAS_POINTER_MODE_HOST = 0,
  CUBLAS_POINTER_MODE_DEVICE = 1
} cublasPointerMode_t;
typedef enum cublasMath {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum cublasGemmAlgo {
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum cublasComputeType {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32I = 72
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

static inline cublasStatus_t cublasCreate(cublasHandle_t *handle) {
  *handle = (cublasHandle_t)handle; // nothing reads what it refers to
  return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void *from,
                                             int fromRows, void *to, int toRows) {
  return cudaMemcpy2D(to, (size_t)toRows * bytes, from, (size_t)fromRows * bytes,
                      (size_t)rows * bytes, columns, cudaMemcpyDefault) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}
static inline cublasStatus_t cublasSetVector(int count, int bytes, const void *from, int fromStep,
                                             void *to, int toStep) {
  return cublasSetMatrix(1, count, bytes, from, fromStep, to, toStep);
}
#define cublasGetMatrix cublasSetMatrix
#define cublasGetVector cublasSetVector
#define AIWC_BLAS_ANSWERED(name) AIWC_ANSWERED(cublasStatus_t, cublas##name, CUBLAS_STATUS_SUCCESS)
AIWC_BLAS_ANSWERED(Destroy)
AIWC_BLAS_ANSWERED(SetStream)
AIWC_BLAS_ANSWERED(SetMathMode)
AIWC_BLAS_ANSWERED(SetPointerMode)
AIWC_BLAS_ANSWERED(SetWorkspace)
#undef AIWC_BLAS_ANSWERED

#ifdef __cplusplus
extern "C" {
#endif
// The program's types of matrices are checked here; the library has a kernel for each of them.
#define AIWC_GEMM(name, Real)                                                                      \
  cublasStatus_t cublas##name(cublasHandle_t handle, cublasOperation_t aOperation,                 \
                              cublasOperation_t bOperation, int m, int n, int k,                   \
                              const Real *alpha, const Real *a, int aLeading, const Real *b,       \
                              int bLeading, const Real *beta, Real *c, int cLeading);              \
  cublasStatus_t cublas##name##StridedBatched(                                                     \
      cublasHandle_t handle, cublasOperation_t aOperation, cublasOperation_t bOperation, int m,    \
      int n, int k, const Real *alpha, const Real *a, int aLeading, long long aStride,             \
      const Real *b, int bLeading, long long bStride, const Real *beta, Real *c, int cLeading,     \
      long long cStride, int matrices);
AIWC_GEMM(Sgemm, float)
AIWC_GEMM(Dgemm, double)
#ifdef __cplusplus
AIWC_GEMM(Hgemm, __half)
#endif
#undef AIWC_GEMM
/// Of half, float or double, the same for all three matrices; computed in float or double.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t aOperation,
                            cublasOperation_t bOperation, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType aType, int aLeading, const void *b,
                            cudaDataType bType, int bLeading, const void *beta, void *c,
                            cudaDataType cType, int cLeading, cublasComputeType_t computed,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t aOperation,
                                          cublasOperation_t bOperation, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType aType,
                                          int aLeading, long long aStride, const void *b,
                                          cudaDataType bType, int bLeading, long long bStride,
                                          const void *beta, void *c, cudaDataType cType,
                                          int cLeading, long long cStride, int matrices,
                                          cublasComputeType_t computed, cublasGemmAlgo_t algorithm);
#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
/// Before CUDA 11, the type of the computation was one of data.
static inline cublasComputeType_t aiwcComputed(cudaDataType type) {
  return type == CUDA_R_64F   ? CUBLAS_COMPUTE_64F
         : type == CUDA_R_16F ? CUBLAS_COMPUTE_16F
         : type == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                              : CUBLAS_COMPUTE_32F;
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t aOperation,
                                          cublasOperation_t bOperation, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType aType,
                                          int aLeading, const void *b, cudaDataType bType,
                                          int bLeading, const void *beta, void *c,
                                          cudaDataType cType, int cLeading, cudaDataType computed,
                                          cublasGemmAlgo_t algorithm) {
  return cublasGemmEx(handle, aOperation, bOperation, m, n, k, alpha, a, aType, aLeading, b, bType,
                      bLeading, beta, c, cType, cLeading, aiwcComputed(computed), algorithm);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t aOperation, cublasOperation_t bOperation, int m, int n,
    int k, const void *alpha, const void *a, cudaDataType aType, int aLeading, long long aStride,
    const void *b, cudaDataType bType, int bLeading, long long bStride, const void *beta, void *c,
    cudaDataType cType, int cLeading, long long cStride, int matrices, cudaDataType computed,
    cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, aOperation, bOperation, m, n, k, alpha, a, aType,
                                    aLeading, aStride, b, bType, bLeading, bStride, beta, c, cType,
                                    cLeading, cStride, matrices, aiwcComputed(computed), algorithm);
}
#endif

#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
#define AIWC_BLAS(name)                                                                            \
  AIWC_REFUSED(cublasStatus_t, cublas##name, CUBLAS_STATUS_NOT_SUPPORTED, "cuBLAS")
/// Of float, double and their complex numbers.
#define AIWC_BLAS_4(name)                                                                          \
  AIWC_BLAS(S##name) AIWC_BLAS(D##name) AIWC_BLAS(C##name) AIWC_BLAS(Z##name)
AIWC_BLAS_4(axpy)
AIWC_BLAS_4(copy)
AIWC_BLAS_4(scal)
AIWC_BLAS_4(swap)
AIWC_BLAS_4(gemv)
AIWC_BLAS_4(symv)
AIWC_BLAS_4(trsv)
AIWC_BLAS(Cgemm)
AIWC_BLAS(Zgemm)
AIWC_BLAS_4(gemmBatched)
AIWC_BLAS(CgemmStridedBatched)
AIWC_BLAS(ZgemmStridedBatched)
AIWC_BLAS_4(symm)
AIWC_BLAS_4(syrk)
AIWC_BLAS_4(trmm)
AIWC_BLAS_4(trsm)
AIWC_BLAS_4(trsmBatched)
AIWC_BLAS_4(geam)
AIWC_BLAS_4(dgmm)
AIWC_BLAS_4(getrfBatched)
AIWC_BLAS_4(getrsBatched)
AIWC_BLAS_4(getriBatched)
AIWC_BLAS(Isamax)
AIWC_BLAS(Idamax)
AIWC_BLAS(Icamax)
AIWC_BLAS(Izamax)
AIWC_BLAS(Isamin)
AIWC_BLAS(Idamin)
AIWC_BLAS(Sasum)
AIWC_BLAS(Dasum)
AIWC_BLAS(Sdot)
AIWC_BLAS(Ddot)
AIWC_BLAS(Cdotu)
AIWC_BLAS(Cdotc)
AIWC_BLAS(Zdotu)
AIWC_BLAS(Zdotc)
AIWC_BLAS(Snrm2)
AIWC_BLAS(Dnrm2)
AIWC_BLAS(Scnrm2)
AIWC_BLAS(Dznrm2)
AIWC_BLAS(Srot)
AIWC_BLAS(Drot)
AIWC_BLAS(Sger)
AIWC_BLAS(Dger)
AIWC_BLAS(HgemmBatched)
AIWC_BLAS(DotEx)
AIWC_BLAS(AxpyEx)
AIWC_BLAS(ScalEx)
AIWC_BLAS(Nrm2Ex)
AIWC_BLAS(SgemmEx)
AIWC_BLAS(GemmBatchedEx)
#undef AIWC_BLAS_4
#undef AIWC_BLAS
