// cuBLASLt: descriptions are taken, products are refused.
#pragma once
#define CUBLASLT_H_ // programs test it
#pragma GCC system_header
#include "cublas_v2.h"

typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtMatmulDescOpaque *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreferenceOpaque *cublasLtMatmulPreference_t;
typedef struct cublasLtMatrixTransformDescOpaque *cublasLtMatrixTransformDesc_t;
typedef struct cublasLtMatmulAlgo {
  unsigned long long data[8];
} cublasLtMatmulAlgo_t;
typedef struct cublasLtMatmulHeuristicResult {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
} cublasLtMatmulHeuristicResult_t;
typedef enum cublasLtOrder {
  CUBLASLT_ORDER_COL = 0,
  CUBLASLT_ORDER_ROW = 1,
  CUBLASLT_ORDER_COL32 = 2,
  CUBLASLT_ORDER_COL4_4R2_8C = 3,
  CUBLASLT_ORDER_COL32_2R_4R4 = 4
} cublasLtOrder_t;
typedef enum cublasLtPointerMode {
  CUBLASLT_POINTER_MODE_HOST = 0,
  CUBLASLT_POINTER_MODE_DEVICE = 1,
  CUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3,
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4
} cublasLtPointerMode_t;
typedef enum cublasLtEpilogue {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36,
  CUBLASLT_EPILOGUE_RELU_AUX = 130,
  CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134,
  CUBLASLT_EPILOGUE_GELU_AUX = 160,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  CUBLASLT_EPILOGUE_DGELU = 192,
  CUBLASLT_EPILOGUE_DGELU_BGRAD = 208,
  CUBLASLT_EPILOGUE_BGRADA = 256,
  CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;
typedef enum cublasLtMatmulDescAttributes {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
  CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
  CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_TRANSC = 5,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
  CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
  CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
  CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
} cublasLtMatmulDescAttributes_t;
typedef enum cublasLtMatrixLayoutAttribute {
  CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
  CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
  CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
  CUBLASLT_MATRIX_LAYOUT_COLS = 3,
  CUBLASLT_MATRIX_LAYOUT_LD = 4,
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
} cublasLtMatrixLayoutAttribute_t;
typedef enum cublasLtMatrixTransformDescAttributes {
  CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE = 0,
  CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE = 1,
  CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA = 2,
  CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB = 3
} cublasLtMatrixTransformDescAttributes_t;
typedef enum cublasLtMatmulPreferenceAttributes {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1
} cublasLtMatmulPreferenceAttributes_t;

static inline cublasStatus_t
cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                               cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                               cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                               cublasLtMatmulPreference_t preference, int asked,
                               cublasLtMatmulHeuristicResult_t *results, int *found) {
  (void)handle, (void)product, (void)a, (void)b, (void)c, (void)d, (void)preference, (void)asked;
  (void)results;
  aiwcRefuse("cublasLtMatmulAlgoGetHeuristic", "cuBLASLt");
  *found = 0;
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
#define AIWC_BLAS_ANSWERED(name)                                                                   \
  AIWC_ANSWERED(cublasStatus_t, cublasLt##name, CUBLAS_STATUS_SUCCESS)
AIWC_BLAS_ANSWERED(Create)
AIWC_BLAS_ANSWERED(Destroy)
AIWC_BLAS_ANSWERED(MatmulDescCreate)
AIWC_BLAS_ANSWERED(MatmulDescDestroy)
AIWC_BLAS_ANSWERED(MatmulDescSetAttribute)
AIWC_BLAS_ANSWERED(MatrixLayoutCreate)
AIWC_BLAS_ANSWERED(MatrixLayoutDestroy)
AIWC_BLAS_ANSWERED(MatrixLayoutSetAttribute)
AIWC_BLAS_ANSWERED(MatrixTransformDescCreate)
AIWC_BLAS_ANSWERED(MatrixTransformDescDestroy)
AIWC_BLAS_ANSWERED(MatrixTransformDescSetAttribute)
AIWC_BLAS_ANSWERED(MatmulPreferenceCreate)
AIWC_BLAS_ANSWERED(MatmulPreferenceDestroy)
AIWC_BLAS_ANSWERED(MatmulPreferenceSetAttribute)
#undef AIWC_BLAS_ANSWERED
AIWC_REFUSED(cublasStatus_t, cublasLtMatmul, CUBLAS_STATUS_NOT_SUPPORTED, "cuBLASLt")
AIWC_REFUSED(cublasStatus_t, cublasLtMatrixTransform, CUBLAS_STATUS_NOT_SUPPORTED, "cuBLASLt")
