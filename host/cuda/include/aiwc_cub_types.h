// What cub's headers share: operators, keys that sort by their bits, iterators that compute their
// values. Names and meanings are cub's.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"

#include <climits>
#include <iterator>
#include <limits>
#include <type_traits>

#define AIWC_EITHER __attribute__((host, device, always_inline, nodebug)) inline
#define AIWC_ON_DEVICE __attribute__((device, always_inline, nodebug)) inline

#define CUB_NS_PREFIX
#define CUB_NS_POSTFIX
#define CUB_RUNTIME_FUNCTION __host__ __device__
#define CUB_VERSION 200200
#define CUB_PTX_WARP_THREADS 32
#define CUB_MAX(a, b) (((a) > (b)) ? (a) : (b))
#define CUB_MIN(a, b) (((a) < (b)) ? (a) : (b))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CubDebug(call) (call)
#define CubDebugExit(call)                                                                         \
  do {                                                                                             \
    if ((call) != cudaSuccess)                                                                     \
      exit(1);                                                                                     \
  } while (0)

namespace cub {

struct NullType {
  template <typename Any> AIWC_EITHER NullType &operator=(const Any &) { return *this; }
  AIWC_EITHER bool operator==(const NullType &) const { return true; }
  AIWC_EITHER bool operator!=(const NullType &) const { return false; }
};
template <int value> struct Int2Type {
  enum { VALUE = value };
};

template <typename Iterator> using ValueOf = typename std::iterator_traits<Iterator>::value_type;
/// The value type of an output, or another one if the output takes anything.
template <typename Output, typename Otherwise>
using OutputOf = std::conditional_t<std::is_void_v<ValueOf<Output>>, Otherwise, ValueOf<Output>>;

#define AIWC_OPERATOR(name, expression)                                                            \
  struct name {                                                                                    \
    template <typename A, typename B> AIWC_EITHER auto operator()(const A &a, const B &b) const {  \
      return expression;                                                                           \
    }                                                                                              \
  }
AIWC_OPERATOR(Sum, a + b);
AIWC_OPERATOR(Difference, a - b);
AIWC_OPERATOR(Division, a / b);
AIWC_OPERATOR(Max, a < b ? b : a);
AIWC_OPERATOR(Min, b < a ? b : a);
AIWC_OPERATOR(Equality, a == b);
AIWC_OPERATOR(Inequality, !(a == b));
#undef AIWC_OPERATOR
template <typename Equal> struct InequalityWrapper {
  Equal equal;
  AIWC_EITHER InequalityWrapper(Equal equal) : equal(equal) {}
  template <typename Value> AIWC_EITHER bool operator()(const Value &a, const Value &b) {
    return !equal(a, b);
  }
};

template <typename Key, typename Value> struct KeyValuePair {
  typedef Key KeyType;
  typedef Key KeyT;
  typedef Value ValueType;
  typedef Value ValueT;
  Key key;
  Value value;
  KeyValuePair() = default;
  AIWC_EITHER KeyValuePair(Key key, Value value) : key(key), value(value) {}
  AIWC_EITHER bool operator!=(const KeyValuePair &other) const {
    return value != other.value || key != other.key;
  }
};
/// Of equal values, the one of the smaller index.
struct ArgMax {
  template <typename Index, typename Value>
  AIWC_EITHER KeyValuePair<Index, Value> operator()(const KeyValuePair<Index, Value> &a,
                                                    const KeyValuePair<Index, Value> &b) const {
    return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <typename Index, typename Value>
  AIWC_EITHER KeyValuePair<Index, Value> operator()(const KeyValuePair<Index, Value> &a,
                                                    const KeyValuePair<Index, Value> &b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

template <size_t bytes> struct BitsOf;
template <> struct BitsOf<1> { typedef unsigned char Type; };
template <> struct BitsOf<2> { typedef unsigned short Type; };
template <> struct BitsOf<4> { typedef unsigned int Type; };
template <> struct BitsOf<8> { typedef unsigned long long Type; };
/// A key as an unsigned number of the same order.
template <typename Key> struct Traits {
  typedef typename BitsOf<sizeof(Key)>::Type UnsignedBits;
  static constexpr bool isInteger = std::is_integral_v<Key>;
  static constexpr bool isSigned = std::is_signed_v<Key> || !isInteger;
  static constexpr UnsignedBits kSign = UnsignedBits(UnsignedBits(1) << (sizeof(Key) * 8 - 1));
  static AIWC_EITHER UnsignedBits TwiddleIn(UnsignedBits bits) {
    if constexpr (!isInteger)
      return UnsignedBits(bits ^ (bits & kSign ? UnsignedBits(~UnsignedBits(0)) : kSign));
    return isSigned ? UnsignedBits(bits ^ kSign) : bits;
  }
  static AIWC_EITHER UnsignedBits TwiddleOut(UnsignedBits bits) {
    if constexpr (!isInteger)
      return UnsignedBits(bits ^ (bits & kSign ? kSign : UnsignedBits(~UnsignedBits(0))));
    return isSigned ? UnsignedBits(bits ^ kSign) : bits;
  }
  static AIWC_EITHER UnsignedBits ordered(const Key &key) {
    UnsignedBits bits;
    __builtin_memcpy(&bits, &key, sizeof(bits));
    // The zeros of both signs are equal, so that a stable sort leaves them in their order.
    if (!isInteger && bits == kSign)
      bits = 0;
    return TwiddleIn(bits);
  }
  static AIWC_EITHER Key Max() { return std::numeric_limits<Key>::max(); }
  static AIWC_EITHER Key Lowest() { return std::numeric_limits<Key>::lowest(); }
};
template <typename Key> struct NumericTraits : Traits<Key> {};

/// The arithmetic of an iterator whose values follow from a number. `Self` has at(offset) and moves
/// by advance(offset).
template <typename Self, typename Value, typename Reference, typename Distance>
struct ComputedIterator {
  typedef Self self_type;
  typedef Distance difference_type;
  typedef Value value_type;
  typedef Value *pointer;
  typedef Reference reference;
  typedef std::random_access_iterator_tag iterator_category;
  AIWC_EITHER Self &self() { return static_cast<Self &>(*this); }
  AIWC_EITHER const Self &self() const { return static_cast<const Self &>(*this); }
  AIWC_EITHER Reference operator*() const { return self().at(0); }
  template <typename Index> AIWC_EITHER Reference operator[](Index i) const {
    return self().at(Distance(i));
  }
  AIWC_EITHER Self &operator+=(Distance by) {
    self().advance(by);
    return self();
  }
  AIWC_EITHER Self &operator-=(Distance by) { return *this += -by; }
  AIWC_EITHER Self &operator++() { return *this += 1; }
  AIWC_EITHER Self &operator--() { return *this += -1; }
  AIWC_EITHER Self operator++(int) {
    const Self before = self();
    *this += 1;
    return before;
  }
  AIWC_EITHER Self operator--(int) {
    const Self before = self();
    *this += -1;
    return before;
  }
  template <typename Index> AIWC_EITHER Self operator+(Index by) const {
    Self result = self();
    result += Distance(by);
    return result;
  }
  template <typename Index, typename = std::enable_if_t<std::is_integral_v<Index>>>
  AIWC_EITHER Self operator-(Index by) const {
    Self result = self();
    result += -Distance(by);
    return result;
  }
  AIWC_EITHER Distance operator-(const Self &other) const { return other.distanceTo(self()); }
  AIWC_EITHER bool operator==(const Self &other) const { return *this - other == 0; }
  AIWC_EITHER bool operator!=(const Self &other) const { return *this - other != 0; }
  AIWC_EITHER bool operator<(const Self &other) const { return *this - other < 0; }
};

/// i, i + 1, ...
template <typename Value, typename Distance = ptrdiff_t>
struct CountingInputIterator
    : ComputedIterator<CountingInputIterator<Value, Distance>, Value, Value, Distance> {
  Value first;
  AIWC_EITHER explicit CountingInputIterator(Value first = Value()) : first(first) {}
  AIWC_EITHER Value at(Distance i) const { return Value(first + Value(i)); }
  AIWC_EITHER void advance(Distance by) { first = Value(first + Value(by)); }
  AIWC_EITHER Distance distanceTo(const CountingInputIterator &other) const {
    return Distance(other.first) - Distance(first);
  }
};
/// One value, as often as asked.
template <typename Value, typename Distance = ptrdiff_t>
struct ConstantInputIterator
    : ComputedIterator<ConstantInputIterator<Value, Distance>, Value, Value, Distance> {
  Value value;
  Distance place;
  AIWC_EITHER explicit ConstantInputIterator(Value value = Value(), Distance place = 0)
      : value(value), place(place) {}
  AIWC_EITHER Value at(Distance) const { return value; }
  AIWC_EITHER void advance(Distance by) { place += by; }
  AIWC_EITHER Distance distanceTo(const ConstantInputIterator &other) const {
    return other.place - place;
  }
};
/// convert(input[i]).
template <typename Value, typename Convert, typename Input, typename Distance = ptrdiff_t>
struct TransformInputIterator
    : ComputedIterator<TransformInputIterator<Value, Convert, Input, Distance>, Value, Value,
                       Distance> {
  Input input;
  Convert convert;
  AIWC_EITHER TransformInputIterator(Input input, Convert convert)
      : input(input), convert(convert) {}
  AIWC_EITHER Value at(Distance i) const { return const_cast<Convert &>(convert)(input[i]); }
  AIWC_EITHER void advance(Distance by) { input += by; }
  AIWC_EITHER Distance distanceTo(const TransformInputIterator &other) const {
    return Distance(other.input - input);
  }
};
/// Pairs of an index from 0 and the value there.
template <typename Input, typename Distance = ptrdiff_t, typename Value = ValueOf<Input>>
struct ArgIndexInputIterator
    : ComputedIterator<ArgIndexInputIterator<Input, Distance, Value>, KeyValuePair<Distance, Value>,
                       KeyValuePair<Distance, Value>, Distance> {
  Input input;
  Distance place;
  AIWC_EITHER explicit ArgIndexInputIterator(Input input, Distance place = 0)
      : input(input), place(place) {}
  AIWC_EITHER KeyValuePair<Distance, Value> at(Distance i) const {
    return {place + i, input[place + i]};
  }
  AIWC_EITHER void advance(Distance by) { place += by; }
  AIWC_EITHER Distance distanceTo(const ArgIndexInputIterator &other) const {
    return other.place - place;
  }
};

/// Two buffers that a sort fills in turns.
template <typename Value> struct DoubleBuffer {
  Value *d_buffers[2];
  int selector;
  AIWC_EITHER DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  AIWC_EITHER DoubleBuffer(Value *current, Value *alternate)
      : d_buffers{current, alternate}, selector(0) {}
  AIWC_EITHER Value *Current() { return d_buffers[selector]; }
  AIWC_EITHER Value *Alternate() { return d_buffers[selector ^ 1]; }
};

} // namespace cub
