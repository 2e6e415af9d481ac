// What cub's headers share: operators, keys that sort by their bits, iterators that compute their
// values. Names and meanings are cub's.
#pragma once
#pragma GCC system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#include <climits>
#include <iterator>
#include <limits>
#include <type_traits>

// Between both, functions are always inlined, and debuggers step over them: profiles show them as
// lines of who calls. With EITHER, they are for host and device.
#define AIWC_BEGIN_INLINE                                                                          \
  _Pragma("clang attribute push(__attribute__((always_inline)), apply_to = function)")             \
      _Pragma("clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))")
#define AIWC_END_INLINE _Pragma("clang attribute pop") _Pragma("clang attribute pop")
#define AIWC_BEGIN_EITHER AIWC_BEGIN_INLINE _Pragma("clang force_cuda_host_device begin")
#define AIWC_END_EITHER _Pragma("clang force_cuda_host_device end") AIWC_END_INLINE

#define CUB_NS_PREFIX
#define CUB_NS_POSTFIX
#define CUB_RUNTIME_FUNCTION __host__ __device__
#define CUB_VERSION 200200
#define CUB_PTX_WARP_THREADS 32
#define CUB_MAX(a, b) (((a) > (b)) ? (a) : (b))
#define CUB_MIN(a, b) (((a) < (b)) ? (a) : (b))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CubDebug(call) (call)
#define CubDebugExit(call) ((call) == cudaSuccess ? (void)0 : exit(1))

namespace cub {
AIWC_BEGIN_EITHER

struct NullType {
  template <class Any> NullType &operator=(const Any &) { return *this; }
  bool operator==(const NullType &) const { return true; }
  bool operator!=(const NullType &) const { return false; }
};
template <class Iterator> using ValueOf = typename std::iterator_traits<Iterator>::value_type;
/// The value type of an output, or another one if the output takes anything.
template <class Output, class Otherwise>
using OutputOf = std::conditional_t<std::is_void_v<ValueOf<Output>>, Otherwise, ValueOf<Output>>;

#define AIWC_OPERATOR(name, expression)                                                            \
  struct name {                                                                                    \
    template <class First, class Second> auto operator()(const First &a, const Second &b) const {  \
      return expression;                                                                           \
    }                                                                                              \
  }
AIWC_OPERATOR(Sum, a + b);
AIWC_OPERATOR(Difference, a - b);
AIWC_OPERATOR(Max, a < b ? b : a);
AIWC_OPERATOR(Min, b < a ? b : a);
AIWC_OPERATOR(Equality, a == b);
AIWC_OPERATOR(Inequality, !(a == b));
#undef AIWC_OPERATOR
template <class Key, class Value> struct KeyValuePair {
  typedef Key KeyType, KeyT;
  typedef Value ValueType, ValueT;
  Key key;
  Value value;
  KeyValuePair() = default;
  KeyValuePair(Key key, Value value) : key(key), value(value) {}
  bool operator!=(const KeyValuePair &other) const {
    return value != other.value || key != other.key;
  }
};
/// Of equal values, the one of the smaller index.
struct ArgMax {
  template <class Pair> Pair operator()(const Pair &a, const Pair &b) const {
    return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class Pair> Pair operator()(const Pair &a, const Pair &b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

/// A key as an unsigned number of the same order.
template <class Key> struct Traits {
  typedef std::conditional_t<sizeof(Key) <= 2,
                             std::conditional_t<sizeof(Key) == 1, unsigned char, unsigned short>,
                             std::conditional_t<sizeof(Key) == 4, unsigned int, unsigned long long>>
      UnsignedBits;
  static constexpr bool isInteger = std::is_integral_v<Key>;
  static constexpr bool isSigned = std::is_signed_v<Key> || !isInteger;
  static constexpr UnsignedBits kSign = UnsignedBits(UnsignedBits(1) << (sizeof(Key) * 8 - 1));
  /// The bits that differ between a key and the number: of a negative float, all.
  static UnsignedBits flipped(bool isNegative) {
    return isInteger ? (isSigned ? kSign : 0) : isNegative ? UnsignedBits(~UnsignedBits(0)) : kSign;
  }
  static UnsignedBits TwiddleIn(UnsignedBits bits) {
    return UnsignedBits(bits ^ flipped(bits & kSign));
  }
  static UnsignedBits TwiddleOut(UnsignedBits bits) {
    return UnsignedBits(bits ^ flipped(!(bits & kSign)));
  }
  static UnsignedBits ordered(const Key &key) {
    UnsignedBits bits;
    __builtin_memcpy(&bits, &key, sizeof(bits));
    // The zeros of both signs are equal, so that a stable sort leaves them in their order.
    if (!isInteger && bits == kSign)
      bits = 0;
    return TwiddleIn(bits);
  }
  static Key Max() { return std::numeric_limits<Key>::max(); }
  static Key Lowest() { return std::numeric_limits<Key>::lowest(); }
};
template <class Key> struct NumericTraits : Traits<Key> {};

#define AIWC_COMPARISON(op)                                                                        \
  template <class Other> bool operator op(const Other &other) const {                              \
    return *this - other op 0;                                                                     \
  }
/// A random-access iterator whose items `Self` computes from a position, by its operator*.
template <class Self, class Position, class Reference, class Value = Reference,
          class Distance = ptrdiff_t>
struct ComputedIterator {
  typedef Self self_type;
  typedef Distance difference_type;
  typedef Value value_type;
  typedef Value *pointer;
  typedef Reference reference;
  typedef std::random_access_iterator_tag iterator_category;
  Position position;
  explicit ComputedIterator(Position position = Position()) : position(position) {}
  void advance(Distance by) { position += by; }
  template <class Other> Distance distanceFrom(const Other &other) const {
    if constexpr (std::is_arithmetic_v<Position>)
      return Distance(position) - Distance(other.position);
    else
      return Distance(position - other.position);
  }
  const Self &self() const { return static_cast<const Self &>(*this); }
  Reference operator[](Distance i) const { return *(*this + i); }
  Self &operator+=(Distance by) {
    Self &self = static_cast<Self &>(*this);
    self.advance(by);
    return self;
  }
  Self &operator-=(Distance by) { return *this += -by; }
  Self &operator++() { return *this += 1; }
  Self &operator--() { return *this += -1; }
  Self operator++(int) { return (*this += 1) - 1; }
  Self operator--(int) { return (*this += -1) + 1; }
  Self operator+(Distance by) const { return Self(self()) += by; }
  Self operator-(Distance by) const { return Self(self()) += -by; }
  template <class Other, class = decltype(Other::position)>
  Distance operator-(const Other &other) const {
    return self().distanceFrom(other);
  }
  AIWC_COMPARISON(==);
  AIWC_COMPARISON(!=);
  AIWC_COMPARISON(<);
  AIWC_COMPARISON(>);
  AIWC_COMPARISON(<=);
  AIWC_COMPARISON(>=);
};
#undef AIWC_COMPARISON

/// i, i + 1, ...
template <class Value, class Distance = ptrdiff_t>
struct CountingInputIterator
    : ComputedIterator<CountingInputIterator<Value, Distance>, Value, Value, Value, Distance> {
  using CountingInputIterator::ComputedIterator::ComputedIterator;
  Value operator*() const { return this->position; }
};
/// One value, as often as asked.
template <class Value, class Distance = ptrdiff_t>
struct ConstantInputIterator
    : ComputedIterator<ConstantInputIterator<Value, Distance>, Distance, Value, Value, Distance> {
  Value value;
  explicit ConstantInputIterator(Value value = Value(), Distance position = 0)
      : ConstantInputIterator::ComputedIterator(position), value(value) {}
  Value operator*() const { return value; }
};
/// convert(input[i]).
template <class Value, class Convert, class Input, class Distance = ptrdiff_t>
struct TransformInputIterator
    : ComputedIterator<TransformInputIterator<Value, Convert, Input, Distance>, Input, Value, Value,
                       Distance> {
  Convert convert;
  TransformInputIterator(Input input, Convert convert)
      : TransformInputIterator::ComputedIterator(input), convert(convert) {}
  Value operator*() const { return const_cast<Convert &>(convert)(*this->position); }
};
/// Pairs of an index from 0 and the value there.
template <class Input, class Distance = ptrdiff_t, class Value = ValueOf<Input>>
struct ArgIndexInputIterator
    : ComputedIterator<ArgIndexInputIterator<Input, Distance, Value>, Distance,
                       KeyValuePair<Distance, Value>, KeyValuePair<Distance, Value>, Distance> {
  Input input;
  explicit ArgIndexInputIterator(Input input, Distance position = 0)
      : ArgIndexInputIterator::ComputedIterator(position), input(input) {}
  KeyValuePair<Distance, Value> operator*() const {
    return {this->position, input[this->position]};
  }
};

/// Two buffers that a sort fills in turns.
template <class Value> struct DoubleBuffer {
  Value *d_buffers[2];
  int selector;
  DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  DoubleBuffer(Value *current, Value *alternate) : d_buffers{current, alternate}, selector(0) {}
  Value *Current() { return d_buffers[selector]; }
  Value *Alternate() { return d_buffers[selector ^ 1]; }
};

AIWC_END_EITHER
} // namespace cub
