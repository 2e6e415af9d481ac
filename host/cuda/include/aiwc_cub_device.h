// cub's functions of a device, as kernels under cub's names. A scan reads its input twice, where
// cub's, whose blocks wait for one another, reads it once. Sizes of temporary memory are our own.
#pragma once
#pragma GCC system_header
#include "aiwc_cub_block.h"

#include <chrono> // programs expect it of cub

namespace cub {

constexpr int kDeviceThreads = 256, kDeviceItems = 8, kTile = kDeviceThreads * kDeviceItems;
inline int tilesOf(long long items) {
  return (int)((items + kTile - 1) / kTile);
}
inline unsigned int blocksOf(long long items) {
  return (unsigned int)((items + kDeviceThreads - 1) / kDeviceThreads);
}

/// Parts of the temporary memory that a program passes, or their sum while it passes none.
class TemporaryMemory {
public:
  TemporaryMemory(void *memory, size_t &bytes) : memory_((char *)memory), bytes_(bytes) {
    if (!memory)
      bytes = 1; // who asks for 0 bytes gets no memory
  }
  template <class Value> Value *take(long long count) {
    const size_t begin = (used_ + 255) / 256 * 256;
    used_ = begin + sizeof(Value) * (size_t)(count > 0 ? count : 1);
    if (!memory_)
      bytes_ = used_;
    return memory_ ? (Value *)(memory_ + begin) : nullptr;
  }
  /// Whether the program asks for the size alone.
  bool isAsked() const { return !memory_; }
  bool isTooSmall() const { return used_ > bytes_; }

private:
  char *memory_;
  size_t &bytes_, used_ = 0;
};
#define AIWC_RETURN_IF_ASKED(memory)                                                               \
  if (memory.isAsked())                                                                            \
    return cudaSuccess;                                                                            \
  if (memory.isTooSmall())                                                                         \
    return cudaErrorInvalidValue;

// == Reductions

/// The reduction of the items from `begin` on (the first thread's), for the block's first thread.
/// There is one at least.
template <class Value, class Input, class Op>
AIWC_DEVICE Value reducedByBlock(Input input, long long begin, long long end, long long step,
                                 Op op) {
  __shared__ typename BlockReduce<Value, kDeviceThreads>::TempStorage storage;
  long long i = begin + threadIdx.x;
  Value value = Value(input[i < end ? i : begin]);
  for (i += step; i < end; i += step)
    value = op(value, Value(input[i]));
  const int valid = end - begin < kDeviceThreads ? (int)(end - begin) : kDeviceThreads;
  return BlockReduce<Value, kDeviceThreads>(storage).Reduce(value, op, valid);
}
template <class Value, class Input, class Op>
__global__ void DeviceReduceKernel(Input input, Value *partial, long long items, Op op) {
  const long long begin = (long long)blockIdx.x * kDeviceThreads;
  const Value value =
      reducedByBlock<Value>(input, begin, items, (long long)gridDim.x * kDeviceThreads, op);
  if (threadIdx.x == 0)
    partial[blockIdx.x] = value;
}
/// Of one block. Without items, the result is `initial`.
template <class Value, class Input, class Output, class Op, class Initial>
__global__ void DeviceReduceSingleTileKernel(Input input, Output output, long long items, Op op,
                                             Initial initial) {
  constexpr bool hasInitial = !std::is_same_v<Initial, NullType>;
  if (items > 0) {
    const Value value = reducedByBlock<Value>(input, 0, items, kDeviceThreads, op);
    if (threadIdx.x > 0)
      return;
    if constexpr (hasInitial)
      *output = op(Value(initial), value);
    else
      *output = value;
  } else if constexpr (hasInitial)
    if (threadIdx.x == 0)
      *output = initial;
}
template <class Value, class Input, class Output, class Op, class Initial>
cudaError_t reduceOnDevice(TemporaryMemory memory, Input input, Output output, long long items,
                           Op op, Initial initial, cudaStream_t stream) {
  constexpr int kBlocks = 512;
  const int blocks = tilesOf(items) < kBlocks ? tilesOf(items) : kBlocks;
  Value *partial = memory.take<Value>(blocks);
  AIWC_RETURN_IF_ASKED(memory)
  if (blocks <= 1) {
    DeviceReduceSingleTileKernel<Value>
        <<<1, kDeviceThreads, 0, stream>>>(input, output, items, op, initial);
  } else {
    DeviceReduceKernel<Value><<<blocks, kDeviceThreads, 0, stream>>>(input, partial, items, op);
    DeviceReduceSingleTileKernel<Value>
        <<<1, kDeviceThreads, 0, stream>>>(partial, output, (long long)blocks, op, initial);
  }
  return cudaPeekAtLastError();
}

// == Scans. `Sink` gets (place, before, upTo): what the scan is before and with the item there.

/// The thread's items of the block's tile; behind the end, the last one.
template <class Value, class Input>
AIWC_DEVICE void loadTile(Input input, long long items, Value (&values)[kDeviceItems]) {
  typedef BlockExchange<Value, kDeviceThreads, kDeviceItems> Exchange;
  __shared__ typename Exchange::TempStorage storage;
  for (int i = 0; i < kDeviceItems; ++i) {
    const long long place = (long long)blockIdx.x * kTile + i * kDeviceThreads + threadIdx.x;
    values[i] = Value(input[place < items ? place : items - 1]);
  }
  Exchange(storage).StripedToBlocked(values);
}
template <class Value, class Input, class Op>
__global__ void DeviceScanUpsweepKernel(Input input, Value *ofTiles, long long items, Op op) {
  __shared__ typename BlockReduce<Value, kDeviceThreads>::TempStorage storage;
  // Only the last tile has less, and its sum is not asked for.
  if (items - (long long)blockIdx.x * kTile < kTile)
    return;
  Value values[kDeviceItems];
  loadTile(input, items, values);
  const Value sum = BlockReduce<Value, kDeviceThreads>(storage).Reduce(values, op);
  if (threadIdx.x == 0)
    ofTiles[blockIdx.x] = sum;
}
/// ofTiles[i] becomes what is before tile i, from `initial` on.
template <class Value, class Op, class Initial>
__global__ void DeviceScanSpineKernel(Value *ofTiles, int tiles, Op op, Initial initial) {
  __shared__ typename BlockScan<Value, kDeviceThreads>::TempStorage storage;
  __shared__ Uninitialised<Value, 1> shared;
  constexpr bool hasInitial = !std::is_same_v<Initial, NullType>;
  bool hasRunning = hasInitial;
  Value running;
  if constexpr (hasInitial)
    running = Value(initial);
  for (int begin = 0; begin < tiles; begin += kDeviceThreads) {
    const int i = begin + (int)threadIdx.x;
    Value value = ofTiles[i < tiles - 1 ? i : 0], upTo, all;
    BlockScan<Value, kDeviceThreads>(storage).InclusiveScan(value, upTo, op, all);
    if (hasRunning)
      upTo = op(running, upTo);
    __syncthreads(); // before the tiles of others are overwritten
    if (i < tiles - 1)
      ofTiles[i + 1] = upTo;
    if (begin == 0 && i == 0 && hasRunning)
      ofTiles[0] = running;
    if ((int)threadIdx.x == kDeviceThreads - 1)
      shared[0] = upTo;
    __syncthreads();
    running = shared[0];
    hasRunning = true;
  }
}
template <class Value, class Input, class Op, class Initial, class Sink>
__global__ void DeviceScanKernel(Input input, const Value *beforeTiles, long long items, Op op,
                                 Initial initial, Sink sink) {
  __shared__ typename BlockScan<Value, kDeviceThreads>::TempStorage storage;
  constexpr bool hasInitial = !std::is_same_v<Initial, NullType>;
  const bool hasStart = hasInitial || blockIdx.x > 0;
  Value values[kDeviceItems], before, start;
  loadTile(input, items, values);
  BlockScan<Value, kDeviceThreads>(storage).ExclusiveScan(ThreadReduce(values, op), before, op);
  if constexpr (hasInitial)
    start = Value(initial);
  if (gridDim.x > 1 && hasStart)
    start = beforeTiles[blockIdx.x];
  if (hasStart)
    before = threadIdx.x > 0 ? Value(op(start, before)) : start;
  const long long begin = (long long)blockIdx.x * kTile + (long long)threadIdx.x * kDeviceItems;
  for (int i = 0; i < kDeviceItems; ++i) {
    const Value upTo = hasStart || begin + i > 0 ? Value(op(before, values[i])) : values[i];
    if (begin + i < items)
      sink(begin + i, before, upTo);
    before = upTo;
  }
}
template <class Value, class Input, class Op, class Initial, class Sink>
void scanTiles(Value *ofTiles, Input input, long long items, Op op, Initial initial, Sink sink,
               cudaStream_t stream) {
  const int tiles = tilesOf(items);
  if (tiles > 1) {
    DeviceScanUpsweepKernel<Value><<<tiles, kDeviceThreads, 0, stream>>>(input, ofTiles, items, op);
    DeviceScanSpineKernel<Value><<<1, kDeviceThreads, 0, stream>>>(ofTiles, tiles, op, initial);
  }
  if (tiles > 0)
    DeviceScanKernel<Value>
        <<<tiles, kDeviceThreads, 0, stream>>>(input, ofTiles, items, op, initial, sink);
}
template <class Value, class Input, class Op, class Initial, class Sink>
cudaError_t scanOnDevice(TemporaryMemory memory, Input input, long long items, Op op,
                         Initial initial, Sink sink, cudaStream_t stream) {
  Value *ofTiles = memory.take<Value>(tilesOf(items));
  AIWC_RETURN_IF_ASKED(memory)
  scanTiles(ofTiles, input, items, op, initial, sink, stream);
  return cudaPeekAtLastError();
}

// == What scans read and store: of items, of selections, of runs of equal keys

AIWC_BEGIN_EITHER
template <class Output> struct StoreInclusive {
  Output output;
  template <class Value> void operator()(long long i, const Value &, const Value &upTo) {
    output[i] = upTo;
  }
};
template <class Output> struct StoreExclusive {
  Output output;
  template <class Value> void operator()(long long i, const Value &before, const Value &) {
    output[i] = before;
  }
};
/// What a function makes of the indices from 0 on.
template <class Value, class Function>
using OfIndex = TransformInputIterator<Value, Function, CountingInputIterator<long long>>;
/// The sink for the items of which a rule holds, and their number.
template <class Input, class Output, class Count> struct StoreTaken {
  Input input;
  Output output;
  Count count;
  long long items;
  void operator()(long long i, int before, int upTo) {
    if (upTo > before)
      output[before] = input[i];
    if (i == items - 1)
      *count = upTo;
  }
};
/// The sum of a run, and how many runs have begun.
template <class Value> struct OfRun {
  Value value;
  long long runs;
};
template <class Op> struct AddOfRun {
  Op op;
  template <class Value> OfRun<Value> operator()(const OfRun<Value> &a, const OfRun<Value> &b) {
    return {b.runs ? b.value : Value(op(a.value, b.value)), a.runs + b.runs};
  }
};
/// Whether a run begins at an index.
template <class Keys, class Equal> struct BeginsRun {
  Keys keys;
  Equal equal;
  bool operator()(long long i) const {
    return i == 0 || !const_cast<Equal &>(equal)(keys[i - 1], keys[i]);
  }
};
/// The values, as OfRun each.
template <class Value, class Keys, class Values, class Equal>
auto valuesOfRuns(Keys keys, Values values, Equal equal) {
  const BeginsRun<Keys, Equal> beginsRun{keys, equal};
  const auto at = [=](long long i) -> OfRun<Value> {
    return {Value(values[i]), beginsRun(i) ? 1LL : 0LL};
  };
  return OfIndex<OfRun<Value>, decltype(at)>(CountingInputIterator<long long>(), at);
}
/// The sink for the first key and the sum of each run, and the number of runs.
template <class Keys, class Unique, class Sums, class Count, class Equal> struct StoreRuns {
  BeginsRun<Keys, Equal> beginsRun;
  Unique unique;
  Sums sums;
  Count count;
  long long items;
  template <class Run> void operator()(long long i, const Run &before, const Run &upTo) {
    if (i == 0 || upTo.runs > before.runs)
      unique[upTo.runs - 1] = beginsRun.keys[i];
    if (i == items - 1 || beginsRun(i + 1))
      sums[upTo.runs - 1] = upTo.value;
    if (i == items - 1)
      *count = upTo.runs;
  }
};
AIWC_END_EITHER

template <class Count> __global__ void DeviceSetKernel(Count count) {
  *count = 0;
}
/// The items in their order of which `isTaken(i)` holds, and their number.
template <class Input, class Output, class Count, class Rule>
cudaError_t selectOnDevice(TemporaryMemory memory, Input input, Output output, Count count,
                           long long items, Rule isTaken, cudaStream_t stream) {
  if (!memory.isAsked() && items == 0)
    DeviceSetKernel<<<1, 1, 0, stream>>>(count);
  return scanOnDevice<int>(memory, OfIndex<int, Rule>(CountingInputIterator<long long>(), isTaken),
                           items, Sum(), 0,
                           StoreTaken<Input, Output, Count>{input, output, count, items}, stream);
}

template <class Value, class Keys, class Unique, class Values, class Sums, class Count, class Op,
          class Equal>
cudaError_t reduceByKeyOnDevice(TemporaryMemory memory, Keys keys, Unique unique, Values values,
                                Sums sums, Count count, Op op, Equal equal, long long items,
                                cudaStream_t stream) {
  if (!memory.isAsked() && items == 0)
    DeviceSetKernel<<<1, 1, 0, stream>>>(count);
  return scanOnDevice<OfRun<Value>>(
      memory, valuesOfRuns<Value>(keys, values, equal), items, AddOfRun<Op>{op}, NullType(),
      StoreRuns<Keys, Unique, Sums, Count, Equal>{{keys, equal}, unique, sums, count, items},
      stream);
}

// == Radix sort: 8 bits in each pass. A tile's histograms, a scan over them by digit, then each
// warp ranks its items, 32 at a time, by the lanes that have the same digit. Of segments, one block
// does all that.

constexpr int kDigits = 256, kWarps = kDeviceThreads / 32;
template <class Key> AIWC_DEVICE int digitOf(const Key &key, int bit, int bits, bool descending) {
  const unsigned int mask = (1u << bits) - 1;
  const unsigned int digit = (unsigned int)(Traits<Key>::ordered(key) >> bit) & mask;
  return (int)(descending ? mask - digit : digit);
}
template <class Key>
__global__ void DeviceRadixSortHistogramKernel(const Key *keys, int *counts, long long items,
                                               int bit, int bits, bool descending) {
  __shared__ int ofTile[kDigits];
  ofTile[threadIdx.x] = 0;
  __syncthreads();
  const long long begin = (long long)blockIdx.x * kTile;
  for (int i = (int)threadIdx.x; i < kTile && begin + i < items; i += kDeviceThreads)
    atomicAdd(&ofTile[digitOf(keys[begin + i], bit, bits, descending)], 1);
  __syncthreads();
  counts[(long long)threadIdx.x * gridDim.x + blockIdx.x] = ofTile[threadIdx.x];
}
/// Moves the items of the tile from `begin` on. `place` of thread i: where the next item of digit i
/// belongs, before and after.
template <class Key, class Value>
AIWC_DEVICE void sortTile(const Key *keys, Key *sortedKeys, const Value *values,
                          Value *sortedValues, int &place, long long begin, long long items,
                          int bit, int bits, bool descending) {
  __shared__ int next[kWarps][kDigits];
  const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
  begin += (long long)warp * 32 * kDeviceItems;
  for (int i = 0; i < kWarps; ++i)
    next[i][threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < kDeviceItems; ++i)
    if (begin + i * 32 + lane < items)
      atomicAdd(&next[warp][digitOf(keys[begin + i * 32 + lane], bit, bits, descending)], 1);
  __syncthreads();
  for (int i = 0; i < kWarps; ++i) {
    const int count = next[i][threadIdx.x];
    next[i][threadIdx.x] = place;
    place += count;
  }
  __syncthreads();
  for (int i = 0; i < kDeviceItems; ++i) {
    const long long from = begin + i * 32 + lane;
    const bool isItem = from < items;
    const int digit = isItem ? digitOf(keys[from], bit, bits, descending) : kDigits;
    const unsigned int same = __match_any_sync(~0u, digit);
    if (!isItem)
      continue;
    const int to = next[warp][digit] + __popc(same & ((1u << lane) - 1));
    __syncwarp(same);
    if (lane == 31 - __clz((int)same))
      next[warp][digit] = to + 1;
    __syncwarp(same);
    sortedKeys[to] = keys[from];
    if constexpr (!std::is_same_v<Value, NullType>)
      sortedValues[to] = values[from];
  }
}
template <class Key, class Value>
__global__ void DeviceRadixSortKernel(const Key *keys, Key *sortedKeys, const Value *values,
                                      Value *sortedValues, const int *places, long long items,
                                      int bit, int bits, bool descending) {
  int place = places[(long long)threadIdx.x * gridDim.x + blockIdx.x];
  sortTile(keys, sortedKeys, values, sortedValues, place, (long long)blockIdx.x * kTile, items, bit,
           bits, descending);
}
template <class Key, class Value, class Begin, class End>
__global__ void DeviceSegmentedRadixSortKernel(const Key *keys, Key *sortedKeys,
                                               const Value *values, Value *sortedValues,
                                               Begin begins, End ends, int bit, int bits,
                                               bool descending) {
  __shared__ int counts[kDigits];
  __shared__ typename BlockScan<int, kDeviceThreads>::TempStorage storage;
  const long long begin = begins[blockIdx.x], end = ends[blockIdx.x];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (long long i = begin + threadIdx.x; i < end; i += kDeviceThreads)
    atomicAdd(&counts[digitOf(keys[i], bit, bits, descending)], 1);
  __syncthreads();
  int place;
  BlockScan<int, kDeviceThreads>(storage).ExclusiveSum(counts[threadIdx.x], place);
  place += (int)begin;
  for (long long tile = begin; tile < end; tile += kTile) {
    __syncthreads(); // before the places of the tile before are overwritten
    sortTile(keys, sortedKeys, values, sortedValues, place, tile, end, bit, bits, descending);
  }
}
/// Into buffer 1 of keys and values, by way of the temporary memory if there is an even number of
/// passes, and only between both buffers if they are `inPlace`, which tells the last one.
/// `pass(fromKeys, toKeys, fromValues, toValues, bit, bits)` makes one.
template <class Keys, class Values, class Pass>
cudaError_t makeRadixPasses(TemporaryMemory memory, Keys &&keys, Values &&values, long long items,
                            int begin, int end, bool inPlace, Pass pass) {
  typedef std::remove_pointer_t<decltype(keys.Current())> Key;
  typedef std::remove_pointer_t<decltype(values.Current())> Value;
  constexpr bool hasValues = !std::is_same_v<Value, NullType>;
  // Without bits, one pass copies.
  const int passes = end > begin ? (end - begin + 7) / 8 : !inPlace;
  Key *otherKeys = memory.take<Key>(inPlace ? 0 : items);
  Value *otherValues = memory.take<Value>(inPlace || !hasValues ? 0 : items);
  AIWC_RETURN_IF_ASKED(memory)
  if (items == 0)
    return cudaSuccess;
  const Key *fromKeys = keys.Current();
  const Value *fromValues = values.Current();
  for (int i = 0; i < passes; ++i) {
    const int bit = begin + i * 8;
    const bool toTemporary = !inPlace && (passes - i) % 2 == 0;
    Key *toKeys = toTemporary ? otherKeys : keys.Alternate();
    Value *toValues = toTemporary ? otherValues : values.Alternate();
    pass(fromKeys, toKeys, fromValues, toValues, bit, end - bit < 8 ? end - bit : 8);
    fromKeys = toKeys;
    fromValues = toValues;
    if (inPlace) {
      keys.selector ^= 1;
      values.selector ^= 1;
    }
  }
  return cudaPeekAtLastError();
}
template <class Keys, class Values>
cudaError_t radixSortOnDevice(TemporaryMemory memory, Keys &&keys, Values &&values, long long items,
                              int begin, int end, bool descending, bool inPlace,
                              cudaStream_t stream) {
  const int tiles = tilesOf(items);
  int *counts = memory.take<int>((long long)tiles * kDigits);
  int *ofTiles = memory.take<int>(tilesOf((long long)tiles * kDigits));
  const auto pass = [=](auto *from, auto *to, auto *fromValues, auto *toValues, int bit, int bits) {
    DeviceRadixSortHistogramKernel<<<tiles, kDeviceThreads, 0, stream>>>(from, counts, items, bit,
                                                                         bits, descending);
    scanTiles<int>(ofTiles, counts, (long long)tiles * kDigits, Sum(), 0,
                   StoreExclusive<int *>{counts}, stream);
    DeviceRadixSortKernel<<<tiles, kDeviceThreads, 0, stream>>>(
        from, to, fromValues, toValues, counts, items, bit, bits, descending);
  };
  return makeRadixPasses(memory, keys, values, items, begin, end, inPlace, pass);
}
template <class Keys, class Values, class Begin, class End>
cudaError_t radixSortSegmentsOnDevice(TemporaryMemory memory, Keys &&keys, Values &&values,
                                      long long items, int segments, Begin begins, End ends,
                                      int begin, int end, bool descending, bool inPlace,
                                      cudaStream_t stream) {
  const auto pass = [=](auto *from, auto *to, auto *fromValues, auto *toValues, int bit, int bits) {
    if (segments > 0)
      DeviceSegmentedRadixSortKernel<<<(unsigned int)segments, kDeviceThreads, 0, stream>>>(
          from, to, fromValues, toValues, begins, ends, bit, bits, descending);
  };
  return makeRadixPasses(memory, keys, values, items, begin, end, inPlace, pass);
}

// == Merge sort, stable, for any order: tiles in shared memory, then pairs of sorted runs, in which
// each item searches its place.

AIWC_BEGIN_EITHER
/// How many of the sorted `values` come before `value`; with `orEqual`, those that are equal, too.
template <class Values, class Value, class Less>
long long placeAmong(Values values, long long count, const Value &value, Less less, bool orEqual) {
  long long begin = 0;
  while (count > 0) {
    const long long half = count / 2;
    if (orEqual ? !less(value, values[begin + half]) : less(values[begin + half], value)) {
      begin += half + 1;
      count -= half + 1;
    } else
      count = half;
  }
  return begin;
}
/// Where item i of runs of `run` items belongs after pairs of them are merged.
template <class Keys, class Key, class Less>
long long mergedPlace(Keys keys, long long items, long long run, long long i, const Key &key,
                      Less less) {
  const long long own = i / run, begin = own / 2 * 2 * run;
  const long long other = own % 2 == 0 ? begin + run : begin;
  long long count = items - other < run ? items - other : run;
  if (count < 0)
    count = 0;
  return begin + (i - own * run) +
         placeAmong(keys + (count ? other : begin), count, key, less, own % 2 == 1);
}
AIWC_END_EITHER

template <class Keys, class Values, class Key, class Value, class Less>
__global__ void DeviceMergeSortBlockSortKernel(Keys keys, Values values, Key *sortedKeys,
                                               Value *sortedValues, long long items, Less less) {
  __shared__ Uninitialised<Key, kDeviceThreads> tile;
  const long long begin = (long long)blockIdx.x * kDeviceThreads;
  const int count = items - begin < kDeviceThreads ? (int)(items - begin) : kDeviceThreads;
  const int from = (int)threadIdx.x;
  const bool isItem = from < count;
  Key key = keys[begin + (isItem ? from : 0)];
  long long place = from;
  for (int run = 1; run < kDeviceThreads; run *= 2) {
    if (isItem)
      tile[(int)place] = key;
    __syncthreads();
    if (isItem)
      place = mergedPlace(&tile[0], count, run, place, key, less);
    __syncthreads();
  }
  if (isItem) {
    sortedKeys[begin + place] = key;
    if constexpr (!std::is_same_v<Value, NullType>)
      sortedValues[begin + place] = values[begin + from];
  }
}
template <class Key, class Value, class Less>
__global__ void DeviceMergeSortMergeKernel(const Key *keys, const Value *values, Key *mergedKeys,
                                           Value *mergedValues, long long items, long long run,
                                           Less less) {
  const long long i = (long long)blockIdx.x * kDeviceThreads + threadIdx.x;
  if (i >= items)
    return;
  const Key key = keys[i];
  const long long place = mergedPlace(keys, items, run, i, key, less);
  mergedKeys[place] = key;
  if constexpr (!std::is_same_v<Value, NullType>)
    mergedValues[place] = values[i];
}
template <class From, class To>
__global__ void DeviceTransformKernel(From from, To to, long long items) {
  const long long i = (long long)blockIdx.x * kDeviceThreads + threadIdx.x;
  if (i < items)
    to[i] = from[i];
}
template <class From, class To>
cudaError_t copyOnDevice(From from, To to, long long items, cudaStream_t stream) {
  if (items == 0)
    return cudaSuccess;
  DeviceTransformKernel<<<blocksOf(items), kDeviceThreads, 0, stream>>>(from, to, items);
  return cudaPeekAtLastError();
}
template <class Key, class Value, class Keys, class Values, class Less>
cudaError_t mergeSortOnDevice(TemporaryMemory memory, Keys keys, Values values, long long items,
                              Less less, cudaStream_t stream) {
  constexpr bool hasValues = !std::is_same_v<Value, NullType>;
  Key *sortedKeys[2];
  Value *sortedValues[2];
  for (int i = 0; i < 2; ++i) {
    sortedKeys[i] = memory.take<Key>(items);
    sortedValues[i] = memory.take<Value>(hasValues ? items : 0);
  }
  AIWC_RETURN_IF_ASKED(memory)
  if (items == 0)
    return cudaSuccess;
  const unsigned int blocks = blocksOf(items);
  DeviceMergeSortBlockSortKernel<<<blocks, kDeviceThreads, 0, stream>>>(
      keys, values, sortedKeys[0], sortedValues[0], items, less);
  int last = 0;
  for (long long run = kDeviceThreads; run < items; run *= 2, last ^= 1)
    DeviceMergeSortMergeKernel<<<blocks, kDeviceThreads, 0, stream>>>(
        (const Key *)sortedKeys[last], (const Value *)sortedValues[last], sortedKeys[last ^ 1],
        sortedValues[last ^ 1], items, run, less);
  copyOnDevice((const Key *)sortedKeys[last], keys, items, stream);
  if constexpr (hasValues)
    copyOnDevice((const Value *)sortedValues[last], values, items, stream);
  return cudaPeekAtLastError();
}

/// A block for each segment.
template <class Value, class Input, class Output, class Begin, class End, class Op>
__global__ void DeviceSegmentedReduceKernel(Input input, Output output, Begin begins, End ends,
                                            Op op, Value initial) {
  const long long begin = begins[blockIdx.x], end = ends[blockIdx.x];
  if (begin < end)
    initial = op(initial, reducedByBlock<Value>(input, begin, end, kDeviceThreads, op));
  if (threadIdx.x == 0)
    output[blockIdx.x] = initial;
}
template <class Input, class Output, class Begin, class End, class Op, class Initial>
cudaError_t reduceSegmentsOnDevice(TemporaryMemory memory, Input input, Output output, int segments,
                                   Begin begins, End ends, Op op, Initial initial,
                                   cudaStream_t stream) {
  AIWC_RETURN_IF_ASKED(memory)
  if (segments > 0)
    DeviceSegmentedReduceKernel<Initial><<<(unsigned int)segments, kDeviceThreads, 0, stream>>>(
        input, output, begins, ends, op, initial);
  return cudaPeekAtLastError();
}

// == What programs call: first with the temporary memory, and last with a stream, which may lack

#define AIWC_LIST(...) __VA_ARGS__
#define AIWC_FUNCTION(name, types, parameters, ...)                                                \
  template <AIWC_LIST types>                                                                       \
  static cudaError_t name(void *temporary, size_t &bytes, AIWC_LIST parameters,                    \
                          cudaStream_t stream = 0) {                                               \
    const TemporaryMemory memory(temporary, bytes);                                                \
    return __VA_ARGS__;                                                                            \
  }
#define AIWC_OF_ITEMS(name, ...)                                                                   \
  AIWC_FUNCTION(name, (class Input, class Output), (Input input, Output output, long long items),  \
                __VA_ARGS__)
template <class Input> using LimitsOf = Traits<ValueOf<Input>>;
template <class Input, class Op, class Output, class Value>
cudaError_t reduceWithIndex(const TemporaryMemory &memory, Input input, Output output,
                            long long items, Op op, Value otherwise, cudaStream_t stream) {
  typedef KeyValuePair<int, Value> Pair;
  const ArgIndexInputIterator<Input, int> pairs(input);
  if (items > 0)
    return reduceOnDevice<Pair>(memory, pairs, output, items, op, NullType(), stream);
  return reduceOnDevice<Pair>(memory, pairs, output, items, op, Pair(1, otherwise), stream);
}
struct DeviceReduce {
  AIWC_FUNCTION(Reduce, (class Input, class Output, class Op, class Initial),
                (Input input, Output output, long long items, Op op, Initial initial),
                reduceOnDevice<OutputOf<Output, Initial>>(memory, input, output, items, op,
                                                          OutputOf<Output, Initial>(initial),
                                                          stream))
  AIWC_OF_ITEMS(Sum, Reduce(temporary, bytes, input, output, items, cub::Sum(),
                            OutputOf<Output, ValueOf<Input>>(), stream))
  AIWC_OF_ITEMS(Min, Reduce(temporary, bytes, input, output, items, cub::Min(),
                            LimitsOf<Input>::Max(), stream))
  AIWC_OF_ITEMS(Max, Reduce(temporary, bytes, input, output, items, cub::Max(),
                            LimitsOf<Input>::Lowest(), stream))
  AIWC_OF_ITEMS(ArgMin, reduceWithIndex(memory, input, output, items, cub::ArgMin(),
                                        LimitsOf<Input>::Max(), stream))
  AIWC_OF_ITEMS(ArgMax, reduceWithIndex(memory, input, output, items, cub::ArgMax(),
                                        LimitsOf<Input>::Lowest(), stream))
  AIWC_FUNCTION(
      ReduceByKey, (class Keys, class Unique, class Values, class Sums, class Count, class Op),
      (Keys keys, Unique unique, Values values, Sums sums, Count count, Op op, long long items),
      reduceByKeyOnDevice<OutputOf<Sums, ValueOf<Values>>>(memory, keys, unique, values, sums,
                                                           count, op, Equality(), items, stream))
};
struct DeviceSegmentedReduce {
  AIWC_FUNCTION(
      Reduce, (class Input, class Output, class Begin, class End, class Op, class Initial),
      (Input input, Output output, int segments, Begin begins, End ends, Op op, Initial initial),
      reduceSegmentsOnDevice(memory, input, output, segments, begins, ends, op, initial, stream))
#define AIWC_REDUCTION(name, ...)                                                                  \
  AIWC_FUNCTION(name, (class Input, class Output, class Begin, class End),                         \
                (Input input, Output output, int segments, Begin begins, End ends),                \
                reduceSegmentsOnDevice(memory, input, output, segments, begins, ends, cub::name(), \
                                       __VA_ARGS__, stream))
  AIWC_REDUCTION(Sum, OutputOf<Output, ValueOf<Input>>())
  AIWC_REDUCTION(Min, LimitsOf<Input>::Max())
  AIWC_REDUCTION(Max, LimitsOf<Input>::Lowest())
#undef AIWC_REDUCTION
};
struct DeviceScan {
  AIWC_FUNCTION(ExclusiveScan, (class Input, class Output, class Op, class Initial),
                (Input input, Output output, Op op, Initial initial, long long items),
                scanOnDevice<Initial>(memory, input, items, op, initial,
                                      StoreExclusive<Output>{output}, stream))
  AIWC_FUNCTION(InclusiveScan, (class Input, class Output, class Op),
                (Input input, Output output, Op op, long long items),
                scanOnDevice<ValueOf<Input>>(memory, input, items, op, NullType(),
                                             StoreInclusive<Output>{output}, stream))
  AIWC_OF_ITEMS(ExclusiveSum, ExclusiveScan(temporary, bytes, input, output, Sum(),
                                            ValueOf<Input>(), items, stream))
  AIWC_OF_ITEMS(InclusiveSum, InclusiveScan(temporary, bytes, input, output, Sum(), items, stream))
};
struct DeviceSelect {
  AIWC_FUNCTION(Flagged, (class Input, class Flags, class Output, class Count),
                (Input input, Flags flags, Output output, Count count, long long items),
                selectOnDevice(
                    memory, input, output, count, items,
                    [=](long long i) { return flags[i] ? true : false; }, stream))
  AIWC_FUNCTION(If, (class Input, class Output, class Count, class Predicate),
                (Input input, Output output, Count count, long long items, Predicate predicate),
                selectOnDevice(
                    memory, input, output, count, items,
                    [=](long long i) mutable { return predicate(input[i]) ? true : false; },
                    stream))
  AIWC_FUNCTION(Unique, (class Input, class Output, class Count),
                (Input input, Output output, Count count, long long items),
                selectOnDevice(memory, input, output, count, items,
                               BeginsRun<Input, Equality>{input, Equality()}, stream))
};
struct DeviceRunLengthEncode {
  AIWC_FUNCTION(Encode, (class Input, class Unique, class Lengths, class Count),
                (Input input, Unique unique, Lengths lengths, Count count, long long items),
                reduceByKeyOnDevice<OutputOf<Lengths, int>>(
                    memory, input, unique, ConstantInputIterator<OutputOf<Lengths, int>>(1),
                    lengths, count, Sum(), Equality(), items, stream))
};
// The lists begin with a comma, or are empty: what a sort has besides items. The sort gets bits
// last.
#define AIWC_SORT(stable, order, descending, sort, types, parameters, arguments)                   \
  AIWC_FUNCTION(stable##SortPairs##order, (class Key, class Value AIWC_LIST types),                \
                (const Key *keys, Key *keysOut, const Value *values, Value *valuesOut,             \
                 long long items AIWC_LIST parameters),                                            \
                sort(memory, DoubleBuffer<Key>(const_cast<Key *>(keys), keysOut),                  \
                     DoubleBuffer<Value>(const_cast<Value *>(values), valuesOut),                  \
                     items AIWC_LIST arguments, descending, false, stream))                        \
  AIWC_FUNCTION(stable##SortPairs##order, (class Key, class Value AIWC_LIST types),                \
                (DoubleBuffer<Key> & keys, DoubleBuffer<Value> & values,                           \
                 long long items AIWC_LIST parameters),                                            \
                sort(memory, keys, values, items AIWC_LIST arguments, descending, true, stream))   \
  AIWC_FUNCTION(stable##SortKeys##order, (class Key AIWC_LIST types),                              \
                (const Key *keys, Key *keysOut, long long items AIWC_LIST parameters),             \
                sort(memory, DoubleBuffer<Key>(const_cast<Key *>(keys), keysOut),                  \
                     DoubleBuffer<NullType>(), items AIWC_LIST arguments, descending, false,       \
                     stream))                                                                      \
  AIWC_FUNCTION(stable##SortKeys##order, (class Key AIWC_LIST types),                              \
                (DoubleBuffer<Key> & keys, long long items AIWC_LIST parameters),                  \
                sort(memory, keys, DoubleBuffer<NullType>(), items AIWC_LIST arguments,            \
                     descending, true, stream))
#define AIWC_SORTS(order, descending)                                                              \
  AIWC_SORT(, order, descending, radixSortOnDevice, (),                                            \
            (, int begin = 0, int end = sizeof(Key) * 8), (, begin, end))
struct DeviceRadixSort {
  AIWC_SORTS(, false) AIWC_SORTS(Descending, true)
};
#undef AIWC_SORTS
#define AIWC_SORTS(order, descending)                                                              \
  AIWC_SORT(, order, descending, radixSortSegmentsOnDevice, (, class Begin, class End),            \
            (, int segments, Begin begins, End ends, int begin = 0, int end = sizeof(Key) * 8),    \
            (, segments, begins, ends, begin, end))
struct DeviceSegmentedRadixSort {
  AIWC_SORTS(, false) AIWC_SORTS(Descending, true)
};
#undef AIWC_SORTS
#define AIWC_SORTS(stable, order, descending)                                                      \
  AIWC_SORT(stable, order, descending, radixSortSegmentsOnDevice, (, class Begin, class End),      \
            (, int segments, Begin begins, End ends),                                              \
            (, segments, begins, ends, 0, (int)sizeof(Key) * 8))
/// By the same kernel.
struct DeviceSegmentedSort {
  AIWC_SORTS(, , false)
  AIWC_SORTS(, Descending, true)
  AIWC_SORTS(Stable, , false)
  AIWC_SORTS(Stable, Descending, true)
};
#undef AIWC_SORTS
#undef AIWC_SORT
struct DeviceMergeSort {
#define AIWC_SORT(stable)                                                                          \
  AIWC_FUNCTION(stable##SortPairs, (class Keys, class Values, class Less),                         \
                (Keys keys, Values values, long long items, Less less),                            \
                mergeSortOnDevice<ValueOf<Keys>, ValueOf<Values>>(memory, keys, values, items,     \
                                                                  less, stream))                   \
  AIWC_FUNCTION(stable##SortKeys, (class Keys, class Less),                                        \
                (Keys keys, long long items, Less less),                                           \
                mergeSortOnDevice<ValueOf<Keys>, NullType>(memory, keys, (NullType *)nullptr,      \
                                                           items, less, stream))
  AIWC_SORT()
  AIWC_SORT(Stable)
#undef AIWC_SORT
};
#undef AIWC_FUNCTION
#undef AIWC_OF_ITEMS
#undef AIWC_LIST

} // namespace cub
#undef AIWC_RETURN_IF_ASKED
