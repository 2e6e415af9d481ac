// Functions of sub-groups: by local memory and barriers of the whole work-group, which is all that
// the simulator has. A sub-group is a row of neighbours by their linear id; the last one may be
// smaller.
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

void CONVERGENT sub_group_barrier(uint flags) {
  __aiwc_meet();
}
void CONVERGENT sub_group_barrier(uint flags, memory_scope scope) {
  __aiwc_meet();
}

#define DEFINE_OPERATION(TYPE, NAME, OPERATION, NEUTRAL)                                           \
  TYPE CONVERGENT sub_group_reduce_##NAME(TYPE x) {                                                \
    __local TYPE *slots = (__local TYPE *)SLOTS_##TYPE();                                          \
    const uint id = get_local_linear_id(), at = lane(), size = sizeOfSubGroup();               \
    slots[id] = x;                                                                                 \
    __aiwc_meet();                                                                                 \
    for (uint step = __aiwc_sub_group_size() / 2; step > 0; step /= 2) {                           \
      if (at < step && at + step < size)                                                           \
        slots[id] = OPERATION(slots[id], slots[id + step]);                                        \
      __aiwc_meet();                                                                               \
    }                                                                                              \
    const TYPE result = slots[id - at];                                                            \
    __aiwc_meet();                                                                                 \
    return result;                                                                                 \
  }                                                                                                \
  static void scan_##TYPE##NAME(__local TYPE *slots, uint id, uint at, TYPE x) {                   \
    slots[id] = x;                                                                                 \
    __aiwc_meet();                                                                                 \
    for (uint step = 1; step < __aiwc_sub_group_size(); step *= 2) {                               \
      if (at >= step)                                                                              \
        x = OPERATION(slots[id - step], x);                                                        \
      __aiwc_meet();                                                                               \
      slots[id] = x;                                                                               \
      __aiwc_meet();                                                                               \
    }                                                                                              \
  }                                                                                                \
  TYPE CONVERGENT sub_group_scan_inclusive_##NAME(TYPE x) {                                        \
    __local TYPE *slots = (__local TYPE *)SLOTS_##TYPE();                                          \
    const uint id = get_local_linear_id();                                                         \
    scan_##TYPE##NAME(slots, id, lane(), x);                                                       \
    const TYPE result = slots[id];                                                                 \
    __aiwc_meet();                                                                                 \
    return result;                                                                                 \
  }                                                                                                \
  TYPE CONVERGENT sub_group_scan_exclusive_##NAME(TYPE x) {                                        \
    __local TYPE *slots = (__local TYPE *)SLOTS_##TYPE();                                          \
    const uint id = get_local_linear_id();                                                         \
    scan_##TYPE##NAME(slots, id, lane(), x);                                                       \
    TYPE result = NEUTRAL;                                                                         \
    if (lane() > 0)                                                                                \
      result = slots[id - 1];                                                                      \
    __aiwc_meet();                                                                                 \
    return result;                                                                                 \
  }
#define DEFINE(TYPE) FOR_EACH_OPERATION(DEFINE_OPERATION, TYPE)
FOR_EACH_TYPE(DEFINE)
#undef DEFINE

// The value of a lane beyond the sub-group is not defined: it is that of a lane within.
#define DEFINE(TYPE)                                                                               \
  static TYPE exchange_##TYPE(TYPE x, uint from) {                                                 \
    __local TYPE *slots = (__local TYPE *)SLOTS_##TYPE();                                          \
    slots[get_local_linear_id()] = x;                                                              \
    __aiwc_meet();                                                                                 \
    const TYPE result = slots[firstOfSubGroup() + smaller(from, sizeOfSubGroup() - 1)];        \
    __aiwc_meet();                                                                                 \
    return result;                                                                                 \
  }                                                                                                \
  TYPE CONVERGENT sub_group_broadcast(TYPE x, uint from) {                                         \
    return exchange_##TYPE(x, from);                                                               \
  }                                                                                                \
  TYPE CONVERGENT sub_group_shuffle(TYPE x, uint from) {                                           \
    return exchange_##TYPE(x, from);                                                               \
  }                                                                                                \
  TYPE CONVERGENT sub_group_shuffle_xor(TYPE x, uint mask) {                                       \
    return exchange_##TYPE(x, lane() ^ mask);                                                      \
  }                                                                                                \
  TYPE CONVERGENT sub_group_shuffle_up(TYPE x, uint distance) {                                    \
    return exchange_##TYPE(x, lane() - distance);                                                  \
  }                                                                                                \
  TYPE CONVERGENT sub_group_shuffle_down(TYPE x, uint distance) {                                  \
    return exchange_##TYPE(x, lane() + distance);                                                  \
  }
FOR_EACH_SMALL_TYPE(DEFINE)
FOR_EACH_TYPE(DEFINE)
#undef DEFINE

// Bit i of the result: the predicate of lane i.
static uint ballotWord(int predicate, uint word) {
  __local uint *slots = (__local uint *)__aiwc_slots4();
  const uint first = firstOfSubGroup(), at = lane();
  if (at == 0)
    slots[first] = 0;
  __aiwc_meet();
  if (predicate && at / 32 == word)
    setBits(&slots[first], 1u << at % 32);
  __aiwc_meet();
  const uint result = slots[first];
  __aiwc_meet();
  return result;
}

int CONVERGENT sub_group_any(int predicate) {
  __local uint *slots = (__local uint *)__aiwc_slots4();
  const uint first = firstOfSubGroup();
  if (lane() == 0)
    slots[first] = 0;
  __aiwc_meet();
  if (predicate)
    setBits(&slots[first], 1);
  __aiwc_meet();
  const int result = slots[first];
  __aiwc_meet();
  return result;
}
int CONVERGENT sub_group_all(int predicate) {
  return !sub_group_any(!predicate);
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
