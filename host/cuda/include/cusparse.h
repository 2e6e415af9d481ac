// cuSPARSE: its functions are refused.
#pragma once
#define CUSPARSE_H_ // programs test it
#pragma GCC system_header
#include "aiwc_refused_library.h"
#include "library_types.h"

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum {
  CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
  CUSPARSE_OPERATION_TRANSPOSE = 1,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum { CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_MATRIX_TYPE_GENERAL = 0 } cusparseMatrixType_t;
typedef enum {
  CUSPARSE_POINTER_MODE_HOST = 0,
  CUSPARSE_POINTER_MODE_DEVICE = 1
} cusparsePointerMode_t;
typedef enum { CUSPARSE_SPMV_ALG_DEFAULT = 0, CUSPARSE_SPMV_CSR_ALG1 = 2 } cusparseSpMVAlg_t;
typedef enum { CUSPARSE_SPMM_ALG_DEFAULT = 0, CUSPARSE_SPMM_CSR_ALG1 = 4 } cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SPGEMM_DEFAULT = 0 } cusparseSpGEMMAlg_t;
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;

AIWC_ANSWERED(const char *, cusparseGetErrorString, "cuSPARSE is not simulated")
AIWC_ANSWERED(const char *, cusparseGetErrorName, "CUSPARSE_STATUS_NOT_SUPPORTED")
#define AIWC_SPARSE(name)                                                                          \
  AIWC_REFUSED(cusparseStatus_t, cusparse##name, CUSPARSE_STATUS_NOT_SUPPORTED, "cuSPARSE")
AIWC_SPARSE(Create)
AIWC_SPARSE(Destroy)
AIWC_SPARSE(SetStream)
AIWC_SPARSE(SetPointerMode)
AIWC_SPARSE(CreateMatDescr)
AIWC_SPARSE(DestroyMatDescr)
AIWC_SPARSE(SetMatType)
AIWC_SPARSE(SetMatIndexBase)
AIWC_SPARSE(CreateCoo)
AIWC_SPARSE(CreateCsr)
AIWC_SPARSE(DestroySpMat)
AIWC_SPARSE(CreateDnMat)
AIWC_SPARSE(DestroyDnMat)
AIWC_SPARSE(CreateDnVec)
AIWC_SPARSE(DestroyDnVec)
AIWC_SPARSE(SpMV_bufferSize)
AIWC_SPARSE(SpMV)
AIWC_SPARSE(SpMM_bufferSize)
AIWC_SPARSE(SpMM)
#undef AIWC_SPARSE
