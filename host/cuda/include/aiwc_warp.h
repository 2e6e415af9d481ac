// Functions of warps. Each is a call of the simulator's function at which lanes meet
// (compiler/simulator/meetings.h), which profiles count as one instruction. A mask of 0 means the
// lanes that come to the call together. Warps have 32 threads; in HIP, functions without a mask, or
// with one of 64 bits, are those of a warp of the device.
#pragma once
#pragma GCC system_header
#include "aiwc_index.h"
#include "aiwc_intrinsics.h"

extern "C" {
// Not merged: a call in a loop and one behind it are two meetings.
__attribute__((device, convergent, nomerge)) unsigned int
__aiwc_meet(unsigned int exchange, unsigned int value, unsigned int argument, unsigned int width,
            unsigned int mask, unsigned int lanes, unsigned int place);
}

namespace aiwc_cuda {
AIWC_OPENCL(size_t, threadInBlock, (), "_Z19get_local_linear_idv");
/// Of the thread, in its warp of 32.
AIWC_COMPUTED(int, laneId, (), (int)(threadInBlock() % 32))

/// What lanes exchange when they meet.
enum class Exchange : unsigned int {
  barrier,
  ballot,
  match,
  index,
  up,
  down,
  across,
  add,
  minSigned,
  minUnsigned,
  maxSigned,
  maxUnsigned,
  bitAnd,
  bitOr,
  bitXor
};
AIWC_DEVICE unsigned int meet(Exchange exchange, unsigned int mask, unsigned int value = 0,
                              unsigned int argument = 0, int width = 32, int lanes = 32) {
  return __aiwc_meet((unsigned int)exchange, value, argument, (unsigned int)width, mask,
                     (unsigned int)lanes, 0);
}

/// Has each word of a value, or the value if it is smaller, exchanged by `get`.
template <size_t bytes, bool isSmall = (bytes < sizeof(int))> struct Words {
  static_assert(bytes % sizeof(int) == 0, "a shuffle exchanges words of 4 bytes");
  template <typename Value, typename Get>
  static __attribute__((device, always_inline, nodebug)) Value exchange(Value value, Get get) {
    unsigned int words[bytes / sizeof(int)];
    __builtin_memcpy(words, &value, bytes);
    for (size_t i = 0; i < bytes / sizeof(int); ++i)
      words[i] = get(words[i]);
    __builtin_memcpy(&value, words, bytes);
    return value;
  }
};
template <size_t bytes> struct Words<bytes, true> {
  template <typename Value, typename Get>
  static __attribute__((device, always_inline, nodebug)) Value exchange(Value value, Get get) {
    unsigned int word = 0;
    __builtin_memcpy(&word, &value, bytes);
    word = get(word);
    __builtin_memcpy(&value, &word, bytes);
    return value;
  }
};

#ifdef AIWC_HIPCC
typedef unsigned long long LaneMask;
#else
typedef unsigned int LaneMask;
#endif
/// Only for masks of 64 bits, in HIP.
template <typename Mask>
using OfWavefront = typename std::enable_if<sizeof(Mask) == 8 && sizeof(LaneMask) == 8>::type;
/// The lanes of a wider warp meet that come to the call together, whatever the mask.
AIWC_COMPUTED(unsigned int, meetingMask, (LaneMask mask), warpSize == 32 ? (unsigned int)mask : 0)
/// What an exchange says of each lane of a warp, 32 of them with one call.
AIWC_DEVICE LaneMask wordsOfLanes(Exchange exchange, unsigned int mask, unsigned int value,
                                  int lanes) {
  LaneMask words = meet(exchange, mask, value, 0, 32, lanes);
  if (lanes > 32)
    words |= (LaneMask)((unsigned long long)meet(exchange, mask, value, 1, 32, lanes) << 32);
  return words;
}

/// The arguments of a shuffle.
struct Shuffle {
  Exchange exchange;
  unsigned int mask, argument;
  int width, lanes;
  __attribute__((device, always_inline, nodebug)) unsigned int operator()(unsigned int word) const {
    return meet(exchange, mask, word, argument, width, lanes);
  }
};
template <typename Value>
AIWC_DEVICE Value shuffle(Exchange exchange, unsigned int mask, Value value, unsigned int argument,
                          int width = 32, int lanes = 32) {
  return Words<sizeof(Value)>::exchange(value, Shuffle{exchange, mask, argument, width, lanes});
}
/// The lanes of the mask whose values have the same words.
struct Match {
  unsigned int mask;
  LaneMask *same;
  int lanes;
  __attribute__((device, always_inline, nodebug)) unsigned int operator()(unsigned int word) const {
    *same &= wordsOfLanes(Exchange::match, mask, word, lanes);
    return word;
  }
};
} // namespace aiwc_cuda

#define AIWC_SHUFFLE(name, parameter, exchange)                                                    \
  template <typename Value>                                                                        \
  AIWC_DEVICE Value name##_sync(unsigned int mask, Value value, parameter, int width = 32) {       \
    return aiwc_cuda::shuffle(aiwc_cuda::Exchange::exchange, mask, value, (unsigned int)source,    \
                              width);                                                              \
  }                                                                                                \
  template <typename Value> AIWC_DEVICE Value name(Value value, parameter, int width = warpSize) { \
    return aiwc_cuda::shuffle(aiwc_cuda::Exchange::exchange, 0, value, (unsigned int)source,       \
                              width, warpSize);                                                    \
  }                                                                                                \
  template <typename Mask, typename Value, typename = aiwc_cuda::OfWavefront<Mask>>                \
  AIWC_DEVICE Value name##_sync(Mask mask, Value value, parameter, int width = warpSize) {         \
    return aiwc_cuda::shuffle(aiwc_cuda::Exchange::exchange, aiwc_cuda::meetingMask(mask), value,  \
                              (unsigned int)source, width, warpSize);                              \
  }
AIWC_SHUFFLE(__shfl, int source, index)
AIWC_SHUFFLE(__shfl_up, unsigned int source, up)
AIWC_SHUFFLE(__shfl_down, unsigned int source, down)
AIWC_SHUFFLE(__shfl_xor, int source, across)
#undef AIWC_SHUFFLE

AIWC_COMPUTED(unsigned int, __ballot_sync, (unsigned int mask, int predicate),
              aiwc_cuda::meet(aiwc_cuda::Exchange::ballot, mask, (unsigned int)predicate))
AIWC_COMPUTED(int, __any_sync, (unsigned int mask, int predicate),
              __ballot_sync(mask, predicate) != 0)
AIWC_COMPUTED(int, __all_sync, (unsigned int mask, int predicate),
              __ballot_sync(mask, !predicate) == 0)
AIWC_DEVICE aiwc_cuda::LaneMask __ballot(int predicate) {
  return aiwc_cuda::wordsOfLanes(aiwc_cuda::Exchange::ballot, 0, (unsigned int)predicate, warpSize);
}
AIWC_COMPUTED(int, __any, (int predicate), __ballot(predicate) != 0)
AIWC_COMPUTED(int, __all, (int predicate), __ballot(!predicate) == 0)
AIWC_COMPUTED(aiwc_cuda::LaneMask, __activemask, (), __ballot(1))
template <typename Mask, typename = aiwc_cuda::OfWavefront<Mask>>
AIWC_DEVICE aiwc_cuda::LaneMask __ballot_sync(Mask mask, int predicate) {
  return mask & aiwc_cuda::wordsOfLanes(aiwc_cuda::Exchange::ballot, aiwc_cuda::meetingMask(mask),
                                        (unsigned int)predicate, warpSize);
}
template <typename Mask, typename = aiwc_cuda::OfWavefront<Mask>>
AIWC_COMPUTED(int, __any_sync, (Mask mask, int predicate), __ballot_sync(mask, predicate) != 0)
template <typename Mask, typename = aiwc_cuda::OfWavefront<Mask>>
AIWC_COMPUTED(int, __all_sync, (Mask mask, int predicate), __ballot_sync(mask, !predicate) == 0)
AIWC_DEVICE void __syncwarp(unsigned int mask = 0xffffffff) {
  aiwc_cuda::meet(aiwc_cuda::Exchange::barrier, mask);
}
template <typename Mask, typename = aiwc_cuda::OfWavefront<Mask>>
AIWC_DEVICE void __syncwarp(Mask mask) {
  aiwc_cuda::meet(aiwc_cuda::Exchange::barrier, aiwc_cuda::meetingMask(mask), 0, 0, 32, warpSize);
}

/// The lanes of the mask that pass the same value.
template <typename Value>
AIWC_DEVICE unsigned int __match_any_sync(unsigned int mask, Value value) {
  aiwc_cuda::LaneMask same = ~(aiwc_cuda::LaneMask)0;
  aiwc_cuda::Words<sizeof(Value)>::exchange(value, aiwc_cuda::Match{mask, &same, 32});
  return (unsigned int)same;
}
template <typename Mask, typename Value, typename = aiwc_cuda::OfWavefront<Mask>>
AIWC_DEVICE aiwc_cuda::LaneMask __match_any_sync(Mask mask, Value value) {
  aiwc_cuda::LaneMask same = mask;
  aiwc_cuda::Words<sizeof(Value)>::exchange(
      value, aiwc_cuda::Match{aiwc_cuda::meetingMask(mask), &same, warpSize});
  return same;
}
template <typename Value>
AIWC_DEVICE unsigned int __match_all_sync(unsigned int mask, Value value, int *predicate) {
  *predicate = __match_any_sync(mask, value) == mask;
  return *predicate ? mask : 0;
}
template <typename Mask, typename Value, typename = aiwc_cuda::OfWavefront<Mask>>
AIWC_DEVICE aiwc_cuda::LaneMask __match_all_sync(Mask mask, Value value, int *predicate) {
  const aiwc_cuda::LaneMask lanes = mask & ~(aiwc_cuda::LaneMask)0 >> (64 - warpSize);
  *predicate = __match_any_sync(mask, value) == lanes;
  return *predicate ? lanes : 0;
}

#define AIWC_REDUCE(name, type, exchange)                                                          \
  AIWC_DEVICE type name(unsigned int mask, type value) {                                           \
    return (type)aiwc_cuda::meet(aiwc_cuda::Exchange::exchange, mask, (unsigned int)value);        \
  }                                                                                                \
  template <typename Mask, typename = aiwc_cuda::OfWavefront<Mask>>                                \
  AIWC_DEVICE type name(Mask mask, type value) {                                                   \
    return (type)aiwc_cuda::meet(aiwc_cuda::Exchange::exchange, aiwc_cuda::meetingMask(mask),      \
                                 (unsigned int)value, 0, 32, warpSize);                            \
  }
AIWC_REDUCE(__reduce_add_sync, int, add)
AIWC_REDUCE(__reduce_add_sync, unsigned int, add)
AIWC_REDUCE(__reduce_min_sync, int, minSigned)
AIWC_REDUCE(__reduce_min_sync, unsigned int, minUnsigned)
AIWC_REDUCE(__reduce_max_sync, int, maxSigned)
AIWC_REDUCE(__reduce_max_sync, unsigned int, maxUnsigned)
AIWC_REDUCE(__reduce_and_sync, unsigned int, bitAnd)
AIWC_REDUCE(__reduce_or_sync, unsigned int, bitOr)
AIWC_REDUCE(__reduce_xor_sync, unsigned int, bitXor)
#undef AIWC_REDUCE
