// CUDA's vector types, with their sizes and alignments, and dim3.
#pragma once
#define __VECTOR_TYPES_H__ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header
#include "host_defines.h"

#define AIWC_VECTORS(type, name, align1, align2, align4)                                           \
  struct __attribute__((aligned(align1))) name##1 {                                                \
    type x;                                                                                        \
  };                                                                                               \
  struct __attribute__((aligned(align2))) name##2 {                                                \
    type x, y;                                                                                     \
  };                                                                                               \
  struct name##3 {                                                                                 \
    type x, y, z;                                                                                  \
  };                                                                                               \
  struct __attribute__((aligned(align4))) name##4 {                                                \
    type x, y, z, w;                                                                               \
  };
AIWC_VECTORS(signed char, char, 1, 2, 4)
AIWC_VECTORS(unsigned char, uchar, 1, 2, 4)
AIWC_VECTORS(short, short, 2, 4, 8)
AIWC_VECTORS(unsigned short, ushort, 2, 4, 8)
AIWC_VECTORS(int, int, 4, 8, 16)
AIWC_VECTORS(unsigned int, uint, 4, 8, 16)
AIWC_VECTORS(long, long, 8, 16, 16)
AIWC_VECTORS(unsigned long, ulong, 8, 16, 16)
AIWC_VECTORS(long long, longlong, 8, 16, 16)
AIWC_VECTORS(unsigned long long, ulonglong, 8, 16, 16)
AIWC_VECTORS(float, float, 4, 8, 16)
AIWC_VECTORS(double, double, 8, 16, 16)
#undef AIWC_VECTORS

#ifndef __cplusplus
#define AIWC_NAMES(name)                                                                           \
  typedef struct name##1 name##1;                                                                  \
  typedef struct name##2 name##2;                                                                  \
  typedef struct name##3 name##3;                                                                  \
  typedef struct name##4 name##4;
AIWC_NAMES(char)
AIWC_NAMES(uchar)
AIWC_NAMES(short)
AIWC_NAMES(ushort)
AIWC_NAMES(int)
AIWC_NAMES(uint)
AIWC_NAMES(long)
AIWC_NAMES(ulong)
AIWC_NAMES(longlong)
AIWC_NAMES(ulonglong)
AIWC_NAMES(float)
AIWC_NAMES(double)
#undef AIWC_NAMES
#endif

struct dim3 {
  unsigned int x, y, z;
#if __cplusplus >= 201103L
  AIWC_BOTH_MEMBER constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
  AIWC_BOTH_MEMBER constexpr dim3(uint3 from) : x(from.x), y(from.y), z(from.z) {}
  AIWC_BOTH_MEMBER constexpr operator uint3() const {
    return {x, y, z};
  }
#endif
};
#ifndef __cplusplus
typedef struct dim3 dim3;
#endif
