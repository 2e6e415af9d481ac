// Intrinsics on the two or four parts of a word.
#pragma once
#pragma GCC system_header
#include "aiwc_intrinsics.h"

/// `name` computes each part of `bits` bits from the parts `a` and `b` of the given signedness.
#define AIWC_PACKED(name, bits, sign, result)                                                      \
  AIWC_DEVICE unsigned int name(unsigned int x, unsigned int y) {                                  \
    unsigned int all = 0;                                                                          \
    for (int i = 0; i < 32; i += bits) {                                                           \
      const int a = AIWC_PART_##sign(x, bits), b = AIWC_PART_##sign(y, bits);                      \
      all |= ((unsigned int)(result)&AIWC_ONES(bits)) << i;                                        \
    }                                                                                              \
    return all;                                                                                    \
  }
#define AIWC_PACKED_1(name, bits, sign, result)                                                    \
  AIWC_DEVICE unsigned int name(unsigned int x) {                                                  \
    unsigned int all = 0;                                                                          \
    for (int i = 0; i < 32; i += bits) {                                                           \
      const int a = AIWC_PART_##sign(x, bits);                                                     \
      all |= ((unsigned int)(result)&AIWC_ONES(bits)) << i;                                        \
    }                                                                                              \
    return all;                                                                                    \
  }
#define AIWC_PACKED_SUM(name, bits, sign)                                                          \
  AIWC_DEVICE unsigned int name(unsigned int x, unsigned int y) {                                  \
    unsigned int sum = 0;                                                                          \
    for (int i = 0; i < 32; i += bits) {                                                           \
      const int a = AIWC_PART_##sign(x, bits), b = AIWC_PART_##sign(y, bits);                      \
      sum += (unsigned int)(a < b ? b - a : a - b);                                                \
    }                                                                                              \
    return sum;                                                                                    \
  }
#define AIWC_ONES(bits) ((1u << bits) - 1)
#define AIWC_PART_u(x, bits) (int)(x >> i & AIWC_ONES(bits))
#define AIWC_PART_s(x, bits) ((int)(x << (32 - bits - i)) >> (32 - bits))
#define AIWC_CLAMPED(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
#define AIWC_SMALLEST(bits) (-(1 << (bits - 1)))
#define AIWC_LARGEST(bits) ((1 << (bits - 1)) - 1)

#define AIWC_PACKED_ALL(parts, bits)                                                               \
  AIWC_PACKED_1(__vabs##parts, bits, s, a < 0 ? -a : a)                                            \
  AIWC_PACKED_1(__vabsss##parts, bits, s, a < 0 ? AIWC_CLAMPED(-a, 0, AIWC_LARGEST(bits)) : a)     \
  AIWC_PACKED_1(__vneg##parts, bits, s, -a)                                                        \
  AIWC_PACKED_1(__vnegss##parts, bits, s,                                                          \
                AIWC_CLAMPED(-a, AIWC_SMALLEST(bits), AIWC_LARGEST(bits)))                         \
  AIWC_PACKED(__vadd##parts, bits, u, a + b)                                                       \
  AIWC_PACKED(__vaddss##parts, bits, s,                                                            \
              AIWC_CLAMPED(a + b, AIWC_SMALLEST(bits), AIWC_LARGEST(bits)))                        \
  AIWC_PACKED(__vaddus##parts, bits, u, AIWC_CLAMPED(a + b, 0, (int)AIWC_ONES(bits)))              \
  AIWC_PACKED(__vsub##parts, bits, u, a - b)                                                       \
  AIWC_PACKED(__vsubss##parts, bits, s,                                                            \
              AIWC_CLAMPED(a - b, AIWC_SMALLEST(bits), AIWC_LARGEST(bits)))                        \
  AIWC_PACKED(__vsubus##parts, bits, u, AIWC_CLAMPED(a - b, 0, (int)AIWC_ONES(bits)))              \
  AIWC_PACKED(__vabsdiffs##parts, bits, s, a < b ? b - a : a - b)                                  \
  AIWC_PACKED(__vabsdiffu##parts, bits, u, a < b ? b - a : a - b)                                  \
  AIWC_PACKED(__vavgs##parts, bits, s, (a + b + (a + b >= 0)) >> 1)                                \
  AIWC_PACKED(__vavgu##parts, bits, u, (a + b + 1) >> 1)                                           \
  AIWC_PACKED(__vhaddu##parts, bits, u, (a + b) >> 1)                                              \
  AIWC_PACKED(__vmaxs##parts, bits, s, a < b ? b : a)                                              \
  AIWC_PACKED(__vmaxu##parts, bits, u, a < b ? b : a)                                              \
  AIWC_PACKED(__vmins##parts, bits, s, b < a ? b : a)                                              \
  AIWC_PACKED(__vminu##parts, bits, u, b < a ? b : a)                                              \
  AIWC_PACKED(__vcmpeq##parts, bits, u, a == b ? -1 : 0)                                           \
  AIWC_PACKED(__vcmpne##parts, bits, u, a != b ? -1 : 0)                                           \
  AIWC_PACKED(__vcmpges##parts, bits, s, a >= b ? -1 : 0)                                          \
  AIWC_PACKED(__vcmpgeu##parts, bits, u, a >= b ? -1 : 0)                                          \
  AIWC_PACKED(__vcmpgts##parts, bits, s, a > b ? -1 : 0)                                           \
  AIWC_PACKED(__vcmpgtu##parts, bits, u, a > b ? -1 : 0)                                           \
  AIWC_PACKED(__vcmples##parts, bits, s, a <= b ? -1 : 0)                                          \
  AIWC_PACKED(__vcmpleu##parts, bits, u, a <= b ? -1 : 0)                                          \
  AIWC_PACKED(__vcmplts##parts, bits, s, a < b ? -1 : 0)                                           \
  AIWC_PACKED(__vcmpltu##parts, bits, u, a < b ? -1 : 0)                                           \
  AIWC_PACKED(__vseteq##parts, bits, u, a == b)                                                    \
  AIWC_PACKED(__vsetne##parts, bits, u, a != b)                                                    \
  AIWC_PACKED(__vsetges##parts, bits, s, a >= b)                                                   \
  AIWC_PACKED(__vsetgeu##parts, bits, u, a >= b)                                                   \
  AIWC_PACKED(__vsetgts##parts, bits, s, a > b)                                                    \
  AIWC_PACKED(__vsetgtu##parts, bits, u, a > b)                                                    \
  AIWC_PACKED(__vsetles##parts, bits, s, a <= b)                                                   \
  AIWC_PACKED(__vsetleu##parts, bits, u, a <= b)                                                   \
  AIWC_PACKED(__vsetlts##parts, bits, s, a < b)                                                    \
  AIWC_PACKED(__vsetltu##parts, bits, u, a < b)                                                    \
  AIWC_PACKED_SUM(__vsads##parts, bits, s)                                                         \
  AIWC_PACKED_SUM(__vsadu##parts, bits, u)
AIWC_PACKED_ALL(2, 16)
AIWC_PACKED_ALL(4, 8)
#undef AIWC_PACKED_ALL
#undef AIWC_PACKED
#undef AIWC_PACKED_1
#undef AIWC_PACKED_SUM
#undef AIWC_ONES
#undef AIWC_PART_u
#undef AIWC_PART_s
#undef AIWC_CLAMPED
#undef AIWC_SMALLEST
#undef AIWC_LARGEST

// Of two numbers, of three, or of a sum and a number; `relu`: at least 0. `isFirst`: whether the
// result is the first of two numbers, or of their upper and lower parts.
#define AIWC_OF_THREE(name, type, end, result)                                                     \
  AIWC_DEVICE type name##end(type a, type b, type c) {                                             \
    return result;                                                                                 \
  }
#define AIWC_THREES(type, end, sum, lesser, greater)                                               \
  AIWC_OF_THREE(__vimax3_, type, end, greater(greater(a, b), c))                                   \
  AIWC_OF_THREE(__vimin3_, type, end, lesser(lesser(a, b), c))                                     \
  AIWC_OF_THREE(__viaddmax_, type, end, greater(sum, c))                                           \
  AIWC_OF_THREE(__viaddmin_, type, end, lesser(sum, c))
#define AIWC_THREES_RELU(type, end, lesser, greater)                                               \
  AIWC_COMPUTED(type, __vimax_##end##_relu, (type a, type b), greater(greater(a, b), (type)0))     \
  AIWC_COMPUTED(type, __vimin_##end##_relu, (type a, type b), greater(lesser(a, b), (type)0))      \
  AIWC_OF_THREE(__vimax3_, type, end##_relu, greater(__vimax3_##end(a, b, c), (type)0))            \
  AIWC_OF_THREE(__vimin3_, type, end##_relu, greater(__vimin3_##end(a, b, c), (type)0))            \
  AIWC_OF_THREE(__viaddmax_, type, end##_relu, greater(__viaddmax_##end(a, b, c), (type)0))        \
  AIWC_OF_THREE(__viaddmin_, type, end##_relu, greater(__viaddmin_##end(a, b, c), (type)0))
#define AIWC_MARKED(name, type, order, result)                                                     \
  AIWC_DEVICE type name(type a, type b, bool *isFirst) {                                           \
    *isFirst = a order b;                                                                          \
    return result(a, b);                                                                           \
  }
#define AIWC_MARKED_PARTS(name, Part, order, result)                                               \
  AIWC_DEVICE unsigned int name(unsigned int a, unsigned int b, bool *isUpperFirst,                \
                                bool *isLowerFirst) {                                              \
    *isUpperFirst = (Part)(a >> 16) order(Part)(b >> 16);                                          \
    *isLowerFirst = (Part)a order(Part) b;                                                         \
    return result(a, b);                                                                           \
  }
AIWC_THREES(int, s32, (int)((unsigned int)a + (unsigned int)b), min, max)
AIWC_THREES(unsigned int, u32, a + b, min, max)
AIWC_THREES(unsigned int, s16x2, __vadd2(a, b), __vmins2, __vmaxs2)
AIWC_THREES(unsigned int, u16x2, __vadd2(a, b), __vminu2, __vmaxu2)
AIWC_THREES_RELU(int, s32, min, max)
AIWC_THREES_RELU(unsigned int, s16x2, __vmins2, __vmaxs2)
AIWC_MARKED(__vibmax_s32, int, >=, max)
AIWC_MARKED(__vibmin_s32, int, <=, min)
AIWC_MARKED(__vibmax_u32, unsigned int, >=, max)
AIWC_MARKED(__vibmin_u32, unsigned int, <=, min)
AIWC_MARKED_PARTS(__vibmax_s16x2, short, >=, __vmaxs2)
AIWC_MARKED_PARTS(__vibmin_s16x2, short, <=, __vmins2)
AIWC_MARKED_PARTS(__vibmax_u16x2, unsigned short, >=, __vmaxu2)
AIWC_MARKED_PARTS(__vibmin_u16x2, unsigned short, <=, __vminu2)
#undef AIWC_OF_THREE
#undef AIWC_THREES
#undef AIWC_THREES_RELU
#undef AIWC_MARKED
#undef AIWC_MARKED_PARTS
