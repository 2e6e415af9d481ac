// make_int4 and its like.
#pragma once
#define __VECTOR_FUNCTIONS_H__ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header
#include "vector_types.h"

#define AIWC_MAKE(type, name)                                                                      \
  AIWC_BOTH struct name##1 make_##name##1(type x) {                                                \
    struct name##1 made = {x};                                                                     \
    return made;                                                                                   \
  }                                                                                                \
  AIWC_BOTH struct name##2 make_##name##2(type x, type y) {                                        \
    struct name##2 made = {x, y};                                                                  \
    return made;                                                                                   \
  }                                                                                                \
  AIWC_BOTH struct name##3 make_##name##3(type x, type y, type z) {                                \
    struct name##3 made = {x, y, z};                                                               \
    return made;                                                                                   \
  }                                                                                                \
  AIWC_BOTH struct name##4 make_##name##4(type x, type y, type z, type w) {                        \
    struct name##4 made = {x, y, z, w};                                                            \
    return made;                                                                                   \
  }
AIWC_MAKE(signed char, char)
AIWC_MAKE(unsigned char, uchar)
AIWC_MAKE(short, short)
AIWC_MAKE(unsigned short, ushort)
AIWC_MAKE(int, int)
AIWC_MAKE(unsigned int, uint)
AIWC_MAKE(long, long)
AIWC_MAKE(unsigned long, ulong)
AIWC_MAKE(long long, longlong)
AIWC_MAKE(unsigned long long, ulonglong)
AIWC_MAKE(float, float)
AIWC_MAKE(double, double)
#undef AIWC_MAKE
