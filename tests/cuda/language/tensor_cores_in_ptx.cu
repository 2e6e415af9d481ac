// mma.sync, ldmatrix and movmatrix: fragments lie as the PTX ISA says, which the program follows
// element by element. Every number is an integer that all types hold.
#include "right.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/// What a lane holds of a matrix: as many neighbours of `Element` as a register has, in `count`
/// registers; those of a left factor and of a sum are first in the rows g and g + 8, then in the
/// columns behind.
template <typename Element> struct Registers {
  static const int together = sizeof(Element) < 4 ? 4 / sizeof(Element) : 1;
  unsigned words[4];
  double doubles[1];
  __device__ void set(int i, Element value) {
    ((Element *)(sizeof(Element) == 8 ? (void *)doubles : (void *)words))[i] = value;
  }
};
__device__ int rowOfLeft(int i, int together) { return threadIdx.x % 32 / 4 + i / together % 2 * 8; }
__device__ int inDepth(int i, int together, int rows) { // `rows`: registers that share it
  return threadIdx.x % 4 * together + i % together + i / together / rows * 4 * together;
}

#define A4 "{%4, %5, %6, %7}"
#define B2 "{%8, %9}"
#define FLOATS(shape, type)                                                                        \
  asm volatile("mma.sync.aligned." shape ".row.col.f32." type "." type ".f32 "                     \
               "{%0, %1, %2, %3}, " A4 ", " B2 ", {%0, %1, %2, %3};\n"                             \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                    \
               : "r"(a.words[0]), "r"(a.words[1]), "r"(a.words[2]), "r"(a.words[3]),               \
                 "r"(b.words[0]), "r"(b.words[1]))
#define SHORT_FLOATS(shape, type)                                                                  \
  asm volatile("mma.sync.aligned." shape ".row.col.f32." type "." type ".f32 "                     \
               "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};\n"                             \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                    \
               : "r"(a.words[0]), "r"(a.words[1]), "r"(b.words[0]))

struct HalfK16 {
  typedef half Element;
  typedef float Sum;
  static const int m = 16, k = 16;
  static __device__ void multiply(Sum *d, Registers<half> a, Registers<half> b) {
    FLOATS("m16n8k16", "f16");
  }
};
struct HalfK8 {
  typedef half Element;
  typedef float Sum;
  static const int m = 16, k = 8;
  static __device__ void multiply(Sum *d, Registers<half> a, Registers<half> b) {
    SHORT_FLOATS("m16n8k8", "f16");
  }
};
struct HalfSums {
  typedef half Element;
  typedef half Sum;
  static const int m = 16, k = 16;
  static __device__ void multiply(Sum *d, Registers<half> a, Registers<half> b) {
    unsigned *sums = (unsigned *)d;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, "
                 "{%6,%7}, {%8,%9};\n"
                 : "=r"(sums[0]), "=r"(sums[1])
                 : "r"(a.words[0]), "r"(a.words[1]), "r"(a.words[2]), "r"(a.words[3]),
                   "r"(b.words[0]), "r"(b.words[1]), "r"(sums[0]), "r"(sums[1]));
  }
};
struct BfloatK16 {
  typedef __nv_bfloat16 Element;
  typedef float Sum;
  static const int m = 16, k = 16;
  static __device__ void multiply(Sum *d, Registers<Element> a, Registers<Element> b) {
    FLOATS("m16n8k16", "bf16");
  }
};
struct Tf32K8 {
  typedef float Element;
  typedef float Sum;
  static const int m = 16, k = 8;
  static __device__ void multiply(Sum *d, Registers<float> a, Registers<float> b) {
    FLOATS("m16n8k8", "tf32");
  }
};
struct Tf32K4 {
  typedef float Element;
  typedef float Sum;
  static const int m = 16, k = 4;
  static __device__ void multiply(Sum *d, Registers<float> a, Registers<float> b) {
    SHORT_FLOATS("m16n8k4", "tf32");
  }
};
template <typename T> struct BytesK32 {
  typedef T Element;
  typedef int Sum;
  static const int m = 16, k = 32;
  static __device__ void multiply(int *d, Registers<T> a, Registers<T> b) {
    if (sizeof(T) == 1 && T(-1) < T(0))
      asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, " A4
                   ", " B2 ", {%0, %1, %2, %3};"
                   : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                   : "r"(a.words[0]), "r"(a.words[1]), "r"(a.words[2]), "r"(a.words[3]),
                     "r"(b.words[0]), "r"(b.words[1]));
    else
      asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, " A4 ", " B2
                   ", {%0, %1, %2, %3};"
                   : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                   : "r"(a.words[0]), "r"(a.words[1]), "r"(a.words[2]), "r"(a.words[3]),
                     "r"(b.words[0]), "r"(b.words[1]));
  }
};
struct BytesK16 {
  typedef signed char Element;
  typedef int Sum;
  static const int m = 16, k = 16;
  static __device__ void multiply(int *d, Registers<Element> a, Registers<Element> b) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, "
                 "{%6}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a.words[0]), "r"(a.words[1]), "r"(b.words[0]));
  }
};
struct BytesM8 {
  typedef signed char Element;
  typedef int Sum;
  static const int m = 8, k = 16;
  static __device__ void multiply(int *d, Registers<Element> a, Registers<Element> b) {
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(a.words[0]), "r"(b.words[0]));
  }
};
struct Doubles {
  typedef double Element;
  typedef double Sum;
  static const int m = 8, k = 4;
  static __device__ void multiply(double *d, Registers<double> a, Registers<double> b) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(d[0]), "=d"(d[1])
                 : "d"(a.doubles[0]), "d"(b.doubles[0]), "d"(d[0]), "d"(d[1]));
  }
};

/// d = c + a b, by rows.
template <typename Form>
__global__ void multiply(const float *a, const float *b, const float *c, float *d) {
  typedef typename Form::Element Element;
  typedef Registers<Element> R;
  R left = {}, right = {};
  typename Form::Sum sum[4];
  const int rows = Form::m / 8;
  for (int i = 0; i < Form::m * Form::k / 32; ++i)
    left.set(i, Element(a[(rows == 2 ? rowOfLeft(i, R::together) : threadIdx.x % 32 / 4) * Form::k +
                          inDepth(i, R::together, rows)]));
  for (int i = 0; i < 8 * Form::k / 32; ++i)
    right.set(i, Element(b[inDepth(i, R::together, 1) * 8 + threadIdx.x % 32 / 4]));
  for (int i = 0; i < Form::m / 4; ++i)
    sum[i] = typename Form::Sum(c[rowOfLeft(i, 2) * 8 + threadIdx.x % 4 * 2 + i % 2]);
  Form::multiply(sum, left, right);
  for (int i = 0; i < Form::m / 4; ++i)
    d[rowOfLeft(i, 2) * 8 + threadIdx.x % 4 * 2 + i % 2] = (float)sum[i];
}

template <typename Form> bool isProduct() {
  const int m = Form::m, k = Form::k;
  float *a = managed<float>(m * k), *b = managed<float>(k * 8), *c = managed<float>(m * 8),
        *d = managed<float>(m * 8);
  for (int i = 0; i < m * k; ++i)
    a[i] = i * 7 % 13;
  for (int i = 0; i < k * 8; ++i)
    b[i] = i * 5 % 11;
  for (int i = 0; i < m * 8; ++i)
    c[i] = i % 17 - 8;
  multiply<Form><<<1, 32>>>(a, b, c, d);
  bool isRight = synchronised();
  for (int i = 0; i < m * 8; ++i) {
    float sum = c[i];
    for (int l = 0; l < k; ++l)
      sum += a[i / 8 * k + l] * b[l * 8 + i % 8];
    isRight = isRight && d[i] == sum;
  }
  if (!isRight)
    printf("%s\n", __PRETTY_FUNCTION__);
  return isRight;
}

/// What lanes get of matrices whose element is its number; rows lie where a swizzle has them, in the
/// second of two buffers.
__global__ void load(unsigned *out) {
  extern __shared__ __align__(16) unsigned short numbers[];
  __shared__ unsigned short others[32];
  unsigned short *buffers[2] = {numbers, numbers + 512};
  const unsigned lane = threadIdx.x;
  for (unsigned i = lane; i < 512; i += 32) {
    numbers[i / 256 * 512 + (i / 8 % 32 ^ i / 64 % 4) * 8 + i % 8] = i % 256;
    others[i % 32] = 0;
  }
  __syncthreads();
  unsigned address = (unsigned)__cvta_generic_to_shared(buffers[0]);
  for (int i = 0; i < 2; ++i, address += 1024) {
    unsigned *x = out + (i * 32 + lane) * 8;
    const unsigned row = address + ((lane ^ lane / 8) << 4);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(row));
    const unsigned upper = address ^ (lane < 16 ? (lane ^ lane / 8) << 4 : 1u << 20); // or nowhere
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%0, %1}, [%2];"
                 : "=r"(x[4]), "=r"(x[5])
                 : "r"(upper));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.b16 {%0}, [%1];" : "=r"(x[6]) : "l"(numbers + 512 * i + lane % 8 * 8));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(x[7]) : "r"(x[6]));
  }
}
bool isLoaded() {
  unsigned *out = managed<unsigned>(2 * 32 * 8);
  load<<<1, 32, 2048>>>(out);
  bool isRight = synchronised();
  for (int lane = 0; lane < 64; ++lane) {
    const unsigned row = lane % 32 / 4, column = lane % 4 * 2;
    const auto pair = [](unsigned first, unsigned second) { return first | second << 16; };
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned matrix = i < 4 ? i : i < 6 ? i - 4 : 0;
      const bool isTransposed = i == 4 || i == 5 || i == 7;
      const unsigned first = 64 * matrix + (isTransposed ? column * 8 + row : row * 8 + column);
      if (out[lane * 8 + i] != pair(first, first + (isTransposed ? 8 : 1))) {
        printf("lane %d, register %u: %x\n", lane, i, out[lane * 8 + i]);
        isRight = false;
      }
    }
  }
  return isRight;
}

bool isRight() {
  bool isRight = isProduct<HalfK16>();
  isRight &= isProduct<HalfK8>() & isProduct<HalfSums>() & isProduct<BfloatK16>();
  isRight &= isProduct<Tf32K8>() & isProduct<Tf32K4>() & isProduct<Doubles>();
  isRight &= isProduct<BytesK32<signed char>>() & isProduct<BytesK32<unsigned char>>();
  isRight &= isProduct<BytesK16>() & isProduct<BytesM8>();
  return isRight & isLoaded();
}
