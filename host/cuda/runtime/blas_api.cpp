// The matrix products of cuBLAS, by a kernel of ours. Its name says so in profiles: programs go on
// behind a product, but the time of this kernel is not that of cuBLAS.
#include "cublas_v2.h"
#include "cuda/runtime/runtime.h"

#include <algorithm>
#include <array>
#include <cstring>

using namespace aiwc::cuda;

namespace {

/// C = alpha A B + beta C of column-major matrices, a tile of 16 x 16 for each group. `REAL` is the
/// type that it computes in; LOAD and STORE reach the matrices' elements.
constexpr const char *kSource = R"(
kernel void NAME(uint m, uint n, uint k, REAL alpha, global const TYPE *a, ulong aBegin, ulong aRow, ulong aColumn,
                 ulong aMatrix, global const TYPE *b, ulong bBegin, ulong bRow, ulong bColumn, ulong bMatrix, REAL beta,
                 global TYPE *c, ulong cBegin, ulong cColumn, ulong cMatrix) {
  local REAL aTile[16][17], bTile[16][17];
  const uint x = get_local_id(0), y = get_local_id(1), row = get_global_id(0), column = get_global_id(1);
  aBegin += get_group_id(2) * aMatrix;
  bBegin += get_group_id(2) * bMatrix;
  REAL sum = 0;
  for (uint first = 0; first < k; first += 16) {
    aTile[y][x] = row < m && first + y < k ? LOAD(a, aBegin + row * aRow + (first + y) * aColumn) : 0;
    bTile[y][x] = column < n && first + x < k ? LOAD(b, bBegin + (first + x) * bRow + column * bColumn) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < 16; ++i)
      sum = fma(aTile[i][x], bTile[y][i], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < m && column < n) {
    const ulong at = cBegin + get_group_id(2) * cMatrix + row + column * cColumn;
    sum *= alpha;
    if (beta != 0) // what C has then may be no number
      sum = fma(beta, LOAD(c, at), sum);
    STORE(c, at, sum);
  }
}
)";

/// Types of the matrices and of what is computed.
struct Product {
  const char *kernel, *options;
  size_t elementBytes, realBytes;
};
constexpr Product kSingle = {"cublasSgemm_by_aiwc",
                             "-DNAME=cublasSgemm_by_aiwc -DREAL=float -DTYPE=float "
                             "-DLOAD(p,i)=p[i] -DSTORE(p,i,v)=p[i]=v",
                             sizeof(float), sizeof(float)};
constexpr Product kDouble = {"cublasDgemm_by_aiwc",
                             "-DNAME=cublasDgemm_by_aiwc -DREAL=double -DTYPE=double "
                             "-DLOAD(p,i)=p[i] -DSTORE(p,i,v)=p[i]=v",
                             sizeof(double), sizeof(double)};
constexpr Product kHalf = {"cublasGemmEx_by_aiwc",
                           "-DNAME=cublasGemmEx_by_aiwc -DREAL=float -DTYPE=half "
                           "-DLOAD(p,i)=vload_half(i,p) -DSTORE(p,i,v)=vstore_half(v,i,p)",
                           2, sizeof(float)};

cl_kernel kernelOf(const Simulator &simulator, const Product &product) {
  static std::array<std::pair<const char *, cl_kernel>, 3> built{};
  const auto known = std::ranges::find_if(
      built, [&](const auto &entry) { return !entry.first || entry.first == product.kernel; });
  if (!known->first) {
    cl_int status = CL_SUCCESS;
    const char *source = kSource;
    cl_program program = clCreateProgramWithSource(simulator.context, 1, &source, nullptr, &status);
    if (status == CL_SUCCESS)
      status = clBuildProgram(program, 1, &simulator.device, product.options, nullptr, nullptr);
    cl_kernel kernel =
        status == CL_SUCCESS ? clCreateKernel(program, product.kernel, &status) : nullptr;
    require(status == CL_SUCCESS, cudaErrorInvalidKernelImage);
    *known = {product.kernel, kernel};
  }
  return known->second;
}

/// A matrix of an operation, or those of a batch.
struct Operand {
  const void *values;
  int leading; ///< elements from one column to the next
  cublasOperation_t operation;
  long long stride; ///< elements from one matrix of the batch to the next
};

class Arguments {
public:
  Arguments(Runtime &runtime, cl_kernel kernel) : runtime_(runtime), kernel_(kernel) {}
  template <typename Value> void add(const Value &value) { addBytes(&value, sizeof value); }
  void addBytes(const void *value, size_t bytes) {
    require(clSetKernelArg(kernel_, next_++, bytes, value) == CL_SUCCESS, cudaErrorInvalidValue);
  }
  /// alpha and beta are in memory of the host or of the device.
  void addReal(const void *value, size_t bytes) {
    require(value, cudaErrorInvalidValue);
    std::array<char, sizeof(double)> copied{};
    runtime_.memory.copy(*runtime_.simulator, {copied.data(), bytes}, {value, bytes}, bytes, 1,
                         cudaMemcpyDefault);
    if (__half half; bytes == sizeof half) {
      std::memcpy(&half, copied.data(), bytes);
      return add(static_cast<float>(half));
    }
    addBytes(copied.data(), bytes);
  }
  /// The buffer that the address is in, and the elements before it.
  void addMemory(const void *pointer, size_t elementBytes) {
    const size_t address =
        runtime_.memory.deviceAddress(*runtime_.simulator, reinterpret_cast<size_t>(pointer));
    const Memory::Range *range = runtime_.memory.onDevice(pointerTo(address));
    require(range && (address - range->begin) % elementBytes == 0, cudaErrorInvalidValue);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): OpenCL takes the handle
    addBytes(&range->value.buffer, sizeof range->value.buffer);
    add(cl_ulong{(address - range->begin) / elementBytes});
  }
  void addOperand(const Operand &of, size_t elementBytes) {
    const auto leading = static_cast<cl_ulong>(of.leading);
    addMemory(of.values, elementBytes);
    add(of.operation == CUBLAS_OP_N ? cl_ulong{1} : leading);
    add(of.operation == CUBLAS_OP_N ? leading : cl_ulong{1});
    add(static_cast<cl_ulong>(of.stride));
  }

private:
  Runtime &runtime_;
  cl_kernel kernel_;
  cl_uint next_ = 0;
};

struct Sizes {
  int m, n, k, matrices;
};
cublasStatus_t multiply(const Product &product, const Sizes &sizes, const void *alpha,
                        const Operand &a, const Operand &b, const void *beta, void *c, int cLeading,
                        long long cStride) {
  const int m = sizes.m, n = sizes.n, k = sizes.k, matrices = sizes.matrices;
  const bool areSizes = m >= 0 && n >= 0 && k >= 0 && matrices >= 0 && cLeading >= std::max(1, m) &&
                        a.leading >= std::max(1, a.operation == CUBLAS_OP_N ? m : k) &&
                        b.leading >= std::max(1, b.operation == CUBLAS_OP_N ? k : n);
  if (!areSizes)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0 || matrices == 0)
    return CUBLAS_STATUS_SUCCESS;
  const cudaError_t error = answer([&](Runtime &runtime) {
    const Simulator &simulator = *runtime.simulator;
    cl_kernel kernel = kernelOf(simulator, product);
    Arguments arguments(runtime, kernel);
    for (const int size : {m, n, k})
      arguments.add(size);
    arguments.addReal(alpha, product.realBytes);
    arguments.addOperand(a, product.elementBytes);
    arguments.addOperand(b, product.elementBytes);
    arguments.addReal(beta, product.realBytes);
    arguments.addMemory(c, product.elementBytes);
    arguments.add(static_cast<cl_ulong>(cLeading));
    arguments.add(static_cast<cl_ulong>(cStride));
    const auto tiles = [](int size) { return (static_cast<size_t>(size) + 15) / 16 * 16; };
    const size_t global[] = {tiles(m), tiles(n), static_cast<size_t>(matrices)};
    const size_t local[] = {16, 16, 1};
    simulator.finish(clEnqueueNDRangeKernel(simulator.queue, kernel, 3, nullptr, global, local, 0,
                                            nullptr, nullptr));
  });
  return error == cudaSuccess             ? CUBLAS_STATUS_SUCCESS
         : error == cudaErrorInvalidValue ? CUBLAS_STATUS_INVALID_VALUE
                                          : CUBLAS_STATUS_EXECUTION_FAILED;
}

/// Its factors are halves; sums are of float, as of the kernel's other products.
constexpr Product kHalfFactors = {kHalf.kernel, kHalf.options, kHalf.elementBytes, sizeof(__half)};

/// The product for these types, or null.
const Product *productOf(cudaDataType a, cudaDataType b, cudaDataType c) {
  if (a != b || b != c)
    return nullptr;
  return a == CUDA_R_32F   ? &kSingle
         : a == CUDA_R_64F ? &kDouble
         : a == CUDA_R_16F ? &kHalf
                           : nullptr;
}

} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define AIWC_GEMM(name, Real, product)                                                             \
  AIWC_CUDA_API cublasStatus_t cublas##name(                                                       \
      cublasHandle_t, cublasOperation_t aOperation, cublasOperation_t bOperation, int m, int n,    \
      int k, const Real *alpha, const Real *a, int aLeading, const Real *b, int bLeading,          \
      const Real *beta, Real *c, int cLeading) {                                                   \
    return multiply(product, {m, n, k, 1}, alpha, {a, aLeading, aOperation, 0},                    \
                    {b, bLeading, bOperation, 0}, beta, c, cLeading, 0);                           \
  }                                                                                                \
  AIWC_CUDA_API cublasStatus_t cublas##name##StridedBatched(                                       \
      cublasHandle_t, cublasOperation_t aOperation, cublasOperation_t bOperation, int m, int n,    \
      int k, const Real *alpha, const Real *a, int aLeading, long long aStride, const Real *b,     \
      int bLeading, long long bStride, const Real *beta, Real *c, int cLeading, long long cStride, \
      int matrices) {                                                                              \
    return multiply(product, {m, n, k, matrices}, alpha, {a, aLeading, aOperation, aStride},       \
                    {b, bLeading, bOperation, bStride}, beta, c, cLeading, cStride);               \
  }
AIWC_GEMM(Sgemm, float, kSingle)
AIWC_GEMM(Dgemm, double, kDouble)
AIWC_GEMM(Hgemm, __half, kHalfFactors)
#undef AIWC_GEMM
// NOLINTEND(bugprone-macro-parentheses)

AIWC_CUDA_API cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t, cublasOperation_t aOperation, cublasOperation_t bOperation, int m, int n, int k,
    const void *alpha, const void *a, cudaDataType aType, int aLeading, long long aStride,
    const void *b, cudaDataType bType, int bLeading, long long bStride, const void *beta, void *c,
    cudaDataType cType, int cLeading, long long cStride, int matrices, cublasComputeType_t computed,
    cublasGemmAlgo_t) {
  const Product *product = productOf(aType, bType, cType);
  if (!product || (computed == CUBLAS_COMPUTE_64F) != (product == &kDouble) ||
      computed == CUBLAS_COMPUTE_16F || computed == CUBLAS_COMPUTE_32I) {
    refuse(__func__, "cuBLAS for these types");
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return multiply(*product, {m, n, k, matrices}, alpha, {a, aLeading, aOperation, aStride},
                  {b, bLeading, bOperation, bStride}, beta, c, cLeading, cStride);
}
AIWC_CUDA_API cublasStatus_t cublasGemmEx(
    cublasHandle_t handle, cublasOperation_t aOperation, cublasOperation_t bOperation, int m, int n,
    int k, const void *alpha, const void *a, cudaDataType aType, int aLeading, const void *b,
    cudaDataType bType, int bLeading, const void *beta, void *c, cudaDataType cType, int cLeading,
    cublasComputeType_t computed, cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, aOperation, bOperation, m, n, k, alpha, a, aType,
                                    aLeading, 0, b, bType, bLeading, 0, beta, c, cType, cLeading, 0,
                                    1, computed, algorithm);
}
