// thrust's algorithms: on the device by cub's kernels; on the host, and within a thread (seq), one
// item after the other. Without a policy, an iterator of the device's memory asks for the device.
#pragma once
#pragma GCC system_header
#include "aiwc_thrust_memory.h"

#include <algorithm>
#include <functional>

namespace thrust {

// == Where to execute

template <class Policy> struct execution_policy {};
template <bool onDevice> struct ExecutionPolicy : execution_policy<ExecutionPolicy<onDevice>> {
  static constexpr bool isOnDevice = onDevice;
  cudaStream_t stream = nullptr;
  constexpr ExecutionPolicy() {}
  ExecutionPolicy on(cudaStream_t stream) const {
    ExecutionPolicy policy;
    policy.stream = stream;
    return policy;
  }
  template <class Allocator> ExecutionPolicy operator()(Allocator &&) const { return *this; }
};
typedef ExecutionPolicy<true> device_execution_policy;
typedef ExecutionPolicy<false> host_execution_policy;
static constexpr ExecutionPolicy<true> device;
static constexpr ExecutionPolicy<false> host, seq;
namespace cuda {
static constexpr ExecutionPolicy<true> par, par_nosync;
using thrust::execution_policy;
} // namespace cuda
namespace hip {
using namespace cuda;
}
namespace system {
namespace cuda = thrust::cuda;
} // namespace system

template <class Any, class = void> struct IsPolicy : std::false_type {};
template <class Any>
struct IsPolicy<Any, std::enable_if_t<(Any::isOnDevice, true)>> : std::true_type {};
template <class Any> using IfPolicy = std::enable_if_t<IsPolicy<Any>::value, int>;
template <class Any> using IfNoPolicy = std::enable_if_t<!IsPolicy<Any>::value, int>;
/// Without a policy, that of the iterators.
template <class... Arguments>
using PolicyOf = ExecutionPolicy<std::disjunction_v<IsOnDevice<std::decay_t<Arguments>>...>>;

// == Each item by itself

/// A kernel for each of some indices `i`, and runName(function, policy, count, arguments...), which
/// launches it for thrust's function of that name, or loops. Buffers are parameters of their own,
/// so that profiles tell them apart.
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
  template <class Policy, class... Arguments>                                                      \
  __host__ __device__ void run##Name(const char *function, Policy policy, long long count,         \
                                     Arguments... arguments) {                                     \
    if constexpr (!Policy::isOnDevice)                                                             \
      for (long long i = 0; i < count; ++i)                                                        \
        each##Name(i, arguments...);                                                               \
    else if (count > 0) {                                                                          \
      Name##Kernel<<<cub::blocksOf(count), cub::kDeviceThreads, 0, policy.stream>>>(               \
          forKernel(arguments)..., count);                                                         \
      expectSuccess(cudaPeekAtLastError(), function);                                              \
    }                                                                                              \
  }
AIWC_EACH(ForEach, (class In, class Fn), (In input, Fn function), function(input[i]))
AIWC_EACH(Transform, (class In, class Out, class Fn), (In input, Out output, Fn function),
          output[i] = function(input[i]))
AIWC_EACH(TransformPairs, (class First, class Second, class Out, class Fn),
          (First a, Second b, Out output, Fn function), output[i] = function(a[i], b[i]))
AIWC_EACH(TransformIf, (class In, class Stencil, class Out, class Fn, class Pred),
          (In input, Stencil stencil, Out output, Fn function, Pred predicate),
          if (predicate(stencil[i])) output[i] = function(input[i]))
AIWC_EACH(Generate, (class Out, class Fn), (Out output, Fn function), output[i] = function())
AIWC_EACH(ReplaceIf, (class Out, class Stencil, class Pred, class Value),
          (Out output, Stencil stencil, Pred predicate, Value value),
          if (predicate(stencil[i])) output[i] = value)
AIWC_EACH(AdjacentDifference, (class In, class Out, class Op), (In input, Out output, Op op),
          if (i == 0) output[0] = input[0];
          else output[i] = op(input[i], input[i - 1]))
AIWC_EACH(Reverse, (class It), (It first, long long items), const ValueOf<It> value = first[i];
          first[i] = ValueOf<It>(first[items - 1 - i]); first[items - 1 - i] = value)
#undef AIWC_EACH
#undef AIWC_LIST

/// The result that a function of cub leaves in the device's memory for thrust's `function`; `call`
/// gets (memory, result).
template <class Result, class Call> Result resultOf(const char *function, Call call) {
  const DeviceMemory<Result> result(1);
  size_t bytes = 0;
  call(cub::TemporaryMemory(nullptr, bytes), result.get());
  const DeviceMemory<unsigned char> memory((long long)bytes);
  expectSuccess(call(cub::TemporaryMemory(memory.get(), bytes), result.get()), function);
  return result[0];
}
template <class Call> void callWithMemory(const char *function, Call call) {
  resultOf<int>(function, [&](const auto &memory, int *) { return call(memory); });
}
/// Memory of the host for the time of a call.
template <class Value> struct HostMemory : std::unique_ptr<Value[]> {
  explicit HostMemory(long long count) : std::unique_ptr<Value[]>(new Value[(size_t)count]) {}
};

template <class Less, class Key, template <typename> class... Orders>
constexpr bool
    isOneOf = ((std::is_same_v<Less, Orders<Key>> || std::is_same_v<Less, Orders<void>>) || ...);

AIWC_BEGIN_EITHER
/// The first of equal ones.
template <class Value, class Less = thrust::less<>>
Value min(const Value &a, const Value &b, Less less = Less()) {
  return less(b, a) ? b : a;
}
template <class Value, class Less = thrust::less<>>
Value max(const Value &a, const Value &b, Less less = Less()) {
  return less(a, b) ? b : a;
}
template <class It, class Less> void heapSort(It first, long long items, Less less) {
  typedef ValueOf<It> Value;
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
template <class It, class Less> void insertionSort(It first, long long items, Less less) {
  for (long long i = 1; i < items; ++i) {
    const ValueOf<It> value = first[i];
    long long to = i;
    for (; to > 0 && less(value, first[to - 1]); --to)
      first[to] = ValueOf<It>(first[to - 1]);
    first[to] = value;
  }
}

// == Functions that are parts of kernels' names

template <class Value> struct StepFrom {
  Value first, step;
  Value operator()(long long i) const { return Value(first + step * Value(i)); }
};
/// Of two indices, that of the lesser item; the earlier of equal ones.
template <class In, class Less> struct LesserAt {
  In input;
  Less less;
  long long operator()(long long a, long long b) {
    if (less(input[b], input[a]))
      return b;
    return a < b || less(input[a], input[b]) ? a : b;
  }
};
/// How many of the sorted items come before a value.
template <class In, class Less, bool orEqual> struct PlaceAmong {
  In input;
  long long items;
  Less less;
  template <class Value> long long operator()(const Value &value) {
    return cub::placeAmong(input, items, value, less, orEqual);
  }
};
template <class In, class Less> using LowerPlace = PlaceAmong<In, Less, false>;
template <class In, class Less> using UpperPlace = PlaceAmong<In, Less, true>;
template <class In, class Less> struct IsAmong {
  In input;
  long long items;
  Less less;
  template <class Value> bool operator()(const Value &value) {
    const long long i = cub::placeAmong(input, items, value, less, false);
    return i < items && !less(value, input[i]);
  }
};
/// A sink of cub's scans of runs.
template <class Out, class Value, class Op, bool isExclusive> struct StoreOfRun {
  Out output;
  Value initial;
  Op op;
  template <class Run> void operator()(long long i, const Run &before, const Run &upTo) {
    if constexpr (!isExclusive)
      output[i] = upTo.value;
    else if (i == 0 || upTo.runs > before.runs)
      output[i] = initial;
    else
      output[i] = Value(op(initial, before.value));
  }
};

/// The algorithms under a policy. Lambdas get iterators as kernels take them (`taken`).
template <class Policy> class Algorithms {
  static constexpr bool isOnDevice = Policy::isOnDevice;
  const char *function_; ///< of thrust, which the program calls
  Policy policy_;

public:
  Algorithms(const char *function, Policy policy) : function_(function), policy_(policy) {}

  // == Each item by itself

  template <class It, class Fn> It for_each_n(It first, long long items, Fn function) {
    runForEach(function_, policy_, items, first, function);
    return first + items;
  }
  template <class It, class Fn> It for_each(It first, It last, Fn function) {
    return for_each_n(first, last - first, function);
  }
  template <class In, class Out, class Fn>
  Out transform(In first, In last, Out output, Fn function) {
    runTransform(function_, policy_, last - first, first, output, function);
    return output + (last - first);
  }
  template <class First, class Second, class Out, class Fn>
  Out transform(First first, First last, Second second, Out output, Fn function) {
    runTransformPairs(function_, policy_, last - first, first, second, output, function);
    return output + (last - first);
  }
  template <class In, class Stencil, class Out, class Fn, class Pred>
  Out transform_if(In first, In last, Stencil stencil, Out output, Fn function, Pred predicate) {
    runTransformIf(function_, policy_, last - first, first, stencil, output, function, predicate);
    return output + (last - first);
  }
  template <class In, class Out, class Fn, class Pred>
  Out transform_if(In first, In last, Out output, Fn function, Pred predicate) {
    return transform_if(first, last, first, output, function, predicate);
  }
  template <class In, class Out> Out copy(In first, In last, Out output) {
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
  template <class In, class Out> Out copy_n(In first, long long items, Out output) {
    return copy(first, first + items, output);
  }
  template <class It, class Value> It fill_n(It first, long long items, const Value &value) {
    typedef cub::OutputOf<It, Value> Kept;
    return copyWithin(constant_iterator<Kept>(Kept(value)), items, first);
  }
  template <class It, class Value> void fill(It first, It last, const Value &value) {
    fill_n(first, last - first, value);
  }
  template <class It, class First = int, class Step = int>
  void sequence(It begin, It end, First first = First(0), Step step = Step(1)) {
    typedef ValueOf<It> Value;
    const counting_iterator<long long> index(0);
    transform(index, index + (end - begin), begin, StepFrom<Value>{Value(first), Value(step)});
  }
  template <class It, class Fn> void generate(It first, It last, Fn function) {
    runGenerate(function_, policy_, last - first, first, function);
  }
  template <class It, class Stencil, class Pred, class Value>
  void replace_if(It first, It last, Stencil stencil, Pred predicate, const Value &value) {
    runReplaceIf(function_, policy_, last - first, first, stencil, predicate, value);
  }
  template <class It, class Pred, class Value>
  void replace_if(It first, It last, Pred predicate, const Value &value) {
    replace_if(first, last, first, predicate, value);
  }
  template <class It, class Value, class New>
  void replace(It first, It last, const Value &value, const New &by) {
    replace_if(first, last, equalTo(value), by);
  }
  template <class Map, class In, class Out> Out gather(Map first, Map last, In input, Out output) {
    return copyWithin(make_permutation_iterator(taken(input), taken(first)), last - first, output);
  }
  template <class In, class Map, class Out> void scatter(In first, In last, Map map, Out output) {
    copyWithin(first, last - first, make_permutation_iterator(taken(output), taken(map)));
  }
  template <class Map, class Stencil, class In, class Out, class Pred = identity<>>
  Out gather_if(Map first, Map last, Stencil stencil, In input, Out output, Pred predicate = {}) {
    const auto chosen = make_permutation_iterator(taken(input), taken(first));
    return transform_if(chosen, chosen + (last - first), stencil, output, identity<>(), predicate);
  }
  template <class In, class Map, class Stencil, class Out, class Pred = identity<>>
  void scatter_if(In first, In last, Map map, Stencil stencil, Out output, Pred predicate = {}) {
    transform_if(first, last, stencil, make_permutation_iterator(taken(output), taken(map)),
                 identity<>(), predicate);
  }
  template <class It, class Fn> void tabulate(It first, It last, Fn function) {
    const counting_iterator<ptrdiff_t> index(0);
    transform(index, index + (last - first), first, function);
  }
  template <class In, class Out, class Op = minus<>>
  Out adjacent_difference(In first, In last, Out output, Op op = Op()) {
    typedef ValueOf<In> Value;
    const long long items = last - first;
    if constexpr (!isOnDevice) {
      Value before{};
      for (long long i = 0; i < items; ++i) {
        const Value value = first[i]; // the output may be the input
        output[i] = i == 0 ? value : op(value, before);
        before = value;
      }
      return output + items;
    } else {
      if constexpr (std::is_convertible_v<Out, In>)
        if (In(output) == first) {
          const DeviceMemory<Value> input(items);
          copyWithin(first, items, input.get());
          runAdjacentDifference(function_, policy_, items, input.get(), output, op);
          return output + items;
        }
      runAdjacentDifference(function_, policy_, items, first, output, op);
      return output + items;
    }
  }
  template <class It> void reverse(It first, It last) {
    runReverse(function_, policy_, (last - first) / 2, first, last - first);
  }

  // == Reductions

  template <class It, class Value, class Op> Value reduce(It first, It last, Value initial, Op op) {
    if constexpr (isOnDevice)
      return resultOf<Value>(function_, [&](const auto &memory, Value *result) {
        return cub::reduceOnDevice<Value>(memory, taken(first), result, (long long)(last - first),
                                          op, initial, policy_.stream);
      });
    else {
      for (; first != last; ++first)
        initial = op(initial, *first);
      return initial;
    }
  }
  template <class It, class Value = ValueOf<It>>
  Value reduce(It first, It last, Value initial = Value()) {
    return reduce(first, last, initial, plus<Value>());
  }
  template <class It, class Fn, class Value, class Op>
  Value transform_reduce(It first, It last, Fn function, Value initial, Op op) {
    return reduce(make_transform_iterator(taken(first), function),
                  make_transform_iterator(taken(last), function), initial, op);
  }
  template <class First, class Second, class Value, class Add = plus<Value>,
            class Op = multiplies<Value>>
  Value inner_product(First first, First last, Second second, Value initial, Add add = Add(),
                      Op op = Op()) {
    return reduceIndices(
        last - first,
        [=, a = taken(first), b = taken(second)](long long i) mutable -> Value {
          return op(a[i], b[i]);
        },
        initial, add);
  }
  template <class It, class Pred> long long count_if(It first, It last, Pred predicate) {
    return reduceIndices(last - first, where(first, predicate), 0LL, plus<long long>());
  }
  template <class It, class Value> long long count(It first, It last, const Value &value) {
    return count_if(first, last, equalTo(value));
  }
  template <class It, class Pred> bool any_of(It first, It last, Pred predicate) {
    return count_if(first, last, predicate) > 0;
  }
  template <class It, class Pred> bool none_of(It first, It last, Pred predicate) {
    return count_if(first, last, predicate) == 0;
  }
  template <class It, class Pred> bool all_of(It first, It last, Pred predicate) {
    return count_if(first, last, predicate) == last - first;
  }
  template <class It, class Pred> It find_if(It first, It last, Pred predicate) {
    return first + firstWhere(last - first, where(first, predicate));
  }
  template <class It, class Value> It find(It first, It last, const Value &value) {
    return find_if(first, last, equalTo(value));
  }
  template <class It, class Less = less<>> bool is_sorted(It first, It last, Less less = Less()) {
    const auto falls = [=, input = taken(first)](long long i) mutable -> bool {
      return i > 0 && less(input[i], input[i - 1]);
    };
    return firstWhere(last - first, falls) == last - first;
  }
  template <class First, class Second, class Equal = equal_to<>>
  bool equal(First first, First last, Second second, Equal equal = Equal()) {
    const auto differs = [=, a = taken(first), b = taken(second)](long long i) mutable -> bool {
      return !equal(a[i], b[i]);
    };
    return firstWhere(last - first, differs) == last - first;
  }
  template <class It, class Less = less<>> It min_element(It first, It last, Less less = Less()) {
    return firstOf(first, last, less);
  }
  template <class It, class Less = less<>> It max_element(It first, It last, Less less = Less()) {
    return firstOf(first, last,
                   [=](const auto &a, const auto &b) mutable -> bool { return less(b, a); });
  }
  template <class It, class Less = less<>>
  pair<It, It> minmax_element(It first, It last, Less less = Less()) {
    return {min_element(first, last, less), max_element(first, last, less)};
  }

  // == Scans

  template <class In, class Out, class Op = plus<>>
  Out inclusive_scan(In first, In last, Out output, Op op = Op()) {
    scan<ValueOf<In>>(taken(first), last - first, op, cub::NullType(),
                      cub::StoreInclusive<Taken<Out>>{taken(output)});
    return output + (last - first);
  }
  template <class In, class Out, class Value = ValueOf<In>, class Op = plus<>>
  Out exclusive_scan(In first, In last, Out output, Value initial = Value(), Op op = Op()) {
    scan<Value>(taken(first), last - first, op, initial,
                cub::StoreExclusive<Taken<Out>>{taken(output)});
    return output + (last - first);
  }
  template <class In, class Out, class Fn, class Op>
  Out transform_inclusive_scan(In first, In last, Out output, Fn function, Op op) {
    const auto made = make_transform_iterator(taken(first), function);
    return inclusive_scan(made, made + (last - first), output, op);
  }
  template <class In, class Out, class Fn, class Value, class Op>
  Out transform_exclusive_scan(In first, In last, Out output, Fn function, Value initial, Op op) {
    const auto made = make_transform_iterator(taken(first), function);
    return exclusive_scan(made, made + (last - first), output, initial, op);
  }
  template <class Keys, class Values, class Out, class Equal = equal_to<>, class Op = plus<>>
  Out inclusive_scan_by_key(Keys first, Keys last, Values values, Out output, Equal equal = Equal(),
                            Op op = Op()) {
    return scanByKey<false>(first, last, values, output, ValueOf<Values>(), equal, op);
  }
  template <class Keys, class Values, class Out, class Value = ValueOf<Values>,
            class Equal = equal_to<>, class Op = plus<>>
  Out exclusive_scan_by_key(Keys first, Keys last, Values values, Out output,
                            Value initial = Value(), Equal equal = Equal(), Op op = Op()) {
    return scanByKey<true>(first, last, values, output, initial, equal, op);
  }

  // == Selections

  template <class In, class Stencil, class Out, class Pred>
  Out copy_if(In first, In last, Stencil stencil, Out output, Pred predicate) {
    return output + select(first, last - first, output, where(stencil, predicate));
  }
  template <class In, class Out, class Pred>
  Out copy_if(In first, In last, Out output, Pred predicate) {
    return copy_if(first, last, first, output, predicate);
  }
  template <class It, class Stencil, class Pred>
  It remove_if(It first, It last, Stencil stencil, Pred predicate) {
    return selectInPlace(first, last - first, where<false>(stencil, predicate));
  }
  template <class It, class Pred> It remove_if(It first, It last, Pred predicate) {
    return remove_if(first, last, first, predicate);
  }
  template <class It, class Value> It remove(It first, It last, const Value &value) {
    return remove_if(first, last, equalTo(value));
  }
  template <class In, class Out, class Equal = equal_to<>>
  Out unique_copy(In first, In last, Out output, Equal equal = Equal()) {
    return output + select(first, last - first, output, beginsRun(first, equal));
  }
  template <class It, class Equal = equal_to<>>
  It unique(It first, It last, Equal equal = Equal()) {
    return selectInPlace(first, last - first, beginsRun(first, equal));
  }
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal = equal_to<>>
  pair<KeysOut, ValuesOut> unique_by_key_copy(Keys first, Keys last, Values values, KeysOut keysOut,
                                              ValuesOut valuesOut, Equal equal = Equal()) {
    const ValuesOut end =
        valuesOut + select(values, last - first, valuesOut, beginsRun(first, equal));
    return {unique_copy(first, last, keysOut, equal), end};
  }
  template <class Keys, class Values, class Equal = equal_to<>>
  pair<Keys, Values> unique_by_key(Keys first, Keys last, Values values, Equal equal = Equal()) {
    const Values end = selectInPlace(values, last - first, beginsRun(first, equal));
    return {unique(first, last, equal), end};
  }
  template <class It, class Stencil, class Pred>
  It stable_partition(It first, It last, Stencil stencil, Pred predicate) {
    typedef ValueOf<It> Value;
    const long long items = last - first;
    const std::conditional_t<isOnDevice, DeviceMemory<Value>, HostMemory<Value>> ordered(items);
    const long long count = select(first, items, ordered.get(), where(stencil, predicate));
    select(first, items, ordered.get() + count, where<false>(stencil, predicate));
    copyWithin((const Value *)ordered.get(), items, first);
    return first + count;
  }
  template <class It, class Pred> It stable_partition(It first, It last, Pred predicate) {
    return stable_partition(first, last, first, predicate);
  }
  template <class It, class... Rest> It partition(It first, It last, Rest... rest) {
    return stable_partition(first, last, rest...);
  }
  template <class In, class Stencil, class Out, class Others, class Pred>
  pair<Out, Others> partition_copy(In first, In last, Stencil stencil, Out output, Others others,
                                   Pred predicate) {
    const long long left = select(first, last - first, others, where<false>(stencil, predicate));
    return {copy_if(first, last, stencil, output, predicate), others + left};
  }
  template <class In, class Out, class Others, class Pred>
  pair<Out, Others> partition_copy(In first, In last, Out output, Others others, Pred predicate) {
    return partition_copy(first, last, first, output, others, predicate);
  }
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Equal = equal_to<>,
            class Op = plus<>>
  pair<KeysOut, ValuesOut> reduce_by_key(Keys first, Keys last, Values values, KeysOut keysOut,
                                         ValuesOut valuesOut, Equal equal = Equal(), Op op = Op()) {
    typedef ValueOf<Values> Value;
    const long long items = last - first;
    long long count = 0;
    if constexpr (isOnDevice)
      count = resultOf<long long>(function_, [&](const auto &memory, long long *result) {
        return cub::reduceByKeyOnDevice<Value>(memory, taken(first), taken(keysOut), taken(values),
                                               taken(valuesOut), result, op, equal, items,
                                               policy_.stream);
      });
    else
      scan<cub::OfRun<Value>>(cub::valuesOfRuns<Value>(first, values, equal), items,
                              cub::AddOfRun<Op>{op}, cub::NullType(),
                              cub::StoreRuns<Keys, KeysOut, ValuesOut, long long *, Equal>{
                                  {first, equal}, keysOut, valuesOut, &count, items});
    return {keysOut + count, valuesOut + count};
  }

  // == Sorts

  template <class It, class... Less> void sort(It first, It last, Less... less) {
    sortAll<false>(first, discard_iterator(), last - first, less...);
  }
  template <class Keys, class Values, class... Less>
  void sort_by_key(Keys first, Keys last, Values values, Less... less) {
    sortAll<false>(first, values, last - first, less...);
  }
  template <class It, class... Less> void stable_sort(It first, It last, Less... less) {
    sortAll<true>(first, discard_iterator(), last - first, less...);
  }
  template <class Keys, class Values, class... Less>
  void stable_sort_by_key(Keys first, Keys last, Values values, Less... less) {
    sortAll<true>(first, values, last - first, less...);
  }
  /// In an order that the engine's numbers give.
  template <class It, class Engine> void shuffle(It first, It last, Engine &&engine) {
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
        const ValueOf<It> value = first[i];
        first[i] = ValueOf<It>(first[other]);
        first[other] = value;
      }
  }

  // == Searches in sorted items: for one value, or for those of a range

#define AIWC_SEARCH(name, Found, Result, result)                                                   \
  template <class It, class Value, class Less = less<>>                                            \
  Result name(It first, It last, const Value &value, Less less = Less()) {                         \
    return result answerFor(value, Found<Taken<It>, Less>{taken(first), last - first, less});      \
  }                                                                                                \
  template <class It, class Values, class Out, class Less = less<>>                                \
  Out name(It first, It last, Values valuesFirst, Values valuesLast, Out output,                   \
           Less less = Less()) {                                                                   \
    return transform(valuesFirst, valuesLast, output,                                              \
                     Found<Taken<It>, Less>{taken(first), last - first, less});                    \
  }
  AIWC_SEARCH(lower_bound, LowerPlace, It, first +)
  AIWC_SEARCH(upper_bound, UpperPlace, It, first +)
  AIWC_SEARCH(binary_search, IsAmong, bool, )
#undef AIWC_SEARCH
  template <class It, class Value, class Less = less<>>
  pair<It, It> equal_range(It first, It last, const Value &value, Less less = Less()) {
    return {lower_bound(first, last, value, less), upper_bound(first, last, value, less)};
  }

private:
  template <class It> static auto taken(It iterator) {
    if constexpr (isOnDevice)
      return forKernel(iterator);
    else
      return iterator;
  }
  template <class It> using Taken = decltype(taken(std::declval<It>()));

  template <class Fn, class Value, class Op>
  Value reduceIndices(long long items, Fn function, Value initial, Op op) {
    const counting_iterator<long long> index(0);
    return transform_reduce(index, index + items, function, initial, op);
  }
  /// The first index of which a rule holds, or the number of items.
  template <class Rule> long long firstWhere(long long items, Rule rule) {
    return reduceIndices(
        items, [=](long long i) mutable -> long long { return rule(i) ? i : items; }, items,
        minimum<long long>());
  }
  /// The first of the least items.
  template <class It, class Less> It firstOf(It first, It last, Less less) {
    if (first == last)
      return last;
    const counting_iterator<long long> index(0);
    return first + reduce(index, index + (last - first), 0LL,
                          LesserAt<Taken<It>, Less>{taken(first), less});
  }
  /// Copies from one kind of memory to itself.
  template <class In, class Out> Out copyWithin(In first, long long items, Out output) {
    if constexpr (isOnDevice)
      expectSuccess(cub::copyOnDevice(taken(first), taken(output), items, policy_.stream),
                    function_);
    else
      for (long long i = 0; i < items; ++i)
        output[i] = first[i];
    return output + items;
  }
  template <class Value> static auto equalTo(const Value &value) {
    return [=](const auto &other) -> bool { return other == value; };
  }
  /// Rules of indices: whether a predicate of the item there is `wanted`, whether the item differs
  /// from the one before.
  template <bool wanted = true, class Stencil, class Pred>
  static auto where(Stencil stencil, Pred predicate) {
    return [=, flags = taken(stencil)](long long i) mutable -> bool {
      return (predicate(flags[i]) ? true : false) == wanted;
    };
  }
  template <class Keys, class Equal> static auto beginsRun(Keys keys, Equal equal) {
    return cub::BeginsRun<Taken<Keys>, Equal>{taken(keys), equal};
  }
  /// The items of which a rule holds, in their order; their number.
  template <class In, class Out, class Rule>
  long long select(In input, long long items, Out output, Rule rule) {
    long long count = 0;
    if constexpr (isOnDevice)
      count = resultOf<long long>(function_, [&](const auto &memory, long long *result) {
        return cub::selectOnDevice(memory, taken(input), taken(output), result, items, rule,
                                   policy_.stream);
      });
    else
      for (long long i = 0; i < items; ++i)
        if (rule(i))
          output[count++] = input[i];
    return count;
  }
  /// The same within the input's memory, which the device reads as a copy.
  template <class It, class Rule> It selectInPlace(It first, long long items, Rule rule) {
    typedef ValueOf<It> Value;
    if constexpr (isOnDevice) {
      const DeviceMemory<Value> selected(items);
      const long long count = select(first, items, selected.get(), rule);
      return copyWithin((const Value *)selected.get(), count, first);
    } else
      return first + select(first, items, first, rule);
  }
  /// `sink` gets (place, before, upTo), as of cub's scans.
  template <class Value, class In, class Op, class Initial, class Sink>
  void scan(In input, long long items, Op op, Initial initial, Sink sink) {
    if constexpr (isOnDevice)
      callWithMemory(function_, [&](const auto &memory) {
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
  template <bool isExclusive, class Keys, class Values, class Out, class Value, class Equal,
            class Op>
  Out scanByKey(Keys first, Keys last, Values values, Out output, Value initial, Equal equal,
                Op op) {
    scan<cub::OfRun<Value>>(
        cub::valuesOfRuns<Value>(taken(first), taken(values), equal), last - first,
        cub::AddOfRun<Op>{op}, cub::NullType(),
        StoreOfRun<Taken<Out>, Value, Op, isExclusive>{taken(output), initial, op});
    return output + (last - first);
  }
  template <class Value, class Fn> auto answerFor(const Value &value, Fn function) {
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
  template <bool isStable, class Keys, class Values, class Less = thrust::less<>>
  void sortAll(Keys keys, Values values, long long items, Less less = Less()) {
    typedef ValueOf<Keys> Key;
    typedef ValueOf<Values> Value;
    constexpr bool hasValues = !std::is_same_v<Value, cub::NullType>;
    constexpr bool isReversed = isOneOf<Less, Key, thrust::greater, std::greater>;
    constexpr bool isNumber = std::is_arithmetic_v<Key> && sizeof(Key) <= 8 &&
                              !std::is_same_v<Key, bool> && IsContiguous<Keys>::value &&
                              (!hasValues || IsContiguous<Values>::value) &&
                              (isReversed || isOneOf<Less, Key, thrust::less, std::less>);
    if constexpr (isOnDevice && isNumber) {
      const DeviceMemory<Key> otherKeys(items);
      const DeviceMemory<Value> otherValues(hasValues ? items : 1);
      cub::DoubleBuffer<Key> keyBuffers(taken(keys), otherKeys.get());
      cub::DoubleBuffer<Value> valueBuffers(nullptr, otherValues.get());
      if constexpr (hasValues)
        valueBuffers.d_buffers[0] = taken(values);
      callWithMemory(function_, [&](const auto &memory) {
        return cub::radixSortOnDevice(memory, keyBuffers, valueBuffers, items, 0,
                                      (int)sizeof(Key) * 8, isReversed, true, policy_.stream);
      });
      if (keyBuffers.selector == 1) {
        copyWithin((const Key *)otherKeys.get(), items, keys);
        if constexpr (hasValues)
          copyWithin((const Value *)otherValues.get(), items, values);
      }
    } else if constexpr (isOnDevice) {
      callWithMemory(function_, [&](const auto &memory) {
        return cub::mergeSortOnDevice<Key, Value>(memory, taken(keys), taken(values), items, less,
                                                  policy_.stream);
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
  template <class Policy, class... Arguments, IfPolicy<Policy> = 0>                                \
  decltype(auto) name(const Policy &policy, Arguments &&...arguments) {                            \
    return Algorithms<Policy>("thrust::" #name, policy)                                            \
        .name(static_cast<Arguments &&>(arguments)...);                                            \
  }
#define AIWC_ALGORITHM(name)                                                                       \
  AIWC_WITH_POLICY(name)                                                                           \
  template <class First, class... Rest, IfNoPolicy<std::decay_t<First>> = 0>                       \
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
AIWC_ALGORITHMS(transform_inclusive_scan, transform_exclusive_scan, gather_if, scatter_if)
AIWC_ALGORITHMS(tabulate, partition_copy, equal_range, lower_bound)
AIWC_ALGORITHM(upper_bound)
AIWC_ALGORITHM(binary_search)
// Without a policy, these copy between host and device, too.
AIWC_WITH_POLICY(copy)
AIWC_WITH_POLICY(copy_n)
template <class In, class Out, IfNoPolicy<In> = 0>
Out copy_n(In first, long long items, Out output) {
#ifdef __HIP_DEVICE_COMPILE__
  // Naming what the host calls has its kernel compiled.
  std::integral_constant<decltype(&copyBetween<In, Out>), &copyBetween<In, Out>>();
  return thrust::copy_n(seq, first, items, output);
#else
  return copyBetween(first, items, output);
#endif
}
template <class In, class Out, IfNoPolicy<In> = 0> Out copy(In first, In last, Out output) {
  return thrust::copy_n(first, (long long)(last - first), output);
}
#undef AIWC_ALGORITHMS
#undef AIWC_ALGORITHM
#undef AIWC_WITH_POLICY

AIWC_END_EITHER
} // namespace thrust
