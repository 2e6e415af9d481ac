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
template <typename First, typename... Rest>
using IfNoPolicy = std::enable_if_t<!IsPolicy<First>::value, int>;
template <typename... Arguments>
using PolicyOf = ExecutionPolicy<std::disjunction_v<IsOnDevice<Arguments>...>>;

/// A function without a policy calls itself with that of its iterators.
#define AIWC_WITHOUT_POLICY(name)                                                                  \
  template <typename First, typename... Rest, IfNoPolicy<First> = 0>                               \
  AIWC_EITHER decltype(auto) name(First first, Rest... rest) {                                     \
    return thrust::name(PolicyOf<First, Rest...>(), first, rest...);                               \
  }

// == Each item by itself

template <typename Input, typename Function>
__global__ void ForEachKernel(Input input, long long items, Function function) {
  const long long i = (long long)blockIdx.x * cub::kDeviceThreads + threadIdx.x;
  if (i < items)
    function(input[i]);
}
template <typename Function> __global__ void IndexKernel(long long items, Function function) {
  const long long i = (long long)blockIdx.x * cub::kDeviceThreads + threadIdx.x;
  if (i < items)
    function(i);
}
inline unsigned int blocksOf(long long items) {
  return (unsigned int)((items + cub::kDeviceThreads - 1) / cub::kDeviceThreads);
}
/// Calls function(i) for each i below `items`.
template <typename Policy, typename Function>
AIWC_EITHER void forIndices(Policy policy, long long items, Function function) {
  if constexpr (Policy::isOnDevice) {
    if (items > 0)
      IndexKernel<<<blocksOf(items), cub::kDeviceThreads, 0, policy.stream>>>(items, function);
  } else
    for (long long i = 0; i < items; ++i)
      function(i);
}
template <typename Policy, typename Iterator> AIWC_EITHER auto asTaken(Policy, Iterator iterator) {
  if constexpr (Policy::isOnDevice)
    return forKernel(iterator);
  else
    return iterator;
}

template <typename Policy, typename Iterator, typename Function, IfPolicy<Policy> = 0>
AIWC_EITHER Iterator for_each_n(Policy policy, Iterator first, long long items, Function function) {
  if constexpr (Policy::isOnDevice) {
    if (items > 0)
      ForEachKernel<<<blocksOf(items), cub::kDeviceThreads, 0, policy.stream>>>(forKernel(first),
                                                                                items, function);
  } else
    for (long long i = 0; i < items; ++i)
      function(first[i]);
  return first + items;
}
template <typename Policy, typename Iterator, typename Function, IfPolicy<Policy> = 0>
AIWC_EITHER Iterator for_each(Policy policy, Iterator first, Iterator last, Function function) {
  return for_each_n(policy, first, (long long)(last - first), function);
}

/// output[i] = function(inputs[i]...), if `take` says so of its stencil.
template <typename Output, typename Function, typename... Inputs> struct AssignTransformed {
  Output output;
  Function function;
  tuple<Inputs...> inputs;
  AIWC_EITHER void operator()(long long i) { assign(i, std::index_sequence_for<Inputs...>()); }

private:
  template <size_t... input> AIWC_EITHER void assign(long long i, std::index_sequence<input...>) {
    output[i] = function(thrust::get<input>(inputs)[i]...);
  }
};
template <typename Stencil, typename Predicate, typename Assign> struct AssignIf {
  Stencil stencil;
  Predicate predicate;
  Assign assign;
  AIWC_EITHER void operator()(long long i) {
    if (predicate(stencil[i]))
      assign(i);
  }
};
template <typename Policy, typename Output, typename Function, typename... Inputs>
AIWC_EITHER auto assignment(Policy policy, Output output, Function function, Inputs... inputs) {
  typedef decltype(asTaken(policy, output)) Taken;
  return AssignTransformed<Taken, Function, decltype(asTaken(policy, inputs))...>{
      asTaken(policy, output), function,
      tuple<decltype(asTaken(policy, inputs))...>(asTaken(policy, inputs)...)};
}
template <typename In, typename Out, typename Function>
__global__ void TransformKernel(In input, Out output, long long items, Function function) {
  const long long i = (long long)blockIdx.x * cub::kDeviceThreads + threadIdx.x;
  if (i < items)
    output[i] = function(input[i]);
}
template <typename A, typename B, typename Out, typename Function>
__global__ void TransformPairsKernel(A a, B b, Out output, long long items, Function function) {
  const long long i = (long long)blockIdx.x * cub::kDeviceThreads + threadIdx.x;
  if (i < items)
    output[i] = function(a[i], b[i]);
}
template <typename Policy, typename In, typename Out, typename Function, IfPolicy<Policy> = 0>
AIWC_EITHER Out transform(Policy policy, In first, In last, Out output, Function function) {
  const long long items = last - first;
  if constexpr (Policy::isOnDevice) {
    if (items > 0)
      TransformKernel<<<blocksOf(items), cub::kDeviceThreads, 0, policy.stream>>>(
          forKernel(first), forKernel(output), items, function);
  } else
    forIndices(policy, items, assignment(policy, output, function, first));
  return output + items;
}
template <typename Policy, typename A, typename B, typename Out, typename Function,
          IfPolicy<Policy> = 0>
AIWC_EITHER Out transform(Policy policy, A first, A last, B second, Out output, Function function) {
  const long long items = last - first;
  if constexpr (Policy::isOnDevice) {
    if (items > 0)
      TransformPairsKernel<<<blocksOf(items), cub::kDeviceThreads, 0, policy.stream>>>(
          forKernel(first), forKernel(second), forKernel(output), items, function);
  } else
    forIndices(policy, items, assignment(policy, output, function, first, second));
  return output + items;
}
template <typename Policy, typename In, typename Out, typename Function, typename Predicate,
          IfPolicy<Policy> = 0>
AIWC_EITHER Out transform_if(Policy policy, In first, In last, Out output, Function function,
                             Predicate predicate) {
  const auto assign = assignment(policy, output, function, first);
  forIndices(policy, last - first,
             AssignIf<decltype(asTaken(policy, first)), Predicate, decltype(assign)>{
                 asTaken(policy, first), predicate, assign});
  return output + (last - first);
}
/// transform_if by a stencil.
template <typename Policy, typename In, typename Stencil, typename Out, typename Function,
          typename Predicate, IfPolicy<Policy> = 0>
AIWC_EITHER Out transform_if(Policy policy, In first, In last, Stencil stencil, Out output,
                             Function function, Predicate predicate) {
  auto assign = assignment(policy, output, function, first);
  forIndices(policy, last - first,
             AssignIf<decltype(asTaken(policy, stencil)), Predicate, decltype(assign)>{
                 asTaken(policy, stencil), predicate, assign});
  return output + (last - first);
}
template <typename Policy, typename In, typename Out, IfPolicy<Policy> = 0>
AIWC_EITHER Out copy(Policy policy, In first, In last, Out output) {
  if constexpr (Policy::isOnDevice && !IsOnDevice<In>::value && !IsOnDevice<Out>::value) {
    cub::copyOnDevice(first, output, (long long)(last - first), policy.stream);
    return output + (last - first);
  } else if constexpr (Policy::isOnDevice)
    return copyBetween(first, (long long)(last - first), output, policy.stream);
  else {
    for (; first != last; ++first, ++output)
      *output = *first;
    return output;
  }
}
template <typename Policy, typename In, typename Out, IfPolicy<Policy> = 0>
AIWC_EITHER Out copy_n(Policy policy, In first, long long items, Out output) {
  return thrust::copy(policy, first, first + items, output);
}
template <typename Policy, typename In, typename Out, IfPolicy<Policy> = 0>
AIWC_EITHER Out uninitialized_copy(Policy policy, In first, In last, Out output) {
  return thrust::copy(policy, first, last, output);
}
/// Copies from one kind of memory to itself.
template <typename Policy, typename In, typename Out>
AIWC_EITHER Out copyWithin(Policy policy, In first, long long items, Out output) {
  if constexpr (Policy::isOnDevice)
    cub::copyOnDevice(forKernel(first), forKernel(output), items, policy.stream);
  else
    for (long long i = 0; i < items; ++i)
      output[i] = first[i];
  return output + items;
}
template <typename Policy, typename Iterator, typename Value, IfPolicy<Policy> = 0>
AIWC_EITHER Iterator fill_n(Policy policy, Iterator first, long long items, Value value) {
  typedef cub::OutputOf<Iterator, Value> Kept;
  return copyWithin(policy, constant_iterator<Kept>(Kept(value)), items, first);
}
template <typename Policy, typename Iterator, typename Value, IfPolicy<Policy> = 0>
AIWC_EITHER void fill(Policy policy, Iterator first, Iterator last, Value value) {
  thrust::fill_n(policy, first, (long long)(last - first), value);
}
template <typename Policy, typename Iterator, typename Value, IfPolicy<Policy> = 0>
AIWC_EITHER void uninitialized_fill(Policy policy, Iterator first, Iterator last, Value value) {
  thrust::fill(policy, first, last, value);
}
template <typename Value> struct StepFrom {
  Value first, step;
  AIWC_EITHER Value operator()(long long i) const { return Value(first + step * Value(i)); }
};
template <typename Policy, typename Iterator, typename First = ValueOf<Iterator>,
          typename Step = ValueOf<Iterator>, IfPolicy<Policy> = 0>
AIWC_EITHER void sequence(Policy policy, Iterator begin, Iterator end, First first = First(0),
                          Step step = Step(1)) {
  typedef ValueOf<Iterator> Value;
  const counting_iterator<long long> index(0);
  thrust::transform(policy, index, index + (end - begin), begin,
                    StepFrom<Value>{Value(first), Value(step)});
}
template <typename Policy, typename Iterator, typename Function, IfPolicy<Policy> = 0>
AIWC_EITHER void tabulate(Policy policy, Iterator first, Iterator last, Function function) {
  const counting_iterator<long long> index(0);
  thrust::transform(policy, index, index + (last - first), first, function);
}
template <typename Iterator, typename Function> struct AssignGenerated {
  Iterator output;
  Function function;
  AIWC_EITHER void operator()(long long i) { output[i] = function(); }
};
template <typename Policy, typename Iterator, typename Function, IfPolicy<Policy> = 0>
AIWC_EITHER void generate(Policy policy, Iterator first, Iterator last, Function function) {
  AssignGenerated<decltype(asTaken(policy, first)), Function> assign{asTaken(policy, first),
                                                                     function};
  if constexpr (Policy::isOnDevice)
    forIndices(policy, last - first, assign);
  else
    for (long long i = 0; i < last - first; ++i)
      assign(i);
}
template <typename Predicate, typename Value> struct ReplacedIf {
  Predicate predicate;
  Value value;
  template <typename Old> AIWC_EITHER Old operator()(const Old &old) {
    return predicate(old) ? Old(value) : old;
  }
};
template <typename Value> struct EqualTo {
  Value value;
  template <typename Other> AIWC_EITHER bool operator()(const Other &other) const {
    return other == value;
  }
};
template <typename Policy, typename Iterator, typename Predicate, typename Value,
          IfPolicy<Policy> = 0>
AIWC_EITHER void replace_if(Policy policy, Iterator first, Iterator last, Predicate predicate,
                            const Value &value) {
  thrust::transform(policy, first, last, first, ReplacedIf<Predicate, Value>{predicate, value});
}
template <typename Policy, typename Iterator, typename Stencil, typename Predicate, typename Value,
          IfPolicy<Policy> = 0>
AIWC_EITHER void replace_if(Policy policy, Iterator first, Iterator last, Stencil stencil,
                            Predicate predicate, const Value &value) {
  typedef ValueOf<Iterator> Kept;
  thrust::transform_if(policy, constant_iterator<Kept>(Kept(value)),
                       constant_iterator<Kept>(Kept(value)) + (last - first), stencil, first,
                       identity<Kept>(), predicate);
}
template <typename Policy, typename Iterator, typename Value, typename New, IfPolicy<Policy> = 0>
AIWC_EITHER void replace(Policy policy, Iterator first, Iterator last, const Value &value,
                         const New &by) {
  thrust::replace_if(policy, first, last, EqualTo<Value>{value}, by);
}
template <typename Policy, typename Map, typename In, typename Out, IfPolicy<Policy> = 0>
AIWC_EITHER Out gather(Policy policy, Map first, Map last, In input, Out output) {
  return copyWithin(policy,
                    make_permutation_iterator(asTaken(policy, input), asTaken(policy, first)),
                    last - first, output);
}
template <typename Policy, typename In, typename Map, typename Out, IfPolicy<Policy> = 0>
AIWC_EITHER void scatter(Policy policy, In first, In last, Map map, Out output) {
  copyWithin(policy, first, last - first,
             make_permutation_iterator(asTaken(policy, output), asTaken(policy, map)));
}
template <typename Policy, typename In, typename Map, typename Stencil, typename Out,
          IfPolicy<Policy> = 0>
AIWC_EITHER void scatter_if(Policy policy, In first, In last, Map map, Stencil stencil,
                            Out output) {
  thrust::transform_if(policy, first, last, stencil,
                       make_permutation_iterator(asTaken(policy, output), asTaken(policy, map)),
                       identity<ValueOf<In>>(), identity<ValueOf<Stencil>>());
}
template <typename Input, typename Output, typename Op> struct AssignDifference {
  Input input;
  Output output;
  Op op;
  AIWC_EITHER void operator()(long long i) {
    if (i == 0)
      output[0] = input[0];
    else
      output[i] = op(input[i], input[i - 1]);
  }
};
template <typename Policy, typename In, typename Out, typename Op = minus<>, IfPolicy<Policy> = 0>
AIWC_EITHER Out adjacent_difference(Policy policy, In first, In last, Out output, Op op = Op()) {
  forIndices(
      policy, last - first,
      AssignDifference<decltype(asTaken(policy, first)), decltype(asTaken(policy, output)), Op>{
          asTaken(policy, first), asTaken(policy, output), op});
  return output + (last - first);
}
template <typename Iterator> struct SwapEnds {
  Iterator first;
  long long items;
  AIWC_EITHER void operator()(long long i) {
    const ValueOf<Iterator> value = first[i];
    first[i] = first[items - 1 - i];
    first[items - 1 - i] = value;
  }
};
template <typename Policy, typename Iterator, IfPolicy<Policy> = 0>
AIWC_EITHER void reverse(Policy policy, Iterator first, Iterator last) {
  forIndices(policy, (last - first) / 2,
             SwapEnds<decltype(asTaken(policy, first))>{asTaken(policy, first), last - first});
}

// == Reductions

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

template <typename Policy, typename Iterator, typename Value, typename Op, IfPolicy<Policy> = 0>
AIWC_EITHER Value reduce(Policy policy, Iterator first, Iterator last, Value initial, Op op) {
  if constexpr (Policy::isOnDevice)
    return resultOf<Value>([=](void *memory, size_t &bytes, Value *result) {
      return cub::reduceOnDevice<Value>(memory, bytes, forKernel(first), result,
                                        (long long)(last - first), op, initial, policy.stream);
    });
  else {
    for (; first != last; ++first)
      initial = op(initial, *first);
    return initial;
  }
}
template <typename Policy, typename Iterator, typename Value = ValueOf<Iterator>,
          IfPolicy<Policy> = 0>
AIWC_EITHER Value reduce(Policy policy, Iterator first, Iterator last, Value initial = Value()) {
  return thrust::reduce(policy, first, last, initial, plus<Value>());
}
template <typename Policy, typename Iterator, typename Function, typename Value, typename Op,
          IfPolicy<Policy> = 0>
AIWC_EITHER Value transform_reduce(Policy policy, Iterator first, Iterator last, Function function,
                                   Value initial, Op op) {
  const auto from = asTaken(policy, first);
  return thrust::reduce(policy, make_transform_iterator(from, function),
                        make_transform_iterator(from + (last - first), function), initial, op);
}
template <typename A, typename B, typename Value, typename Op> struct CombinedAt {
  A a;
  B b;
  Op op;
  AIWC_EITHER Value operator()(long long i) const { return const_cast<Op &>(op)(a[i], b[i]); }
};
template <typename Policy, typename A, typename B, typename Value, typename Add = plus<Value>,
          typename Op = multiplies<Value>, IfPolicy<Policy> = 0>
AIWC_EITHER Value inner_product(Policy policy, A first, A last, B second, Value initial,
                                Add add = Add(), Op op = Op()) {
  const counting_iterator<long long> index(0);
  return thrust::transform_reduce(
      policy, index, index + (last - first),
      CombinedAt<decltype(asTaken(policy, first)), decltype(asTaken(policy, second)), Value, Op>{
          asTaken(policy, first), asTaken(policy, second), op},
      initial, add);
}
template <typename Predicate> struct OneIf {
  Predicate predicate;
  template <typename Value> AIWC_EITHER long long operator()(const Value &value) const {
    return const_cast<Predicate &>(predicate)(value) ? 1 : 0;
  }
};
template <typename Policy, typename Iterator, typename Predicate, IfPolicy<Policy> = 0>
AIWC_EITHER long long count_if(Policy policy, Iterator first, Iterator last, Predicate predicate) {
  return thrust::transform_reduce(policy, first, last, OneIf<Predicate>{predicate}, 0LL,
                                  plus<long long>());
}
template <typename Policy, typename Iterator, typename Value, IfPolicy<Policy> = 0>
AIWC_EITHER long long count(Policy policy, Iterator first, Iterator last, const Value &value) {
  return thrust::count_if(policy, first, last, EqualTo<Value>{value});
}
template <typename Policy, typename Iterator, typename Predicate, IfPolicy<Policy> = 0>
AIWC_EITHER bool any_of(Policy policy, Iterator first, Iterator last, Predicate predicate) {
  return thrust::count_if(policy, first, last, predicate) > 0;
}
template <typename Policy, typename Iterator, typename Predicate, IfPolicy<Policy> = 0>
AIWC_EITHER bool none_of(Policy policy, Iterator first, Iterator last, Predicate predicate) {
  return thrust::count_if(policy, first, last, predicate) == 0;
}
template <typename Policy, typename Iterator, typename Predicate, IfPolicy<Policy> = 0>
AIWC_EITHER bool all_of(Policy policy, Iterator first, Iterator last, Predicate predicate) {
  return thrust::count_if(policy, first, last, predicate) == last - first;
}
/// The index of the first item of which a rule holds, or the number of items.
template <typename Input, typename Rule> struct IndexIf {
  Input input;
  Rule rule;
  long long items;
  AIWC_EITHER long long operator()(long long i) const {
    return const_cast<Rule &>(rule)(input, i) ? i : items;
  }
};
template <typename Policy, typename Input, typename Rule>
AIWC_EITHER long long firstWhere(Policy policy, Input input, long long items, Rule rule) {
  const counting_iterator<long long> index(0);
  return thrust::transform_reduce(policy, index, index + items,
                                  IndexIf<Input, Rule>{input, rule, items}, items,
                                  minimum<long long>());
}
template <typename Policy, typename Iterator, typename Predicate, IfPolicy<Policy> = 0>
AIWC_EITHER Iterator find_if(Policy policy, Iterator first, Iterator last, Predicate predicate) {
  return first + firstWhere(policy, asTaken(policy, first), last - first,
                            cub::ByPredicate<Predicate>{predicate});
}
template <typename Policy, typename Iterator, typename Predicate, IfPolicy<Policy> = 0>
AIWC_EITHER Iterator find_if_not(Policy policy, Iterator first, Iterator last,
                                 Predicate predicate) {
  return thrust::find_if(policy, first, last, unary_negate<Predicate>{predicate});
}
template <typename Policy, typename Iterator, typename Value, IfPolicy<Policy> = 0>
AIWC_EITHER Iterator find(Policy policy, Iterator first, Iterator last, const Value &value) {
  return thrust::find_if(policy, first, last, EqualTo<Value>{value});
}
template <typename Less> struct ByDisorder {
  Less less;
  template <typename Input> AIWC_EITHER bool operator()(Input input, long long i) const {
    return i > 0 && const_cast<Less &>(less)(input[i], input[i - 1]);
  }
};
template <typename Policy, typename Iterator, typename Less = less<>, IfPolicy<Policy> = 0>
AIWC_EITHER Iterator is_sorted_until(Policy policy, Iterator first, Iterator last,
                                     Less less = Less()) {
  return first + firstWhere(policy, asTaken(policy, first), last - first, ByDisorder<Less>{less});
}
template <typename Policy, typename Iterator, typename Less = less<>, IfPolicy<Policy> = 0>
AIWC_EITHER bool is_sorted(Policy policy, Iterator first, Iterator last, Less less = Less()) {
  return thrust::is_sorted_until(policy, first, last, less) == last;
}
template <typename Other, typename Equal> struct ByMismatch {
  Other other;
  Equal equal;
  template <typename Input> AIWC_EITHER bool operator()(Input input, long long i) const {
    return !const_cast<Equal &>(equal)(input[i], other[i]);
  }
};
template <typename Policy, typename A, typename B, typename Equal = equal_to<>,
          IfPolicy<Policy> = 0>
AIWC_EITHER pair<A, B> mismatch(Policy policy, A first, A last, B second, Equal equal = Equal()) {
  const long long at = firstWhere(
      policy, asTaken(policy, first), last - first,
      ByMismatch<decltype(asTaken(policy, second)), Equal>{asTaken(policy, second), equal});
  return {first + at, second + at};
}
template <typename Policy, typename A, typename B, typename Equal = equal_to<>,
          IfPolicy<Policy> = 0>
AIWC_EITHER bool equal(Policy policy, A first, A last, B second, Equal equal = Equal()) {
  return thrust::mismatch(policy, first, last, second, equal).first == last;
}
/// Of two indices, that of the smaller item (of the larger, `wantsLargest`); the earlier of equal
/// ones.
template <typename Input, typename Less, bool wantsLargest> struct IndexOfExtreme {
  Input input;
  Less less;
  AIWC_EITHER long long operator()(long long a, long long b) {
    const bool isB = wantsLargest ? less(input[a], input[b]) : less(input[b], input[a]);
    const bool isA = wantsLargest ? less(input[b], input[a]) : less(input[a], input[b]);
    return isB ? b : isA || a < b ? a : b;
  }
};
template <bool wantsLargest, typename Policy, typename Iterator, typename Less>
AIWC_EITHER Iterator extreme(Policy policy, Iterator first, Iterator last, Less less) {
  if (first == last)
    return last;
  const counting_iterator<long long> index(0);
  return first +
         thrust::reduce(policy, index, index + (last - first), 0LL,
                        IndexOfExtreme<decltype(asTaken(policy, first)), Less, wantsLargest>{
                            asTaken(policy, first), less});
}
template <typename Policy, typename Iterator, typename Less = less<>, IfPolicy<Policy> = 0>
AIWC_EITHER Iterator min_element(Policy policy, Iterator first, Iterator last, Less less = Less()) {
  return extreme<false>(policy, first, last, less);
}
template <typename Policy, typename Iterator, typename Less = less<>, IfPolicy<Policy> = 0>
AIWC_EITHER Iterator max_element(Policy policy, Iterator first, Iterator last, Less less = Less()) {
  return extreme<true>(policy, first, last, less);
}
template <typename Policy, typename Iterator, typename Less = less<>, IfPolicy<Policy> = 0>
AIWC_EITHER pair<Iterator, Iterator> minmax_element(Policy policy, Iterator first, Iterator last,
                                                    Less less = Less()) {
  return {extreme<false>(policy, first, last, less), extreme<true>(policy, first, last, less)};
}

// == Scans

template <typename Policy, typename In, typename Out, typename Op = plus<>, IfPolicy<Policy> = 0>
AIWC_EITHER Out inclusive_scan(Policy policy, In first, In last, Out output, Op op = Op()) {
  const long long items = last - first;
  if constexpr (Policy::isOnDevice)
    callWithMemory([=](void *memory, size_t &bytes) {
      return cub::DeviceScan::InclusiveScan(memory, bytes, forKernel(first), forKernel(output), op,
                                            items, policy.stream);
    });
  else if (items > 0) {
    ValueOf<In> running = first[0];
    output[0] = running;
    for (long long i = 1; i < items; ++i)
      output[i] = running = op(running, first[i]);
  }
  return output + items;
}
template <typename Policy, typename In, typename Out, typename Value = ValueOf<In>,
          typename Op = plus<>, IfPolicy<Policy> = 0>
AIWC_EITHER Out exclusive_scan(Policy policy, In first, In last, Out output,
                               Value initial = Value(), Op op = Op()) {
  const long long items = last - first;
  if constexpr (Policy::isOnDevice)
    callWithMemory([=](void *memory, size_t &bytes) {
      return cub::DeviceScan::ExclusiveScan(memory, bytes, forKernel(first), forKernel(output), op,
                                            initial, items, policy.stream);
    });
  else
    for (long long i = 0; i < items; ++i) {
      const Value next = op(initial, first[i]);
      output[i] = initial;
      initial = next;
    }
  return output + items;
}
template <typename Policy, typename In, typename Out, typename Function, typename Op,
          IfPolicy<Policy> = 0>
AIWC_EITHER Out transform_inclusive_scan(Policy policy, In first, In last, Out output,
                                         Function function, Op op) {
  const auto from = asTaken(policy, first);
  return thrust::inclusive_scan(policy, make_transform_iterator(from, function),
                                make_transform_iterator(from + (last - first), function), output,
                                op);
}
template <typename Policy, typename In, typename Out, typename Function, typename Value,
          typename Op, IfPolicy<Policy> = 0>
AIWC_EITHER Out transform_exclusive_scan(Policy policy, In first, In last, Out output,
                                         Function function, Value initial, Op op) {
  const auto from = asTaken(policy, first);
  return thrust::exclusive_scan(policy, make_transform_iterator(from, function),
                                make_transform_iterator(from + (last - first), function), output,
                                initial, op);
}
template <typename Output, typename Value, typename Op, bool isExclusive> struct StoreOfRun {
  Output output;
  Value initial;
  Op op;
  template <typename Run>
  AIWC_EITHER void operator()(long long i, const Run &before, const Run &upTo) {
    if constexpr (isExclusive)
      output[i] = i == 0 || upTo.runs > before.runs ? initial : Value(op(initial, before.value));
    else
      output[i] = upTo.value;
  }
};
template <bool isExclusive, typename Policy, typename Keys, typename Values, typename Out,
          typename Value, typename Equal, typename Op>
AIWC_EITHER Out scanByKey(Policy policy, Keys first, Keys last, Values values, Out output,
                          Value initial, Equal equal, Op op) {
  const long long items = last - first;
  const auto keysTaken = asTaken(policy, first);
  const auto valuesTaken = asTaken(policy, values);
  cub::OfRunIterator<std::decay_t<decltype(keysTaken)>, std::decay_t<decltype(valuesTaken)>, Value,
                     Equal>
      runs(keysTaken, valuesTaken, equal);
  StoreOfRun<decltype(asTaken(policy, output)), Value, Op, isExclusive> store{
      asTaken(policy, output), initial, op};
  if constexpr (Policy::isOnDevice)
    callWithMemory([=](void *temporary, size_t &bytes) {
      cub::TemporaryMemory memory(temporary, bytes);
      return cub::scanOnDevice<cub::OfRun<Value>>(memory, runs, items, cub::AddOfRun<Op>{op},
                                                  cub::NullType(), store, policy.stream);
    });
  else {
    cub::OfRun<Value> before{};
    for (long long i = 0; i < items; ++i) {
      cub::OfRun<Value> upTo = runs[i];
      if (i > 0 && !upTo.runs)
        upTo.value = op(before.value, upTo.value);
      upTo.runs += before.runs;
      store(i, before, upTo);
      before = upTo;
    }
  }
  return output + items;
}
template <typename Policy, typename Keys, typename Values, typename Out,
          typename Equal = equal_to<>, typename Op = plus<>, IfPolicy<Policy> = 0>
AIWC_EITHER Out inclusive_scan_by_key(Policy policy, Keys first, Keys last, Values values,
                                      Out output, Equal equal = Equal(), Op op = Op()) {
  return scanByKey<false>(policy, first, last, values, output, ValueOf<Values>(), equal, op);
}
template <typename Policy, typename Keys, typename Values, typename Out,
          typename Value = ValueOf<Values>, typename Equal = equal_to<>, typename Op = plus<>,
          IfPolicy<Policy> = 0>
AIWC_EITHER Out exclusive_scan_by_key(Policy policy, Keys first, Keys last, Values values,
                                      Out output, Value initial = Value(), Equal equal = Equal(),
                                      Op op = Op()) {
  return scanByKey<true>(policy, first, last, values, output, initial, equal, op);
}

// == Selections. `take` is a rule of cub: take(input, i).

/// The items that are taken, in their order; their number.
template <typename Policy, typename Input, typename Output, typename Rule>
AIWC_EITHER long long select(Policy policy, Input input, long long items, Output output,
                             Rule rule) {
  if constexpr (Policy::isOnDevice) {
    if (items == 0)
      return 0;
    return resultOf<long long>([=](void *memory, size_t &bytes, long long *count) {
      return cub::selectOnDevice(memory, bytes, forKernel(input), forKernel(output), count, items,
                                 rule, policy.stream);
    });
  } else {
    long long count = 0;
    for (long long i = 0; i < items; ++i)
      if (rule(input, i))
        output[count++] = input[i];
    return count;
  }
}
/// The same within the input's memory, which the device reads as a copy.
template <typename Policy, typename Iterator, typename Rule>
AIWC_EITHER Iterator selectInPlace(Policy policy, Iterator first, long long items, Rule rule) {
  if constexpr (Policy::isOnDevice) {
    const DeviceMemory<ValueOf<Iterator>> taken(items);
    const long long count = select(policy, first, items, taken.get(), rule);
    cub::copyOnDevice((const ValueOf<Iterator> *)taken.get(), forKernel(first), count,
                      policy.stream);
    return first + count;
  } else
    return first + select(policy, first, items, first, rule);
}
template <typename Stencil, typename Predicate> struct ByStencil {
  Stencil stencil;
  Predicate predicate;
  template <typename Input> AIWC_EITHER bool operator()(Input, long long i) const {
    return const_cast<Predicate &>(predicate)(stencil[i]) ? true : false;
  }
};
template <typename Policy, typename Stencil, typename Predicate>
AIWC_EITHER auto byStencil(Policy policy, Stencil stencil, Predicate predicate) {
  return ByStencil<decltype(asTaken(policy, stencil)), Predicate>{asTaken(policy, stencil),
                                                                  predicate};
}
template <typename Policy, typename In, typename Out, typename Predicate, IfPolicy<Policy> = 0>
AIWC_EITHER Out copy_if(Policy policy, In first, In last, Out output, Predicate predicate) {
  return output +
         select(policy, first, last - first, output, cub::ByPredicate<Predicate>{predicate});
}
template <typename Policy, typename In, typename Stencil, typename Out, typename Predicate,
          IfPolicy<Policy> = 0>
AIWC_EITHER Out copy_if(Policy policy, In first, In last, Stencil stencil, Out output,
                        Predicate predicate) {
  return output +
         select(policy, first, last - first, output, byStencil(policy, stencil, predicate));
}
template <typename Policy, typename In, typename Out, typename Predicate, IfPolicy<Policy> = 0>
AIWC_EITHER Out remove_copy_if(Policy policy, In first, In last, Out output, Predicate predicate) {
  return thrust::copy_if(policy, first, last, output, unary_negate<Predicate>{predicate});
}
template <typename Policy, typename Iterator, typename Predicate, IfPolicy<Policy> = 0>
AIWC_EITHER Iterator remove_if(Policy policy, Iterator first, Iterator last, Predicate predicate) {
  typedef unary_negate<Predicate> Others;
  return selectInPlace(policy, first, last - first, cub::ByPredicate<Others>{Others{predicate}});
}
template <typename Policy, typename Iterator, typename Stencil, typename Predicate,
          IfPolicy<Policy> = 0>
AIWC_EITHER Iterator remove_if(Policy policy, Iterator first, Iterator last, Stencil stencil,
                               Predicate predicate) {
  return selectInPlace(policy, first, last - first,
                       byStencil(policy, stencil, unary_negate<Predicate>{predicate}));
}
template <typename Policy, typename Iterator, typename Value, IfPolicy<Policy> = 0>
AIWC_EITHER Iterator remove(Policy policy, Iterator first, Iterator last, const Value &value) {
  return thrust::remove_if(policy, first, last, EqualTo<Value>{value});
}
template <typename Policy, typename In, typename Out, typename Equal = equal_to<>,
          IfPolicy<Policy> = 0>
AIWC_EITHER Out unique_copy(Policy policy, In first, In last, Out output, Equal equal = Equal()) {
  return output + select(policy, first, last - first, output, cub::ByDifference<Equal>{equal});
}
template <typename Policy, typename Iterator, typename Equal = equal_to<>, IfPolicy<Policy> = 0>
AIWC_EITHER Iterator unique(Policy policy, Iterator first, Iterator last, Equal equal = Equal()) {
  if constexpr (Policy::isOnDevice)
    return selectInPlace(policy, first, last - first, cub::ByDifference<Equal>{equal});
  else {
    // The item before may be overwritten; the last one kept is equal to it.
    long long count = 0;
    for (Iterator at = first; at != last; ++at)
      if (count == 0 || !equal(first[count - 1], *at))
        first[count++] = *at;
    return first + count;
  }
}
/// Whether the key of an item differs from that of the one before.
template <typename Keys, typename Equal> struct ByKeyDifference {
  Keys keys;
  Equal equal;
  template <typename Input> AIWC_EITHER bool operator()(Input, long long i) const {
    return i == 0 || !const_cast<Equal &>(equal)(keys[i - 1], keys[i]);
  }
};
template <typename Policy, typename Keys, typename Values, typename KeysOut, typename ValuesOut,
          typename Equal = equal_to<>, IfPolicy<Policy> = 0>
AIWC_EITHER pair<KeysOut, ValuesOut>
unique_by_key_copy(Policy policy, Keys first, Keys last, Values values, KeysOut keysOut,
                   ValuesOut valuesOut, Equal equal = Equal()) {
  const ByKeyDifference<decltype(asTaken(policy, first)), Equal> rule{asTaken(policy, first),
                                                                      equal};
  const long long count = select(policy, values, last - first, valuesOut, rule);
  select(policy, first, last - first, keysOut, rule);
  return {keysOut + count, valuesOut + count};
}
template <typename Policy, typename Keys, typename Values, typename Equal = equal_to<>,
          IfPolicy<Policy> = 0>
pair<Keys, Values> unique_by_key(Policy policy, Keys first, Keys last, Values values,
                                 Equal equal = Equal()) {
  const ByKeyDifference<decltype(asTaken(policy, first)), Equal> rule{asTaken(policy, first),
                                                                      equal};
  const long long items = last - first;
  if constexpr (Policy::isOnDevice) {
    const Values valuesEnd = selectInPlace(policy, values, items, rule);
    return {selectInPlace(policy, first, items, rule), valuesEnd};
  } else {
    const std::vector<ValueOf<Keys>> keys(first, last);
    const ByKeyDifference<decltype(keys.begin()), Equal> kept{keys.begin(), equal};
    const long long count = select(policy, values, items, values, kept);
    return {first + select(policy, first, items, first, kept), values + count};
  }
}
template <typename Policy, typename Iterator, typename Predicate, IfPolicy<Policy> = 0>
Iterator stable_partition(Policy policy, Iterator first, Iterator last, Predicate predicate) {
  typedef ValueOf<Iterator> Value;
  typedef unary_negate<Predicate> Others;
  const long long items = last - first;
  if constexpr (Policy::isOnDevice) {
    const DeviceMemory<Value> ordered(items);
    const long long count =
        select(policy, first, items, ordered.get(), cub::ByPredicate<Predicate>{predicate});
    select(policy, first, items, ordered.get() + count,
           cub::ByPredicate<Others>{Others{predicate}});
    cub::copyOnDevice((const Value *)ordered.get(), forKernel(first), items, policy.stream);
    return first + count;
  } else {
    const std::vector<Value> before(first, last);
    const long long count =
        select(policy, before.begin(), items, first, cub::ByPredicate<Predicate>{predicate});
    select(policy, before.begin(), items, first + count,
           cub::ByPredicate<Others>{Others{predicate}});
    return first + count;
  }
}
template <typename Policy, typename Iterator, typename Predicate, IfPolicy<Policy> = 0>
Iterator partition(Policy policy, Iterator first, Iterator last, Predicate predicate) {
  return thrust::stable_partition(policy, first, last, predicate);
}
template <typename Policy, typename Keys, typename Values, typename KeysOut, typename ValuesOut,
          typename Equal = equal_to<>, typename Op = plus<>, IfPolicy<Policy> = 0>
AIWC_EITHER pair<KeysOut, ValuesOut>
reduce_by_key(Policy policy, Keys first, Keys last, Values values, KeysOut keysOut,
              ValuesOut valuesOut, Equal equal = Equal(), Op op = Op()) {
  const long long items = last - first;
  typedef ValueOf<Values> Value;
  long long count = 0;
  if constexpr (Policy::isOnDevice) {
    if (items > 0)
      count = resultOf<long long>([=](void *memory, size_t &bytes, long long *result) {
        return cub::reduceByKeyOnDevice<Value>(memory, bytes, forKernel(first), forKernel(keysOut),
                                               forKernel(values), forKernel(valuesOut), result, op,
                                               equal, items, policy.stream);
      });
  } else {
    for (long long i = 0; i < items; ++i)
      if (i > 0 && equal(first[i - 1], first[i]))
        valuesOut[count - 1] = op(Value(valuesOut[count - 1]), values[i]);
      else {
        keysOut[count] = first[i];
        valuesOut[count++] = values[i];
      }
  }
  return {keysOut + count, valuesOut + count};
}

// == Sorting

/// A heap sort, of keys and what goes with them: `values` is a NullType's array for none.
template <typename Keys, typename Values, typename Less>
AIWC_EITHER void heapSort(Keys keys, Values values, long long items, Less less) {
  const auto sift = [&](long long from, long long end) {
    const ValueOf<Keys> key = keys[from];
    const ValueOf<Values> value = values[from];
    long long child;
    while ((child = 2 * from + 1) < end) {
      if (child + 1 < end && less(keys[child], keys[child + 1]))
        ++child;
      if (!less(key, keys[child]))
        break;
      keys[from] = ValueOf<Keys>(keys[child]);
      values[from] = ValueOf<Values>(values[child]);
      from = child;
    }
    keys[from] = key;
    values[from] = value;
  };
  for (long long i = items / 2; i-- > 0;)
    sift(i, items);
  for (long long end = items; end-- > 1;) {
    const ValueOf<Keys> key = keys[0];
    const ValueOf<Values> value = values[0];
    keys[0] = ValueOf<Keys>(keys[end]);
    values[0] = ValueOf<Values>(values[end]);
    keys[end] = key;
    values[end] = value;
    sift(0, end);
  }
}
template <typename Keys, typename Values, typename Less>
AIWC_EITHER void insertionSort(Keys keys, Values values, long long items, Less less) {
  for (long long i = 1; i < items; ++i) {
    const ValueOf<Keys> key = keys[i];
    const ValueOf<Values> value = values[i];
    long long to = i;
    for (; to > 0 && less(key, keys[to - 1]); --to) {
      keys[to] = ValueOf<Keys>(keys[to - 1]);
      values[to] = ValueOf<Values>(values[to - 1]);
    }
    keys[to] = key;
    values[to] = value;
  }
}
template <typename Less, typename Key> struct IsNatural : std::false_type {};
template <typename Key> struct IsNatural<less<Key>, Key> : std::true_type {};
template <typename Key> struct IsNatural<less<void>, Key> : std::true_type {};
template <typename Key> struct IsNatural<std::less<Key>, Key> : std::true_type {};
template <typename Less, typename Key> struct IsReversed : std::false_type {};
template <typename Key> struct IsReversed<greater<Key>, Key> : std::true_type {};
template <typename Key> struct IsReversed<greater<void>, Key> : std::true_type {};
template <typename Key> struct IsReversed<std::greater<Key>, Key> : std::true_type {};

/// `values`: discard_iterator for none. `isStable`: equal keys keep their order, as the device's
/// sorts always do.
template <bool isStable, typename Policy, typename Keys, typename Values, typename Less>
AIWC_EITHER void sortAll(Policy policy, Keys keys, Values values, long long items, Less less) {
  typedef ValueOf<Keys> Key;
  typedef ValueOf<Values> Value;
  if constexpr (Policy::isOnDevice) {
    auto keysThere = forKernel(keys);
    auto valuesThere = forKernel(values);
    constexpr bool hasValues = !std::is_same_v<Value, cub::NullType>;
    constexpr bool isNumber = std::is_arithmetic_v<Key> && sizeof(Key) <= 8 &&
                              !std::is_same_v<Key, bool> && IsContiguous<Keys>::value &&
                              (!hasValues || IsContiguous<Values>::value) &&
                              (IsNatural<Less, Key>::value || IsReversed<Less, Key>::value);
    if constexpr (isNumber) {
      const DeviceMemory<Key> otherKeys(items);
      const DeviceMemory<Value> otherValues(hasValues ? items : 1);
      Value *valuesAt = nullptr;
      if constexpr (hasValues)
        valuesAt = valuesThere;
      cub::DoubleBuffer<Key> keyBuffers(keysThere, otherKeys.get());
      cub::DoubleBuffer<Value> valueBuffers(valuesAt, otherValues.get());
      callWithMemory([&](void *memory, size_t &bytes) {
        return cub::radixSortOnDevice(memory, bytes, keyBuffers, valueBuffers, items, 0,
                                      (int)sizeof(Key) * 8, IsReversed<Less, Key>::value, true,
                                      policy.stream);
      });
      if (keyBuffers.selector == 1) {
        cub::copyOnDevice((const Key *)otherKeys.get(), keysThere, items, policy.stream);
        if constexpr (hasValues)
          cub::copyOnDevice((const Value *)otherValues.get(), valuesThere, items, policy.stream);
      }
    } else
      callWithMemory([&](void *memory, size_t &bytes) {
        return cub::mergeSortOnDevice<Key, Value>(memory, bytes, keysThere, valuesThere, keysThere,
                                                  valuesThere, items, less, policy.stream);
      });
  } else {
#ifndef __HIP_DEVICE_COMPILE__
    if constexpr (std::is_same_v<Values, discard_iterator> && IsContiguous<Keys>::value)
      return std::stable_sort(keys, keys + items, less);
#endif
    if constexpr (isStable)
      insertionSort(keys, values, items, less);
    else
      heapSort(keys, values, items, less);
  }
}
#define AIWC_SORT(name, isStable)                                                                  \
  template <typename Policy, typename Iterator, typename Less = less<>, IfPolicy<Policy> = 0>      \
  AIWC_EITHER void name(Policy policy, Iterator first, Iterator last, Less less = Less()) {        \
    sortAll<isStable>(policy, first, discard_iterator(), (long long)(last - first), less);         \
  }                                                                                                \
  template <typename Policy, typename Keys, typename Values, typename Less = less<>,               \
            IfPolicy<Policy> = 0>                                                                  \
  AIWC_EITHER void name##_by_key(Policy policy, Keys first, Keys last, Values values,              \
                                 Less less = Less()) {                                             \
    sortAll<isStable>(policy, first, values, (long long)(last - first), less);                     \
  }
AIWC_SORT(sort, false)
AIWC_SORT(stable_sort, true)
#undef AIWC_SORT

// == Searches in sorted items

template <typename Input, typename Less, bool orEqual> struct PlaceAmong {
  Input input;
  long long items;
  Less less;
  template <typename Value> AIWC_EITHER long long operator()(const Value &value) const {
    return cub::placeAmong(input, items, value, less, orEqual);
  }
};
template <typename Input, typename Less> struct IsAmong {
  Input input;
  long long items;
  Less less;
  template <typename Value> AIWC_EITHER bool operator()(const Value &value) const {
    const long long i = cub::placeAmong(input, items, value, less, false);
    return i < items && !const_cast<Less &>(less)(value, input[i]);
  }
};
#define AIWC_SEARCH(name, Function, extra)                                                         \
  template <typename Policy, typename Iterator, typename Values, typename Out,                     \
            typename Less = less<>, IfPolicy<Policy> = 0>                                          \
  AIWC_EITHER Out name(Policy policy, Iterator first, Iterator last, Values valuesFirst,           \
                       Values valuesLast, Out output, Less less = Less()) {                        \
    return thrust::transform(policy, valuesFirst, valuesLast, output,                              \
                             Function<decltype(asTaken(policy, first)), Less extra>{               \
                                 asTaken(policy, first), last - first, less});                     \
  }
#define AIWC_COMMA ,
AIWC_SEARCH(lower_bound, PlaceAmong, AIWC_COMMA false)
AIWC_SEARCH(upper_bound, PlaceAmong, AIWC_COMMA true)
AIWC_SEARCH(binary_search, IsAmong, )
#undef AIWC_SEARCH
#undef AIWC_COMMA
/// The answer for one value.
template <template <typename, typename> class Function, typename Result, typename Policy,
          typename Iterator, typename Value, typename Less>
AIWC_EITHER Result answerFor(Policy policy, Iterator first, Iterator last, const Value &value,
                             Less less) {
  const Function<decltype(asTaken(policy, first)), Less> function{asTaken(policy, first),
                                                                  last - first, less};
  if constexpr (Policy::isOnDevice) {
    const DeviceMemory<Result> result(1);
    const constant_iterator<Value> values(value);
    thrust::transform(policy, values, values + 1, result.get(), function);
    return result[0];
  } else
    return function(value);
}
template <typename Input, typename Less> using LowerPlace = PlaceAmong<Input, Less, false>;
template <typename Input, typename Less> using UpperPlace = PlaceAmong<Input, Less, true>;
template <typename Policy, typename Iterator, typename Value, typename Less = less<>,
          IfPolicy<Policy> = 0>
AIWC_EITHER Iterator lower_bound(Policy policy, Iterator first, Iterator last, const Value &value,
                                 Less less = Less()) {
  return first + answerFor<LowerPlace, long long>(policy, first, last, value, less);
}
template <typename Policy, typename Iterator, typename Value, typename Less = less<>,
          IfPolicy<Policy> = 0>
AIWC_EITHER Iterator upper_bound(Policy policy, Iterator first, Iterator last, const Value &value,
                                 Less less = Less()) {
  return first + answerFor<UpperPlace, long long>(policy, first, last, value, less);
}
template <typename Policy, typename Iterator, typename Value, typename Less = less<>,
          IfPolicy<Policy> = 0>
AIWC_EITHER bool binary_search(Policy policy, Iterator first, Iterator last, const Value &value,
                               Less less = Less()) {
  return answerFor<IsAmong, bool>(policy, first, last, value, less);
}

/// In an order that the engine's numbers give.
template <typename Policy, typename Iterator, typename Engine, IfPolicy<Policy> = 0>
AIWC_EITHER void shuffle(Policy policy, Iterator first, Iterator last, Engine &&engine) {
  typedef ValueOf<Iterator> Value;
  const long long items = last - first;
  if constexpr (Policy::isOnDevice) {
    std::vector<unsigned int> numbers((size_t)items);
    for (unsigned int &number : numbers)
      number = (unsigned int)engine();
    device_vector<unsigned int> keys(numbers);
    thrust::sort_by_key(policy, keys.begin(), keys.end(), first);
  } else
    for (long long i = items - 1; i > 0; --i) {
      const long long other = (long long)(engine() % (unsigned long long)(i + 1));
      const Value value = first[i];
      first[i] = Value(first[other]);
      first[other] = value;
    }
}

#define AIWC_ALL(of)                                                                               \
  of(for_each) of(for_each_n) of(transform) of(transform_if) of(uninitialized_copy) of(fill)       \
      of(fill_n) of(uninitialized_fill) of(sequence) of(tabulate) of(generate) of(replace)         \
          of(replace_if) of(gather) of(scatter) of(scatter_if) of(adjacent_difference) of(reverse) \
              of(reduce) of(transform_reduce) of(inner_product) of(count) of(count_if) of(any_of)  \
                  of(all_of) of(none_of) of(find) of(find_if) of(find_if_not) of(is_sorted)        \
                      of(is_sorted_until) of(mismatch) of(equal) of(min_element) of(max_element)   \
                          of(minmax_element) of(inclusive_scan) of(exclusive_scan)                 \
                              of(transform_inclusive_scan) of(transform_exclusive_scan)            \
                                  of(inclusive_scan_by_key) of(exclusive_scan_by_key) of(copy_if)  \
                                      of(remove_copy_if) of(remove_if) of(remove) of(unique)       \
                                          of(unique_copy) of(unique_by_key) of(unique_by_key_copy) \
                                              of(partition) of(stable_partition) of(reduce_by_key) \
                                                  of(sort) of(sort_by_key) of(stable_sort)         \
                                                      of(stable_sort_by_key) of(lower_bound)       \
                                                          of(upper_bound) of(binary_search)        \
                                                              of(shuffle)
AIWC_ALL(AIWC_WITHOUT_POLICY)
#undef AIWC_ALL
#undef AIWC_WITHOUT_POLICY
/// These copy between host and device, too.
template <typename In, typename Out, IfNoPolicy<In> = 0>
AIWC_EITHER Out copy(In first, In last, Out output) {
#ifdef __HIP_DEVICE_COMPILE__
  return thrust::copy(seq, first, last, output);
#else
  return copyBetween(first, (long long)(last - first), output);
#endif
}
template <typename In, typename Out, IfNoPolicy<In> = 0>
AIWC_EITHER Out copy_n(In first, long long items, Out output) {
  return thrust::copy(first, first + items, output);
}

} // namespace thrust
