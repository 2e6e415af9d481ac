// thrust's algorithms: on the device by cub's kernels; on the host, and within a thread (seq), one
// item after the other. Without a policy, an iterator of the device's memory asks for the device.
#pragma once
#pragma GCC system_header
#include "aiwc_thrust_memory.h"

#include <algorithm>
#include <functional>

namespace thrust {

// == Where to execute

template <typename Policy> struct execution_policy {};
template <bool onDevice> struct ExecutionPolicy : execution_policy<ExecutionPolicy<onDevice>> {
  static constexpr bool isOnDevice = onDevice;
  cudaStream_t stream = nullptr;
  constexpr ExecutionPolicy() {}
  ExecutionPolicy on(cudaStream_t stream) const {
    ExecutionPolicy policy;
    policy.stream = stream;
    return policy;
  }
  template <typename Allocator> ExecutionPolicy operator()(Allocator &&) const { return *this; }
};
typedef ExecutionPolicy<true> device_execution_policy;
typedef ExecutionPolicy<false> host_execution_policy;
static constexpr ExecutionPolicy<true> device;
static constexpr ExecutionPolicy<false> host, seq;
namespace cuda {
static constexpr ExecutionPolicy<true> par, par_nosync;
using thrust::execution_policy;
} // namespace cuda
namespace cuda_cub {
using namespace cuda;
}
namespace hip {
using namespace cuda;
}
namespace system {
namespace cuda = thrust::cuda;
} // namespace system

template <typename Any, typename = void> struct IsPolicy : std::false_type {};
template <typename Any>
struct IsPolicy<Any, std::enable_if_t<(Any::isOnDevice, true)>> : std::true_type {};
template <typename Any> using IfPolicy = std::enable_if_t<IsPolicy<Any>::value, int>;
template <typename Any> using IfNoPolicy = std::enable_if_t<!IsPolicy<Any>::value, int>;
/// Without a policy, that of the iterators.
template <typename... Arguments>
using PolicyOf = ExecutionPolicy<std::disjunction_v<IsOnDevice<std::decay_t<Arguments>>...>>;

// == Each item by itself

/// A kernel for each of some indices `i`, and runName(policy, count, arguments...), which launches
/// it or loops. Buffers are parameters of their own, so that profiles tell them apart.
#define AIWC_LIST(...) __VA_ARGS__
#define AIWC_EACH(Name, types, parameters, ...)                                                    \
  template <AIWC_LIST types>                                                                       \
  __attribute__((host, device, always_inline, nodebug)) inline void each##Name(                    \
      long long i, AIWC_LIST parameters) {                                                         \
    __VA_ARGS__;                                                                                   \
  }                                                                                                \
  template <AIWC_LIST types> __global__ void Name##Kernel(AIWC_LIST parameters, long long count) { \
    const long long i = (long long)blockIdx.x * cub::kDeviceThreads + threadIdx.x;                 \
    if (i < count) {                                                                               \
      __VA_ARGS__;                                                                                 \
    }                                                                                              \
  }                                                                                                \
  template <typename Policy, typename... Arguments>                                                \
  __host__ __device__ void run##Name(Policy policy, long long count, Arguments... arguments) {     \
    if constexpr (!Policy::isOnDevice)                                                             \
      for (long long i = 0; i < count; ++i)                                                        \
        each##Name(i, arguments...);                                                               \
    else if (count > 0)                                                                            \
      Name##Kernel<<<cub::blocksOf(count), cub::kDeviceThreads, 0, policy.stream>>>(               \
          forKernel(arguments)..., count);                                                         \
  }
AIWC_EACH(ForEach, (typename In, typename Function), (In input, Function function),
          function(input[i]))
AIWC_EACH(Transform, (typename In, typename Out, typename Function),
          (In input, Out output, Function function), output[i] = function(input[i]))
AIWC_EACH(TransformPairs, (typename A, typename B, typename Out, typename Function),
          (A a, B b, Out output, Function function), output[i] = function(a[i], b[i]))
AIWC_EACH(TransformIf,
          (typename In, typename Stencil, typename Out, typename Function, typename Predicate),
          (In input, Stencil stencil, Out output, Function function, Predicate predicate),
          if (predicate(stencil[i])) output[i] = function(input[i]))
AIWC_EACH(Generate, (typename Out, typename Function), (Out output, Function function),
          output[i] = function())
AIWC_EACH(ReplaceIf, (typename Out, typename Stencil, typename Predicate, typename Value),
          (Out output, Stencil stencil, Predicate predicate, Value value),
          if (predicate(stencil[i])) output[i] = value)
AIWC_EACH(AdjacentDifference, (typename In, typename Out, typename Op),
          (In input, Out output, Op op), if (i == 0) output[0] = input[0];
          else output[i] = op(input[i], input[i - 1]))
AIWC_EACH(Reverse, (typename Iterator), (Iterator first, long long items),
          const ValueOf<Iterator> value = first[i];
          first[i] = ValueOf<Iterator>(first[items - 1 - i]); first[items - 1 - i] = value)
#undef AIWC_EACH
#undef AIWC_LIST

/// The result that a function of cub leaves in the device's memory; `call` gets (memory, bytes,
/// result).
template <typename Result, typename Call> Result resultOf(Call call) {
  const DeviceMemory<Result> result(1);
  size_t bytes = 0;
  call(nullptr, bytes, result.get());
  const DeviceMemory<unsigned char> memory((long long)bytes);
  const cudaError_t error = call(memory.get(), bytes, result.get());
  if (error != cudaSuccess)
    throw system_error(error, std::generic_category(), cudaGetErrorString(error));
  return result[0];
}
template <typename Call> void callWithMemory(Call call) {
  resultOf<int>([&](void *memory, size_t &bytes, int *) { return call(memory, bytes); });
}
/// Memory of the host for the time of a call.
template <typename Value> struct HostMemory : std::unique_ptr<Value[]> {
  explicit HostMemory(long long count) : std::unique_ptr<Value[]>(new Value[(size_t)count]) {}
};

template <typename Less, typename Key> struct IsNatural : std::false_type {};
template <typename Key> struct IsNatural<less<Key>, Key> : std::true_type {};
template <typename Key> struct IsNatural<less<void>, Key> : std::true_type {};
template <typename Key> struct IsNatural<std::less<Key>, Key> : std::true_type {};
template <typename Less, typename Key> struct IsReversed : std::false_type {};
template <typename Key> struct IsReversed<greater<Key>, Key> : std::true_type {};
template <typename Key> struct IsReversed<greater<void>, Key> : std::true_type {};
template <typename Key> struct IsReversed<std::greater<Key>, Key> : std::true_type {};

AIWC_BEGIN_EITHER
template <typename Iterator, typename Less>
void heapSort(Iterator first, long long items, Less less) {
  typedef ValueOf<Iterator> Value;
  const auto sift = [&](long long from, long long end) {
    const Value value = first[from];
    long long child;
    while ((child = 2 * from + 1) < end) {
      if (child + 1 < end && less(first[child], first[child + 1]))
        ++child;
      if (!less(value, first[child]))
        break;
      first[from] = Value(first[child]);
      from = child;
    }
    first[from] = value;
  };
  for (long long i = items / 2; i-- > 0;)
    sift(i, items);
  for (long long end = items; end-- > 1;) {
    const Value value = first[0];
    first[0] = Value(first[end]);
    first[end] = value;
    sift(0, end);
  }
}
/// Stable, where a heap sort is not.
template <typename Iterator, typename Less>
void insertionSort(Iterator first, long long items, Less less) {
  for (long long i = 1; i < items; ++i) {
    const ValueOf<Iterator> value = first[i];
    long long to = i;
    for (; to > 0 && less(value, first[to - 1]); --to)
      first[to] = ValueOf<Iterator>(first[to - 1]);
    first[to] = value;
  }
}

// == Functions that are parts of kernels' names

template <typename Value> struct StepFrom {
  Value first, step;
  Value operator()(long long i) const { return Value(first + step * Value(i)); }
};
/// Of two indices, that of the lesser item; the earlier of equal ones.
template <typename In, typename Less> struct LesserAt {
  In input;
  Less less;
  long long operator()(long long a, long long b) {
    if (less(input[b], input[a]))
      return b;
    return a < b || less(input[a], input[b]) ? a : b;
  }
};
/// How many of the sorted items come before a value.
template <typename In, typename Less, bool orEqual> struct PlaceAmong {
  In input;
  long long items;
  Less less;
  template <typename Value> long long operator()(const Value &value) {
    return cub::placeAmong(input, items, value, less, orEqual);
  }
};
template <typename In, typename Less> struct IsAmong {
  In input;
  long long items;
  Less less;
  template <typename Value> bool operator()(const Value &value) {
    const long long i = cub::placeAmong(input, items, value, less, false);
    return i < items && !less(value, input[i]);
  }
};
/// A sink of cub's scans of runs.
template <typename Out, typename Value, typename Op, bool isExclusive> struct StoreOfRun {
  Out output;
  Value initial;
  Op op;
  template <typename Run> void operator()(long long i, const Run &before, const Run &upTo) {
    if constexpr (!isExclusive)
      output[i] = upTo.value;
    else if (i == 0 || upTo.runs > before.runs)
      output[i] = initial;
    else
      output[i] = Value(op(initial, before.value));
  }
};

/// The algorithms under a policy. Lambdas get iterators as kernels take them (`taken`).
template <typename Policy> class Algorithms {
  static constexpr bool isOnDevice = Policy::isOnDevice;
  Policy policy_;

public:
  explicit Algorithms(Policy policy) : policy_(policy) {}

  // == Each item by itself

  template <typename Iterator, typename Function>
  Iterator for_each_n(Iterator first, long long items, Function function) {
    runForEach(policy_, items, first, function);
    return first + items;
  }
  template <typename Iterator, typename Function>
  Iterator for_each(Iterator first, Iterator last, Function function) {
    return for_each_n(first, last - first, function);
  }
  template <typename In, typename Out, typename Function>
  Out transform(In first, In last, Out output, Function function) {
    runTransform(policy_, last - first, first, output, function);
    return output + (last - first);
  }
  template <typename A, typename B, typename Out, typename Function>
  Out transform(A first, A last, B second, Out output, Function function) {
    runTransformPairs(policy_, last - first, first, second, output, function);
    return output + (last - first);
  }
  template <typename In, typename Stencil, typename Out, typename Function, typename Predicate>
  Out transform_if(In first, In last, Stencil stencil, Out output, Function function,
                   Predicate predicate) {
    runTransformIf(policy_, last - first, first, stencil, output, function, predicate);
    return output + (last - first);
  }
  template <typename In, typename Out, typename Function, typename Predicate>
  Out transform_if(In first, In last, Out output, Function function, Predicate predicate) {
    return transform_if(first, last, first, output, function, predicate);
  }
  template <typename In, typename Out> Out copy(In first, In last, Out output) {
    if constexpr (isOnDevice && (IsOnDevice<In>::value || IsOnDevice<Out>::value))
      return copyBetween(first, (long long)(last - first), output, policy_.stream);
    else if constexpr (isOnDevice)
      return copyWithin(first, last - first, output);
    else {
      for (; first != last; ++first, ++output)
        *output = *first;
      return output;
    }
  }
  template <typename In, typename Out> Out copy_n(In first, long long items, Out output) {
    return copy(first, first + items, output);
  }
  template <typename Iterator, typename Value>
  Iterator fill_n(Iterator first, long long items, const Value &value) {
    typedef cub::OutputOf<Iterator, Value> Kept;
    return copyWithin(constant_iterator<Kept>(Kept(value)), items, first);
  }
  template <typename Iterator, typename Value>
  void fill(Iterator first, Iterator last, const Value &value) {
    fill_n(first, last - first, value);
  }
  template <typename Iterator, typename First = int, typename Step = int>
  void sequence(Iterator begin, Iterator end, First first = First(0), Step step = Step(1)) {
    typedef ValueOf<Iterator> Value;
    const counting_iterator<long long> index(0);
    transform(index, index + (end - begin), begin, StepFrom<Value>{Value(first), Value(step)});
  }
  template <typename Iterator, typename Function>
  void generate(Iterator first, Iterator last, Function function) {
    runGenerate(policy_, last - first, first, function);
  }
  template <typename Iterator, typename Stencil, typename Predicate, typename Value>
  void replace_if(Iterator first, Iterator last, Stencil stencil, Predicate predicate,
                  const Value &value) {
    runReplaceIf(policy_, last - first, first, stencil, predicate, value);
  }
  template <typename Iterator, typename Predicate, typename Value>
  void replace_if(Iterator first, Iterator last, Predicate predicate, const Value &value) {
    replace_if(first, last, first, predicate, value);
  }
  template <typename Iterator, typename Value, typename New>
  void replace(Iterator first, Iterator last, const Value &value, const New &by) {
    replace_if(first, last, equalTo(value), by);
  }
  template <typename Map, typename In, typename Out>
  Out gather(Map first, Map last, In input, Out output) {
    return copyWithin(make_permutation_iterator(taken(input), taken(first)), last - first, output);
  }
  template <typename In, typename Map, typename Out>
  void scatter(In first, In last, Map map, Out output) {
    copyWithin(first, last - first, make_permutation_iterator(taken(output), taken(map)));
  }
  template <typename In, typename Out, typename Op = minus<>>
  Out adjacent_difference(In first, In last, Out output, Op op = Op()) {
    runAdjacentDifference(policy_, last - first, first, output, op);
    return output + (last - first);
  }
  template <typename Iterator> void reverse(Iterator first, Iterator last) {
    runReverse(policy_, (last - first) / 2, first, last - first);
  }

  // == Reductions

  template <typename Iterator, typename Value, typename Op>
  Value reduce(Iterator first, Iterator last, Value initial, Op op) {
    if constexpr (isOnDevice)
      return resultOf<Value>([&](void *memory, size_t &bytes, Value *result) {
        return cub::reduceOnDevice<Value>(memory, bytes, taken(first), result,
                                          (long long)(last - first), op, initial, policy_.stream);
      });
    else {
      for (; first != last; ++first)
        initial = op(initial, *first);
      return initial;
    }
  }
  template <typename Iterator, typename Value = ValueOf<Iterator>>
  Value reduce(Iterator first, Iterator last, Value initial = Value()) {
    return reduce(first, last, initial, plus<Value>());
  }
  template <typename Iterator, typename Function, typename Value, typename Op>
  Value transform_reduce(Iterator first, Iterator last, Function function, Value initial, Op op) {
    return reduce(make_transform_iterator(taken(first), function),
                  make_transform_iterator(taken(last), function), initial, op);
  }
  template <typename A, typename B, typename Value, typename Add = plus<Value>,
            typename Op = multiplies<Value>>
  Value inner_product(A first, A last, B second, Value initial, Add add = Add(), Op op = Op()) {
    return reduceIndices(
        last - first,
        [=, a = taken(first), b = taken(second)](long long i) mutable -> Value {
          return op(a[i], b[i]);
        },
        initial, add);
  }
  template <typename Iterator, typename Predicate>
  long long count_if(Iterator first, Iterator last, Predicate predicate) {
    return reduceIndices(last - first, where(first, predicate), 0LL, plus<long long>());
  }
  template <typename Iterator, typename Value>
  long long count(Iterator first, Iterator last, const Value &value) {
    return count_if(first, last, equalTo(value));
  }
  template <typename Iterator, typename Predicate>
  bool any_of(Iterator first, Iterator last, Predicate predicate) {
    return count_if(first, last, predicate) > 0;
  }
  template <typename Iterator, typename Predicate>
  bool none_of(Iterator first, Iterator last, Predicate predicate) {
    return count_if(first, last, predicate) == 0;
  }
  template <typename Iterator, typename Predicate>
  bool all_of(Iterator first, Iterator last, Predicate predicate) {
    return count_if(first, last, predicate) == last - first;
  }
  template <typename Iterator, typename Predicate>
  Iterator find_if(Iterator first, Iterator last, Predicate predicate) {
    return first + firstWhere(last - first, where(first, predicate));
  }
  template <typename Iterator, typename Value>
  Iterator find(Iterator first, Iterator last, const Value &value) {
    return find_if(first, last, equalTo(value));
  }
  template <typename Iterator, typename Less = less<>>
  bool is_sorted(Iterator first, Iterator last, Less less = Less()) {
    const auto falls = [=, input = taken(first)](long long i) mutable -> bool {
      return i > 0 && less(input[i], input[i - 1]);
    };
    return firstWhere(last - first, falls) == last - first;
  }
  template <typename A, typename B, typename Equal = equal_to<>>
  bool equal(A first, A last, B second, Equal equal = Equal()) {
    const auto differs = [=, a = taken(first), b = taken(second)](long long i) mutable -> bool {
      return !equal(a[i], b[i]);
    };
    return firstWhere(last - first, differs) == last - first;
  }
  template <typename Iterator, typename Less = less<>>
  Iterator min_element(Iterator first, Iterator last, Less less = Less()) {
    return firstOf(first, last, less);
  }
  template <typename Iterator, typename Less = less<>>
  Iterator max_element(Iterator first, Iterator last, Less less = Less()) {
    return firstOf(first, last,
                   [=](const auto &a, const auto &b) mutable -> bool { return less(b, a); });
  }
  template <typename Iterator, typename Less = less<>>
  pair<Iterator, Iterator> minmax_element(Iterator first, Iterator last, Less less = Less()) {
    return {min_element(first, last, less), max_element(first, last, less)};
  }

  // == Scans

  template <typename In, typename Out, typename Op = plus<>>
  Out inclusive_scan(In first, In last, Out output, Op op = Op()) {
    scan<ValueOf<In>>(taken(first), last - first, op, cub::NullType(),
                      cub::StoreInclusive<Taken<Out>>{taken(output)});
    return output + (last - first);
  }
  template <typename In, typename Out, typename Value = ValueOf<In>, typename Op = plus<>>
  Out exclusive_scan(In first, In last, Out output, Value initial = Value(), Op op = Op()) {
    scan<Value>(taken(first), last - first, op, initial,
                cub::StoreExclusive<Taken<Out>>{taken(output)});
    return output + (last - first);
  }
  template <typename Keys, typename Values, typename Out, typename Equal = equal_to<>,
            typename Op = plus<>>
  Out inclusive_scan_by_key(Keys first, Keys last, Values values, Out output, Equal equal = Equal(),
                            Op op = Op()) {
    return scanByKey<false>(first, last, values, output, ValueOf<Values>(), equal, op);
  }
  template <typename Keys, typename Values, typename Out, typename Value = ValueOf<Values>,
            typename Equal = equal_to<>, typename Op = plus<>>
  Out exclusive_scan_by_key(Keys first, Keys last, Values values, Out output,
                            Value initial = Value(), Equal equal = Equal(), Op op = Op()) {
    return scanByKey<true>(first, last, values, output, initial, equal, op);
  }

  // == Selections

  template <typename In, typename Stencil, typename Out, typename Predicate>
  Out copy_if(In first, In last, Stencil stencil, Out output, Predicate predicate) {
    return output + select(first, last - first, output, where(stencil, predicate));
  }
  template <typename In, typename Out, typename Predicate>
  Out copy_if(In first, In last, Out output, Predicate predicate) {
    return copy_if(first, last, first, output, predicate);
  }
  template <typename Iterator, typename Stencil, typename Predicate>
  Iterator remove_if(Iterator first, Iterator last, Stencil stencil, Predicate predicate) {
    return selectInPlace(first, last - first, where<false>(stencil, predicate));
  }
  template <typename Iterator, typename Predicate>
  Iterator remove_if(Iterator first, Iterator last, Predicate predicate) {
    return remove_if(first, last, first, predicate);
  }
  template <typename Iterator, typename Value>
  Iterator remove(Iterator first, Iterator last, const Value &value) {
    return remove_if(first, last, equalTo(value));
  }
  template <typename In, typename Out, typename Equal = equal_to<>>
  Out unique_copy(In first, In last, Out output, Equal equal = Equal()) {
    return output + select(first, last - first, output, beginsRun(first, equal));
  }
  template <typename Iterator, typename Equal = equal_to<>>
  Iterator unique(Iterator first, Iterator last, Equal equal = Equal()) {
    return selectInPlace(first, last - first, beginsRun(first, equal));
  }
  template <typename Keys, typename Values, typename KeysOut, typename ValuesOut,
            typename Equal = equal_to<>>
  pair<KeysOut, ValuesOut> unique_by_key_copy(Keys first, Keys last, Values values, KeysOut keysOut,
                                              ValuesOut valuesOut, Equal equal = Equal()) {
    const ValuesOut end =
        valuesOut + select(values, last - first, valuesOut, beginsRun(first, equal));
    return {unique_copy(first, last, keysOut, equal), end};
  }
  template <typename Keys, typename Values, typename Equal = equal_to<>>
  pair<Keys, Values> unique_by_key(Keys first, Keys last, Values values, Equal equal = Equal()) {
    const Values end = selectInPlace(values, last - first, beginsRun(first, equal));
    return {unique(first, last, equal), end};
  }
  template <typename Iterator, typename Predicate>
  Iterator stable_partition(Iterator first, Iterator last, Predicate predicate) {
    typedef ValueOf<Iterator> Value;
    const long long items = last - first;
    const std::conditional_t<isOnDevice, DeviceMemory<Value>, HostMemory<Value>> ordered(items);
    const long long count = select(first, items, ordered.get(), where(first, predicate));
    select(first, items, ordered.get() + count, where<false>(first, predicate));
    copyWithin((const Value *)ordered.get(), items, first);
    return first + count;
  }
  template <typename Iterator, typename Predicate>
  Iterator partition(Iterator first, Iterator last, Predicate predicate) {
    return stable_partition(first, last, predicate);
  }
  template <typename Keys, typename Values, typename KeysOut, typename ValuesOut,
            typename Equal = equal_to<>, typename Op = plus<>>
  pair<KeysOut, ValuesOut> reduce_by_key(Keys first, Keys last, Values values, KeysOut keysOut,
                                         ValuesOut valuesOut, Equal equal = Equal(), Op op = Op()) {
    typedef ValueOf<Values> Value;
    const long long items = last - first;
    long long count = 0;
    if constexpr (isOnDevice)
      count = resultOf<long long>([&](void *memory, size_t &bytes, long long *result) {
        return cub::reduceByKeyOnDevice<Value>(memory, bytes, taken(first), taken(keysOut),
                                               taken(values), taken(valuesOut), result, op, equal,
                                               items, policy_.stream);
      });
    else
      scan<cub::OfRun<Value>>(cub::valuesOfRuns<Value>(first, values, equal), items,
                              cub::AddOfRun<Op>{op}, cub::NullType(),
                              cub::StoreRuns<Keys, KeysOut, ValuesOut, long long *, Equal>{
                                  {first, equal}, keysOut, valuesOut, &count, items});
    return {keysOut + count, valuesOut + count};
  }

  // == Sorts

  template <typename Iterator, typename Less = less<>>
  void sort(Iterator first, Iterator last, Less less = Less()) {
    sortAll<false>(first, discard_iterator(), last - first, less);
  }
  template <typename Keys, typename Values, typename Less = less<>>
  void sort_by_key(Keys first, Keys last, Values values, Less less = Less()) {
    sortAll<false>(first, values, last - first, less);
  }
  template <typename Iterator, typename Less = less<>>
  void stable_sort(Iterator first, Iterator last, Less less = Less()) {
    sortAll<true>(first, discard_iterator(), last - first, less);
  }
  template <typename Keys, typename Values, typename Less = less<>>
  void stable_sort_by_key(Keys first, Keys last, Values values, Less less = Less()) {
    sortAll<true>(first, values, last - first, less);
  }
  /// In an order that the engine's numbers give.
  template <typename Iterator, typename Engine>
  void shuffle(Iterator first, Iterator last, Engine &&engine) {
    const long long items = last - first;
    if constexpr (isOnDevice) {
      std::vector<unsigned int> numbers((size_t)items);
      for (unsigned int &number : numbers)
        number = (unsigned int)engine();
      device_vector<unsigned int> keys(numbers);
      sort_by_key(keys.begin(), keys.end(), first);
    } else
      for (long long i = items - 1; i > 0; --i) {
        const long long other = (long long)(engine() % (unsigned long long)(i + 1));
        const ValueOf<Iterator> value = first[i];
        first[i] = ValueOf<Iterator>(first[other]);
        first[other] = value;
      }
  }

  // == Searches in sorted items: for one value, or for those of a range

  template <typename Iterator, typename Value, typename Less = less<>>
  Iterator lower_bound(Iterator first, Iterator last, const Value &value, Less less = Less()) {
    return first + answerFor(value, placeAmong<false>(first, last, less));
  }
  template <typename Iterator, typename Value, typename Less = less<>>
  Iterator upper_bound(Iterator first, Iterator last, const Value &value, Less less = Less()) {
    return first + answerFor(value, placeAmong<true>(first, last, less));
  }
  template <typename Iterator, typename Value, typename Less = less<>>
  bool binary_search(Iterator first, Iterator last, const Value &value, Less less = Less()) {
    return answerFor(value, isAmong(first, last, less));
  }
  template <typename Iterator, typename Values, typename Out, typename Less = less<>>
  Out lower_bound(Iterator first, Iterator last, Values valuesFirst, Values valuesLast, Out output,
                  Less less = Less()) {
    return transform(valuesFirst, valuesLast, output, placeAmong<false>(first, last, less));
  }
  template <typename Iterator, typename Values, typename Out, typename Less = less<>>
  Out upper_bound(Iterator first, Iterator last, Values valuesFirst, Values valuesLast, Out output,
                  Less less = Less()) {
    return transform(valuesFirst, valuesLast, output, placeAmong<true>(first, last, less));
  }
  template <typename Iterator, typename Values, typename Out, typename Less = less<>>
  Out binary_search(Iterator first, Iterator last, Values valuesFirst, Values valuesLast,
                    Out output, Less less = Less()) {
    return transform(valuesFirst, valuesLast, output, isAmong(first, last, less));
  }

private:
  template <typename Iterator> static auto taken(Iterator iterator) {
    if constexpr (isOnDevice)
      return forKernel(iterator);
    else
      return iterator;
  }
  template <typename Iterator> using Taken = decltype(taken(std::declval<Iterator>()));

  template <typename Function, typename Value, typename Op>
  Value reduceIndices(long long items, Function function, Value initial, Op op) {
    const counting_iterator<long long> index(0);
    return transform_reduce(index, index + items, function, initial, op);
  }
  /// The first index of which a rule holds, or the number of items.
  template <typename Rule> long long firstWhere(long long items, Rule rule) {
    return reduceIndices(
        items, [=](long long i) mutable -> long long { return rule(i) ? i : items; }, items,
        minimum<long long>());
  }
  /// The first of the least items.
  template <typename Iterator, typename Less>
  Iterator firstOf(Iterator first, Iterator last, Less less) {
    if (first == last)
      return last;
    const counting_iterator<long long> index(0);
    return first + reduce(index, index + (last - first), 0LL,
                          LesserAt<Taken<Iterator>, Less>{taken(first), less});
  }
  /// Copies from one kind of memory to itself.
  template <typename In, typename Out> Out copyWithin(In first, long long items, Out output) {
    if constexpr (isOnDevice)
      cub::copyOnDevice(taken(first), taken(output), items, policy_.stream);
    else
      for (long long i = 0; i < items; ++i)
        output[i] = first[i];
    return output + items;
  }
  template <typename Value> static auto equalTo(const Value &value) {
    return [=](const auto &other) -> bool { return other == value; };
  }
  /// Rules of indices: whether a predicate of the item there is `wanted`, whether the item differs
  /// from the one before.
  template <bool wanted = true, typename Stencil, typename Predicate>
  static auto where(Stencil stencil, Predicate predicate) {
    return [=, flags = taken(stencil)](long long i) mutable -> bool {
      return (predicate(flags[i]) ? true : false) == wanted;
    };
  }
  template <typename Keys, typename Equal> static auto beginsRun(Keys keys, Equal equal) {
    return cub::BeginsRun<Taken<Keys>, Equal>{taken(keys), equal};
  }
  /// The items of which a rule holds, in their order; their number.
  template <typename In, typename Out, typename Rule>
  long long select(In input, long long items, Out output, Rule rule) {
    long long count = 0;
    if constexpr (isOnDevice)
      count = resultOf<long long>([&](void *memory, size_t &bytes, long long *result) {
        return cub::selectOnDevice(memory, bytes, taken(input), taken(output), result, items, rule,
                                   policy_.stream);
      });
    else
      for (long long i = 0; i < items; ++i)
        if (rule(i))
          output[count++] = input[i];
    return count;
  }
  /// The same within the input's memory, which the device reads as a copy.
  template <typename Iterator, typename Rule>
  Iterator selectInPlace(Iterator first, long long items, Rule rule) {
    typedef ValueOf<Iterator> Value;
    if constexpr (isOnDevice) {
      const DeviceMemory<Value> selected(items);
      const long long count = select(first, items, selected.get(), rule);
      return copyWithin((const Value *)selected.get(), count, first);
    } else
      return first + select(first, items, first, rule);
  }
  /// `sink` gets (place, before, upTo), as of cub's scans.
  template <typename Value, typename In, typename Op, typename Initial, typename Sink>
  void scan(In input, long long items, Op op, Initial initial, Sink sink) {
    if constexpr (isOnDevice)
      callWithMemory([&](void *temporary, size_t &bytes) {
        cub::TemporaryMemory memory(temporary, bytes);
        return cub::scanOnDevice<Value>(memory, input, items, op, initial, sink, policy_.stream);
      });
    else {
      constexpr bool hasInitial = !std::is_same_v<Initial, cub::NullType>;
      Value before{};
      if constexpr (hasInitial)
        before = initial;
      for (long long i = 0; i < items; ++i) {
        const Value upTo = hasInitial || i > 0 ? Value(op(before, input[i])) : Value(input[i]);
        sink(i, before, upTo);
        before = upTo;
      }
    }
  }
  template <bool isExclusive, typename Keys, typename Values, typename Out, typename Value,
            typename Equal, typename Op>
  Out scanByKey(Keys first, Keys last, Values values, Out output, Value initial, Equal equal,
                Op op) {
    scan<cub::OfRun<Value>>(
        cub::valuesOfRuns<Value>(taken(first), taken(values), equal), last - first,
        cub::AddOfRun<Op>{op}, cub::NullType(),
        StoreOfRun<Taken<Out>, Value, Op, isExclusive>{taken(output), initial, op});
    return output + (last - first);
  }
  template <bool orEqual, typename Iterator, typename Less>
  static auto placeAmong(Iterator first, Iterator last, Less less) {
    return PlaceAmong<Taken<Iterator>, Less, orEqual>{taken(first), last - first, less};
  }
  template <typename Iterator, typename Less>
  static auto isAmong(Iterator first, Iterator last, Less less) {
    return IsAmong<Taken<Iterator>, Less>{taken(first), last - first, less};
  }
  template <typename Value, typename Function>
  auto answerFor(const Value &value, Function function) {
    if constexpr (isOnDevice) {
      const DeviceMemory<decltype(function(value))> result(1);
      const constant_iterator<Value> values(value);
      transform(values, values + 1, result.get(), function);
      return result[0];
    } else
      return function(value);
  }
  /// `values`: discard_iterator for none. `isStable`: equal keys keep their order, as the device's
  /// sorts always do: of numbers by radix, of others by merging.
  template <bool isStable, typename Keys, typename Values, typename Less>
  void sortAll(Keys keys, Values values, long long items, Less less) {
    typedef ValueOf<Keys> Key;
    typedef ValueOf<Values> Value;
    constexpr bool hasValues = !std::is_same_v<Value, cub::NullType>;
    constexpr bool isNumber = std::is_arithmetic_v<Key> && sizeof(Key) <= 8 &&
                              !std::is_same_v<Key, bool> && IsContiguous<Keys>::value &&
                              (!hasValues || IsContiguous<Values>::value) &&
                              (IsNatural<Less, Key>::value || IsReversed<Less, Key>::value);
    if constexpr (isOnDevice && isNumber) {
      const DeviceMemory<Key> otherKeys(items);
      const DeviceMemory<Value> otherValues(hasValues ? items : 1);
      cub::DoubleBuffer<Key> keyBuffers(taken(keys), otherKeys.get());
      cub::DoubleBuffer<Value> valueBuffers(nullptr, otherValues.get());
      if constexpr (hasValues)
        valueBuffers.d_buffers[0] = taken(values);
      callWithMemory([&](void *memory, size_t &bytes) {
        return cub::radixSortOnDevice(memory, bytes, keyBuffers, valueBuffers, items, 0,
                                      (int)sizeof(Key) * 8, IsReversed<Less, Key>::value, true,
                                      policy_.stream);
      });
      if (keyBuffers.selector == 1) {
        copyWithin((const Key *)otherKeys.get(), items, keys);
        if constexpr (hasValues)
          copyWithin((const Value *)otherValues.get(), items, values);
      }
    } else if constexpr (isOnDevice) {
      callWithMemory([&](void *memory, size_t &bytes) {
        return cub::mergeSortOnDevice<Key, Value>(memory, bytes, taken(keys), taken(values), items,
                                                  less, policy_.stream);
      });
    } else {
#ifndef __HIP_DEVICE_COMPILE__
      if constexpr (!hasValues && IsContiguous<Keys>::value)
        return std::stable_sort(keys, keys + items, less);
#endif
      const auto sorted = [&](auto first, auto isBefore) {
        if constexpr (isStable)
          insertionSort(first, items, isBefore);
        else
          heapSort(first, items, isBefore);
      };
      if constexpr (hasValues)
        sorted(make_zip_iterator(keys, values),
               [&](const auto &a, const auto &b) -> bool { return less(a.head, b.head); });
      else
        sorted(keys, less);
    }
  }
};

/// The algorithms as functions, with a policy before their arguments or without one.
#define AIWC_WITH_POLICY(name)                                                                     \
  template <typename Policy, typename... Arguments, IfPolicy<Policy> = 0>                          \
  decltype(auto) name(const Policy &policy, Arguments &&...arguments) {                            \
    return Algorithms<Policy>(policy).name(static_cast<Arguments &&>(arguments)...);               \
  }
#define AIWC_ALGORITHM(name)                                                                       \
  AIWC_WITH_POLICY(name)                                                                           \
  template <typename First, typename... Rest, IfNoPolicy<std::decay_t<First>> = 0>                 \
  decltype(auto) name(First &&first, Rest &&...rest) {                                             \
    return thrust::name(PolicyOf<First, Rest...>(), static_cast<First &&>(first),                  \
                        static_cast<Rest &&>(rest)...);                                            \
  }
#define AIWC_ALGORITHMS(a, b, c, d)                                                                \
  AIWC_ALGORITHM(a) AIWC_ALGORITHM(b) AIWC_ALGORITHM(c) AIWC_ALGORITHM(d)
AIWC_ALGORITHMS(for_each, for_each_n, transform, transform_if)
AIWC_ALGORITHMS(fill, fill_n, sequence, generate)
AIWC_ALGORITHMS(replace, replace_if, gather, scatter)
AIWC_ALGORITHMS(reverse, adjacent_difference, reduce, transform_reduce)
AIWC_ALGORITHMS(inner_product, count, count_if, any_of)
AIWC_ALGORITHMS(all_of, none_of, find, find_if)
AIWC_ALGORITHMS(is_sorted, equal, min_element, max_element)
AIWC_ALGORITHMS(minmax_element, inclusive_scan, exclusive_scan, inclusive_scan_by_key)
AIWC_ALGORITHMS(exclusive_scan_by_key, copy_if, remove, remove_if)
AIWC_ALGORITHMS(unique, unique_copy, unique_by_key, unique_by_key_copy)
AIWC_ALGORITHMS(partition, stable_partition, reduce_by_key, shuffle)
AIWC_ALGORITHMS(sort, sort_by_key, stable_sort, stable_sort_by_key)
AIWC_ALGORITHM(lower_bound)
AIWC_ALGORITHM(upper_bound)
AIWC_ALGORITHM(binary_search)
// Without a policy, these copy between host and device, too.
AIWC_WITH_POLICY(copy)
AIWC_WITH_POLICY(copy_n)
template <typename In, typename Out, IfNoPolicy<In> = 0>
Out copy_n(In first, long long items, Out output) {
#ifdef __HIP_DEVICE_COMPILE__
  return thrust::copy_n(seq, first, items, output);
#else
  return copyBetween(first, items, output);
#endif
}
template <typename In, typename Out, IfNoPolicy<In> = 0> Out copy(In first, In last, Out output) {
  return thrust::copy_n(first, (long long)(last - first), output);
}
#undef AIWC_ALGORITHMS
#undef AIWC_ALGORITHM
#undef AIWC_WITH_POLICY

AIWC_END_EITHER
} // namespace thrust
