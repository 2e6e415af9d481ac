// Tensor cores (nvcuda::wmma). A lane's elements lie in a fragment as compiler/simulator/matrices.h
// describes it. A product is one call of the simulator's, in which the lanes of a warp meet.
#pragma once
#define __CUDA_MMA_H__ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header
#include "aiwc_warp.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace aiwc_cuda {
typedef float SumOfFloats __attribute__((ext_vector_type(8)));
typedef KeptHalf SumOfHalves __attribute__((ext_vector_type(8)));
typedef int SumOfIntegers __attribute__((ext_vector_type(8)));
typedef double SumOfDoubles __attribute__((ext_vector_type(2)));
typedef unsigned int Word __attribute__((may_alias));
} // namespace aiwc_cuda

extern "C" {
// decoding::kMatrixFunctions. Not merged, as __aiwc_meet.
#define AIWC_EIGHT(name)                                                                           \
  unsigned int name##0, unsigned int name##1, unsigned int name##2, unsigned int name##3,          \
      unsigned int name##4, unsigned int name##5, unsigned int name##6, unsigned int name##7
#define AIWC_MULTIPLY(name, Sum, ...)                                                              \
  __attribute__((device, convergent, nomerge))                                                     \
  aiwc_cuda::Sum __aiwc_multiply_##name(unsigned int product, unsigned int saturates, __VA_ARGS__, \
                                        aiwc_cuda::Sum sum, unsigned int place);
AIWC_MULTIPLY(float, SumOfFloats, AIWC_EIGHT(left), AIWC_EIGHT(right))
AIWC_MULTIPLY(half, SumOfHalves, AIWC_EIGHT(left), AIWC_EIGHT(right))
AIWC_MULTIPLY(int, SumOfIntegers, AIWC_EIGHT(left), AIWC_EIGHT(right))
AIWC_MULTIPLY(double, SumOfDoubles, double left, double right)
#undef AIWC_EIGHT
#undef AIWC_MULTIPLY
}

namespace nvcuda {
namespace wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}
} // namespace wmma
} // namespace nvcuda

namespace aiwc_cuda {
namespace wmma = nvcuda::wmma;

/// Of the type of a factor: what it is kept as, its number (decoding::FactorType), and the shapes
/// that it has.
template <typename Type, unsigned int number_> struct Factor {
  typedef Type Kept;
  static constexpr unsigned int number = number_;
  static constexpr bool has(int m, int n, int k) {
    return k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
  }
};
template <typename Type> struct FactorOf;
template <> struct FactorOf<__half> : Factor<__half, 0> {};
template <> struct FactorOf<__nv_bfloat16> : Factor<__nv_bfloat16, 1> {};
template <> struct FactorOf<wmma::precision::tf32> : Factor<float, 2> {
  static constexpr bool has(int m, int n, int k) { return m == 16 && n == 16 && k == 8; }
};
template <> struct FactorOf<signed char> : Factor<signed char, 3> {};
template <> struct FactorOf<unsigned char> : Factor<unsigned char, 4> {};
template <> struct FactorOf<double> : Factor<double, 5> {
  static constexpr bool has(int m, int n, int k) { return m == 8 && n == 8 && k == 4; }
};

/// Two elements of memory, of which rows of a matrix have to be multiples. Behind pointers to these
/// the compiler does not add the index of an element to that in an array of the program, which the
/// simulator would take for an error.
template <typename Kept> struct __attribute__((aligned(2 * sizeof(Kept)))) Two { Kept of[2]; };

template <typename Type, int count> struct Elements {
  enum { num_elements = count, num_storage_elements = count };
  typedef Type element_type;
  typedef Type storage_element_type;
  Type x[count];
};
/// A factor of `rows` rows, or columns, and `depth` elements of each.
template <typename Type, int m, int n, int depth, int rows, bool isLeft>
struct FactorFragment : Elements<typename FactorOf<Type>::Kept, rows * depth / 32> {
  static_assert(FactorOf<Type>::has(m, n, depth), "no such fragment");
  typedef typename FactorOf<Type>::Kept Kept;
  static constexpr int together = sizeof(Kept) < 4 ? 4 / sizeof(Kept) : 1; // neighbours in k

  template <bool alongDepth>
  __attribute__((device, always_inline, nodebug)) void load(const Kept *matrix, size_t stride) {
    constexpr int inDepth = depth / (4 * together); // blocks
    const size_t lane = laneId();
    const size_t twosOfRow = stride / 2;
    const Word *words = (const Word *)matrix + lane / 4 * (stride / together) + lane % 4;
    const Two<Kept> *alongRow = (const Two<Kept> *)matrix + lane / 4 * twosOfRow + lane % 4 / 2;
    const Two<Kept> *alongColumn =
        (const Two<Kept> *)matrix + lane % 4 * together * twosOfRow + lane / 8;
#pragma unroll
    for (int block = 0; block < rows * depth / 32 / together; ++block) {
      const size_t r = 8 * (isLeft ? block % (rows / 8) : block / inDepth);
      const size_t d = 4 * (isLeft ? block / (rows / 8) : block % inDepth); // times `together`
      Kept *to = this->x + block * together;
      if (alongDepth && together > 1)
        *(Word *)to = words[r * (stride / together) + d];
      else if (alongDepth)
        *to = alongRow[r * twosOfRow + d / 2].of[lane % 2];
      else
#pragma unroll
        for (int i = 0; i < together; ++i)
          to[i] = alongColumn[(d * together + i) * twosOfRow + r / 2].of[lane / 4 % 2];
    }
  }
  /// A word of the elements, or 0 behind them.
  __attribute__((device, always_inline, nodebug)) unsigned int word(int i) const {
    return i * sizeof(Word) < sizeof this->x ? ((const Word *)this->x)[i] : 0;
  }
};
} // namespace aiwc_cuda

namespace nvcuda {
namespace wmma {
template <typename Use, int m, int n, int k, typename Type, typename Layout = void> class fragment;
template <int m, int n, int k, typename Type, typename Layout>
class fragment<matrix_a, m, n, k, Type, Layout>
    : public aiwc_cuda::FactorFragment<Type, m, n, k, m, true> {};
template <int m, int n, int k, typename Type, typename Layout>
class fragment<matrix_b, m, n, k, Type, Layout>
    : public aiwc_cuda::FactorFragment<Type, m, n, k, n, false> {};
template <int m, int n, int k, typename Type>
class fragment<accumulator, m, n, k, Type> : public aiwc_cuda::Elements<Type, m * n / 32> {};
} // namespace wmma
} // namespace nvcuda

namespace aiwc_cuda {
/// Calls act(element of memory, element of the fragment) for the lane's elements of the sum.
template <int m, int n, typename Number, typename Element, typename Act>
AIWC_DEVICE void forEachOfSum(void *matrix, size_t stride, wmma::layout_t layout, Element *x,
                              Act act) {
  const size_t lane = laneId(), twosOfRow = stride / 2;
  Two<Number> *alongRow = (Two<Number> *)matrix + lane / 4 * twosOfRow + lane % 4;
  Two<Number> *alongColumn = (Two<Number> *)matrix + lane % 4 * 2 * twosOfRow + lane / 8;
#pragma unroll
  for (int block = 0; block < m * n / 64; ++block) {
    const size_t r = 8 * (block % (m / 8)), c = 8 * (block / (m / 8));
    if (layout == wmma::mem_row_major) {
      act(alongRow[r * twosOfRow + c / 2], x + 2 * block);
      continue;
    }
#pragma unroll
    for (int i = 0; i < 2; ++i)
      act(alongColumn[(c + i) * twosOfRow + r / 2].of[lane / 4 % 2], x[2 * block + i]);
  }
}
struct ToFragment {
  template <typename Kept>
  __attribute__((device, always_inline, nodebug)) void operator()(const Kept &memory,
                                                                  Kept &element) const {
    element = memory;
  }
  template <typename Kept> // both with one access
  __attribute__((device, always_inline, nodebug)) void operator()(const Two<Kept> &memory,
                                                                  Kept *elements) const {
    elements[0] = memory.of[0];
    elements[1] = memory.of[1];
  }
};
struct ToMemory {
  template <typename Kept>
  __attribute__((device, always_inline, nodebug)) void operator()(Kept &memory,
                                                                  const Kept &element) const {
    memory = element;
  }
  template <typename Kept>
  __attribute__((device, always_inline, nodebug)) void operator()(Two<Kept> &memory,
                                                                  const Kept *elements) const {
    memory.of[0] = elements[0];
    memory.of[1] = elements[1];
  }
};

#define AIWC_EIGHT(f)                                                                              \
  f.word(0), f.word(1), f.word(2), f.word(3), f.word(4), f.word(5), f.word(6), f.word(7)
#define AIWC_MULTIPLY(name, Type, Sum, ...)                                                        \
  template <typename Left, typename Right>                                                         \
  AIWC_DEVICE void multiply(unsigned int product, bool saturates, const Left &a, const Right &b,   \
                            const Type *c, Type *d) {                                              \
    Sum sum;                                                                                       \
    __builtin_memcpy(&sum, c, sizeof sum);                                                         \
    sum = __aiwc_multiply_##name(product, saturates, __VA_ARGS__, sum, 0);                         \
    __builtin_memcpy(d, &sum, sizeof sum);                                                         \
  }
AIWC_MULTIPLY(float, float, SumOfFloats, AIWC_EIGHT(a), AIWC_EIGHT(b))
AIWC_MULTIPLY(half, __half, SumOfHalves, AIWC_EIGHT(a), AIWC_EIGHT(b))
AIWC_MULTIPLY(int, int, SumOfIntegers, AIWC_EIGHT(a), AIWC_EIGHT(b))
AIWC_MULTIPLY(double, double, SumOfDoubles, a.x[0], b.x[0])
#undef AIWC_EIGHT
#undef AIWC_MULTIPLY
} // namespace aiwc_cuda

namespace nvcuda {
namespace wmma {
template <typename Use, int m, int n, int k, typename Type, typename Layout>
AIWC_DEVICE void
fill_fragment(fragment<Use, m, n, k, Type, Layout> &to,
              const typename fragment<Use, m, n, k, Type, Layout>::storage_element_type &value) {
#pragma unroll
  for (int i = 0; i < to.num_elements; ++i)
    to.x[i] = value;
}
template <typename Use, int m, int n, int k, typename Type, typename Layout, typename Kept>
AIWC_DEVICE void load_matrix_sync(fragment<Use, m, n, k, Type, Layout> &to, const Kept *from,
                                  unsigned int stride) {
  constexpr bool isLeft = std::is_same_v<Use, matrix_a>;
  to.template load<isLeft == std::is_same_v<Layout, row_major>>(from, stride);
}
template <int m, int n, int k, typename Type>
AIWC_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, Type> &to, const Type *from,
                                  unsigned int stride, layout_t layout) {
  aiwc_cuda::forEachOfSum<m, n, Type>((void *)from, stride, layout, to.x, aiwc_cuda::ToFragment());
}
template <int m, int n, int k, typename Type>
AIWC_DEVICE void store_matrix_sync(Type *to, const fragment<accumulator, m, n, k, Type> &from,
                                   unsigned int stride, layout_t layout) {
  aiwc_cuda::forEachOfSum<m, n, Type>(to, stride, layout, from.x, aiwc_cuda::ToMemory());
}

template <int m, int n, int k, typename Type, typename LayoutOfA, typename LayoutOfB, typename Sum>
AIWC_DEVICE void mma_sync(fragment<accumulator, m, n, k, Sum> &d,
                          const fragment<matrix_a, m, n, k, Type, LayoutOfA> &a,
                          const fragment<matrix_b, m, n, k, Type, LayoutOfB> &b,
                          const fragment<accumulator, m, n, k, Sum> &c, bool satf = false) {
  constexpr unsigned int product =
      aiwc_cuda::FactorOf<Type>::number | m << 8 | n << 16 | (unsigned int)k << 24;
  aiwc_cuda::multiply(product, satf, a, b, c.x, d.x);
}
/// With a half and a float: the float holds the half, or is rounded at the end.
template <int m, int n, int k, typename Type, typename LayoutOfA, typename LayoutOfB, typename To,
          typename From>
AIWC_DEVICE void mma_sync(fragment<accumulator, m, n, k, To> &d,
                          const fragment<matrix_a, m, n, k, Type, LayoutOfA> &a,
                          const fragment<matrix_b, m, n, k, Type, LayoutOfB> &b,
                          const fragment<accumulator, m, n, k, From> &c, bool satf = false) {
  fragment<accumulator, m, n, k, float> sum;
#pragma unroll
  for (int i = 0; i < c.num_elements; ++i)
    sum.x[i] = c.x[i];
  mma_sync(sum, a, b, sum, satf);
#pragma unroll
  for (int i = 0; i < c.num_elements; ++i) {
    const float most = satf && sizeof(To) == 2 ? 65504 : __builtin_huge_valf();
    d.x[i] = sum.x[i] > most ? most : sum.x[i] < -most ? -most : sum.x[i];
  }
}

/// To the nearest, of two the one that is larger in magnitude.
AIWC_BOTH float __float_to_tf32(float x) {
  unsigned int bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  bits = (bits + 0x1000) & 0xffffe000;
  float rounded;
  __builtin_memcpy(&rounded, &bits, sizeof rounded);
  return x != x ? x : rounded;
}
} // namespace wmma
} // namespace nvcuda
