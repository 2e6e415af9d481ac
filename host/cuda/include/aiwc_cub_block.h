// cub's functions of a warp and of a block. They exchange by shuffles, and by shared memory that
// the program passes. As in cub, results of reductions are those of the first thread, and who uses
// the same shared memory again waits for the block before.
#pragma once
#pragma GCC system_header
#include "aiwc_cub_types.h"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum WarpLoadAlgorithm {
  WARP_LOAD_DIRECT,
  WARP_LOAD_STRIPED,
  WARP_LOAD_VECTORIZE,
  WARP_LOAD_TRANSPOSE
};
enum WarpStoreAlgorithm {
  WARP_STORE_DIRECT,
  WARP_STORE_STRIPED,
  WARP_STORE_VECTORIZE,
  WARP_STORE_TRANSPOSE
};
enum CacheLoadModifier {
  LOAD_DEFAULT,
  LOAD_CA,
  LOAD_CG,
  LOAD_CS,
  LOAD_CV,
  LOAD_LDG,
  LOAD_VOLATILE
};
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

AIWC_DEVICE unsigned int LaneId() {
  return (unsigned int)aiwc_cuda::laneId();
}
template <int x, int y, int z> AIWC_DEVICE int RowMajorTid(int, int, int) {
  return (int)aiwc_cuda::threadInBlock();
}

/// Memory for values, which it does not construct.
template <typename Value, int count> struct Uninitialised {
  alignas(Value) unsigned char bytes[sizeof(Value) * count];
  AIWC_ON_DEVICE Value &operator[](int i) { return ((Value *)bytes)[i]; }
};
/// A class whose functions use `Storage` of shared memory: the program's, or its own.
#define AIWC_TEMPORARY(name, Storage)                                                              \
  typedef Storage TempStorage;                                                                     \
  AIWC_ON_DEVICE explicit name(TempStorage &storage) : storage_(storage) {}                        \
  AIWC_ON_DEVICE name() : storage_(own()) {}                                                       \
                                                                                                   \
private:                                                                                           \
  static AIWC_ON_DEVICE TempStorage &own() {                                                       \
    static __shared__ TempStorage storage;                                                         \
    return storage;                                                                                \
  }                                                                                                \
  TempStorage &storage_;                                                                           \
                                                                                                   \
public:

/// The value of another lane, in words of 4 bytes.
template <typename Value>
AIWC_DEVICE Value shuffledFrom(const Value &value, int lane, unsigned int mask) {
  constexpr int words = (sizeof(Value) + 3) / 4;
  unsigned int parts[words] = {};
  __builtin_memcpy(parts, &value, sizeof(Value));
  for (int i = 0; i < words; ++i)
    parts[i] = __shfl_sync(mask, parts[i], lane);
  Value result = value;
  __builtin_memcpy((void *)&result, parts, sizeof(Value));
  return result;
}
template <int lanes, typename Value>
AIWC_DEVICE Value ShuffleIndex(Value value, int lane, unsigned int mask) {
  return shuffledFrom(value, (int)LaneId() / lanes * lanes + lane, mask);
}
template <int lanes, typename Value>
AIWC_DEVICE Value ShuffleUp(Value value, int by, int first, unsigned int mask) {
  const int lane = (int)LaneId() % lanes;
  return shuffledFrom(value, (int)LaneId() - (lane - by < first ? 0 : by), mask);
}
template <int lanes, typename Value>
AIWC_DEVICE Value ShuffleDown(Value value, int by, int last, unsigned int mask) {
  const int lane = (int)LaneId() % lanes;
  return shuffledFrom(value, (int)LaneId() + (lane + by > last ? 0 : by), mask);
}

/// The parts of warps that `lanes` threads make, and the functions of their threads' order.
template <int lanes> struct LanesOfWarp {
  static_assert(lanes >= 1 && lanes <= 32, "a warp has 32 threads");
  /// Of the thread.
  static AIWC_ON_DEVICE int lane() { return (int)LaneId() % lanes; }
  static AIWC_ON_DEVICE int first() { return (int)LaneId() / lanes * lanes; }
  static AIWC_ON_DEVICE unsigned int mask() {
    const int in = first() + lanes <= 32 ? lanes : 32 - first();
    return (in == 32 ? ~0u : (1u << in) - 1) << first();
  }
};

namespace ThreadOperators {
template <typename Value, int items, typename Op>
AIWC_DEVICE Value reduced(Value (&values)[items], Op op) {
  Value result = values[0];
  for (int i = 1; i < items; ++i)
    result = op(result, values[i]);
  return result;
}
} // namespace ThreadOperators
template <typename Value, int items, typename Op>
AIWC_DEVICE Value ThreadReduce(Value (&values)[items], Op op) {
  return ThreadOperators::reduced(values, op);
}
template <typename Value, int items, typename Op>
AIWC_DEVICE Value ThreadReduce(Value (&values)[items], Op op, Value before) {
  return op(before, ThreadOperators::reduced(values, op));
}

template <typename Value, int lanes = 32, int = 0> class WarpReduce {
public:
  AIWC_TEMPORARY(WarpReduce, NullType)
  /// Of the first `valid` lanes.
  template <typename Op> AIWC_ON_DEVICE Value Reduce(Value value, Op op, int valid = lanes) {
    const unsigned int mask = LanesOfWarp<lanes>::mask();
    for (int by = 1; by < lanes; by *= 2) {
      const Value other = ShuffleDown<lanes>(value, by, lanes - 1, mask);
      if (LanesOfWarp<lanes>::lane() + by < valid)
        value = op(value, other);
    }
    return value;
  }
  AIWC_ON_DEVICE Value Sum(Value value, int valid = lanes) {
    return Reduce(value, cub::Sum(), valid);
  }
  AIWC_ON_DEVICE Value Max(Value value, int valid = lanes) {
    return Reduce(value, cub::Max(), valid);
  }
  AIWC_ON_DEVICE Value Min(Value value, int valid = lanes) {
    return Reduce(value, cub::Min(), valid);
  }
  /// Of each lane with a head flag, and those behind it up to the next.
  template <typename Op, typename Flag>
  AIWC_ON_DEVICE Value HeadSegmentedReduce(Value value, Flag isHead, Op op) {
    return segmented(value, op, isHead ? 1 : 0, true);
  }
  template <typename Op, typename Flag>
  AIWC_ON_DEVICE Value TailSegmentedReduce(Value value, Flag isTail, Op op) {
    return segmented(value, op, isTail ? 1 : 0, false);
  }
  template <typename Flag> AIWC_ON_DEVICE Value HeadSegmentedSum(Value value, Flag isHead) {
    return HeadSegmentedReduce(value, isHead, cub::Sum());
  }
  template <typename Flag> AIWC_ON_DEVICE Value TailSegmentedSum(Value value, Flag isTail) {
    return TailSegmentedReduce(value, isTail, cub::Sum());
  }

private:
  template <typename Op> AIWC_ON_DEVICE Value segmented(Value value, Op op, int flag, bool heads) {
    const unsigned int mask = LanesOfWarp<lanes>::mask();
    const int lane = LanesOfWarp<lanes>::lane();
    // The lanes whose segment ends there.
    unsigned int ends = __ballot_sync(mask, flag) >> LanesOfWarp<lanes>::first();
    if (heads)
      ends >>= 1;
    ends = (ends | 1u << (lanes - 1)) >> lane << lane;
    const int last = __ffs((int)ends) - 1;
    for (int by = 1; by < lanes; by *= 2) {
      const Value other = ShuffleDown<lanes>(value, by, lanes - 1, mask);
      if (lane + by <= last)
        value = op(value, other);
    }
    return value;
  }
};

template <typename Value, int lanes = 32, int = 0> class WarpScan {
public:
  AIWC_TEMPORARY(WarpScan, NullType)
  template <typename Op> AIWC_ON_DEVICE void InclusiveScan(Value value, Value &result, Op op) {
    const unsigned int mask = LanesOfWarp<lanes>::mask();
    for (int by = 1; by < lanes; by *= 2) {
      const Value other = ShuffleUp<lanes>(value, by, 0, mask);
      if (LanesOfWarp<lanes>::lane() >= by)
        value = op(other, value);
    }
    result = value;
  }
  template <typename Op>
  AIWC_ON_DEVICE void InclusiveScan(Value value, Value &result, Op op, Value &aggregate) {
    InclusiveScan(value, result, op);
    aggregate = ShuffleIndex<lanes>(result, lanes - 1, LanesOfWarp<lanes>::mask());
  }
  /// Of all lanes but the first, whose result is undefined.
  template <typename Op> AIWC_ON_DEVICE void ExclusiveScan(Value value, Value &result, Op op) {
    Value inclusive;
    InclusiveScan(value, inclusive, op);
    result = ShuffleUp<lanes>(inclusive, 1, 0, LanesOfWarp<lanes>::mask());
  }
  template <typename Op>
  AIWC_ON_DEVICE void ExclusiveScan(Value value, Value &result, Value initial, Op op) {
    ExclusiveScan(value, result, op);
    result = LanesOfWarp<lanes>::lane() == 0 ? initial : Value(op(initial, result));
  }
  template <typename Op>
  AIWC_ON_DEVICE void ExclusiveScan(Value value, Value &result, Value initial, Op op,
                                    Value &aggregate) {
    Value inclusive;
    InclusiveScan(value, inclusive, op, aggregate);
    result = ShuffleUp<lanes>(inclusive, 1, 0, LanesOfWarp<lanes>::mask());
    result = LanesOfWarp<lanes>::lane() == 0 ? initial : Value(op(initial, result));
  }
  AIWC_ON_DEVICE void InclusiveSum(Value value, Value &result) {
    InclusiveScan(value, result, cub::Sum());
  }
  AIWC_ON_DEVICE void InclusiveSum(Value value, Value &result, Value &aggregate) {
    InclusiveScan(value, result, cub::Sum(), aggregate);
  }
  AIWC_ON_DEVICE void ExclusiveSum(Value value, Value &result) {
    ExclusiveScan(value, result, Value(), cub::Sum());
  }
  AIWC_ON_DEVICE void ExclusiveSum(Value value, Value &result, Value &aggregate) {
    ExclusiveScan(value, result, Value(), cub::Sum(), aggregate);
  }
  AIWC_ON_DEVICE Value Broadcast(Value value, unsigned int lane) {
    return ShuffleIndex<lanes>(value, (int)lane, LanesOfWarp<lanes>::mask());
  }
};

/// The warps of a block.
template <int threads> struct WarpsOfBlock {
  static constexpr int count = (threads + 31) / 32;
  static AIWC_ON_DEVICE int thread() { return (int)aiwc_cuda::threadInBlock(); }
  static AIWC_ON_DEVICE int warp() { return thread() / 32; }
  static AIWC_ON_DEVICE int lane() { return thread() % 32; }
  /// Threads of the own warp.
  static AIWC_ON_DEVICE int inWarp() {
    return threads % 32 == 0 || warp() < count - 1 ? 32 : threads % 32;
  }
  static AIWC_ON_DEVICE unsigned int mask() { return inWarp() == 32 ? ~0u : (1u << inWarp()) - 1; }
};

template <typename Value, int x, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1,
          int z = 1, int = 0>
class BlockReduce {
  static constexpr int kThreads = x * y * z;
  typedef WarpsOfBlock<kThreads> Warps;

public:
  typedef Uninitialised<Value, Warps::count> OfWarps;
  AIWC_TEMPORARY(BlockReduce, OfWarps)
  /// Of the first `valid` threads.
  template <typename Op> AIWC_ON_DEVICE Value Reduce(Value value, Op op, int valid = kThreads) {
    const int left = valid - Warps::warp() * 32;
    const int validInWarp = left < Warps::inWarp() ? left : Warps::inWarp();
    for (int by = 1; by < 32; by *= 2) {
      const Value other = shuffledFrom(value, (Warps::lane() + by) % 32, Warps::mask());
      if (Warps::lane() + by < validInWarp)
        value = op(value, other);
    }
    if (Warps::count == 1)
      return value;
    if (Warps::lane() == 0)
      storage_[Warps::warp()] = value;
    __syncthreads();
    if (Warps::thread() == 0)
      for (int warp = 1; warp < Warps::count && warp * 32 < valid; ++warp)
        value = op(value, storage_[warp]);
    return value;
  }
  template <int items, typename Op> AIWC_ON_DEVICE Value Reduce(Value (&values)[items], Op op) {
    return Reduce(ThreadReduce(values, op), op);
  }
  AIWC_ON_DEVICE Value Sum(Value value, int valid = kThreads) {
    return Reduce(value, cub::Sum(), valid);
  }
  template <int items> AIWC_ON_DEVICE Value Sum(Value (&values)[items]) {
    return Reduce(values, cub::Sum());
  }
};

template <typename Value, int x, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1,
          int = 0>
class BlockScan {
  static constexpr int kThreads = x * y * z;
  typedef WarpsOfBlock<kThreads> Warps;

public:
  struct Shared {
    Uninitialised<Value, Warps::count> ofWarps;
    Uninitialised<Value, 1> prefix;
  };
  AIWC_TEMPORARY(BlockScan, Shared)

private:
  /// The threads before this one, and all of them. Returns whether there is one before.
  template <typename Op>
  AIWC_ON_DEVICE bool scan(Value value, Value &before, Value &aggregate, Op op) {
    for (int by = 1; by < 32; by *= 2) {
      const Value other = shuffledFrom(value, (Warps::lane() - by) & 31, Warps::mask());
      if (Warps::lane() >= by)
        value = op(other, value);
    }
    before = shuffledFrom(value, (Warps::lane() - 1) & 31, Warps::mask());
    if (Warps::lane() == Warps::inWarp() - 1)
      storage_.ofWarps[Warps::warp()] = value;
    __syncthreads();
    aggregate = storage_.ofWarps[0];
    for (int warp = 1; warp < Warps::count; ++warp) {
      if (warp == Warps::warp())
        before = Warps::lane() == 0 ? aggregate : Value(op(aggregate, before));
      aggregate = op(aggregate, storage_.ofWarps[warp]);
    }
    return Warps::thread() != 0;
  }
  template <typename Op, typename Prefix>
  AIWC_ON_DEVICE Value prefixOf(const Value &aggregate, Op, Prefix &prefix) {
    if (Warps::warp() == 0) {
      const Value value = prefix(aggregate);
      if (Warps::lane() == 0)
        storage_.prefix[0] = value;
    }
    __syncthreads();
    return storage_.prefix[0];
  }

public:
  template <typename Op>
  AIWC_ON_DEVICE void InclusiveScan(Value value, Value &result, Op op, Value &aggregate) {
    Value before;
    result = scan(value, before, aggregate, op) ? Value(op(before, value)) : value;
  }
  template <typename Op> AIWC_ON_DEVICE void InclusiveScan(Value value, Value &result, Op op) {
    Value aggregate;
    InclusiveScan(value, result, op, aggregate);
  }
  template <typename Op, typename Prefix>
  AIWC_ON_DEVICE void InclusiveScan(Value value, Value &result, Op op, Prefix &prefix) {
    Value aggregate;
    InclusiveScan(value, result, op, aggregate);
    result = op(prefixOf(aggregate, op, prefix), result);
  }
  /// The result of the first thread is undefined.
  template <typename Op>
  AIWC_ON_DEVICE void ExclusiveScan(Value value, Value &result, Op op, Value &aggregate) {
    scan(value, result, aggregate, op);
  }
  template <typename Op> AIWC_ON_DEVICE void ExclusiveScan(Value value, Value &result, Op op) {
    Value aggregate;
    scan(value, result, aggregate, op);
  }
  template <typename Op>
  AIWC_ON_DEVICE void ExclusiveScan(Value value, Value &result, Value initial, Op op,
                                    Value &aggregate) {
    Value before;
    result = scan(value, before, aggregate, op) ? Value(op(initial, before)) : initial;
  }
  template <typename Op>
  AIWC_ON_DEVICE void ExclusiveScan(Value value, Value &result, Value initial, Op op) {
    Value aggregate;
    ExclusiveScan(value, result, initial, op, aggregate);
  }
  template <typename Op, typename Prefix,
            typename = std::enable_if_t<!std::is_convertible_v<Op, Value>>>
  AIWC_ON_DEVICE void ExclusiveScan(Value value, Value &result, Op op, Prefix &prefix) {
    Value before, aggregate;
    const bool hasBefore = scan(value, before, aggregate, op);
    const Value first = prefixOf(aggregate, op, prefix);
    result = hasBefore ? Value(op(first, before)) : first;
  }

  // Of several items of each thread: those of a thread follow one another.
  template <int items, typename Op>
  AIWC_ON_DEVICE void InclusiveScan(Value (&values)[items], Value (&results)[items], Op op,
                                    Value &aggregate) {
    Value before;
    const bool hasBefore = scan(ThreadReduce(values, op), before, aggregate, op);
    Value running = hasBefore ? Value(op(before, values[0])) : values[0];
    results[0] = running;
    for (int i = 1; i < items; ++i)
      results[i] = running = op(running, values[i]);
  }
  template <int items, typename Op>
  AIWC_ON_DEVICE void InclusiveScan(Value (&values)[items], Value (&results)[items], Op op) {
    Value aggregate;
    InclusiveScan(values, results, op, aggregate);
  }
  template <int items, typename Op, typename Prefix>
  AIWC_ON_DEVICE void InclusiveScan(Value (&values)[items], Value (&results)[items], Op op,
                                    Prefix &prefix) {
    Value aggregate;
    InclusiveScan(values, results, op, aggregate);
    const Value first = prefixOf(aggregate, op, prefix);
    for (int i = 0; i < items; ++i)
      results[i] = op(first, results[i]);
  }
  template <int items, typename Op>
  AIWC_ON_DEVICE void ExclusiveScan(Value (&values)[items], Value (&results)[items], Value initial,
                                    Op op, Value &aggregate) {
    Value before;
    const bool hasBefore = scan(ThreadReduce(values, op), before, aggregate, op);
    fill(values, results, hasBefore ? Value(op(initial, before)) : initial, op);
  }
  template <int items, typename Op>
  AIWC_ON_DEVICE void ExclusiveScan(Value (&values)[items], Value (&results)[items], Value initial,
                                    Op op) {
    Value aggregate;
    ExclusiveScan(values, results, initial, op, aggregate);
  }
  template <int items, typename Op, typename Prefix,
            typename = std::enable_if_t<!std::is_convertible_v<Op, Value>>>
  AIWC_ON_DEVICE void ExclusiveScan(Value (&values)[items], Value (&results)[items], Op op,
                                    Prefix &prefix) {
    Value before, aggregate;
    const bool hasBefore = scan(ThreadReduce(values, op), before, aggregate, op);
    const Value first = prefixOf(aggregate, op, prefix);
    fill(values, results, hasBefore ? Value(op(first, before)) : first, op);
  }

  template <typename Values, typename Results, typename... Rest>
  AIWC_ON_DEVICE void InclusiveSum(Values &&values, Results &results, Rest &...rest) {
    InclusiveScan(values, results, cub::Sum(), rest...);
  }
  template <typename Values, typename Results>
  AIWC_ON_DEVICE void ExclusiveSum(Values &&values, Results &results) {
    ExclusiveScan(values, results, Value(), cub::Sum());
  }
  template <typename Values, typename Results>
  AIWC_ON_DEVICE void ExclusiveSum(Values &&values, Results &results, Value &aggregate) {
    ExclusiveScan(values, results, Value(), cub::Sum(), aggregate);
  }
  template <typename Values, typename Results, typename Prefix>
  AIWC_ON_DEVICE void ExclusiveSum(Values &&values, Results &results, Prefix &prefix) {
    ExclusiveScan(values, results, cub::Sum(), prefix);
  }

private:
  template <int items, typename Op>
  static AIWC_ON_DEVICE void fill(Value (&values)[items], Value (&results)[items], Value running,
                                  Op op) {
    for (int i = 0; i < items; ++i) {
      const Value next = op(running, values[i]);
      results[i] = running;
      running = next;
    }
  }
};

/// Moves items between two orders, `place(thread, item)` before and `placeAfter(thread, item)`.
/// `sync` waits for the threads that exchange.
template <int items, typename Storage, typename From, typename To, typename Before, typename After,
          typename Sync>
AIWC_DEVICE void exchange(Storage &storage, const From (&from)[items], To (&to)[items],
                          Before before, After after, Sync sync) {
  for (int i = 0; i < items; ++i)
    storage[before(i)] = from[i];
  sync();
  for (int i = 0; i < items; ++i)
    to[i] = storage[after(i)];
}
struct WaitForBlock {
  AIWC_ON_DEVICE void operator()() const { __syncthreads(); }
};
struct WaitForLanes {
  unsigned int mask;
  AIWC_ON_DEVICE void operator()() const { __syncwarp(mask); }
};
/// Where item i of a thread is: `thread * own + i * step`, in `first` and behind.
struct Places {
  int first, own, step, thread;
  AIWC_ON_DEVICE int operator()(int i) const { return first + thread * own + i * step; }
};
template <typename Rank> struct RankedPlaces {
  const Rank *ranks;
  AIWC_ON_DEVICE int operator()(int i) const { return (int)ranks[i]; }
};

template <typename Value, int x, int items, bool = false, int y = 1, int z = 1, int = 0>
class BlockExchange {
  static constexpr int kThreads = x * y * z;
  typedef Uninitialised<Value, kThreads * items> Shared;

public:
  AIWC_TEMPORARY(BlockExchange, Shared)

private:
  static AIWC_ON_DEVICE int thread() { return (int)aiwc_cuda::threadInBlock(); }
  static AIWC_ON_DEVICE Places blocked() { return {0, items, 1, thread()}; }
  static AIWC_ON_DEVICE Places striped() { return {0, 1, kThreads, thread()}; }
  static AIWC_ON_DEVICE Places warpStriped() {
    constexpr int lanes = kThreads < 32 ? kThreads : 32;
    return {thread() / 32 * 32 * items, 1, lanes, thread() % 32};
  }

public:
#define AIWC_EXCHANGE(name, before, after)                                                         \
  template <typename From, typename To>                                                            \
  AIWC_ON_DEVICE void name(const From(&from)[items], To(&to)[items]) {                             \
    exchange(storage_, from, to, before, after, WaitForBlock());                                   \
  }                                                                                                \
  template <typename From> AIWC_ON_DEVICE void name(From(&values)[items]) {                        \
    exchange(storage_, values, values, before, after, WaitForBlock());                             \
  }
  AIWC_EXCHANGE(StripedToBlocked, striped(), blocked())
  AIWC_EXCHANGE(BlockedToStriped, blocked(), striped())
  AIWC_EXCHANGE(WarpStripedToBlocked, warpStriped(), blocked())
  AIWC_EXCHANGE(BlockedToWarpStriped, blocked(), warpStriped())
#undef AIWC_EXCHANGE
#define AIWC_SCATTER(name, after)                                                                  \
  template <typename From, typename To, typename Rank>                                             \
  AIWC_ON_DEVICE void name(const From(&from)[items], To(&to)[items], Rank(&ranks)[items]) {        \
    exchange(storage_, from, to, RankedPlaces<Rank>{ranks}, after, WaitForBlock());                \
  }                                                                                                \
  template <typename From, typename Rank>                                                          \
  AIWC_ON_DEVICE void name(From(&values)[items], Rank(&ranks)[items]) {                            \
    exchange(storage_, values, values, RankedPlaces<Rank>{ranks}, after, WaitForBlock());          \
  }
  AIWC_SCATTER(ScatterToBlocked, blocked())
  AIWC_SCATTER(ScatterToStriped, striped())
#undef AIWC_SCATTER
};

template <typename Value, int items, int lanes = 32, int = 0, int = 0> class WarpExchange {
  typedef Uninitialised<Value, lanes * items> Shared;

public:
  AIWC_TEMPORARY(WarpExchange, Shared)

private:
  typedef LanesOfWarp<lanes> Lanes;
  static AIWC_ON_DEVICE Places blocked() { return {0, items, 1, Lanes::lane()}; }
  static AIWC_ON_DEVICE Places striped() { return {0, 1, lanes, Lanes::lane()}; }

public:
  template <typename From, typename To>
  AIWC_ON_DEVICE void StripedToBlocked(const From (&from)[items], To (&to)[items]) {
    exchange(storage_, from, to, striped(), blocked(), WaitForLanes{Lanes::mask()});
  }
  template <typename From, typename To>
  AIWC_ON_DEVICE void BlockedToStriped(const From (&from)[items], To (&to)[items]) {
    exchange(storage_, from, to, blocked(), striped(), WaitForLanes{Lanes::mask()});
  }
  template <typename From, typename To, typename Rank>
  AIWC_ON_DEVICE void ScatterToStriped(const From (&from)[items], To (&to)[items],
                                       Rank (&ranks)[items]) {
    exchange(storage_, from, to, RankedPlaces<Rank>{ranks}, striped(), WaitForLanes{Lanes::mask()});
  }
  template <typename From, typename Rank>
  AIWC_ON_DEVICE void ScatterToStriped(From (&values)[items], Rank (&ranks)[items]) {
    ScatterToStriped(values, values, ranks);
  }
};

// Loads and stores of some items of each thread, in the order of the threads (Direct...Blocked) or
// of the items (Striped, within the block or the warp). Of `valid` items, if it is given.
template <int items> AIWC_DEVICE Places blockedPlaces(int thread) {
  return {0, items, 1, thread};
}
template <int items> AIWC_DEVICE Places stripedPlaces(int thread, int threads) {
  return {0, 1, threads, thread};
}
template <int items> AIWC_DEVICE Places warpStripedPlaces(int thread) {
  return {thread / 32 * 32 * items, 1, 32, thread % 32};
}
template <typename Input, typename Value, int items>
AIWC_DEVICE void loadAt(Places places, Input input, Value (&values)[items], long long valid) {
  for (int i = 0; i < items; ++i)
    if (places(i) < valid)
      values[i] = input[places(i)];
}
template <typename Output, typename Value, int items>
AIWC_DEVICE void storeAt(Places places, Output output, Value (&values)[items], long long valid) {
  for (int i = 0; i < items; ++i)
    if (places(i) < valid)
      output[places(i)] = values[i];
}
template <typename Value, int items, typename Otherwise>
AIWC_DEVICE void setAll(Value (&values)[items], const Otherwise &otherwise) {
  for (int i = 0; i < items; ++i)
    values[i] = otherwise;
}
#define AIWC_LOADS(name, templates, places)                                                        \
  template <templates typename Value, int items, typename Input>                                   \
  AIWC_DEVICE void name(int thread, Input input, Value(&values)[items],                            \
                        long long valid = LLONG_MAX) {                                             \
    loadAt(places, input, values, valid);                                                          \
  }                                                                                                \
  template <templates typename Value, int items, typename Input, typename Otherwise>               \
  AIWC_DEVICE void name(int thread, Input input, Value(&values)[items], long long valid,           \
                        Otherwise otherwise) {                                                     \
    setAll(values, otherwise);                                                                     \
    loadAt(places, input, values, valid);                                                          \
  }
#define AIWC_STORES(name, templates, places)                                                       \
  template <templates typename Value, int items, typename Output>                                  \
  AIWC_DEVICE void name(int thread, Output output, Value(&values)[items],                          \
                        long long valid = LLONG_MAX) {                                             \
    storeAt(places, output, values, valid);                                                        \
  }
#define AIWC_THREADS int threads,
AIWC_LOADS(LoadDirectBlocked, , blockedPlaces<items>(thread))
AIWC_LOADS(LoadDirectStriped, AIWC_THREADS, stripedPlaces<items>(thread, threads))
AIWC_LOADS(LoadDirectWarpStriped, , warpStripedPlaces<items>(thread))
AIWC_STORES(StoreDirectBlocked, , blockedPlaces<items>(thread))
AIWC_STORES(StoreDirectStriped, AIWC_THREADS, stripedPlaces<items>(thread, threads))
AIWC_STORES(StoreDirectWarpStriped, , warpStripedPlaces<items>(thread))
#undef AIWC_LOADS
#undef AIWC_STORES
#undef AIWC_THREADS
/// By vectors of 16 bytes where an item's size allows it.
template <bool isLoad, typename Value, int items, typename Memory>
AIWC_DEVICE void moveVectors(int thread, Memory *memory, Value (&values)[items]) {
  if constexpr (sizeof(Value) * items % sizeof(int4) == 0) {
    constexpr int vectors = sizeof(Value) * items / sizeof(int4);
    int4 words[vectors];
    if constexpr (isLoad) {
      for (int i = 0; i < vectors; ++i)
        words[i] = ((const int4 *)memory)[thread * vectors + i];
      __builtin_memcpy((void *)values, words, sizeof(words));
    } else {
      __builtin_memcpy(words, (const void *)values, sizeof(words));
      for (int i = 0; i < vectors; ++i)
        ((int4 *)memory)[thread * vectors + i] = words[i];
    }
  } else if constexpr (isLoad)
    LoadDirectBlocked(thread, memory, values);
  else
    StoreDirectBlocked(thread, memory, values);
}
template <typename Value, int items>
AIWC_DEVICE void LoadDirectBlockedVectorized(int thread, const Value *input,
                                             Value (&values)[items]) {
  moveVectors<true>(thread, input, values);
}
template <typename Value, int items>
AIWC_DEVICE void StoreDirectBlockedVectorized(int thread, Value *output, Value (&values)[items]) {
  moveVectors<false>(thread, output, values);
}
template <CacheLoadModifier = LOAD_DEFAULT, typename Iterator>
AIWC_DEVICE ValueOf<Iterator> ThreadLoad(Iterator input) {
  return *input;
}
template <CacheStoreModifier = STORE_DEFAULT, typename Iterator, typename Value>
AIWC_DEVICE void ThreadStore(Iterator output, Value value) {
  *output = value;
}

/// Loads of a block, or of `threads` threads of a warp; `Exchange` brings them into order.
template <typename Value, int threads, int items, int algorithm, typename Exchange>
class CollectiveLoad {
public:
  AIWC_TEMPORARY(CollectiveLoad, typename Exchange::TempStorage)
  template <typename Input> AIWC_ON_DEVICE void Load(Input input, Value (&values)[items]) {
    if constexpr (algorithm == BLOCK_LOAD_VECTORIZE && std::is_pointer_v<Input>)
      moveVectors<true>(thread(), input, values);
    else
      Load(input, values, INT_MAX);
  }
  template <typename Input>
  AIWC_ON_DEVICE void Load(Input input, Value (&values)[items], int valid) {
    constexpr bool isDirect = algorithm == BLOCK_LOAD_DIRECT || algorithm == BLOCK_LOAD_VECTORIZE;
    loadAt(isDirect ? blockedPlaces<items>(thread()) : stripedPlaces<items>(thread(), threads),
           input, values, valid);
    if constexpr (!isDirect && algorithm != BLOCK_LOAD_STRIPED)
      Exchange(storage_).StripedToBlocked(values, values);
  }
  template <typename Input, typename Otherwise>
  AIWC_ON_DEVICE void Load(Input input, Value (&values)[items], int valid, Otherwise otherwise) {
    setAll(values, otherwise);
    Load(input, values, valid);
  }

private:
  static AIWC_ON_DEVICE int thread() { return (int)(aiwc_cuda::threadInBlock() % threads); }
};
template <typename Value, int threads, int items, int algorithm, typename Exchange>
class CollectiveStore {
public:
  AIWC_TEMPORARY(CollectiveStore, typename Exchange::TempStorage)
  template <typename Output> AIWC_ON_DEVICE void Store(Output output, Value (&values)[items]) {
    if constexpr (algorithm == BLOCK_STORE_VECTORIZE && std::is_pointer_v<Output>)
      moveVectors<false>(thread(), output, values);
    else
      Store(output, values, INT_MAX);
  }
  template <typename Output>
  AIWC_ON_DEVICE void Store(Output output, Value (&values)[items], int valid) {
    constexpr bool isDirect = algorithm == BLOCK_STORE_DIRECT || algorithm == BLOCK_STORE_VECTORIZE;
    if constexpr (!isDirect && algorithm != BLOCK_STORE_STRIPED) {
      Value inOrder[items];
      Exchange(storage_).BlockedToStriped(values, inOrder);
      storeAt(stripedPlaces<items>(thread(), threads), output, inOrder, valid);
    } else
      storeAt(isDirect ? blockedPlaces<items>(thread()) : stripedPlaces<items>(thread(), threads),
              output, values, valid);
  }

private:
  static AIWC_ON_DEVICE int thread() { return (int)(aiwc_cuda::threadInBlock() % threads); }
};
#define AIWC_COLLECTIVE(name, Algorithm, usual, Base)                                              \
  template <typename Value, int x, int items, Algorithm algorithm = usual, int y = 1, int z = 1,   \
            int = 0>                                                                               \
  class name                                                                                       \
      : public Base<Value, x * y * z, items, algorithm, BlockExchange<Value, x * y * z, items>> {  \
    using Base<Value, x * y * z, items, algorithm, BlockExchange<Value, x * y * z, items>>::Base;  \
  };
AIWC_COLLECTIVE(BlockLoad, BlockLoadAlgorithm, BLOCK_LOAD_DIRECT, CollectiveLoad)
AIWC_COLLECTIVE(BlockStore, BlockStoreAlgorithm, BLOCK_STORE_DIRECT, CollectiveStore)
#undef AIWC_COLLECTIVE
#define AIWC_COLLECTIVE(name, Algorithm, usual, Base)                                              \
  template <typename Value, int items, Algorithm algorithm = usual, int lanes = 32, int = 0>       \
  class name : public Base<Value, lanes, items, algorithm, WarpExchange<Value, items, lanes>> {    \
    using Base<Value, lanes, items, algorithm, WarpExchange<Value, items, lanes>>::Base;           \
  };
AIWC_COLLECTIVE(WarpLoad, WarpLoadAlgorithm, WARP_LOAD_DIRECT, CollectiveLoad)
AIWC_COLLECTIVE(WarpStore, WarpStoreAlgorithm, WARP_STORE_DIRECT, CollectiveStore)
#undef AIWC_COLLECTIVE

/// The last item of the thread before, or the first one of the thread behind.
template <typename Value, int threads> struct Neighbours {
  Uninitialised<Value, threads> last, first;
  template <int items> AIWC_ON_DEVICE void share(const Value (&values)[items]) {
    const int thread = (int)aiwc_cuda::threadInBlock();
    last[thread] = values[items - 1];
    first[thread] = values[0];
    __syncthreads();
  }
};
template <typename Value, int x, int y = 1, int z = 1, int = 0> class BlockAdjacentDifference {
  static constexpr int kThreads = x * y * z;
  typedef Neighbours<Value, kThreads> Shared;

public:
  AIWC_TEMPORARY(BlockAdjacentDifference, Shared)
  /// op(item, the one before); the block's first item stays.
  template <int items, typename Result, typename Op>
  AIWC_ON_DEVICE void SubtractLeft(Value (&values)[items], Result (&results)[items], Op op) {
    left(values, results, op, (const Value *)nullptr);
  }
  template <int items, typename Result, typename Op>
  AIWC_ON_DEVICE void SubtractLeft(Value (&values)[items], Result (&results)[items], Op op,
                                   Value beforeBlock) {
    left(values, results, op, &beforeBlock);
  }
  /// op(item, the one behind); the block's last item stays.
  template <int items, typename Result, typename Op>
  AIWC_ON_DEVICE void SubtractRight(Value (&values)[items], Result (&results)[items], Op op) {
    right(values, results, op, (const Value *)nullptr);
  }
  template <int items, typename Result, typename Op>
  AIWC_ON_DEVICE void SubtractRight(Value (&values)[items], Result (&results)[items], Op op,
                                    Value behindBlock) {
    right(values, results, op, &behindBlock);
  }

private:
  template <int items, typename Result, typename Op>
  AIWC_ON_DEVICE void left(Value (&values)[items], Result (&results)[items], Op op,
                           const Value *beforeBlock) {
    const int thread = (int)aiwc_cuda::threadInBlock();
    storage_.share(values);
    for (int i = items - 1; i > 0; --i)
      results[i] = op(values[i], values[i - 1]);
    if (thread > 0)
      results[0] = op(values[0], storage_.last[thread - 1]);
    else
      results[0] = beforeBlock ? Result(op(values[0], *beforeBlock)) : Result(values[0]);
  }
  template <int items, typename Result, typename Op>
  AIWC_ON_DEVICE void right(Value (&values)[items], Result (&results)[items], Op op,
                            const Value *behindBlock) {
    const int thread = (int)aiwc_cuda::threadInBlock();
    storage_.share(values);
    for (int i = 0; i < items - 1; ++i)
      results[i] = op(values[i], values[i + 1]);
    const Value own = values[items - 1];
    if (thread < kThreads - 1)
      results[items - 1] = op(own, storage_.first[thread + 1]);
    else
      results[items - 1] = behindBlock ? Result(op(own, *behindBlock)) : Result(own);
  }
};
template <typename Value, int x, int y = 1, int z = 1, int = 0> class BlockDiscontinuity {
  static constexpr int kThreads = x * y * z;
  typedef Neighbours<Value, kThreads> Shared;

public:
  AIWC_TEMPORARY(BlockDiscontinuity, Shared)
  /// Whether op(the item before, item), or (item, the one behind) for tails; 1 at the block's ends
  /// unless the item there is given.
  template <int items, typename Flag, typename Op>
  AIWC_ON_DEVICE void FlagHeads(Flag (&flags)[items], Value (&values)[items], Op op) {
    heads(flags, values, op, (const Value *)nullptr);
  }
  template <int items, typename Flag, typename Op>
  AIWC_ON_DEVICE void FlagHeads(Flag (&flags)[items], Value (&values)[items], Op op,
                                Value beforeBlock) {
    heads(flags, values, op, &beforeBlock);
  }
  template <int items, typename Flag, typename Op>
  AIWC_ON_DEVICE void FlagTails(Flag (&flags)[items], Value (&values)[items], Op op) {
    tails(flags, values, op, (const Value *)nullptr);
  }
  template <int items, typename Flag, typename Op>
  AIWC_ON_DEVICE void FlagTails(Flag (&flags)[items], Value (&values)[items], Op op,
                                Value behindBlock) {
    tails(flags, values, op, &behindBlock);
  }

private:
  template <int items, typename Flag, typename Op>
  AIWC_ON_DEVICE void heads(Flag (&flags)[items], Value (&values)[items], Op op,
                            const Value *beforeBlock) {
    const int thread = (int)aiwc_cuda::threadInBlock();
    storage_.share(values);
    for (int i = 1; i < items; ++i)
      flags[i] = Flag(op(values[i - 1], values[i]));
    if (thread > 0)
      flags[0] = Flag(op(storage_.last[thread - 1], values[0]));
    else
      flags[0] = Flag(!beforeBlock || op(*beforeBlock, values[0]));
  }
  template <int items, typename Flag, typename Op>
  AIWC_ON_DEVICE void tails(Flag (&flags)[items], Value (&values)[items], Op op,
                            const Value *behindBlock) {
    const int thread = (int)aiwc_cuda::threadInBlock();
    storage_.share(values);
    for (int i = 0; i < items - 1; ++i)
      flags[i] = Flag(op(values[i], values[i + 1]));
    const Value own = values[items - 1];
    if (thread < kThreads - 1)
      flags[items - 1] = Flag(op(own, storage_.first[thread + 1]));
    else
      flags[items - 1] = Flag(!behindBlock || op(own, *behindBlock));
  }
};

/// Sorts the items of a block, 4 bits of the keys at a time: each thread counts its digits, a scan
/// over all threads' counts ranks them.
template <typename Key, int x, int items, typename Value = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int y = 1, int z = 1, int = 0>
class BlockRadixSort {
  static constexpr int kThreads = x * y * z, kDigits = 16;
  typedef BlockScan<int, kThreads> Scan;
  union Shared {
    struct {
      int ofDigits[kDigits * kThreads];
      typename Scan::TempStorage scan;
    } counts;
    typename BlockExchange<Key, kThreads, items>::TempStorage keys;
    typename BlockExchange<Value, kThreads, items>::TempStorage values;
  };

public:
  AIWC_TEMPORARY(BlockRadixSort, Shared)
  AIWC_ON_DEVICE void Sort(Key (&keys)[items], int begin = 0, int end = sizeof(Key) * 8) {
    NullType none[items];
    sort(keys, none, begin, end, false);
  }
  AIWC_ON_DEVICE void Sort(Key (&keys)[items], Value (&values)[items], int begin = 0,
                           int end = sizeof(Key) * 8) {
    sort(keys, values, begin, end, false);
  }
  AIWC_ON_DEVICE void SortDescending(Key (&keys)[items], int begin = 0, int end = sizeof(Key) * 8) {
    NullType none[items];
    sort(keys, none, begin, end, true);
  }
  AIWC_ON_DEVICE void SortDescending(Key (&keys)[items], Value (&values)[items], int begin = 0,
                                     int end = sizeof(Key) * 8) {
    sort(keys, values, begin, end, true);
  }
  AIWC_ON_DEVICE void SortBlockedToStriped(Key (&keys)[items], int begin = 0,
                                           int end = sizeof(Key) * 8) {
    Sort(keys, begin, end);
    __syncthreads();
    BlockExchange<Key, kThreads, items>(storage_.keys).BlockedToStriped(keys);
  }
  AIWC_ON_DEVICE void SortBlockedToStriped(Key (&keys)[items], Value (&values)[items],
                                           int begin = 0, int end = sizeof(Key) * 8) {
    Sort(keys, values, begin, end);
    __syncthreads();
    BlockExchange<Key, kThreads, items>(storage_.keys).BlockedToStriped(keys);
    __syncthreads();
    BlockExchange<Value, kThreads, items>(storage_.values).BlockedToStriped(values);
  }

private:
  template <typename Values>
  AIWC_ON_DEVICE void sort(Key (&keys)[items], Values (&values)[items], int begin, int end,
                           bool descending) {
    const int thread = (int)aiwc_cuda::threadInBlock();
    for (int bit = begin; bit < end; bit += 4) {
      const unsigned int digits = end - bit < 4 ? (1u << (end - bit)) - 1 : kDigits - 1;
      int ranks[items], *counts = storage_.counts.ofDigits;
      for (int digit = 0; digit < kDigits; ++digit)
        counts[digit * kThreads + thread] = 0;
      int digitOf[items];
      for (int i = 0; i < items; ++i) {
        const unsigned int digit = (unsigned int)(Traits<Key>::ordered(keys[i]) >> bit) & digits;
        digitOf[i] = (int)(descending ? digits - digit : digit);
        ranks[i] = counts[digitOf[i] * kThreads + thread]++;
      }
      __syncthreads();
      int ofThread[kDigits];
      for (int i = 0; i < kDigits; ++i)
        ofThread[i] = counts[thread * kDigits + i];
      Scan(storage_.counts.scan).ExclusiveSum(ofThread, ofThread);
      for (int i = 0; i < kDigits; ++i)
        counts[thread * kDigits + i] = ofThread[i];
      __syncthreads();
      for (int i = 0; i < items; ++i)
        ranks[i] += counts[digitOf[i] * kThreads + thread];
      __syncthreads();
      BlockExchange<Key, kThreads, items>(storage_.keys).ScatterToBlocked(keys, ranks);
      __syncthreads();
      if constexpr (!std::is_same_v<Values, NullType>) {
        BlockExchange<Values, kThreads, items>(storage_.values).ScatterToBlocked(values, ranks);
        __syncthreads();
      }
    }
  }
};

/// Counts of values below `bins`, in shared memory of the program.
enum BlockHistogramAlgorithm { BLOCK_HISTO_ATOMIC, BLOCK_HISTO_SORT };
template <typename Value, int x, int items, int bins, BlockHistogramAlgorithm = BLOCK_HISTO_SORT,
          int y = 1, int z = 1, int = 0>
class BlockHistogram {
public:
  AIWC_TEMPORARY(BlockHistogram, NullType)
  template <typename Count> AIWC_ON_DEVICE void InitHistogram(Count (&counts)[bins]) {
    for (int bin = (int)aiwc_cuda::threadInBlock(); bin < bins; bin += x * y * z)
      counts[bin] = 0;
  }
  template <typename Count>
  AIWC_ON_DEVICE void Composite(Value (&values)[items], Count (&counts)[bins]) {
    for (int i = 0; i < items; ++i)
      atomicAdd(&counts[values[i]], Count(1));
  }
  template <typename Count>
  AIWC_ON_DEVICE void Histogram(Value (&values)[items], Count (&counts)[bins]) {
    InitHistogram(counts);
    __syncthreads();
    Composite(values, counts);
  }
};

} // namespace cub
