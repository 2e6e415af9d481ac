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
FOR_EACH_TYPE(DEFINE)
#undef DEFINE

#define DEFINE(TYPE)                                                                               \
  TYPE CONVERGENT sub_group_broadcast(TYPE x, uint from) {                                         \
    return exchange_##TYPE(kIndex, x, from);                                                       \
  }                                                                                                \
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
