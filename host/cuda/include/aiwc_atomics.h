// Atomic functions. All are atomic for the whole simulated device, whatever their scope.
// Integer operations are the compiler's, which aiwc-cuda-device makes OpenCL's. What OpenCL lacks
// is a loop of compare-and-swap.
#pragma once
#pragma GCC system_header
#include "host_defines.h"

#define AIWC_ATOMIC(name, type, parameter, result)                                                 \
  AIWC_DEVICE type name(type *address, type parameter) {                                           \
    return result;                                                                                 \
  }                                                                                                \
  AIWC_DEVICE type name##_block(type *address, type parameter) {                                   \
    return result;                                                                                 \
  }                                                                                                \
  AIWC_DEVICE type name##_system(type *address, type parameter) {                                  \
    return result;                                                                                 \
  }
#define AIWC_ATOMIC_INTEGERS(name, builtin)                                                        \
  AIWC_ATOMIC(name, int, value, builtin(address, value))                                           \
  AIWC_ATOMIC(name, unsigned int, value, builtin(address, value))                                  \
  AIWC_ATOMIC(name, unsigned long long, value, builtin(address, value))
#define AIWC_ATOMIC_LONG(name, builtin) AIWC_ATOMIC(name, long long, value, builtin(address, value))
AIWC_ATOMIC_INTEGERS(atomicAdd, __sync_fetch_and_add)
AIWC_ATOMIC_INTEGERS(atomicSub, __sync_fetch_and_sub)
AIWC_ATOMIC_INTEGERS(atomicAnd, __sync_fetch_and_and)
AIWC_ATOMIC_INTEGERS(atomicOr, __sync_fetch_and_or)
AIWC_ATOMIC_INTEGERS(atomicXor, __sync_fetch_and_xor)
AIWC_ATOMIC_INTEGERS(atomicExch, __sync_lock_test_and_set)
AIWC_ATOMIC_LONG(atomicAdd, __sync_fetch_and_add)
AIWC_ATOMIC_LONG(atomicAnd, __sync_fetch_and_and)
AIWC_ATOMIC_LONG(atomicOr, __sync_fetch_and_or)
AIWC_ATOMIC_LONG(atomicXor, __sync_fetch_and_xor)
AIWC_ATOMIC_LONG(atomicExch, __sync_lock_test_and_set)
AIWC_ATOMIC(atomicMin, int, value, __sync_fetch_and_min(address, value))
AIWC_ATOMIC(atomicMax, int, value, __sync_fetch_and_max(address, value))
AIWC_ATOMIC(atomicMin, unsigned int, value, __sync_fetch_and_umin(address, value))
AIWC_ATOMIC(atomicMax, unsigned int, value, __sync_fetch_and_umax(address, value))

namespace aiwc_cuda {
/// Replaces the value at an address by `next` of it, as one step, and gives the value before.
/// `Bits`: the integer of the same size.
template <typename Bits, typename Value, typename Next>
AIWC_DEVICE Value exchangeBy(Value *address, Next next) {
  Bits *bits = (Bits *)address;
  Bits seen = *bits;
  while (true) {
    Value before;
    __builtin_memcpy(&before, &seen, sizeof before);
    const Value after = next(before);
    Bits afterBits;
    __builtin_memcpy(&afterBits, &after, sizeof after);
    const Bits found = __sync_val_compare_and_swap(bits, seen, afterBits);
    if (found == seen)
      return before;
    seen = found;
  }
}
/// What an atomic function makes of the value `x` before, given `value`.
#define AIWC_CHANGE(name, result)                                                                  \
  template <typename Value> struct name {                                                          \
    Value value;                                                                                   \
    __attribute__((device, always_inline, nodebug)) Value operator()(Value x) const {              \
      return result;                                                                               \
    }                                                                                              \
  };
AIWC_CHANGE(Added, x + value)
AIWC_CHANGE(Smaller, value < x ? value : x)
AIWC_CHANGE(Larger, x < value ? value : x)
AIWC_CHANGE(Replaced, value)
/// 0 after `value`.
AIWC_CHANGE(Next, x >= value ? 0 : x + 1)
/// `value` after 0, and instead of what is above it.
AIWC_CHANGE(Previous, x == 0 || x > value ? value : x - 1)
#undef AIWC_CHANGE
} // namespace aiwc_cuda

#define AIWC_ATOMIC_LOOP(name, type, bits, next)                                                   \
  AIWC_ATOMIC(name, type, value, aiwc_cuda::exchangeBy<bits>(address, aiwc_cuda::next{value}))
AIWC_ATOMIC_LOOP(atomicAdd, float, unsigned int, Added<float>)
AIWC_ATOMIC_LOOP(atomicAdd, double, unsigned long long, Added<double>)
AIWC_ATOMIC_LOOP(atomicMin, long long, unsigned long long, Smaller<long long>)
AIWC_ATOMIC_LOOP(atomicMax, long long, unsigned long long, Larger<long long>)
AIWC_ATOMIC_LOOP(atomicMin, unsigned long long, unsigned long long, Smaller<unsigned long long>)
AIWC_ATOMIC_LOOP(atomicMax, unsigned long long, unsigned long long, Larger<unsigned long long>)
AIWC_ATOMIC_LOOP(atomicExch, float, unsigned int, Replaced<float>)
AIWC_ATOMIC_LOOP(atomicExch, double, unsigned long long, Replaced<double>)
AIWC_ATOMIC_LOOP(atomicInc, unsigned int, unsigned int, Next<unsigned int>)
AIWC_ATOMIC_LOOP(atomicDec, unsigned int, unsigned int, Previous<unsigned int>)
#undef AIWC_ATOMIC_INTEGERS
#undef AIWC_ATOMIC_LONG

#define AIWC_ATOMIC_CAS(name, type)                                                                \
  AIWC_DEVICE type name(type *address, type compare, type value) {                                 \
    return __sync_val_compare_and_swap(address, compare, value);                                   \
  }
#define AIWC_ATOMIC_CAS_ALL(type)                                                                  \
  AIWC_ATOMIC_CAS(atomicCAS, type)                                                                 \
  AIWC_ATOMIC_CAS(atomicCAS_block, type)                                                           \
  AIWC_ATOMIC_CAS(atomicCAS_system, type)
AIWC_ATOMIC_CAS_ALL(int)
AIWC_ATOMIC_CAS_ALL(unsigned int)
AIWC_ATOMIC_CAS_ALL(long long)
AIWC_ATOMIC_CAS_ALL(unsigned long long)
#undef AIWC_ATOMIC_CAS_ALL
#undef AIWC_ATOMIC_CAS
