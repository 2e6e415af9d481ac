// Products of matrices of cuBLAS against their definition.

#include "cuda/runtime/cuda_program.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

TEST_CASE("C = alpha op(A) op(B) + beta C, of parts of matrices and of batches") {
  const Words lines = printed(R"(
    #include <cublas_v2.h>
    #include <cusparse.h>
    #include <cuda_fp16.h>
    #include <vector>
    #define EXPECT(...) if (!(__VA_ARGS__)) printf("line %d: %s\n", __LINE__, #__VA_ARGS__)
    /// Whole numbers, so that sums are exact.
    template <typename T> T *numbers(int count, int seed) {
      T *values;
      CHECK_CUDA(cudaMallocManaged(&values, count * sizeof(T)));
      for (int i = 0; i < count; ++i)
        values[i] = T(float((i * 7 + seed) % 11 - 5));
      return values;
    }
    template <typename T> bool isProduct(bool aT, bool bT, int m, int n, int k, float alpha, const T *a, int lda,
                                         const T *b, int ldb, float beta, const std::vector<T> &before, const T *c, int ldc) {
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) {
          float sum = 0;
          for (int l = 0; l < k; ++l)
            sum += float(aT ? a[l + i * lda] : a[i + l * lda]) * float(bT ? b[j + l * ldb] : b[l + j * ldb]);
          if (float(c[i + j * ldc]) != alpha * sum + beta * float(before[i + j * ldc]))
            return false;
        }
      return true;
    })",
                              R"(
    cublasHandle_t handle;
    EXPECT(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T};
    const int m = 19, n = 33, k = 21, ld = 40;
    float *a = numbers<float>(ld * ld, 1), *b = numbers<float>(ld * ld, 2), *c = numbers<float>(ld * ld, 3);
    for (int aT = 0; aT < 2; ++aT)
      for (int bT = 0; bT < 2; ++bT) {
        const std::vector<float> before(c, c + ld * ld);
        const float alpha = 2, beta = -1;
        EXPECT(cublasSgemm(handle, operations[aT], operations[bT], m, n, k, &alpha, a, ld, b, ld, &beta, c, ld) == CUBLAS_STATUS_SUCCESS);
        EXPECT(isProduct(aT, bT, m, n, k, alpha, a, ld, b, ld, beta, before, c, ld));
        EXPECT(c[m] == before[m] && c[n * ld] == before[n * ld]); // nothing beside C
      }
    // Of memory of the device, from within it, with factors in it; what C has does not count for beta = 0.
    double *A, *B, *C, *factors, one[] = {0.5, 0}, host[64], result[64];
    for (int i = 0; i < 64; ++i) host[i] = i % 9;
    CHECK_CUDA(cudaMalloc(&A, sizeof host));
    CHECK_CUDA(cudaMalloc(&B, sizeof host));
    CHECK_CUDA(cudaMalloc(&C, sizeof host));
    CHECK_CUDA(cudaMalloc(&factors, sizeof one));
    CHECK_CUDA(cudaMemcpy(factors, one, sizeof one, cudaMemcpyHostToDevice));
    CHECK_CUDA(cudaMemcpy(A, host, sizeof host, cudaMemcpyHostToDevice));
    CHECK_CUDA(cudaMemcpy(B, host, sizeof host, cudaMemcpyHostToDevice));
    CHECK_CUDA(cudaMemset(C, 0xff, sizeof host)); // no numbers
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    EXPECT(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, factors, A + 8, 4, B, 4, factors + 1, C, 4) == CUBLAS_STATUS_SUCCESS);
    CHECK_CUDA(cudaMemcpy(result, C, sizeof result, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16; ++i) {
      double sum = 0;
      for (int l = 0; l < 4; ++l)
        sum += host[8 + i % 4 + 4 * l] * host[l + i / 4 * 4];
      EXPECT(result[i] == 0.5 * sum);
    }
    const float alpha = 1, beta = 0;
    EXPECT(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, 5, 6, 7, &alpha, a, 5, 35, b, 6, 42, &beta, c, 5, 30, 3) == CUBLAS_STATUS_SUCCESS);
    for (int i = 0; i < 3; ++i)
      EXPECT(isProduct(false, true, 5, 6, 7, alpha, a + 35 * i, 5, b + 42 * i, 6, beta, std::vector<float>(30), c + 30 * i, 5));
    __half *ha = numbers<__half>(64, 1), *hb = numbers<__half>(64, 2), *hc = numbers<__half>(64, 3);
    EXPECT(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &alpha, ha, CUDA_R_16F, 8, hb, CUDA_R_16F, 8, &beta, hc, CUDA_R_16F, 8,
                        CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
    EXPECT(isProduct(false, false, 8, 8, 8, alpha, ha, 8, hb, 8, beta, std::vector<__half>(64), hc, 8));
    const __half two(2.0f), three(3.0f);
    const std::vector<__half> halves(hc, hc + 64);
    EXPECT(cublasHgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 8, 8, 8, &two, ha, 8, hb, 8, &three, hc, 8) == CUBLAS_STATUS_SUCCESS);
    EXPECT(isProduct(true, false, 8, 8, 8, 2, ha, 8, hb, 8, 3, halves, hc, 8));
    EXPECT(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 9, 8, 8, &alpha, a, 8, b, 8, &beta, c, 8) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 8, 8, &alpha, a, 8, b, 8, &beta, c, 8) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 5, 6, 7, &alpha, a, CUDA_R_32F, 5, 35, b, CUDA_R_32F, 6, 42, &beta, c,
                                      CUDA_R_32F, 5, 30, 3, CUDA_R_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS); // as before CUDA 11
    for (int i = 0; i < 3; ++i)
      EXPECT(isProduct(false, true, 5, 6, 7, alpha, a + 35 * i, 5, b + 42 * i, 6, beta, std::vector<float>(30), c + 30 * i, 5));
    EXPECT(cublasSdot(handle, 3, a, 1, b, 1, c) == CUBLAS_STATUS_NOT_SUPPORTED);
    cusparseHandle_t sparse;
    EXPECT(cusparseCreate(&sparse) == CUSPARSE_STATUS_NOT_SUPPORTED);)");
  CHECK(lines == Words{});
}

TEST_CASE("A profile says that the product's kernel is not cuBLAS'") {
  const CudaProgram program(R"(
    #include <cublasLt.h>
    int main() {
      cublasHandle_t handle;
      cublasLtHandle_t light;
      float *x;
      const float one = 1;
      CHECK_CUDA(cudaMallocManaged(&x, 1024));
      return cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS || cublasLtCreate(&light) != CUBLAS_STATUS_SUCCESS ||
             cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 16, 16, 1, &one, x, 16, x, 1, &one, x, 16) != CUBLAS_STATUS_SUCCESS;
    })");
  CHECK(program.runWith("compiled").succeeded().names() == Words{"cublasSgemm_by_aiwc_0"});
}
