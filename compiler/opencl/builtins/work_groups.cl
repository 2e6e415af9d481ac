// Work-group functions: by local memory and barriers. All work-items of the group call them.
#include "builtins.h"

// A reduction halves the values in each step; a scan adds what lies 1, 2, 4, ... places before.
#define DEFINE_OPERATION(TYPE, NAME, OPERATION, NEUTRAL)                                           \
  TYPE CONVERGENT work_group_reduce_##NAME(TYPE x) {                                               \
    __local TYPE *slots = (__local TYPE *)SLOTS_##TYPE();                                          \
    const uint id = get_local_linear_id();                                                         \
    slots[id] = x;                                                                                 \
    meet();                                                                                        \
    for (uint count = groupSize(); count > 1;) {                                                   \
      const uint half_ = (count + 1) / 2;                                                          \
      if (id < count - half_)                                                                      \
        slots[id] = OPERATION(slots[id], slots[id + half_]);                                       \
      count = half_;                                                                               \
      meet();                                                                                      \
    }                                                                                              \
    const TYPE result = slots[0];                                                                  \
    meet(); /* before the next function stores */                                                  \
    return result;                                                                                 \
  }                                                                                                \
  static void scan_##TYPE##NAME(__local TYPE *slots, uint id, TYPE x) {                            \
    slots[id] = x;                                                                                 \
    meet();                                                                                        \
    const uint size = groupSize();                                                                 \
    for (uint step = 1; step < size; step *= 2) {                                                  \
      if (id >= step)                                                                              \
        x = OPERATION(slots[id - step], x);                                                        \
      meet();                                                                                      \
      slots[id] = x;                                                                               \
      meet();                                                                                      \
    }                                                                                              \
  }                                                                                                \
  TYPE CONVERGENT work_group_scan_inclusive_##NAME(TYPE x) {                                       \
    __local TYPE *slots = (__local TYPE *)SLOTS_##TYPE();                                          \
    const uint id = get_local_linear_id();                                                         \
    scan_##TYPE##NAME(slots, id, x);                                                               \
    const TYPE result = slots[id];                                                                 \
    meet();                                                                                        \
    return result;                                                                                 \
  }                                                                                                \
  TYPE CONVERGENT work_group_scan_exclusive_##NAME(TYPE x) {                                       \
    __local TYPE *slots = (__local TYPE *)SLOTS_##TYPE();                                          \
    const uint id = get_local_linear_id();                                                         \
    scan_##TYPE##NAME(slots, id, x);                                                               \
    TYPE result = NEUTRAL;                                                                         \
    if (id > 0)                                                                                    \
      result = slots[id - 1];                                                                      \
    meet();                                                                                        \
    return result;                                                                                 \
  }
#define DEFINE(TYPE) FOR_EACH_OPERATION(DEFINE_OPERATION, TYPE)
FOR_EACH_TYPE(DEFINE)
#undef DEFINE

#define DEFINE(TYPE)                                                                               \
  static TYPE broadcast_##TYPE(TYPE x, bool isSource) {                                            \
    __local TYPE *slots = (__local TYPE *)SLOTS_##TYPE();                                          \
    if (isSource)                                                                                  \
      slots[0] = x;                                                                                \
    meet();                                                                                        \
    const TYPE result = slots[0];                                                                  \
    meet();                                                                                        \
    return result;                                                                                 \
  }                                                                                                \
  TYPE CONVERGENT work_group_broadcast(TYPE x, size_t a) {                                         \
    return broadcast_##TYPE(x, get_local_id(0) == a);                                              \
  }                                                                                                \
  TYPE CONVERGENT work_group_broadcast(TYPE x, size_t a, size_t b) {                               \
    return broadcast_##TYPE(x, get_local_id(0) == a && get_local_id(1) == b);                      \
  }                                                                                                \
  TYPE CONVERGENT work_group_broadcast(TYPE x, size_t a, size_t b, size_t c) {                     \
    return broadcast_##TYPE(x, get_local_id(0) == a && get_local_id(1) == b &&                     \
                                   get_local_id(2) == c);                                          \
  }
FOR_EACH_TYPE(DEFINE)
#undef DEFINE

int CONVERGENT work_group_any(int predicate) {
  __local uint *slots = (__local uint *)__aiwc_slots4();
  if (get_local_linear_id() == 0)
    slots[0] = 0;
  meet();
  if (predicate)
    setBits(slots, 1);
  meet();
  const int result = slots[0];
  meet();
  return result;
}

int CONVERGENT work_group_all(int predicate) {
  return !work_group_any(!predicate);
}
