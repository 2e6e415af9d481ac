// Functions of warps of 32 threads, by three primitives that aiwc-cuda-device lowers, or refuses by
// name. A mask of 0 means the lanes that execute the call together.
#pragma once
#pragma GCC system_header
#include "aiwc_index.h"
#include "aiwc_intrinsics.h"

extern "C" {
/// The value that the lane `sourceLane`, 0 to 31, of the calling thread's warp passes.
__attribute__((device, convergent)) int __aiwc_shuffle32(int value, int sourceLane,
                                                         unsigned int mask);
/// Bit i: the predicate that lane i passes is not 0. Bits of lanes outside of the mask are 0.
__attribute__((device, convergent)) unsigned int __aiwc_ballot(int predicate, unsigned int mask);
__attribute__((device, convergent)) void __aiwc_warp_barrier(unsigned int mask);
}

namespace aiwc_cuda {
AIWC_OPENCL(size_t, threadInBlock, (), "_Z19get_local_linear_idv");
/// Of the thread, in its warp.
AIWC_DEVICE int laneId() {
  return (int)(threadInBlock() % 32);
}

/// The words of a value.
template <size_t bytes, bool isSmall = (bytes < sizeof(int))> struct Shuffled {
  static_assert(bytes % sizeof(int) == 0, "a shuffle exchanges words of 4 bytes");
  template <typename Value>
  static __attribute__((device, always_inline, nodebug)) Value get(Value value, int lane,
                                                                   unsigned int mask) {
    int words[bytes / sizeof(int)];
    __builtin_memcpy(words, &value, bytes);
    for (size_t i = 0; i < bytes / sizeof(int); ++i)
      words[i] = __aiwc_shuffle32(words[i], lane, mask);
    __builtin_memcpy(&value, words, bytes);
    return value;
  }
};
template <size_t bytes> struct Shuffled<bytes, true> {
  template <typename Value>
  static __attribute__((device, always_inline, nodebug)) Value get(Value value, int lane,
                                                                   unsigned int mask) {
    int word = 0;
    __builtin_memcpy(&word, &value, bytes);
    word = __aiwc_shuffle32(word, lane, mask);
    __builtin_memcpy(&value, &word, bytes);
    return value;
  }
};
template <typename Value> AIWC_DEVICE Value shuffle(unsigned int mask, Value value, int lane) {
  return Shuffled<sizeof(Value)>::get(value, lane, mask);
}

// The lane that the functions of CUDA read from, in a warp that is divided into segments.
AIWC_DEVICE int laneAt(int source, int width) {
  return (laneId() & ~(width - 1)) + (source & (width - 1));
}
AIWC_DEVICE int laneBelow(unsigned int delta, int width) {
  const int lane = laneId(), inSegment = lane & (width - 1);
  return (unsigned int)inSegment < delta ? lane : lane - (int)delta;
}
AIWC_DEVICE int laneAbove(unsigned int delta, int width) {
  const int lane = laneId(), inSegment = lane & (width - 1);
  return (unsigned int)inSegment + delta >= (unsigned int)width ? lane : lane + (int)delta;
}
AIWC_DEVICE int laneAcross(int bits, int width) {
  const int lane = laneId(), source = lane ^ bits;
  return source >= (lane & ~(width - 1)) + width ? lane : source; // a later segment's
}
} // namespace aiwc_cuda

#define AIWC_SHUFFLE(name, parameter, lane)                                                        \
  template <typename Value>                                                                        \
  AIWC_DEVICE Value name##_sync(unsigned int mask, Value value, parameter, int width = 32) {       \
    return aiwc_cuda::shuffle(mask, value, aiwc_cuda::lane(source, width));                        \
  }                                                                                                \
  template <typename Value> AIWC_DEVICE Value name(Value value, parameter, int width = 32) {       \
    return aiwc_cuda::shuffle(0, value, aiwc_cuda::lane(source, width));                           \
  }
AIWC_SHUFFLE(__shfl, int source, laneAt)
AIWC_SHUFFLE(__shfl_up, unsigned int source, laneBelow)
AIWC_SHUFFLE(__shfl_down, unsigned int source, laneAbove)
AIWC_SHUFFLE(__shfl_xor, int source, laneAcross)
#undef AIWC_SHUFFLE

AIWC_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return __aiwc_ballot(predicate, mask);
}
AIWC_DEVICE int __any_sync(unsigned int mask, int predicate) {
  return __aiwc_ballot(predicate, mask) != 0;
}
AIWC_DEVICE int __all_sync(unsigned int mask, int predicate) {
  return __aiwc_ballot(!predicate, mask) == 0;
}
AIWC_DEVICE unsigned int __ballot(int predicate) {
  return __aiwc_ballot(predicate, 0);
}
AIWC_DEVICE int __any(int predicate) {
  return __aiwc_ballot(predicate, 0) != 0;
}
AIWC_DEVICE int __all(int predicate) {
  return __aiwc_ballot(!predicate, 0) == 0;
}
AIWC_DEVICE unsigned int __activemask() {
  return __aiwc_ballot(1, 0);
}
AIWC_DEVICE void __syncwarp(unsigned int mask = 0xffffffff) {
  __aiwc_warp_barrier(mask);
}

/// The lanes of the mask that pass the same value.
template <typename Value>
AIWC_DEVICE unsigned int __match_any_sync(unsigned int mask, Value value) {
  unsigned int same = 0;
  for (int lane = 0; lane < 32; ++lane)
    if (mask >> lane & 1)
      same |= (unsigned int)(aiwc_cuda::shuffle(mask, value, lane) == value) << lane;
  return same;
}
template <typename Value>
AIWC_DEVICE unsigned int __match_all_sync(unsigned int mask, Value value, int *predicate) {
  *predicate = __match_any_sync(mask, value) == mask;
  return *predicate ? mask : 0;
}

#define AIWC_REDUCE(name, type, combined)                                                          \
  AIWC_DEVICE type name(unsigned int mask, type value) {                                           \
    type result = value;                                                                           \
    bool isFirst = true;                                                                           \
    for (int lane = 0; lane < 32; ++lane)                                                          \
      if (mask >> lane & 1) {                                                                      \
        const type other = aiwc_cuda::shuffle(mask, value, lane);                                  \
        result = isFirst ? other : combined;                                                       \
        isFirst = false;                                                                           \
      }                                                                                            \
    return result;                                                                                 \
  }
AIWC_REDUCE(__reduce_add_sync, int, result + other)
AIWC_REDUCE(__reduce_add_sync, unsigned int, result + other)
AIWC_REDUCE(__reduce_min_sync, int, min(result, other))
AIWC_REDUCE(__reduce_min_sync, unsigned int, min(result, other))
AIWC_REDUCE(__reduce_max_sync, int, max(result, other))
AIWC_REDUCE(__reduce_max_sync, unsigned int, max(result, other))
AIWC_REDUCE(__reduce_and_sync, unsigned int, result &other)
AIWC_REDUCE(__reduce_or_sync, unsigned int, result | other)
AIWC_REDUCE(__reduce_xor_sync, unsigned int, result ^ other)
#undef AIWC_REDUCE
