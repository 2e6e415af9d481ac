// Products of matrices by warps: all types, shapes and layouts, against sums of integers. Every
// number is an integer that all types hold, so that results are exact.
#include "right.h"
#include <mma.h>
using namespace nvcuda;

template <typename Type> struct Memory { typedef Type Kept; };
template <> struct Memory<wmma::precision::tf32> { typedef float Kept; };

/// d = 2 c + a b. Lanes reach the product on two ways, and the warps after the first, of which one
/// is not whole, have ended.
template <typename Type, typename Sum, int m, int n, int k, typename LayoutA, typename LayoutB,
          typename Kept>
__global__ void multiply(const Kept *a, const Kept *b, const Sum *c, Sum *d, wmma::layout_t layout) {
  if (threadIdx.x >= 32)
    return;
  wmma::fragment<wmma::matrix_a, m, n, k, Type, LayoutA> left;
  wmma::fragment<wmma::matrix_b, m, n, k, Type, LayoutB> right;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sum;
  const bool byRows = layout == wmma::mem_row_major;
  wmma::load_matrix_sync(left, a, std::is_same<LayoutA, wmma::row_major>::value ? k : m);
  wmma::load_matrix_sync(right, b, std::is_same<LayoutB, wmma::row_major>::value ? n : k);
  wmma::load_matrix_sync(sum, c, byRows ? n : m, layout);
  if (threadIdx.x % 3 == 0)
    for (int i = 0; i < sum.num_elements; ++i)
      sum.x[i] = sum.x[i] + sum.x[i];
  else
    for (int i = 0; i < sum.num_elements; ++i)
      sum.x[i] = Sum(2) * sum.x[i];
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d, sum, byRows ? n : m, layout);
}

template <typename Type, typename Sum, int m, int n, int k, typename LayoutA, typename LayoutB>
bool isProduct(wmma::layout_t layout) {
  typedef typename Memory<Type>::Kept Kept;
  const bool isUnsigned = std::is_same<Type, unsigned char>::value;
  Kept *a = managed<Kept>(m * k), *b = managed<Kept>(k * n);
  Sum *c = managed<Sum>(m * n), *d = managed<Sum>(m * n);
  const auto ofA = [&](int i, int l) { return (i * 5 + l * 3) % 11 - (isUnsigned ? 0 : 5); };
  const auto ofB = [&](int l, int j) { return (l * 7 + j * 2) % 9 + (isUnsigned ? 200 : -4); };
  const auto ofC = [](int i, int j) { return (i * 3 + j) % 17 - 8; };
  const auto inC = [&](int i, int j) { return layout == wmma::mem_row_major ? i * n + j : j * m + i; };
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < k; ++l)
      a[std::is_same<LayoutA, wmma::row_major>::value ? i * k + l : l * m + i] =
          Kept((float)ofA(i, l));
  for (int l = 0; l < k; ++l)
    for (int j = 0; j < n; ++j)
      b[std::is_same<LayoutB, wmma::row_major>::value ? l * n + j : j * k + l] =
          Kept((float)ofB(l, j));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      c[inC(i, j)] = Sum((float)ofC(i, j));
  multiply<Type, Sum, m, n, k, LayoutA, LayoutB><<<1, 48>>>(a, b, c, d, layout);
  bool isRight = synchronised();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      int sum = 2 * ofC(i, j);
      for (int l = 0; l < k; ++l)
        sum += ofA(i, l) * ofB(l, j);
      isRight = isRight && (float)d[inC(i, j)] == (float)sum;
    }
  if (!isRight)
    printf("%s\n", __PRETTY_FUNCTION__);
  cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
  return isRight;
}

template <typename Type, typename Sum, int m, int n, int k> bool areProducts() {
  return isProduct<Type, Sum, m, n, k, wmma::row_major, wmma::row_major>(wmma::mem_row_major) &&
         isProduct<Type, Sum, m, n, k, wmma::row_major, wmma::col_major>(wmma::mem_col_major) &&
         isProduct<Type, Sum, m, n, k, wmma::col_major, wmma::row_major>(wmma::mem_col_major) &&
         isProduct<Type, Sum, m, n, k, wmma::col_major, wmma::col_major>(wmma::mem_row_major);
}
template <typename Type, typename Sum> bool areProductsOfAllShapes() {
  return areProducts<Type, Sum, 16, 16, 16>() && areProducts<Type, Sum, 32, 8, 16>() &&
         areProducts<Type, Sum, 8, 32, 16>();
}

/// out: sums that are rounded once, at the end; that are rounded to half; that saturate; and tf32.
__global__ void round(float *out) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> halves;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> floats;
  wmma::fill_fragment(left, 0.25f);
  wmma::fill_fragment(right, 0.5f);
  wmma::fill_fragment(halves, 4096.0f); // whose neighbour is 4100: 16 products of 1/8 are 2
  wmma::mma_sync(floats, left, right, halves);
  wmma::mma_sync(halves, left, right, halves);
  out[0] = floats.x[0], out[1] = halves.x[0];
  wmma::fill_fragment(left, 65504.0f);
  wmma::fill_fragment(halves, 65504.0f);
  wmma::mma_sync(halves, left, right, halves);
  out[2] = halves.x[7];
  wmma::mma_sync(halves, left, right, halves, true);
  out[3] = halves.x[7];
  wmma::fill_fragment(floats, 65504.0f);
  wmma::mma_sync(halves, left, right, floats, true);
  out[8] = halves.x[7];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> bytes;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> others;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> integers;
  wmma::fill_fragment(bytes, -128);
  wmma::fill_fragment(others, -128);
  wmma::fill_fragment(integers, 2147483647);
  wmma::mma_sync(integers, bytes, others, integers, true);
  out[4] = integers.x[0] == 2147483647;
  wmma::mma_sync(integers, bytes, others, integers);
  out[5] = integers.x[0] == -2147483647 - 1 + 16 * 128 * 128 - 1;
  out[6] = wmma::__float_to_tf32(1 + 1.0f / 2048); // the middle of 1 and the next tf32
  out[7] = wmma::__float_to_tf32(-1 - 0.9f / 2048);
}

bool isRight() {
  float *out = managed<float>(9);
  round<<<1, 32>>>(out);
  const float infinity = __builtin_inff();
  const float expected[] = {4098, 4096, infinity, 65504, 1, 1, 1 + 1.0f / 1024, -1, 65504};
  bool isRight = synchronised();
  for (int i = 0; i < 9; ++i)
    if (out[i] != expected[i]) {
      printf("%d: %g\n", i, out[i]);
      isRight = false;
    }
  return isRight && areProductsOfAllShapes<half, float>() &&
         areProductsOfAllShapes<half, half>() && areProductsOfAllShapes<__nv_bfloat16, float>() &&
         areProductsOfAllShapes<signed char, int>() &&
         areProductsOfAllShapes<unsigned char, int>() &&
         areProducts<wmma::precision::tf32, float, 16, 16, 8>() &&
         areProducts<double, double, 8, 8, 4>();
}
