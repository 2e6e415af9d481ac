// thrust's algorithms against the host's, on vectors of the device, raw pointers and iterators that
// compute; of the host; and within a thread.

#include "cuda/runtime/cuda_program.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

namespace {

const char kHost[] = R"(
    #include <algorithm>
    #include <functional>
    #include <numeric>
    #include <thrust/binary_search.h>
    #include <thrust/complex.h>
    #include <thrust/copy.h>
    #include <thrust/device_vector.h>
    #include <thrust/host_vector.h>
    #include <thrust/inner_product.h>
    #include <thrust/iterator/zip_iterator.h>
    #include <thrust/random.h>
    #include <thrust/sort.h>
    #include <vector>
    #define EXPECT(...) if (!(__VA_ARGS__)) printf("line %d: %s\n", __LINE__, #__VA_ARGS__)
    struct Odd { __host__ __device__ bool operator()(int x) const { return x & 1; } };
    std::vector<int> numbers(int count) {
      std::vector<int> values(count);
      for (int i = 0; i < count; ++i)
        values[i] = (int)(i * 2654435761u >> 20);
      return values;
    }
    template <typename T> std::vector<T> onHost(const thrust::device_vector<T> &values) {
      std::vector<T> result(values.size());
      thrust::copy(values.begin(), values.end(), result.begin());
      return result;
    }
)";

Words wrongIn(const std::string &declarations, const std::string &body) {
  return printed(kHost + declarations, body);
}

} // namespace

TEST_CASE("Vectors of the device are changed by the host, item by item and whole") {
  CHECK(wrongIn("", R"(
    thrust::host_vector<int> h(100, 4);
    h[7] = 9;
    thrust::device_vector<int> d = h, same(d);
    EXPECT(d.size() == 100 && d[7] == 9 && d.back() == 4);
    EXPECT(d == h && same == d);
    d[0] += 4;
    d[1] = d[7];
    EXPECT(d[0] == 8 && d[1] == 9 && same[0] == 4 && same != d);
    d.push_back(5);
    d.resize(200, 6);
    EXPECT(d[99] == 4 && d[100] == 5 && d[101] == 6 && d[199] == 6);
    EXPECT(d.erase(d.begin() + 2, d.begin() + 100) - d.begin() == 2);
    EXPECT(d.size() == 102 && d[2] == 5);
    d.insert(d.begin() + 1, h.begin() + 7, h.begin() + 9);
    EXPECT(d.size() == 104 && d[0] == 8 && d[1] == 9 && d[2] == 4 && d[3] == 9 && d[4] == 5);
    thrust::device_vector<double> converted = std::vector<float>{1.5f, 2.5f};
    EXPECT(converted[1] == 2.5);
    h = d;
    EXPECT(h.size() == 104 && h[4] == 5);
    int *raw = thrust::raw_pointer_cast(&d[3]);
    EXPECT(raw == thrust::raw_pointer_cast(d.data()) + 3);
    thrust::device_ptr<int> p = thrust::device_pointer_cast(raw);
    EXPECT(*p == 9 && p[1] == 5);
    *p = 3;
    EXPECT(d[3] == 3);
    std::vector<bool> bits = {true, false, true};
    thrust::device_vector<bool> there(bits.begin(), bits.end());
    EXPECT(there[0] && !there[1] && there[2]);)") == Words{});
}

TEST_CASE("Copies of computed values are made on the device, wherever the host asks for them") {
  CHECK(wrongIn(
            "struct Square { __host__ __device__ int operator()(int x) const { return x * x; } };",
            R"(
    const int n = 300;
    const thrust::counting_iterator<int> first(5);
    const auto squares = thrust::make_transform_iterator(first, Square());
    thrust::device_vector<int> d(n), e(n);
    thrust::copy(first, first + n, d.begin());
    EXPECT(d[0] == 5 && d[n - 1] == n + 4);
    thrust::copy_n(squares, n, d.begin());
    EXPECT(d[0] == 25 && d[n - 1] == (n + 4) * (n + 4));
    d.assign(first, first + n);
    EXPECT(d[1] == 6);
    const auto ofVector = thrust::make_transform_iterator(d.begin(), Square());
    thrust::copy(ofVector, ofVector + n, e.begin());
    EXPECT(e[1] == 36);
    thrust::host_vector<int> h(n, 3);
    const auto ofHost = thrust::make_transform_iterator(h.begin(), Square());
    thrust::copy(ofHost, ofHost + n, e.begin());
    EXPECT(e[n - 1] == 9);
    thrust::device_vector<double> converted(n);
    const auto copy = [&] { thrust::copy(e.begin(), e.end(), converted.begin()); };
    copy();
    EXPECT(converted[n - 1] == 9);
    EXPECT(cudaGetLastError() == cudaSuccess);)") == Words{});
}

TEST_CASE("Reductions, searches and scans") {
  CHECK(wrongIn(R"(
    struct Triple { __device__ int operator()(int x) const { return 3 * x; } };
    struct SameSix { __host__ __device__ bool operator()(int a, int b) const { return a / 6 == b / 6; } };
    struct Longer { __host__ __device__ bool operator()(int a, int b) const { return a % 100 < b % 100; } };)",
                R"(
    for (int n : {1, 300, 5000}) {
      const std::vector<int> s = numbers(n);
      const int sum = std::accumulate(s.begin(), s.end(), 0);
      thrust::device_vector<int> d = s, e(n);
      EXPECT(thrust::reduce(d.begin(), d.end()) == sum);
      EXPECT(thrust::reduce(d.begin(), d.begin(), 17) == 17);
      EXPECT(thrust::reduce(d.begin(), d.end(), -1, thrust::maximum<int>()) == *std::max_element(s.begin(), s.end()));
      EXPECT(thrust::transform_reduce(d.begin(), d.end(), Triple(), 1, thrust::plus<int>()) == 3 * sum + 1);
      EXPECT(thrust::inner_product(d.begin(), d.end(), d.begin(), 0LL) == std::inner_product(s.begin(), s.end(), s.begin(), 0LL));
      EXPECT(thrust::max_element(d.begin(), d.end(), Longer()) - d.begin() == std::max_element(s.begin(), s.end(), Longer()) - s.begin());
      EXPECT(thrust::min_element(d.begin(), d.end()) - d.begin() == std::min_element(s.begin(), s.end()) - s.begin());
      const auto ends = thrust::minmax_element(d.begin(), d.end());
      EXPECT(*ends.first == *std::min_element(s.begin(), s.end()) && *ends.second == *std::max_element(s.begin(), s.end()));
      EXPECT(thrust::count_if(d.begin(), d.end(), Odd()) == std::count_if(s.begin(), s.end(), Odd()));
      EXPECT(thrust::count(d.begin(), d.end(), s[n / 2]) == std::count(s.begin(), s.end(), s[n / 2]));
      EXPECT(thrust::find(d.begin(), d.end(), s[n - 1]) - d.begin() == std::find(s.begin(), s.end(), s[n - 1]) - s.begin());
      EXPECT(thrust::find(d.begin(), d.end(), -1) == d.end());
      EXPECT(thrust::all_of(d.begin(), d.end(), Odd()) == std::all_of(s.begin(), s.end(), Odd()));
      EXPECT(thrust::equal(d.begin(), d.end(), d.begin()));
      EXPECT(thrust::is_sorted(d.begin(), d.end()) == std::is_sorted(s.begin(), s.end()));

      std::vector<int> expected(n);
      std::partial_sum(s.begin(), s.end(), expected.begin());
      EXPECT(thrust::inclusive_scan(d.begin(), d.end(), e.begin()) == e.end());
      EXPECT(onHost(e) == expected);
      thrust::exclusive_scan(thrust::device, d.begin(), d.end(), e.begin(), 10);
      std::exclusive_scan(s.begin(), s.end(), expected.begin(), 10);
      EXPECT(onHost(e) == expected);
      e = d;
      thrust::inclusive_scan(e.begin(), e.end(), e.begin(), thrust::maximum<int>());
      std::partial_sum(s.begin(), s.end(), expected.begin(), [](int a, int b) { return std::max(a, b); });
      EXPECT(onHost(e) == expected);

      std::vector<int> keys(n), sums(n), before(n);
      for (int i = 0; i < n; ++i) {
        keys[i] = i / 6;
        sums[i] = s[i] + (i % 6 ? sums[i - 1] : 0);
        before[i] = i % 6 ? before[i - 1] + s[i - 1] : 5;
      }
      thrust::device_vector<int> k = keys, ko(n), vo(n);
      thrust::inclusive_scan_by_key(k.begin(), k.end(), d.begin(), e.begin());
      EXPECT(onHost(e) == sums);
      thrust::exclusive_scan_by_key(k.begin(), k.end(), d.begin(), e.begin(), 5);
      EXPECT(onHost(e) == before);
      const auto reduced = thrust::reduce_by_key(k.begin(), k.end(), d.begin(), ko.begin(), vo.begin());
      EXPECT(reduced.first - ko.begin() == (n + 5) / 6 && reduced.second - vo.begin() == (n + 5) / 6);
      for (int i = 0; i < (n + 5) / 6; ++i)
        EXPECT(ko[i] == i && vo[i] == sums[std::min(n - 1, 6 * i + 5)]);
      // The first key of each run.
      thrust::sequence(k.begin(), k.end());
      thrust::reduce_by_key(k.begin(), k.end(), d.begin(), ko.begin(), vo.begin(), SameSix());
      for (int i = 0; i < (n + 5) / 6; ++i)
        EXPECT(ko[i] == 6 * i && vo[i] == sums[std::min(n - 1, 6 * i + 5)]);
    })") == Words{});
}

TEST_CASE("Items that are made, moved and selected") {
  CHECK(wrongIn(R"(
    struct Saxpy { float a; __host__ __device__ float operator()(float x, float y) const { return a * x + y; } };
    struct Add {
      template <typename T> __host__ __device__ void operator()(T t) { thrust::get<2>(t) = thrust::get<0>(t) + thrust::get<1>(t); }
    };
    struct FirstIsOdd { __host__ __device__ bool operator()(const thrust::tuple<int, int> &t) const { return thrust::get<0>(t) & 1; } };)",
                R"(
    const int n = 5000;
    const std::vector<int> s = numbers(n);
    thrust::device_vector<float> x(100, 2.f), y(100, 3.f), z(100);
    thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), Saxpy{4});
    EXPECT(z[99] == 11);
    const auto zip = [](auto... iterators) { return thrust::make_zip_iterator(thrust::make_tuple(iterators...)); };
    thrust::for_each(zip(x.begin(), y.begin(), z.begin()), zip(x.end(), y.end(), z.end()), Add());
    EXPECT(z[50] == 5);
    thrust::device_vector<int> d = s, e(n), i(n);
    thrust::sequence(i.begin(), i.end(), 3, 2);
    EXPECT(i[0] == 3 && i[n - 1] == 2 * n + 1);
    thrust::transform(thrust::make_counting_iterator(0), thrust::make_counting_iterator(n), e.begin(),
                      [] __host__ __device__(int i) { return i * i; });
    EXPECT(e[9] == 81);
    int *raw = thrust::raw_pointer_cast(e.data());
    thrust::fill(thrust::cuda::par.on(0), raw, raw + n, 7);
    thrust::transform(thrust::device, raw, raw + 9, raw, thrust::negate<int>());
    EXPECT(e[8] == -7 && e[9] == 7);
    thrust::transform_if(x.begin(), x.begin() + 2, z.begin(), thrust::negate<float>(), thrust::identity<float>());
    EXPECT(z[1] == -2 && z[2] == 5);
    std::vector<int> odd, even;
    for (int v : s) (v & 1 ? odd : even).push_back(v);
    EXPECT(thrust::copy_if(d.begin(), d.end(), e.begin(), Odd()) - e.begin() == (long)odd.size());
    EXPECT(std::equal(odd.begin(), odd.end(), onHost(e).begin()));
    e = d;
    e.erase(thrust::remove_if(e.begin(), e.end(), Odd()), e.end());
    EXPECT(onHost(e) == even);
    e = d;
    EXPECT(thrust::stable_partition(e.begin(), e.end(), Odd()) - e.begin() == (long)odd.size());
    EXPECT(std::equal(even.begin(), even.end(), onHost(e).begin() + odd.size()));
    // By a stencil, and of several vectors at once.
    thrust::device_vector<int> flags(n);
    thrust::transform(thrust::make_counting_iterator(0), thrust::make_counting_iterator(n), flags.begin(), Odd());
    EXPECT(thrust::copy_if(d.begin(), d.end(), flags.begin(), e.begin(), thrust::identity<int>()) - e.begin() == n / 2);
    EXPECT(e[1] == s[3]);
    e = d;
    EXPECT(thrust::partition(thrust::device, e.begin(), e.end(), flags.begin(), thrust::identity<int>()) - e.begin() == n / 2);
    EXPECT(e[0] == s[1] && e[1] == s[3] && e[n / 2] == s[0] && e[n / 2 + 1] == s[2]);
    std::vector<int> h = {1, 2, 3, 4}, which = {0, 1, 0, 1};
    EXPECT(thrust::stable_partition(h.begin(), h.end(), which.begin(), thrust::identity<int>()) - h.begin() == 2);
    EXPECT(h == std::vector<int>({2, 4, 1, 3}));
    thrust::sequence(i.begin(), i.end());
    e = i;
    EXPECT(thrust::remove_if(zip(i.begin(), e.begin()), zip(i.end(), e.end()), FirstIsOdd()) - zip(i.begin(), e.begin()) == n / 2);
    EXPECT(i[3] == 6 && e[3] == 6);
    thrust::replace_if(i.begin(), i.end(), Odd(), 100);
    EXPECT(thrust::count_if(i.begin(), i.end(), Odd()) == 0);
    std::vector<int> runs = {1, 1, 2, 2, 2, 1, 3};
    thrust::device_vector<int> r = runs;
    EXPECT(thrust::unique(r.begin(), r.end()) - r.begin() == 4);
    EXPECT(r[1] == 2 && r[2] == 1 && r[3] == 3);
    const std::vector<int> places = {5, 0, 7};
    thrust::device_vector<int> map = places, g(3), back(8, -1);
    thrust::gather(map.begin(), map.end(), d.begin(), g.begin());
    EXPECT(g[0] == s[5] && g[1] == s[0] && g[2] == s[7]);
    thrust::scatter(g.begin(), g.end(), map.begin(), back.begin());
    EXPECT(back[7] == s[7] && back[0] == s[0] && back[1] == -1);
    thrust::reverse(g.begin(), g.end());
    EXPECT(g[0] == s[7] && g[2] == s[5]);
    thrust::adjacent_difference(d.begin(), d.end(), e.begin());
    EXPECT(e[0] == s[0] && e[17] == s[17] - s[16]);
    EXPECT(thrust::reduce(thrust::make_permutation_iterator(d.begin(), map.begin()),
                          thrust::make_permutation_iterator(d.begin(), map.end())) == s[5] + s[0] + s[7]);
    std::vector<float> mixed(3);
    thrust::copy(map.begin(), map.end(), mixed.begin());
    EXPECT(mixed[2] == 7);)") == Words{});
}

TEST_CASE("thrust::min and max are functions of host and device") {
  CHECK(wrongIn(R"(
    struct Last { __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; } };
    __host__ __device__ int ofBoth(int i) { return thrust::min(3, i) * 100 + thrust::max(i, 5) * 10 + thrust::max(19, 8, Last()); }
    __global__ void there(int *out) { out[threadIdx.x] = ofBoth(threadIdx.x); })",
                R"(
    thrust::device_vector<int> d(8);
    there<<<1, 8>>>(thrust::raw_pointer_cast(d.data()));
    EXPECT(d[2] == 269 && d[7] == 389 && ofBoth(7) == 389);)") == Words{});
}

TEST_CASE("Sorts are stable, by numbers, by any order, and of what goes with the keys") {
  CHECK(wrongIn(R"(
    struct Point { float x, y; };
    struct ByX { __host__ __device__ bool operator()(const Point &a, const Point &b) const { return a.x < b.x; } };
    __global__ void sortInThreads(int *keys, int *values) {
      int *own = keys + threadIdx.x * 20;
      thrust::sort_by_key(thrust::seq, own, own + 20, values + threadIdx.x * 20, thrust::greater<int>());
    })",
                R"(
    for (int n : {0, 1, 256, 5000}) {
      const std::vector<int> s = numbers(n);
      std::vector<int> sorted = s, order(n);
      std::sort(sorted.begin(), sorted.end());
      thrust::device_vector<int> d = s, places(n);
      thrust::sort(d.begin(), d.end());
      EXPECT(onHost(d) == sorted);
      thrust::sequence(places.begin(), places.end());
      d = s;
      thrust::sort_by_key(d.begin(), d.end(), places.begin(), thrust::greater<int>());
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return s[a] > s[b]; });
      EXPECT(onHost(places) == order);
      std::vector<Point> points(n);
      for (int i = 0; i < n; ++i) points[i] = {float(s[i] % 50), float(i)};
      thrust::device_vector<Point> p = points;
      thrust::sort(p.begin(), p.end(), ByX());
      std::stable_sort(points.begin(), points.end(), ByX());
      const std::vector<Point> there = onHost(p);
      for (int i = 0; i < n; ++i) EXPECT(there[i].x == points[i].x && there[i].y == points[i].y);
      std::vector<short> shorts(s.begin(), s.end());
      thrust::device_vector<short> h = shorts;
      thrust::stable_sort(h.begin(), h.end());
      std::stable_sort(shorts.begin(), shorts.end());
      EXPECT(onHost(h) == shorts);
      std::vector<int> keys = s, values(n);
      std::iota(values.begin(), values.end(), 0);
      thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
      EXPECT(keys == sorted);
      for (int i = 0; i < n; ++i) EXPECT(s[values[i]] == sorted[i]);
      d = sorted;
      for (int value : {-1, 0, 1700, 5000}) {
        EXPECT(thrust::lower_bound(d.begin(), d.end(), value) - d.begin() == std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
        EXPECT(thrust::upper_bound(d.begin(), d.end(), value) - d.begin() == std::upper_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
        EXPECT(thrust::binary_search(d.begin(), d.end(), value) == std::binary_search(sorted.begin(), sorted.end(), value));
      }
    }
    const std::vector<int> s = numbers(640);
    thrust::device_vector<int> keys = s, values = s;
    sortInThreads<<<1, 32>>>(thrust::raw_pointer_cast(keys.data()), thrust::raw_pointer_cast(values.data()));
    EXPECT(keys == values);
    for (int i = 1; i < 640; ++i)
      EXPECT(i % 20 == 0 || keys[i - 1] >= keys[i]);)") == Words{});
}

TEST_CASE("thrust's complex and random numbers are the same on host and device") {
  CHECK(wrongIn(R"(
    __host__ __device__ void compute(float *out) {
      const thrust::complex<float> a(1, 2), b = a * a / 4.f + conj(a);
      out[0] = b.real();
      out[1] = b.imag();
      out[2] = abs(thrust::complex<float>(3, 4));
      thrust::minstd_rand engine(3);
      engine.discard(1000);
      thrust::uniform_int_distribution<int> numbers(10, 19);
      out[3] = engine();
      out[4] = numbers(engine);
    }
    __global__ void there(float *out) { compute(out); })",
                R"(
    float here[5];
    compute(here);
    thrust::device_vector<float> d(5);
    there<<<1, 1>>>(thrust::raw_pointer_cast(d.data()));
    EXPECT(onHost(d) == std::vector<float>(here, here + 5));
    EXPECT(here[0] == 0.25f && here[1] == -1 && here[2] == 5);
    thrust::minstd_rand one(3), other(3);
    for (int i = 0; i < 1000; ++i) one();
    other.discard(1000);
    EXPECT(one() == other());
    // The standard's 10000th number.
    thrust::minstd_rand usual;
    usual.discard(9999);
    EXPECT(usual() == 399268537);
    thrust::device_vector<int> deck(52);
    thrust::sequence(deck.begin(), deck.end());
    thrust::shuffle(deck.begin(), deck.end(), one);
    EXPECT(!thrust::is_sorted(deck.begin(), deck.end()));
    thrust::sort(deck.begin(), deck.end());
    EXPECT(deck[0] == 0 && deck[51] == 51 && thrust::reduce(deck.begin(), deck.end()) == 26 * 51);)") ==
        Words{});
}

TEST_CASE("A function whose kernel cannot be launched throws an error that names the function and "
          "what CUDA says") {
  const CudaProgram program(std::string(kHost) + R"(
    __device__ int recursive(int x) { return x < 2 ? x : recursive(x - 1) + recursive(x - 2); }
    struct Refused {
      __device__ int operator()(int x) const { return recursive(x); }
      __device__ int operator()(int x, int y) const { return recursive(x + y); }
    };
    template <typename Call> void expectError(const char *function, Call call) {
      const std::string expected = std::string(function) + ": " + cudaGetErrorString(cudaErrorNotSupported);
      try {
        call();
        printf("%s threw nothing\n", function);
      } catch (const thrust::system_error &error) {
        if (error.what() != expected || error.code() != std::error_code(cudaErrorNotSupported, thrust::cuda_category()))
          printf("%s threw %s\n", function, error.what());
      }
      EXPECT(cudaGetLastError() == cudaSuccess);
    }
    int main() {
      thrust::device_vector<int> d(5000), e(5000);
      const auto refused = thrust::make_transform_iterator(d.begin(), Refused());
      expectError("thrust::transform", [&] { thrust::transform(d.begin(), d.end(), e.begin(), Refused()); });
      expectError("thrust::copy", [&] { thrust::copy(refused, refused + 9, e.begin()); });
      expectError("thrust::copy", [&] { thrust::host_vector<int> h(refused, refused + 9); });
      expectError("thrust::gather", [&] { thrust::gather(d.begin(), d.end(), refused, e.begin()); });
      expectError("thrust::reduce", [&] { thrust::reduce(d.begin(), d.end(), 0, Refused()); });
      expectError("thrust::inclusive_scan", [&] { thrust::inclusive_scan(d.begin(), d.end(), e.begin(), Refused()); });
      expectError("thrust::sort", [&] { thrust::sort(d.begin(), d.end(), Refused()); });
    })");
  CHECK(program.lines() == Words{});
}

TEST_CASE("Expressions of placeholders, backward iterators, and functions of few programs") {
  const CudaProgram program(kHost + std::string(R"(
    #include <thrust/adjacent_difference.h>
    #include <thrust/iterator/reverse_iterator.h>
    #include <thrust/tabulate.h>
    #include <thrust/transform_scan.h>
    #include <thrust/zip_function.h>
    struct IsOdd { __host__ __device__ bool operator()(int x) const { return x % 2 == 1; } };
    template <class Ints> void check() {
      using namespace thrust::placeholders;
      const int n = 5000;
      Ints a(n), b(n), c(n);
      thrust::tabulate(a.begin(), a.end(), _1 % 97);
      EXPECT(a[500] == 500 % 97);
      thrust::transform(a.begin(), a.end(), a.begin(), b.begin(), 3 * _1 - _2);
      EXPECT(b[50] == 100);
      EXPECT(thrust::count_if(a.begin(), a.begin() + 97, _1 >= 10 && !(_1 == 20)) == 86);
      thrust::transform_inclusive_scan(a.begin(), a.end(), b.begin(), -_1, thrust::plus<int>());
      EXPECT(b[96] == -96 * 97 / 2);
      thrust::transform_exclusive_scan(a.begin(), a.end(), b.begin(), -_1, 7, thrust::plus<int>());
      EXPECT(b[0] == 7 && b[97] == 7 - 96 * 97 / 2);
      // In place, across the tiles of a kernel.
      thrust::inclusive_scan(a.begin(), a.end(), b.begin());
      c = b;
      thrust::adjacent_difference(c.begin(), c.end(), c.begin());
      EXPECT(thrust::equal(a.begin(), a.end(), c.begin()));
      thrust::adjacent_difference(b.cbegin(), b.cend(), b.begin());
      EXPECT(thrust::equal(a.begin(), a.end(), b.begin()));
      thrust::copy(a.rbegin(), a.rend(), b.begin());
      EXPECT(b[0] == (n - 1) % 97 && b[n - 1] == 0);
      const auto ends = thrust::partition_copy(a.begin(), a.end(), b.begin(), c.begin(), IsOdd());
      const int odd = thrust::count_if(a.begin(), a.end(), IsOdd());
      EXPECT(ends.first - b.begin() == odd && ends.second - c.begin() == n - odd);
      EXPECT(b[1] == 3 && c[1] == 2);
      thrust::sort(a.begin(), a.end());
      const auto tens = thrust::equal_range(a.begin(), a.end(), 10);
      EXPECT(tens.second - tens.first == 52); // 10 + 97 i < 5000
      thrust::fill(c.begin(), c.end(), 0);
      thrust::tabulate(b.begin(), b.end(), n - 1 - _1);
      thrust::scatter_if(a.begin(), a.end(), b.begin(), a.begin(), c.begin(), IsOdd());
      EXPECT(c[n - 1] == 0 && c[n - 1 - 52] == 1);
      thrust::fill(c.begin(), c.end(), 0);
      thrust::gather_if(b.begin(), b.end(), a.begin(), a.begin(), c.begin(), IsOdd());
      EXPECT(c[0] == 0 && c[52] == a[n - 1 - 52]);
      a.assign(3, 8);
      a.insert(a.begin() + 1, 2, 7);
      a.insert(a.end(), 5);
      EXPECT(a.size() == 6 && a[1] == 7 && a[2] == 7 && a[3] == 8 && a[5] == 5);
    }
    int main() {
      check<thrust::host_vector<int>>();
      check<thrust::device_vector<int>>();
      thrust::device_vector<int> x(3, 4), y(3, 5), z(3);
      const auto both = thrust::make_zip_iterator(x.begin(), y.begin());
      thrust::transform(both, both + 3, z.begin(), thrust::make_zip_function(thrust::multiplies<int>()));
      EXPECT(z[2] == 20);
    })"));
  CHECK(program.lines() == Words{});
}

TEST_CASE("A copy that fails throws an error, and so does one item") {
  const CudaProgram program(R"(
    #include <thrust/device_vector.h>
    #include <thrust/host_vector.h>
    #include <thrust/system_error.h>
    __global__ void fail(int n) { assert(n == 0); }
    template <class Call> void expectError(const char *what, Call call) {
      try {
        call();
        printf("%s threw nothing\n", what);
      } catch (const thrust::system_error &error) {
        if (error.code() != std::error_code(cudaErrorAssert, thrust::cuda_category()))
          printf("%s threw %s\n", what, error.what());
      }
    }
    int main() {
      thrust::device_vector<int> d(8);
      thrust::host_vector<int> h(8);
      fail<<<1, 1>>>(1);
      cudaDeviceSynchronize(); // from now on, each call fails
      expectError("to the host", [&] { h = d; });
      expectError("to the device", [&] { d = h; });
      expectError("of one item", [&] { d[0] = 1; });
      expectError("of one item back", [&] { return (int)d[0]; });
    })");
  for (const std::string engine : {"compiled", "interpreter"}) {
    const Characterised run = program.runWith(engine);
    CHECK(run.outcome.status == 0);
    CHECK(run.outcome.out.find("threw") == std::string::npos);
  }
}
