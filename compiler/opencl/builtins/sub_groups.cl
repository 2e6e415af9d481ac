// Functions of sub-groups. A sub-group is a row of neighbours by their linear id; the last one may
// be smaller.
#include "builtins.h"

static inline uint lane(void) {
  return (uint)get_local_linear_id() % __aiwc_sub_group_size();
}
static inline uint firstOfSubGroup(void) {
  const uint id = get_local_linear_id();
  return id - id % __aiwc_sub_group_size();
}
static inline uint smaller(uint a, uint b) {
  return a < b ? a : b;
}
static inline uint enqueuedGroupSize(void) {
  return get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2);
}
static inline uint subGroupsIn(uint items) {
  return (items + __aiwc_sub_group_size() - 1) / __aiwc_sub_group_size();
}

// OpenCL's get_sub_group_size, which compiler/opencl/device/exchange.cpp has.
static inline uint sizeOfSubGroup(void) {
  return smaller(__aiwc_sub_group_size(), groupSize() - firstOfSubGroup());
}
uint OVERLOADABLE get_max_sub_group_size(void) {
  return smaller(__aiwc_sub_group_size(), enqueuedGroupSize());
}
uint OVERLOADABLE get_num_sub_groups(void) {
  return subGroupsIn(groupSize());
}
uint OVERLOADABLE get_enqueued_num_sub_groups(void) {
  return subGroupsIn(enqueuedGroupSize());
}
uint OVERLOADABLE get_sub_group_id(void) {
  return (uint)get_local_linear_id() / __aiwc_sub_group_size();
}
uint OVERLOADABLE get_sub_group_local_id(void) {
  return lane();
}

// The value of a lane that is not there is not defined: it is the work-item's own.
static inline uint exchange(uint how, uint value, uint argument) {
  return __aiwc_meet(how, value, argument, __aiwc_sub_group_size(), 0, __aiwc_sub_group_size(), 0);
}
#define DEFINE(TYPE)                                                                               \
  static inline TYPE exchange_##TYPE(uint how, TYPE x, uint argument) {                            \
    return (TYPE)exchange(how, (uint)x, argument);                                                 \
  }
FOR_EACH_SMALL_TYPE(DEFINE)
DEFINE(int)
DEFINE(uint)
#undef DEFINE
static inline half exchange_half(uint how, half x, uint argument) {
  return __builtin_astype(exchange_ushort(how, __builtin_astype(x, ushort), argument), half);
}
static inline float exchange_float(uint how, float x, uint argument) {
  return __builtin_astype(exchange(how, __builtin_astype(x, uint), argument), float);
}
#define DEFINE(TYPE)                                                                               \
  static inline TYPE exchange_##TYPE(uint how, TYPE x, uint argument) {                            \
    uint2 words = __builtin_astype(x, uint2);                                                      \
    words.x = exchange(how, words.x, argument);                                                    \
    words.y = exchange(how, words.y, argument);                                                    \
    return __builtin_astype(words, TYPE);                                                          \
  }
DEFINE(long)
DEFINE(ulong)
DEFINE(double)
#undef DEFINE

void CONVERGENT sub_group_barrier(uint flags) {
  exchange(kMeet, 0, 0);
}
void CONVERGENT sub_group_barrier(uint flags, memory_scope scope) {
  exchange(kMeet, 0, 0);
}

// A reduction halves the values in each step; a scan adds what lies 1, 2, 4, ... places before.
#define DEFINE_OPERATION(TYPE, NAME, OPERATION, NEUTRAL)                                           \
  TYPE CONVERGENT sub_group_reduce_##NAME(TYPE x) {                                                \
    const uint at = lane(), size = sizeOfSubGroup();                                               \
    for (uint step = __aiwc_sub_group_size() / 2; step > 0; step /= 2) {                           \
      const TYPE behind = exchange_##TYPE(kDown, x, step);                                         \
      if (at + step < size)                                                                        \
        x = OPERATION(x, behind);                                                                  \
    }                                                                                              \
    return exchange_##TYPE(kIndex, x, 0);                                                          \
  }                                                                                                \
  TYPE CONVERGENT sub_group_scan_inclusive_##NAME(TYPE x) {                                        \
    const uint at = lane();                                                                        \
    for (uint step = 1; step < __aiwc_sub_group_size(); step *= 2) {                               \
      const TYPE before = exchange_##TYPE(kUp, x, step);                                           \
      if (at >= step)                                                                              \
        x = OPERATION(before, x);                                                                  \
    }                                                                                              \
    return x;                                                                                      \
  }                                                                                                \
  TYPE CONVERGENT sub_group_scan_exclusive_##NAME(TYPE x) {                                        \
    const TYPE before = exchange_##TYPE(kUp, sub_group_scan_inclusive_##NAME(x), 1);               \
    return lane() > 0 ? before : (TYPE)NEUTRAL;                                                    \
  }
#define DEFINE(TYPE) FOR_EACH_OPERATION(DEFINE_OPERATION, TYPE)
FOR_EACH_SMALL_TYPE(DEFINE)
FOR_EACH_TYPE(DEFINE)
#undef DEFINE

#define DEFINE_VECTOR(NAME, TYPE, FIRST, SECOND)                                                   \
  TYPE CONVERGENT NAME(TYPE x, uint from) {                                                        \
    return (TYPE)(NAME(x.FIRST, from), NAME(x.SECOND, from));                                      \
  }
#define DEFINE_BROADCASTS(NAME, TYPE)                                                              \
  TYPE CONVERGENT NAME(TYPE x, uint from) { return exchange_##TYPE(kIndex, x, from); }             \
  DEFINE_VECTOR(NAME, TYPE##2, lo, hi)                                                             \
  DEFINE_VECTOR(NAME, TYPE##3, xy, z)                                                              \
  DEFINE_VECTOR(NAME, TYPE##4, lo, hi)                                                             \
  DEFINE_VECTOR(NAME, TYPE##8, lo, hi)                                                             \
  DEFINE_VECTOR(NAME, TYPE##16, lo, hi)
#define DEFINE(TYPE)                                                                               \
  DEFINE_BROADCASTS(sub_group_broadcast, TYPE)                                                     \
  DEFINE_BROADCASTS(sub_group_non_uniform_broadcast, TYPE)                                         \
  TYPE CONVERGENT sub_group_shuffle(TYPE x, uint from) {                                           \
    return exchange_##TYPE(kIndex, x, from);                                                       \
  }                                                                                                \
  TYPE CONVERGENT sub_group_shuffle_xor(TYPE x, uint mask) {                                       \
    return exchange_##TYPE(kXor, x, mask);                                                         \
  }                                                                                                \
  TYPE CONVERGENT sub_group_shuffle_up(TYPE x, uint distance) {                                    \
    return exchange_##TYPE(kUp, x, distance);                                                      \
  }                                                                                                \
  TYPE CONVERGENT sub_group_shuffle_down(TYPE x, uint distance) {                                  \
    return exchange_##TYPE(kDown, x, distance);                                                    \
  }
FOR_EACH_SMALL_TYPE(DEFINE)
FOR_EACH_TYPE(DEFINE)
#undef DEFINE

// Bit i of the result: the predicate of lane 32 word + i.
static uint ballotWord(int predicate, uint word) {
  return exchange(kBallot, predicate != 0, word);
}

uint4 CONVERGENT sub_group_ballot(int predicate) {
  uint4 bits = 0;
  bits.x = ballotWord(predicate, 0);
  if (__aiwc_sub_group_size() > 32)
    bits.y = ballotWord(predicate, 1);
  if (__aiwc_sub_group_size() > 64) {
    bits.z = ballotWord(predicate, 2);
    bits.w = ballotWord(predicate, 3);
  }
  return bits;
}

int CONVERGENT sub_group_any(int predicate) {
  const uint4 bits = sub_group_ballot(predicate);
  return (bits.x | bits.y | bits.z | bits.w) != 0;
}
int CONVERGENT sub_group_all(int predicate) {
  return !sub_group_any(!predicate);
}

// == Sets of lanes, as ballots have them. A word for which sub-groups have no lanes is the constant 0.

static inline uint wordOfLanesBelow(uint end, uint first) {
  if (first >= __aiwc_sub_group_size() || first >= end)
    return 0;
  return end - first >= 32 ? ~0u : (1u << (end - first)) - 1;
}
static inline uint4 lanesBelow(uint end) {
  return (uint4)(wordOfLanesBelow(end, 0), wordOfLanesBelow(end, 32), wordOfLanesBelow(end, 64),
                 wordOfLanesBelow(end, 96));
}
static inline uint4 allLanes(void) {
  return lanesBelow(get_max_sub_group_size());
}
static inline uint sizeOfSet(uint4 lanes) {
  uint size = popcount(lanes.x);
  if (__aiwc_sub_group_size() > 32)
    size += popcount(lanes.y) + popcount(lanes.z) + popcount(lanes.w);
  return size;
}
static inline uint lowest(uint word) {
  return 31 - clz(word & -word);
}
static inline uint firstOf(uint4 lanes) {
  if (lanes.x || __aiwc_sub_group_size() <= 32)
    return lowest(lanes.x);
  if (lanes.y || __aiwc_sub_group_size() <= 64)
    return 32 + lowest(lanes.y);
  return lanes.z ? 64 + lowest(lanes.z) : 96 + lowest(lanes.w);
}
#define kNobody (~0u)
// kNobody if the set is empty.
static inline uint lastOf(uint4 lanes) {
  if (__aiwc_sub_group_size() > 64 && (lanes.z | lanes.w))
    return lanes.w ? 127 - clz(lanes.w) : 95 - clz(lanes.z);
  if (__aiwc_sub_group_size() > 32 && lanes.y)
    return 63 - clz(lanes.y);
  return 31 - clz(lanes.x);
}

#define DEFINE(NAME, LANES)                                                                        \
  uint4 OVERLOADABLE get_sub_group_##NAME##_mask(void) { return LANES; }
DEFINE(eq, lanesBelow(lane() + 1) & ~lanesBelow(lane()))
DEFINE(ge, allLanes() & ~lanesBelow(lane()))
DEFINE(gt, allLanes() & ~lanesBelow(lane() + 1))
DEFINE(le, lanesBelow(lane() + 1))
DEFINE(lt, lanesBelow(lane()))
#undef DEFINE

int OVERLOADABLE sub_group_ballot_bit_extract(uint4 bits, uint at) {
  const uint word = at < 64 ? (at < 32 ? bits.x : bits.y) : (at < 96 ? bits.z : bits.w);
  return word >> at % 32 & 1;
}
int OVERLOADABLE sub_group_inverse_ballot(uint4 bits) {
  return sub_group_ballot_bit_extract(bits, lane());
}
uint OVERLOADABLE sub_group_ballot_bit_count(uint4 bits) {
  return sizeOfSet(bits & allLanes());
}
uint OVERLOADABLE sub_group_ballot_inclusive_scan(uint4 bits) {
  return sizeOfSet(bits & lanesBelow(lane() + 1));
}
uint OVERLOADABLE sub_group_ballot_exclusive_scan(uint4 bits) {
  return sizeOfSet(bits & lanesBelow(lane()));
}
uint OVERLOADABLE sub_group_ballot_find_lsb(uint4 bits) {
  return firstOf(bits & allLanes());
}
uint OVERLOADABLE sub_group_ballot_find_msb(uint4 bits) {
  return lastOf(bits & allLanes());
}

// == Functions that a part of a sub-group may call: those that come to the call together

int CONVERGENT sub_group_elect(void) {
  return lane() == firstOf(sub_group_ballot(1));
}
int CONVERGENT sub_group_non_uniform_any(int predicate) {
  return sub_group_any(predicate);
}
int CONVERGENT sub_group_non_uniform_all(int predicate) {
  return sub_group_all(predicate);
}
#define DEFINE(TYPE)                                                                               \
  TYPE CONVERGENT sub_group_broadcast_first(TYPE x) {                                              \
    return exchange_##TYPE(kIndex, x, firstOf(sub_group_ballot(1)));             \
  }                                                                                                \
  int CONVERGENT sub_group_non_uniform_all_equal(TYPE x) {                                         \
    return sub_group_all(sub_group_broadcast_first(x) == x);                                       \
  }
FOR_EACH_SMALL_TYPE(DEFINE)
FOR_EACH_TYPE(DEFINE)
#undef DEFINE

// In each step of an inclusive scan, a lane adds what the last one before its own row has, and its
// row becomes longer by that lane's. Rows end where the lane's cluster of `size` lanes begins. In
// the last lane of a cluster, the scan is the reduction.
#define DEFINE_OPERATION_OF_PART(TYPE, NAME, OPERATION, NEUTRAL)                                   \
  static inline TYPE OVERLOADABLE scan_##NAME(TYPE x, uint before, uint size) {                    \
    for (uint step = 1; step < size; step *= 2) {                                                  \
      const TYPE theirs = exchange_##TYPE(kIndex, x, before);                                      \
      const uint next = exchange(kIndex, before, before);                                          \
      if (before != kNobody) {                                                                     \
        x = OPERATION(theirs, x);                                                                  \
        before = next;                                                                             \
      }                                                                                            \
    }                                                                                              \
    return x;                                                                                      \
  }                                                                                                \
  TYPE CONVERGENT sub_group_clustered_reduce_##NAME(TYPE x, uint size) {                           \
    const uint begin = lane() & ~(size - 1);                                                       \
    const uint4 lanes = sub_group_ballot(1) & lanesBelow(begin + size) & ~lanesBelow(begin);       \
    return exchange_##TYPE(kIndex, scan_##NAME(x, lastOf(lanes & lanesBelow(lane())), size),       \
                           lastOf(lanes));                                                         \
  }                                                                                                \
  TYPE CONVERGENT sub_group_non_uniform_reduce_##NAME(TYPE x) {                                    \
    return sub_group_clustered_reduce_##NAME(x, __aiwc_sub_group_size());                          \
  }                                                                                                \
  TYPE CONVERGENT sub_group_non_uniform_scan_inclusive_##NAME(TYPE x) {                            \
    return scan_##NAME(x, lastOf(sub_group_ballot(1) & lanesBelow(lane())),                        \
                       __aiwc_sub_group_size());                                                   \
  }                                                                                                \
  TYPE CONVERGENT sub_group_non_uniform_scan_exclusive_##NAME(TYPE x) {                            \
    const uint before = lastOf(sub_group_ballot(1) & lanesBelow(lane()));                          \
    x = exchange_##TYPE(kIndex, scan_##NAME(x, before, __aiwc_sub_group_size()), before);          \
    return before == kNobody ? (TYPE)NEUTRAL : x;                                                  \
  }

#define MULTIPLY(a, b) ((a) * (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define DEFINE(TYPE)                                                                               \
  FOR_EACH_OPERATION(DEFINE_OPERATION_OF_PART, TYPE)                                               \
  DEFINE_OPERATION_OF_PART(TYPE, mul, MULTIPLY, 1)
FOR_EACH_SMALL_TYPE(DEFINE)
FOR_EACH_TYPE(DEFINE)
#undef DEFINE
#define DEFINE(TYPE)                                                                               \
  DEFINE_OPERATION_OF_PART(TYPE, and, AND, -1)                                                     \
  DEFINE_OPERATION_OF_PART(TYPE, or, OR, 0)                                                        \
  DEFINE_OPERATION_OF_PART(TYPE, xor, XOR, 0)
FOR_EACH_SMALL_TYPE(DEFINE)
DEFINE(int) DEFINE(uint) DEFINE(long) DEFINE(ulong)
#undef DEFINE

#define DEFINE(NAME)                                                                               \
  int CONVERGENT sub_group_non_uniform_reduce_logical_##NAME(int predicate) {                      \
    return sub_group_non_uniform_reduce_##NAME(predicate != 0);                                    \
  }                                                                                                \
  int CONVERGENT sub_group_non_uniform_scan_inclusive_logical_##NAME(int predicate) {              \
    return sub_group_non_uniform_scan_inclusive_##NAME(predicate != 0);                            \
  }                                                                                                \
  int CONVERGENT sub_group_non_uniform_scan_exclusive_logical_##NAME(int predicate) {              \
    return sub_group_non_uniform_scan_exclusive_##NAME(predicate != 0) != 0;                       \
  }                                                                                                \
  int CONVERGENT sub_group_clustered_reduce_logical_##NAME(int predicate, uint size) {             \
    return sub_group_clustered_reduce_##NAME(predicate != 0, size);                                \
  }
DEFINE(and) DEFINE(or) DEFINE(xor)
#undef DEFINE
