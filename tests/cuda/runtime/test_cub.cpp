// cub's functions against the host's: of warps and blocks in shared memory, and of the device.

#include "catalogue/catalogue.h"
#include "cuda/runtime/cuda_program.h"

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::test;

namespace {

/// Copies to the device and back, and prints what is not so.
const char kHost[] = R"(
    #include <algorithm>
    #include <cub/cub.cuh>
    #include <functional>
    static_assert(sizeof(nv_bfloat16) == 2 && sizeof(half) == 2, "cub has these types");
    #include <numeric>
    #include <vector>
    #define EXPECT(condition) if (!(condition)) printf("line %d: %s\n", __LINE__, #condition)
    template <typename T> T *onDevice(const std::vector<T> &values) {
      T *memory;
      CHECK_CUDA(cudaMalloc(&memory, (values.size() + 1) * sizeof(T)));
      CHECK_CUDA(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
      return memory;
    }
    template <typename T> std::vector<T> onHost(const T *memory, size_t count) {
      std::vector<T> values(count);
      CHECK_CUDA(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
      return values;
    }
    std::vector<int> numbers(int count) {
      std::vector<int> values(count);
      for (int i = 0; i < count; ++i)
        values[i] = (i * 7919) % 1013 - 500;
      return values;
    }
)";

Words wrongIn(const std::string &declarations, const std::string &body) {
  return printed(kHost + declarations, body);
}

} // namespace

TEST_CASE("Reductions and scans of warps and blocks, whole ones and parts") {
  CHECK(wrongIn(R"(
    template <typename Reduce> __global__ void reduceWarps(const int *in, int *out, int valid) {
      __shared__ typename Reduce::TempStorage storage[8];
      out[threadIdx.x] = Reduce(storage[threadIdx.x / 8]).Reduce(in[threadIdx.x], cub::Max(), valid);
    }
    __global__ void scanWarps(const int *in, int *inclusive, int *exclusive, int *all) {
      typedef cub::WarpScan<int, 16> Scan;
      __shared__ typename Scan::TempStorage storage[4];
      Scan(storage[threadIdx.x / 16]).InclusiveSum(in[threadIdx.x], inclusive[threadIdx.x]);
      Scan(storage[threadIdx.x / 16]).ExclusiveScan(in[threadIdx.x], exclusive[threadIdx.x], 3, cub::Sum(),
                                                    all[threadIdx.x]);
    }
    __global__ void reduceBlock(const int *in, int *out, int valid) {
      typedef cub::BlockReduce<int, 12, cub::BLOCK_REDUCE_RAKING, 5, 2> Reduce;
      const int thread = threadIdx.x + 12 * (threadIdx.y + 5 * threadIdx.z);
      const int max = Reduce().Reduce(in[thread], cub::Max(), valid);
      if (thread == 0)
        *out = max;
    }
    struct Total { double sum; char odd[5]; };
    struct Add {
      __device__ Total operator()(Total a, const Total &b) const { a.sum += b.sum; a.odd[4] += b.odd[4]; return a; }
    };
    __global__ void reduceStructures(Total *out) {
      typedef cub::BlockReduce<Total, 100> Reduce;
      __shared__ typename Reduce::TempStorage storage;
      Total items[2] = {{double(threadIdx.x), {0, 0, 0, 0, 1}}, {0.5, {}}};
      const Total total = Reduce(storage).Reduce(items, Add());
      if (threadIdx.x == 0)
        *out = total;
    }
    struct Running {
      int total;
      __device__ int operator()(int ofBlock) { const int before = total; total += ofBlock; return before; }
    };
    template <int threads, cub::BlockScanAlgorithm algorithm>
    __global__ void scanBlock(const int *in, int *inclusive, int *exclusive, int *running, int *all) {
      typedef cub::BlockScan<int, threads, algorithm> Scan;
      __shared__ typename Scan::TempStorage storage;
      int items[3], sums[3];
      Running prefix{1000};
      for (int part = 0; part < 2; ++part) {
        const int first = (part * threads + threadIdx.x) * 3;
        for (int i = 0; i < 3; ++i)
          items[i] = in[first + i];
        Scan(storage).ExclusiveSum(items, sums, prefix);
        __syncthreads();
        for (int i = 0; i < 3; ++i)
          running[first + i] = sums[i];
      }
      int total;
      Scan(storage).InclusiveScan(in[threadIdx.x], inclusive[threadIdx.x], cub::Max(), total);
      __syncthreads();
      Scan(storage).ExclusiveSum(in[threadIdx.x], exclusive[threadIdx.x]);
      if (threadIdx.x == 0)
        *all = total;
    })",
                R"(
    const std::vector<int> in = numbers(1000);
    int *d = onDevice(in), *a = onDevice(in), *b = onDevice(in), *c = onDevice(in), *e = onDevice(in);
    for (int valid : {1, 3, 8}) {
      reduceWarps<cub::WarpReduce<int, 8>><<<1, 64>>>(d, a, valid);
      for (int warp = 0; warp < 64; warp += 8)
        EXPECT(onHost(a, 64)[warp] == *std::max_element(&in[warp], &in[warp] + valid));
    }
    scanWarps<<<1, 64>>>(d, a, b, c);
    for (int i = 0; i < 64; ++i) {
      EXPECT(onHost(a, 64)[i] == std::accumulate(&in[i / 16 * 16], &in[i] + 1, 0));
      EXPECT(onHost(b, 64)[i] == std::accumulate(&in[i / 16 * 16], &in[i], 3));
      EXPECT(onHost(c, 64)[i] == std::accumulate(&in[i / 16 * 16], &in[i / 16 * 16] + 16, 0));
    }
    for (int valid : {1, 31, 32, 33, 64, 119, 120}) {
      reduceBlock<<<1, dim3(12, 5, 2)>>>(d, a, valid);
      EXPECT(onHost(a, 1)[0] == *std::max_element(&in[0], &in[0] + valid));
    }
    Total *total;
    CHECK_CUDA(cudaMalloc(&total, sizeof(Total)));
    reduceStructures<<<1, 100>>>(total);
    EXPECT(onHost(total, 1)[0].sum == 4950 + 50);
    EXPECT(onHost(total, 1)[0].odd[4] == 100);
    const auto scanned = [&](int threads) {
      int most = in[0], sum = 0, running = 1000;
      for (int i = 0; i < threads; ++i) {
        EXPECT(onHost(b, threads)[i] == sum);
        EXPECT(onHost(a, threads)[i] == (most = std::max(most, in[i])));
        sum += in[i];
      }
      for (int i = 0; i < 6 * threads; ++i) {
        EXPECT(onHost(c, 6 * threads)[i] == running);
        running += in[i];
      }
      EXPECT(onHost(e, 1)[0] == most);
    };
    scanBlock<96, cub::BLOCK_SCAN_RAKING><<<1, 96>>>(d, a, b, c, e);
    scanned(96);
    scanBlock<20, cub::BLOCK_SCAN_WARP_SCANS><<<1, 20>>>(d, a, b, c, e);
    scanned(20);
    scanBlock<50, cub::BLOCK_SCAN_WARP_SCANS><<<1, 50>>>(d, a, b, c, e);
    scanned(50);)") == Words{});
}

TEST_CASE("Loads, stores, exchanges, differences and sorts of a block") {
  CHECK(wrongIn(R"(
    template <cub::BlockLoadAlgorithm load, cub::BlockStoreAlgorithm store>
    __global__ void copy(const int *in, int *out, int valid, int otherwise) {
      typedef cub::BlockLoad<int, 64, 4, load> Load;
      typedef cub::BlockStore<int, 64, 4, store> Store;
      __shared__ union { typename Load::TempStorage in; typename Store::TempStorage out; } storage;
      int items[4];
      if (valid < 0)
        Load(storage.in).Load(in, items);
      else
        Load(storage.in).Load(in, items, valid, otherwise);
      for (int i = 0; i < 4; ++i)
        items[i] += 1;
      __syncthreads();
      Store(storage.out).Store(out, items);
    }
    __global__ void exchange(int *striped, int *blocked, int *warpStriped) {
      typedef cub::BlockExchange<int, 64, 3> Exchange;
      __shared__ typename Exchange::TempStorage storage;
      int items[3], moved[3];
      for (int i = 0; i < 3; ++i)
        items[i] = threadIdx.x * 3 + i;
      Exchange(storage).BlockedToStriped(items, moved);
      cub::StoreDirectBlocked(threadIdx.x, striped, moved);
      __syncthreads();
      Exchange(storage).StripedToBlocked(moved);
      cub::StoreDirectBlocked(threadIdx.x, blocked, moved);
      __syncthreads();
      Exchange(storage).BlockedToWarpStriped(items, moved);
      cub::StoreDirectBlocked(threadIdx.x, warpStriped, moved);
    }
    struct Minus { __device__ int operator()(int a, int b) const { return a - b; } };
    __global__ void differences(const int *in, int *left, int *right, int *heads) {
      typedef cub::BlockAdjacentDifference<int, 64> Difference;
      typedef cub::BlockDiscontinuity<int, 64> Discontinuity;
      __shared__ typename Difference::TempStorage difference;
      __shared__ typename Discontinuity::TempStorage discontinuity;
      int items[2], results[2];
      cub::LoadDirectBlocked(threadIdx.x, in, items);
      Difference(difference).SubtractLeft(items, results, Minus());
      cub::StoreDirectBlocked(threadIdx.x, left, results);
      __syncthreads();
      Difference(difference).SubtractRight(items, results, Minus());
      cub::StoreDirectBlocked(threadIdx.x, right, results);
      Discontinuity(discontinuity).FlagHeads(results, items, cub::Inequality());
      cub::StoreDirectBlocked(threadIdx.x, heads, results);
    }
    template <bool descending> __global__ void sort(float *keys, int *places) {
      typedef cub::BlockRadixSort<float, 64, 4, int> Sort;
      __shared__ typename Sort::TempStorage storage;
      float items[4];
      int from[4];
      for (int i = 0; i < 4; ++i)
        from[i] = threadIdx.x * 4 + i;
      cub::LoadDirectBlocked(threadIdx.x, keys, items);
      descending ? Sort(storage).SortDescending(items, from) : Sort(storage).Sort(items, from);
      cub::StoreDirectBlocked(threadIdx.x, keys, items);
      cub::StoreDirectBlocked(threadIdx.x, places, from);
    })",
                R"(
    const std::vector<int> in = numbers(256);
    int *d = onDevice(in), *a = onDevice(in), *b = onDevice(in), *c = onDevice(in);
    const auto copied = [&](int valid) {
      for (int i = 0; i < 256; ++i)
        EXPECT(onHost(a, 256)[i] == 1 + (valid < 0 || i < valid ? in[i] : 7));
    };
    for (int valid : {-1, 0, 100, 256}) {
      copy<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_TRANSPOSE><<<1, 64>>>(d, a, valid, 7);
      copied(valid);
      copy<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE><<<1, 64>>>(d, a, valid, 7);
      copied(valid);
      copy<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED><<<1, 64>>>(d, a, valid, 7);
      copied(valid);
      copy<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_DIRECT><<<1, 64>>>(d, a, valid, 7);
      copied(valid);
    }
    exchange<<<1, 64>>>(a, b, c);
    for (int i = 0; i < 192; ++i) {
      EXPECT(onHost(a, 192)[i] == i % 3 * 64 + i / 3);
      EXPECT(onHost(b, 192)[i] == i);
      EXPECT(onHost(c, 192)[i] == i / 96 * 96 + i % 3 * 32 + i % 96 / 3);
    }
    differences<<<1, 64>>>(d, a, b, c);
    for (int i = 0; i < 128; ++i) {
      EXPECT(onHost(a, 128)[i] == (i ? in[i] - in[i - 1] : in[0]));
      EXPECT(onHost(b, 128)[i] == (i < 127 ? in[i] - in[i + 1] : in[127]));
      EXPECT(onHost(c, 128)[i] == (i == 0 || in[i] != in[i - 1]));
    }
    std::vector<float> keys(256);
    for (int i = 0; i < 256; ++i)
      keys[i] = i % 9 == 0 ? (i % 2 ? 0.0f : -0.0f) : (in[i] % 40) * 0.25f;
    for (bool descending : {false, true}) {
      std::vector<int> order(256);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int x, int y) {
        return descending ? keys[y] < keys[x] : keys[x] < keys[y];
      });
      float *k = onDevice(keys);
      descending ? sort<true><<<1, 64>>>(k, a) : sort<false><<<1, 64>>>(k, a);
      EXPECT(onHost(a, 256) == order);
      for (int i = 0; i < 256; ++i)
        EXPECT(onHost(k, 256)[i] == keys[order[i]]);
    })") == Words{});
}

namespace {

const char kTwice[] = R"(
    /// Calls a function twice, as programs do: for the size of its memory, then with it.
    template <typename Call> void twice(Call call) {
      void *memory = nullptr;
      size_t bytes = 0;
      CHECK_CUDA(call(memory, bytes));
      CHECK_CUDA(cudaMalloc(&memory, bytes));
      CHECK_CUDA(call(memory, bytes));
      CHECK_CUDA(cudaFree(memory));
    }
    #define TWICE(...) twice([&](void *memory, size_t &bytes) { return cub::__VA_ARGS__; })
)";

} // namespace

TEST_CASE("Functions of the device, of no item, of a part of a tile, and of several tiles") {
  CHECK(wrongIn(kTwice + std::string(R"(
    struct Even { __host__ __device__ bool operator()(int x) const { return x % 2 == 0; } };
    struct Halved { __host__ __device__ long long operator()(int x) const { return x / 2; } };
    struct Larger { __host__ __device__ bool operator()(int a, int b) const { return a > b; } };
    // The order of factors counts.
    struct Matrix { unsigned a, b, c, d; };
    struct Times {
      __host__ __device__ Matrix operator()(const Matrix &x, const Matrix &y) const {
        return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
      }
    };)"),
                R"(
    for (int n : {0, 1, 300, 2048, 4500}) {
      const std::vector<int> in = numbers(n);
      int *d = onDevice(in), *out = onDevice(in), *more = onDevice(in), *count = onDevice(std::vector<int>(2));
      TWICE(DeviceReduce::Sum(memory, bytes, d, count, n));
      EXPECT(onHost(count, 1)[0] == std::accumulate(in.begin(), in.end(), 0));
      TWICE(DeviceReduce::Min(memory, bytes, d, count, n));
      EXPECT(onHost(count, 1)[0] == (n ? *std::min_element(in.begin(), in.end()) : INT_MAX));
      typedef cub::KeyValuePair<int, int> Pair;
      Pair *pair = onDevice(std::vector<Pair>(1));
      TWICE(DeviceReduce::ArgMax(memory, bytes, d, pair, n));
      if (n) EXPECT(onHost(pair, 1)[0].key == std::max_element(in.begin(), in.end()) - in.begin());
      const cub::TransformInputIterator<long long, Halved, int *> halves(d, Halved());
      long long *sum = onDevice(std::vector<long long>(3)), halved = 100;
      for (int x : in) halved += x / 2;
      TWICE(DeviceReduce::Reduce(memory, bytes, halves, sum, n, cub::Sum(), 100LL));
      EXPECT(onHost(sum, 1)[0] == halved);

      std::vector<int> expected(n);
      std::partial_sum(in.begin(), in.end(), expected.begin());
      TWICE(DeviceScan::InclusiveSum(memory, bytes, d, out, n));
      EXPECT(onHost(out, n) == expected);
      int most = 5;
      for (int i = 0; i < n; ++i) { expected[i] = most; most = std::max(most, in[i]); }
      TWICE(DeviceScan::ExclusiveScan(memory, bytes, d, out, cub::Max(), 5, n));
      EXPECT(onHost(out, n) == expected);
      std::vector<Matrix> matrices(n);
      for (int i = 0; i < n; ++i) matrices[i] = {1u, (unsigned)i, (unsigned)i % 3, 1u};
      Matrix *m = onDevice(matrices), product = {1, 0, 0, 1};
      TWICE(DeviceScan::InclusiveScan(memory, bytes, m, m, Times(), n));
      const std::vector<Matrix> products = onHost(m, n);
      for (int i = 0; i < n; ++i) {
        product = Times()(product, matrices[i]);
        EXPECT(products[i].a == product.a && products[i].b == product.b && products[i].d == product.d);
      }

      std::vector<int> even;
      std::copy_if(in.begin(), in.end(), std::back_inserter(even), Even());
      TWICE(DeviceSelect::If(memory, bytes, d, out, count, n, Even()));
      EXPECT(onHost(count, 1)[0] == (int)even.size());
      EXPECT(onHost(out, even.size()) == even);
      std::vector<char> flags(n);
      std::vector<int> flagged;
      for (int i = 0; i < n; i += 3) { flags[i] = 1; flagged.push_back(i); }
      TWICE(DeviceSelect::Flagged(memory, bytes, cub::CountingInputIterator<int>(0), onDevice(flags), out, count, n));
      EXPECT(onHost(out, flagged.size()) == flagged);

      std::vector<int> runs(n);
      for (int i = 0; i < n; ++i) runs[i] = i / 7 % 5;
      int *r = onDevice(runs);
      TWICE(DeviceRunLengthEncode::Encode(memory, bytes, r, out, more, count, n));
      EXPECT(onHost(count, 1)[0] == (n + 6) / 7);
      for (int i = 0; i < (n + 6) / 7; ++i) {
        EXPECT(onHost(out, n)[i] == i % 5);
        EXPECT(onHost(more, n)[i] == std::min(7, n - 7 * i));
      }
      TWICE(DeviceSelect::Unique(memory, bytes, r, out, count, n));
      EXPECT(onHost(count, 1)[0] == (n + 6) / 7);
      TWICE(DeviceReduce::ReduceByKey(memory, bytes, r, out, d, more, count, cub::Max(), n));
      for (int i = 0; i < (n + 6) / 7; ++i)
        EXPECT(onHost(more, n)[i] == *std::max_element(&in[7 * i], &in[7 * i] + std::min(7, n - 7 * i)));

      std::vector<int> sorted = in, places(n);
      std::sort(sorted.begin(), sorted.end());
      TWICE(DeviceRadixSort::SortKeys(memory, bytes, d, out, n));
      EXPECT(onHost(out, n) == sorted);
      std::iota(places.begin(), places.end(), 0);
      int *from = onDevice(places);
      // Three passes: of the bits 2 to 19.
      const auto part = [&](int i) { return (unsigned(in[i]) ^ 1u << 31) >> 2 & ((1u << 18) - 1); };
      std::stable_sort(places.begin(), places.end(), [&](int x, int y) { return part(x) > part(y); });
      TWICE(DeviceRadixSort::SortPairsDescending(memory, bytes, d, out, from, more, n, 2, 20));
      EXPECT(onHost(more, n) == places);
      EXPECT(onHost(d, n) == in);
      cub::DoubleBuffer<int> buffers(onDevice(in), out);
      TWICE(DeviceRadixSort::SortKeys(memory, bytes, buffers, n, 0, 32));
      EXPECT(onHost(buffers.Current(), n) == sorted);
      std::iota(places.begin(), places.end(), 0);
      std::stable_sort(places.begin(), places.end(), [&](int x, int y) { return in[x] > in[y]; });
      int *keys = onDevice(in);
      TWICE(DeviceMergeSort::SortPairs(memory, bytes, keys, from, n, Larger()));
      EXPECT(onHost(from, n) == places);

      const std::vector<int> begins = {0, n / 3, n / 3, n};
      int *b = onDevice(begins);
      int *sums = onDevice(std::vector<int>(9)), *minima = sums + 3, *maxima = sums + 6;
      TWICE(DeviceSegmentedReduce::Sum(memory, bytes, d, sums, 3, b, b + 1));
      TWICE(DeviceSegmentedReduce::Min(memory, bytes, d, minima, 3, b, b + 1));
      TWICE(DeviceSegmentedReduce::Max(memory, bytes, d, maxima, 3, b, b + 1));
      for (int i = 0; i < 3; ++i) {
        const auto first = in.begin() + begins[i], last = in.begin() + begins[i + 1];
        EXPECT(onHost(sums, 3)[i] == std::accumulate(first, last, 0));
        EXPECT(onHost(minima, 3)[i] == (first == last ? INT_MAX : *std::min_element(first, last)));
        EXPECT(onHost(maxima, 3)[i] == (first == last ? INT_MIN : *std::max_element(first, last)));
      }
      TWICE(DeviceSegmentedReduce::Reduce(memory, bytes, d, sum, 3, b, b + 1, cub::Sum(), 5LL));
      for (int i = 0; i < 3; ++i)
        EXPECT(onHost(sum, 3)[i] == std::accumulate(in.begin() + begins[i], in.begin() + begins[i + 1], 5LL));
    })") == Words{});
}

TEST_CASE("Segments are sorted, each by itself: empty ones, a part of a tile, and several tiles") {
  CHECK(wrongIn(kTwice, R"(
    // Segment i is [begins[i], ends[i]); what lies between two of them belongs to none.
    const std::vector<int> begins = {0, 0, 5, 6, 7, 2000, 4100, 9000},
                           ends = {0, 5, 6, 6, 2000, 4048, 9000, 9300};
    const int n = 9300, segments = 8;
    const std::vector<int> in = numbers(n);
    std::vector<int> indices(n);
    std::iota(indices.begin(), indices.end(), 0);
    int *d = onDevice(in), *values = onDevice(indices), *out = onDevice(in), *more = onDevice(indices);
    const int *b = onDevice(begins), *e = onDevice(ends);
    // Which item is at each place, in a stable order; `less` compares indices.
    const auto sortedBy = [&](auto less) {
      std::vector<int> places = indices;
      for (int i = 0; i < segments; ++i)
        std::stable_sort(&places[0] + begins[i], &places[0] + ends[i], less);
      return places;
    };
    const auto areSorted = [&](const int *keys, const int *values, auto less) {
      const std::vector<int> places = sortedBy(less), gotKeys = onHost(keys, n);
      const std::vector<int> got = values ? onHost(values, n) : places;
      for (int i = 0; i < segments; ++i)
        for (int at = begins[i]; at < ends[i]; ++at)
          if (got[at] != places[at] || gotKeys[at] != in[places[at]])
            return false;
      return true;
    };
    const auto less = [&](int x, int y) { return in[x] < in[y]; };
    const auto greater = [&](int x, int y) { return in[x] > in[y]; };
    TWICE(DeviceSegmentedRadixSort::SortKeys(memory, bytes, d, out, n, segments, b, e));
    EXPECT(areSorted(out, nullptr, less));
    TWICE(DeviceSegmentedRadixSort::SortKeysDescending(memory, bytes, d, out, n, segments, b, e, 0, 32));
    EXPECT(areSorted(out, nullptr, greater));
    TWICE(DeviceSegmentedRadixSort::SortPairs(memory, bytes, d, out, values, more, n, segments, b, e));
    EXPECT(areSorted(out, more, less));
    // Three passes: of the bits 2 to 19.
    const auto part = [&](int i) { return (unsigned(in[i]) ^ 1u << 31) >> 2 & ((1u << 18) - 1); };
    TWICE(DeviceSegmentedRadixSort::SortPairsDescending(memory, bytes, d, out, values, more, n, segments, b, e, 2,
                                                        20, cudaStream_t(0)));
    EXPECT(areSorted(out, more, [&](int x, int y) { return part(x) > part(y); }));
    EXPECT(onHost(d, n) == in && onHost(values, n) == indices);

    cub::DoubleBuffer<int> keys(onDevice(in), out), pairs(onDevice(indices), more);
    TWICE(DeviceSegmentedRadixSort::SortPairs(memory, bytes, keys, pairs, n, segments, b, e, 0, 32));
    EXPECT(areSorted(keys.Current(), pairs.Current(), less));
    keys = cub::DoubleBuffer<int>(onDevice(in), out);
    pairs = cub::DoubleBuffer<int>(onDevice(indices), more);
    TWICE(DeviceSegmentedRadixSort::SortPairsDescending(memory, bytes, keys, pairs, n, segments, b, e, 2, 20));
    EXPECT(keys.Current() == out);
    EXPECT(areSorted(keys.Current(), pairs.Current(), [&](int x, int y) { return part(x) > part(y); }));
    keys = cub::DoubleBuffer<int>(onDevice(in), out);
    TWICE(DeviceSegmentedRadixSort::SortKeys(memory, bytes, keys, n, segments, b, e));
    EXPECT(areSorted(keys.Current(), nullptr, less));
    keys = cub::DoubleBuffer<int>(onDevice(in), out);
    TWICE(DeviceSegmentedRadixSort::SortKeysDescending(memory, bytes, keys, n, segments, b, e));
    EXPECT(areSorted(keys.Current(), nullptr, greater));

    // The sorts that choose their way themselves.
    TWICE(DeviceSegmentedSort::SortPairs(memory, bytes, d, out, values, more, n, segments, b, e));
    EXPECT(areSorted(out, more, less));
    TWICE(DeviceSegmentedSort::StableSortPairsDescending(memory, bytes, d, out, values, more, n, segments, b, e,
                                                         cudaStream_t(0)));
    EXPECT(areSorted(out, more, greater));
    keys = cub::DoubleBuffer<int>(onDevice(in), out);
    TWICE(DeviceSegmentedSort::SortKeysDescending(memory, bytes, keys, n, segments, b, e));
    EXPECT(areSorted(keys.Current(), nullptr, greater));

    // Neither items nor segments, and offsets that are computed.
    TWICE(DeviceSegmentedRadixSort::SortKeys(memory, bytes, d, out, 0, 0, b, e));
    struct Tens { __host__ __device__ int operator()(int i) const { return 10 * i; } };
    const cub::TransformInputIterator<int, Tens, cub::CountingInputIterator<int>> tens(
        cub::CountingInputIterator<int>(0), Tens());
    const std::vector<double> reals = {3, -1, 0.5, -7, 2, 8, -0.25, 6, 1, 9, 5, 4};
    double *r = onDevice(reals), *s = onDevice(reals);
    TWICE(DeviceSegmentedRadixSort::SortKeys(memory, bytes, r, s, 10, 1, tens, tens + 1));
    std::vector<double> sorted(reals.begin(), reals.begin() + 10);
    std::sort(sorted.begin(), sorted.end());
    EXPECT(onHost(s, 10) == sorted);
  )") == Words{});
}

TEST_CASE("Profiles have cub's names, and a function of a block is shuffles and one barrier") {
  const CudaProgram program(R"(
    #include <cub/cub.cuh>
    __global__ void sums(int *data) {
      typedef cub::BlockReduce<int, 128> Reduce;
      __shared__ typename Reduce::TempStorage storage;
      const int sum = Reduce(storage).Sum(data[threadIdx.x]);
      if (threadIdx.x == 0)
        data[0] = sum;
    }
    int main() {
      int *data;
      CHECK_CUDA(cudaMalloc(&data, 4096));
      sums<<<1, 128>>>(data);
      char memory[1];
      size_t bytes = 0;
      cub::DeviceReduce::Sum(nullptr, bytes, data, data, 100);
      CHECK_CUDA(cub::DeviceReduce::Sum(memory, bytes, data, data, 100));
    })");
  const Characterised characterised = program.runWith("compiled").succeeded();
  const profile::KernelProfile &sums = characterised["sums_0"];
  CHECK(sums.count("barriers_hit"_metric) == 128);
  // Four warps leave a sum, of which the first thread reads three.
  CHECK(sums.count("bytes_written_local"_metric) == 4 * 4);
  CHECK(sums.count("bytes_read_local"_metric) == 3 * 4);
  CHECK_THAT(
      characterised.profiles.begin()->second.json,
      Catch::Contains("\"cub::DeviceReduceSingleTileKernel<int, int*, int*, cub::Sum, int>\""));
}
