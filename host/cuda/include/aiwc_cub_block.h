// cub's functions of a warp and of a block. They exchange by shuffles, and by shared memory that
// the program passes. As in cub, results of reductions are those of the first thread, and who uses
// the same shared memory again waits for the block before.
#pragma once
#pragma GCC system_header
#include "aiwc_cub_types.h"

namespace cub {
AIWC_BEGIN_INLINE

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
#define AIWC_TRANSFERS(name, prefix)                                                               \
  enum name {                                                                                      \
    prefix##_DIRECT,                                                                               \
    prefix##_STRIPED,                                                                              \
    prefix##_VECTORIZE,                                                                            \
    prefix##_TRANSPOSE,                                                                            \
    prefix##_WARP_TRANSPOSE,                                                                       \
    prefix##_WARP_TRANSPOSE_TIMESLICED                                                             \
  }
AIWC_TRANSFERS(BlockLoadAlgorithm, BLOCK_LOAD);
AIWC_TRANSFERS(BlockStoreAlgorithm, BLOCK_STORE);
#undef AIWC_TRANSFERS

inline __device__ unsigned int LaneId() {
  return (unsigned int)aiwc_cuda::laneId();
}

/// Memory for values, which it does not construct.
template <class Value, int count> struct Uninitialised {
  alignas(Value) unsigned char bytes[sizeof(Value) * count];
  __device__ Value &operator[](int i) { return ((Value *)bytes)[i]; }
};
/// A class whose functions use `Storage` of shared memory: the program's, or its own.
#define AIWC_TEMPORARY(name, Storage)                                                              \
  typedef Storage TempStorage;                                                                     \
  __device__ explicit name(TempStorage &storage) : storage_(storage) {}                            \
  __device__ name() : storage_(own()) {}                                                           \
                                                                                                   \
private:                                                                                           \
  static __device__ TempStorage &own() {                                                           \
    static __shared__ TempStorage storage;                                                         \
    return storage;                                                                                \
  }                                                                                                \
  TempStorage &storage_;                                                                           \
                                                                                                   \
public:

/// The value of another lane, in words of 4 bytes.
template <class Value>
__device__ Value shuffledFrom(const Value &value, int lane, unsigned int mask) {
  constexpr int words = (sizeof(Value) + 3) / 4;
  unsigned int parts[words] = {};
  __builtin_memcpy(parts, &value, sizeof(Value));
  for (int i = 0; i < words; ++i)
    parts[i] = __shfl_sync(mask, parts[i], lane);
  Value result = value;
  __builtin_memcpy((void *)&result, parts, sizeof(Value));
  return result;
}
template <int lanes, class Value>
__device__ Value ShuffleIndex(Value value, int lane, unsigned int mask) {
  return shuffledFrom(value, (int)LaneId() / lanes * lanes + lane, mask);
}
template <int lanes, class Value>
__device__ Value ShuffleUp(Value value, int by, int first, unsigned int mask) {
  const int lane = (int)LaneId() % lanes;
  return shuffledFrom(value, (int)LaneId() - (lane - by < first ? 0 : by), mask);
}
template <int lanes, class Value>
__device__ Value ShuffleDown(Value value, int by, int last, unsigned int mask) {
  const int lane = (int)LaneId() % lanes;
  return shuffledFrom(value, (int)LaneId() + (lane + by > last ? 0 : by), mask);
}

/// The part of a warp to which the thread belongs, as if it were a block of one warp.
template <int lanes> struct ThreadsOfWarp {
  static_assert(lanes >= 1 && lanes <= 32, "a warp has 32 threads");
  static constexpr int count = lanes, warps = 1, lanesOfWarp = lanes;
  static constexpr bool isBlock = false;
  static __device__ int thread() { return (int)LaneId() % lanes; }
  static __device__ void sync() { __syncwarp(mask()); }
  static __device__ int warp() { return 0; }
  static __device__ int threadsOfWarp() { return lanes; }
  static __device__ unsigned int mask() {
    const int first = (int)LaneId() / lanes * lanes, in = first + lanes <= 32 ? lanes : 32 - first;
    return (in == 32 ? ~0u : (1u << in) - 1) << first;
  }
};
/// The block of the thread, and its warps, of which the last may have less than 32 threads.
template <int threads> struct ThreadsOfBlock {
  static constexpr int count = threads, warps = (threads + 31) / 32, lanesOfWarp = 32;
  static constexpr bool isBlock = true;
  static __device__ int thread() { return (int)aiwc_cuda::threadInBlock(); }
  static __device__ void sync() { __syncthreads(); }
  static __device__ int warp() { return thread() / 32; }
  static __device__ int threadsOfWarp() {
    return threads % 32 == 0 || warp() < warps - 1 ? 32 : threads % 32;
  }
  static __device__ unsigned int mask() {
    return threadsOfWarp() == 32 ? ~0u : (1u << threadsOfWarp()) - 1;
  }
};

template <class Value, int items, class Op>
__device__ Value ThreadReduce(Value (&values)[items], Op op) {
  Value result = values[0];
  for (int i = 1; i < items; ++i)
    result = op(result, values[i]);
  return result;
}

/// Reductions of a block or a part of a warp, or of the first `valid` threads: of each warp by
/// shuffles, then the block's first thread reduces what the warps leave in shared memory.
template <class Value, class Threads> class CollectiveReduce {
  typedef Uninitialised<Value, Threads::warps> OfWarps;
  typedef std::conditional_t<Threads::isBlock, OfWarps, NullType> Shared;

public:
  AIWC_TEMPORARY(CollectiveReduce, Shared)
  template <class Op> __device__ Value Reduce(Value value, Op op, int valid = Threads::count) {
    constexpr int lanes = Threads::lanesOfWarp;
    const int left = valid - Threads::warp() * 32, lane = Threads::thread() % lanes;
    const int validLanes = left < Threads::threadsOfWarp() ? left : Threads::threadsOfWarp();
    for (int by = 1; by < lanes; by *= 2) {
      const Value other = ShuffleDown<lanes>(value, by, lanes - 1, Threads::mask());
      if (lane + by < validLanes)
        value = op(value, other);
    }
    if constexpr (Threads::warps > 1) {
      if (lane == 0)
        storage_[Threads::warp()] = value;
      __syncthreads();
      if (Threads::thread() == 0)
        for (int warp = 1; warp < Threads::warps && warp * 32 < valid; ++warp)
          value = op(value, storage_[warp]);
    }
    return value;
  }
  template <int items, class Op> __device__ Value Reduce(Value (&values)[items], Op op) {
    return Reduce(ThreadReduce(values, op), op);
  }
  template <class Values, class... Valid> __device__ Value Sum(Values &&values, Valid... valid) {
    return Reduce(values, cub::Sum(), valid...);
  }
};
template <class Value, int lanes = 32, int = 0>
using WarpReduce = CollectiveReduce<Value, ThreadsOfWarp<lanes>>;
template <class Value, int x, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1,
          int z = 1, int = 0>
using BlockReduce = CollectiveReduce<Value, ThreadsOfBlock<x * y * z>>;

/// Scans of a block or a part of a warp: of a value or an array of each thread. `extra` is nothing,
/// the aggregate to set, or a prefix: called with the aggregate by the block's first warp, it tells
/// what comes before the block.
template <class Value, class Threads> class CollectiveScan {
  struct OfBlock {
    Uninitialised<Value, Threads::warps> ofWarps;
    Uninitialised<Value, 1> prefix;
  };
  typedef std::conditional_t<Threads::isBlock, OfBlock, NullType> Shared;

public:
  AIWC_TEMPORARY(CollectiveScan, Shared)
  template <class Values, class Results, class Op, class... Extra>
  __device__ void InclusiveScan(Values &&values, Results &results, Op op, Extra &...extra) {
    scan<true>(values, results, op, NullType(), extra...);
  }
  template <class Values, class Results, class Op, class... Aggregate>
  __device__ void ExclusiveScan(Values &&values, Results &results, Value initial, Op op,
                                Aggregate &...aggregate) {
    scan<false>(values, results, op, initial, aggregate...);
  }
  /// Without a prefix, the first result is undefined.
  template <class Values, class Results, class Op, class... Extra,
            class = std::enable_if_t<!std::is_convertible_v<Op, Value>>>
  __device__ void ExclusiveScan(Values &&values, Results &results, Op op, Extra &...extra) {
    scan<false>(values, results, op, NullType(), extra...);
  }
  template <class Values, class Results, class... Extra>
  __device__ void InclusiveSum(Values &&values, Results &results, Extra &...extra) {
    InclusiveScan(values, results, cub::Sum(), extra...);
  }
  template <class Values, class Results, class... Extra>
  __device__ void ExclusiveSum(Values &&values, Results &results, Extra &...extra) {
    if constexpr ((std::is_same_v<Extra, Value> && ...))
      ExclusiveScan(values, results, Value(), cub::Sum(), extra...);
    else
      ExclusiveScan(values, results, cub::Sum(), extra...);
  }
  /// Of a warp.
  __device__ Value Broadcast(Value value, unsigned int lane) {
    return ShuffleIndex<Threads::lanesOfWarp>(value, (int)lane, Threads::mask());
  }

private:
  /// What comes before the first item: the value given, or the prefix's for the aggregate.
  template <class Initial> __device__ Initial startOf(const Value &, Initial initial) {
    return initial;
  }
  template <class Initial>
  __device__ Initial startOf(const Value &all, Initial initial, Value &aggregate) {
    aggregate = all;
    return initial;
  }
  template <class Initial, class Prefix>
  __device__ Value startOf(const Value &all, Initial, Prefix &prefix) {
    if (Threads::warp() == 0) {
      const Value value = prefix(all);
      if (Threads::thread() == 0)
        storage_.prefix[0] = value;
    }
    __syncthreads();
    return storage_.prefix[0];
  }
  /// The scan of the threads before this one, and of all.
  template <class Op> __device__ void scanThreads(Value value, Value &before, Value &all, Op op) {
    constexpr int lanes = Threads::lanesOfWarp;
    const int lane = Threads::thread() % lanes;
    for (int by = 1; by < lanes; by *= 2) {
      const Value other = ShuffleUp<lanes>(value, by, 0, Threads::mask());
      if (lane >= by)
        value = op(other, value);
    }
    before = ShuffleUp<lanes>(value, 1, 0, Threads::mask());
    if constexpr (Threads::isBlock) {
      if (lane == Threads::threadsOfWarp() - 1)
        storage_.ofWarps[Threads::warp()] = value;
      __syncthreads();
      all = storage_.ofWarps[0];
      for (int warp = 1; warp < Threads::warps; ++warp) {
        if (warp == Threads::warp())
          before = lane == 0 ? all : Value(op(all, before));
        all = op(all, storage_.ofWarps[warp]);
      }
    } else
      all = Broadcast(value, lanes - 1);
  }
  template <bool isInclusive, int items, class Op, class Initial, class... Extra>
  __device__ void scan(Value (&values)[items], Value (&results)[items], Op op, Initial initial,
                       Extra &...extra) {
    Value before, all;
    scanThreads(ThreadReduce(values, op), before, all, op);
    bool hasBefore = Threads::thread() != 0;
    const auto start = startOf(all, initial, extra...);
    if constexpr (std::is_same_v<decltype(start), const Value>) {
      before = hasBefore ? Value(op(start, before)) : start;
      hasBefore = true;
    }
    for (int i = 0; i < items; ++i) {
      const Value upTo = hasBefore || i > 0 ? Value(op(before, values[i])) : values[i];
      results[i] = isInclusive ? upTo : before;
      before = upTo;
    }
  }
  template <bool isInclusive, class Op, class Initial, class... Extra>
  __device__ void scan(const Value &value, Value &result, Op op, Initial initial, Extra &...extra) {
    Value values[1] = {value};
    scan<isInclusive>(values, values, op, initial, extra...);
    result = values[0];
  }
};
template <class Value, int lanes = 32, int = 0>
using WarpScan = CollectiveScan<Value, ThreadsOfWarp<lanes>>;
template <class Value, int x, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1, int = 0>
using BlockScan = CollectiveScan<Value, ThreadsOfBlock<x * y * z>>;

/// Where item i of a thread is: `thread * own + i * step`, in `first` and behind.
struct Places {
  int first, own, step, thread;
  __device__ int operator()(int i) const { return first + thread * own + i * step; }
};
template <int items> __device__ Places blockedPlaces(int thread) {
  return {0, items, 1, thread};
}
template <int items> __device__ Places stripedPlaces(int thread, int threads) {
  return {0, 1, threads, thread};
}
template <int items> __device__ Places warpStripedPlaces(int thread, int lanes = 32) {
  return {thread / 32 * 32 * items, 1, lanes, thread % 32};
}

/// Moves items between the threads of a block or a warp, into another array or in place.
template <class Value, class Threads, int items> class CollectiveExchange {
  typedef Uninitialised<Value, Threads::count * items> Shared;

public:
  AIWC_TEMPORARY(CollectiveExchange, Shared)
  template <class... Arrays> __device__ void StripedToBlocked(Arrays &...arrays) {
    move(striped(), blocked(), arrays...);
  }
  template <class... Arrays> __device__ void BlockedToStriped(Arrays &...arrays) {
    move(blocked(), striped(), arrays...);
  }
  template <class... Arrays> __device__ void WarpStripedToBlocked(Arrays &...arrays) {
    move(warpStriped(), blocked(), arrays...);
  }
  template <class... Arrays> __device__ void BlockedToWarpStriped(Arrays &...arrays) {
    move(blocked(), warpStriped(), arrays...);
  }
  /// The last array has the ranks of the items.
  template <class... Arrays> __device__ void ScatterToBlocked(Arrays &...arrays) {
    scatter(blocked(), arrays...);
  }
  template <class... Arrays> __device__ void ScatterToStriped(Arrays &...arrays) {
    scatter(striped(), arrays...);
  }

private:
  static __device__ Places blocked() { return blockedPlaces<items>(Threads::thread()); }
  static __device__ Places striped() {
    return stripedPlaces<items>(Threads::thread(), Threads::count);
  }
  static __device__ Places warpStriped() {
    return warpStripedPlaces<items>(Threads::thread(), Threads::count < 32 ? Threads::count : 32);
  }
  template <class Before, class From, class To>
  __device__ void move(Before before, Places after, From (&from)[items], To (&to)[items]) {
    for (int i = 0; i < items; ++i)
      storage_[before(i)] = from[i];
    Threads::sync();
    for (int i = 0; i < items; ++i)
      to[i] = storage_[after(i)];
  }
  template <class Before, class From>
  __device__ void move(Before before, Places after, From (&values)[items]) {
    move(before, after, values, values);
  }
  template <class From, class To, class Rank>
  __device__ void scatter(Places after, From (&from)[items], To (&to)[items],
                          Rank (&ranks)[items]) {
    move([&](int i) { return (int)ranks[i]; }, after, from, to);
  }
  template <class From, class Rank>
  __device__ void scatter(Places after, From (&values)[items], Rank (&ranks)[items]) {
    scatter(after, values, values, ranks);
  }
};
template <class Value, int x, int items, bool = false, int y = 1, int z = 1, int = 0>
using BlockExchange = CollectiveExchange<Value, ThreadsOfBlock<x * y * z>, items>;
template <class Value, int items, int lanes = 32, int = 0, int = 0>
using WarpExchange = CollectiveExchange<Value, ThreadsOfWarp<lanes>, items>;

// Loads and stores of some items of each thread, in the order of the threads (Direct...Blocked) or
// of the items (Striped, within the block or the warp). Of `valid` items, if it is given; the rest
// of what is loaded is then `otherwise`, if that is given.
template <class Input, class Value, int items>
__device__ void loadAt(Places places, Input input, Value (&values)[items],
                       long long valid = LLONG_MAX) {
  for (int i = 0; i < items; ++i)
    if (places(i) < valid)
      values[i] = input[places(i)];
}
template <class Input, class Value, int items, class Otherwise>
__device__ void loadAt(Places places, Input input, Value (&values)[items], long long valid,
                       const Otherwise &otherwise) {
  for (Value &value : values)
    value = otherwise;
  loadAt(places, input, values, valid);
}
template <class Output, class Value, int items>
__device__ void storeAt(Places places, Output output, Value (&values)[items],
                        long long valid = LLONG_MAX) {
  for (int i = 0; i < items; ++i)
    if (places(i) < valid)
      output[places(i)] = values[i];
}
#define AIWC_DIRECT(name, moveAt, places, ...)                                                     \
  template <__VA_ARGS__ class Value, int items, class Memory, class... Valid>                      \
  __device__ void name(int thread, Memory memory, Value(&values)[items], Valid... valid) {         \
    moveAt(places, memory, values, valid...);                                                      \
  }
AIWC_DIRECT(LoadDirectBlocked, loadAt, blockedPlaces<items>(thread))
AIWC_DIRECT(LoadDirectStriped, loadAt, stripedPlaces<items>(thread, threads), int threads, )
AIWC_DIRECT(LoadDirectWarpStriped, loadAt, warpStripedPlaces<items>(thread))
AIWC_DIRECT(StoreDirectBlocked, storeAt, blockedPlaces<items>(thread))
AIWC_DIRECT(StoreDirectStriped, storeAt, stripedPlaces<items>(thread, threads), int threads, )
AIWC_DIRECT(StoreDirectWarpStriped, storeAt, warpStripedPlaces<items>(thread))
#undef AIWC_DIRECT
/// Vectors of 16 bytes, if they make up the items of a thread.
template <class Value, int items>
using VectorOf = std::conditional_t<sizeof(Value) * items % sizeof(int4) == 0, int4, Value>;
template <class Value, int items>
__device__ void LoadDirectBlockedVectorized(int thread, const Value *input,
                                            Value (&values)[items]) {
  typedef VectorOf<Value, items> Vector;
  Vector vectors[sizeof(values) / sizeof(Vector)];
  LoadDirectBlocked(thread, (const Vector *)input, vectors);
  __builtin_memcpy((void *)values, vectors, sizeof(values));
}
template <class Value, int items>
__device__ void StoreDirectBlockedVectorized(int thread, Value *output, Value (&values)[items]) {
  typedef VectorOf<Value, items> Vector;
  Vector vectors[sizeof(values) / sizeof(Vector)];
  __builtin_memcpy((void *)vectors, values, sizeof(values));
  StoreDirectBlocked(thread, (Vector *)output, vectors);
}

/// Loads and stores of a block or a warp by one of the algorithms, whose numbers are the same for
/// all of them; those that transpose are striped in memory, and exchange between the threads.
template <class Value, class Threads, int items, int algorithm> class CollectiveTransfer {
  typedef CollectiveExchange<Value, Threads, items> Exchange;
  static constexpr bool isVectors = algorithm == BLOCK_LOAD_VECTORIZE;
  static constexpr bool isBlocked = algorithm == BLOCK_LOAD_DIRECT || isVectors;
  static constexpr bool isTransposed = !isBlocked && algorithm != BLOCK_LOAD_STRIPED;

public:
  AIWC_TEMPORARY(CollectiveTransfer, typename Exchange::TempStorage)
  template <class Input, class... Valid>
  __device__ void Load(Input input, Value (&values)[items], Valid... valid) {
    if constexpr (isVectors && std::is_pointer_v<Input> && sizeof...(valid) == 0)
      LoadDirectBlockedVectorized(thread(), input, values);
    else
      loadAt(places(), input, values, valid...);
    if constexpr (isTransposed)
      Exchange(storage_).StripedToBlocked(values);
  }
  template <class Output, class... Valid>
  __device__ void Store(Output output, Value (&values)[items], Valid... valid) {
    if constexpr (isVectors && std::is_pointer_v<Output> && sizeof...(valid) == 0)
      StoreDirectBlockedVectorized(thread(), output, values);
    else if constexpr (isTransposed) {
      Value striped[items];
      Exchange(storage_).BlockedToStriped(values, striped);
      storeAt(places(), output, striped, valid...);
    } else
      storeAt(places(), output, values, valid...);
  }

private:
  static __device__ int thread() { return (int)aiwc_cuda::threadInBlock() % Threads::count; }
  static __device__ Places places() {
    return isBlocked ? blockedPlaces<items>(thread())
                     : stripedPlaces<items>(thread(), Threads::count);
  }
};
template <class Value, int x, int items, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT,
          int y = 1, int z = 1, int = 0>
using BlockLoad = CollectiveTransfer<Value, ThreadsOfBlock<x * y * z>, items, algorithm>;
template <class Value, int x, int items, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT,
          int y = 1, int z = 1, int = 0>
using BlockStore = CollectiveTransfer<Value, ThreadsOfBlock<x * y * z>, items, algorithm>;

/// Items of a block with the next one to the left (step -1) or the right (1).
template <class Value, int threads> struct Neighbours {
  Uninitialised<Value, threads> ofThreads;
  /// results[i] = op(item i, its neighbour); at the block's edge, the neighbour is the one `given`,
  /// and without it the result is atEdge(item).
  template <int step, int items, class Result, class Op, class AtEdge, class... Given>
  __device__ void combine(Value (&values)[items], Result (&results)[items], Op op, AtEdge atEdge,
                          const Given &...given) {
    const int thread = (int)aiwc_cuda::threadInBlock(), other = thread + step;
    constexpr int edge = step < 0 ? 0 : items - 1;
    ofThreads[thread] = values[items - 1 - edge];
    __syncthreads();
    // The results may be the values: the edge is the last one that is written.
    for (int i = items - 1 - edge; i != edge; i += step)
      results[i] = Result(op(values[i], values[i + step]));
    if (other >= 0 && other < threads)
      results[edge] = Result(op(values[edge], ofThreads[other]));
    else if constexpr (sizeof...(given) > 0)
      results[edge] = Result(op(values[edge], Value(given)...));
    else
      results[edge] = Result(atEdge(values[edge]));
  }
};
/// op(item, neighbour); the item itself at the block's edge, unless its neighbour there is given.
template <class Value, int x, int y = 1, int z = 1, int = 0> class BlockAdjacentDifference {
  typedef Neighbours<Value, x * y * z> Shared;
  static __device__ Value itself(const Value &value) { return value; }

public:
  AIWC_TEMPORARY(BlockAdjacentDifference, Shared)
  template <class Values, class Results, class Op, class... Given>
  __device__ void SubtractLeft(Values &values, Results &results, Op op, const Given &...before) {
    storage_.template combine<-1>(values, results, op, itself, before...);
  }
  template <class Values, class Results, class Op, class... Given>
  __device__ void SubtractRight(Values &values, Results &results, Op op, const Given &...behind) {
    storage_.template combine<1>(values, results, op, itself, behind...);
  }
};
/// Whether op(the item before, item), for tails op(item, the one behind); 1 at the block's edge,
/// unless the item there is given.
template <class Value, int x, int y = 1, int z = 1, int = 0> class BlockDiscontinuity {
  typedef Neighbours<Value, x * y * z> Shared;
  static __device__ bool isFlagged(const Value &) { return true; }

public:
  AIWC_TEMPORARY(BlockDiscontinuity, Shared)
  template <class Flags, class Values, class Op, class... Given>
  __device__ void FlagHeads(Flags &flags, Values &values, Op op, const Given &...before) {
    const auto reversed = [&](const Value &b, const Value &a) { return op(a, b); };
    storage_.template combine<-1>(values, flags, reversed, isFlagged, before...);
  }
  template <class Flags, class Values, class Op, class... Given>
  __device__ void FlagTails(Flags &flags, Values &values, Op op, const Given &...behind) {
    storage_.template combine<1>(values, flags, op, isFlagged, behind...);
  }
};

/// Sorts the items of a block, 4 bits of the keys at a time: each thread counts its digits, a scan
/// over all threads' counts ranks them.
template <class Key, int x, int items, class Value = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int y = 1, int z = 1, int = 0>
class BlockRadixSort {
  static constexpr int kThreads = x * y * z, kDigits = 16, kBits = sizeof(Key) * 8;
  typedef BlockScan<int, kThreads> Scan;
  typedef BlockExchange<Key, kThreads, items> KeyExchange;
  typedef BlockExchange<Value, kThreads, items> ValueExchange;
  union Shared {
    struct {
      int ofDigits[kDigits * kThreads];
      typename Scan::TempStorage scan;
    } counts;
    typename KeyExchange::TempStorage keys;
    typename ValueExchange::TempStorage values;
  };

public:
  AIWC_TEMPORARY(BlockRadixSort, Shared)
  // The rest: values, if there are any, then the first bit of the keys and the one behind the last.
  template <class... Rest> __device__ void Sort(Key (&keys)[items], Rest &&...rest) {
    sort<false, false>(keys, rest...);
  }
  template <class... Rest> __device__ void SortDescending(Key (&keys)[items], Rest &&...rest) {
    sort<true, false>(keys, rest...);
  }
  template <class... Rest>
  __device__ void SortBlockedToStriped(Key (&keys)[items], Rest &&...rest) {
    sort<false, true>(keys, rest...);
  }

private:
  template <bool isDescending, bool toStriped>
  __device__ void sort(Key (&keys)[items], int begin = 0, int end = kBits) {
    NullType none[items];
    sort<isDescending, toStriped>(keys, none, begin, end);
  }
  template <bool isDescending, bool toStriped, class Values>
  __device__ void sort(Key (&keys)[items], Values (&values)[items], int begin = 0,
                       int end = kBits) {
    constexpr bool hasValues = !std::is_same_v<Values, NullType>;
    int ranks[items];
    for (int bit = begin; bit < end; bit += 4) {
      rank(keys, ranks, bit, end - bit < 4 ? (1u << (end - bit)) - 1 : kDigits - 1, isDescending);
      KeyExchange(storage_.keys).ScatterToBlocked(keys, ranks);
      __syncthreads();
      if constexpr (hasValues) {
        ValueExchange(storage_.values).ScatterToBlocked(values, ranks);
        __syncthreads();
      }
    }
    if constexpr (toStriped) {
      KeyExchange(storage_.keys).BlockedToStriped(keys);
      __syncthreads();
      if constexpr (hasValues)
        ValueExchange(storage_.values).BlockedToStriped(values);
    }
  }
  /// The places of the keys in the order of the `digits` from a bit on.
  __device__ void rank(Key (&keys)[items], int (&ranks)[items], int bit, unsigned int digits,
                       bool isDescending) {
    const int thread = (int)aiwc_cuda::threadInBlock();
    int *counts = storage_.counts.ofDigits, digitOf[items], ofThread[kDigits];
    for (int digit = 0; digit < kDigits; ++digit)
      counts[digit * kThreads + thread] = 0;
    for (int i = 0; i < items; ++i) {
      const unsigned int digit = (unsigned int)(Traits<Key>::ordered(keys[i]) >> bit) & digits;
      digitOf[i] = (int)(isDescending ? digits - digit : digit);
      ranks[i] = counts[digitOf[i] * kThreads + thread]++;
    }
    __syncthreads();
    LoadDirectBlocked(thread, counts, ofThread);
    Scan(storage_.counts.scan).ExclusiveSum(ofThread, ofThread);
    StoreDirectBlocked(thread, counts, ofThread);
    __syncthreads();
    for (int i = 0; i < items; ++i)
      ranks[i] += counts[digitOf[i] * kThreads + thread];
    __syncthreads();
  }
};

AIWC_END_INLINE
} // namespace cub
