// thrust's tuples, functions, complex and random numbers, and iterators, for host and device.
#pragma once
#pragma GCC system_header
#include "aiwc_cub_types.h"

#include <iosfwd>
#include <iterator>
#include <system_error>

#define THRUST_VERSION 200200
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 2
#define THRUST_SUBMINOR_VERSION 0
#define THRUST_NS_QUALIFIER ::thrust

namespace thrust {

using std::system_error;
namespace system {
using std::system_error;
}
typedef cub::NullType null_type;
template <typename Iterator> using ValueOf = cub::ValueOf<Iterator>;

// == Tuples. They may hold references, to which they assign.

template <typename... Types> class tuple;
template <> class tuple<> {
public:
  AIWC_EITHER bool operator==(const tuple &) const { return true; }
  AIWC_EITHER bool operator<(const tuple &) const { return false; }
};
template <typename First, typename... Rest> class tuple<First, Rest...> {
public:
  tuple() = default;
  tuple(const tuple &) = default;
  AIWC_EITHER tuple(First first, Rest... rest)
      : head(static_cast<First &&>(first)), tail(static_cast<Rest &&>(rest)...) {}
  template <typename Other, typename... Others,
            typename = std::enable_if_t<sizeof...(Others) == sizeof...(Rest) &&
                                        std::is_convertible_v<const Other &, First>>>
  AIWC_EITHER tuple(const tuple<Other, Others...> &other)
      : head((First)other.head), tail(other.tail) {}
  AIWC_EITHER tuple &operator=(const tuple &other) {
    head = other.head;
    tail = other.tail;
    return *this;
  }
  template <typename... Others> AIWC_EITHER tuple &operator=(const tuple<Others...> &other) {
    head = other.head;
    tail = other.tail;
    return *this;
  }
  template <typename... Others> AIWC_EITHER bool operator==(const tuple<Others...> &other) const {
    return head == other.head && tail == other.tail;
  }
  template <typename... Others> AIWC_EITHER bool operator!=(const tuple<Others...> &other) const {
    return !(*this == other);
  }
  template <typename... Others> AIWC_EITHER bool operator<(const tuple<Others...> &other) const {
    return head < other.head || (!(other.head < head) && tail < other.tail);
  }
  template <typename... Others> AIWC_EITHER bool operator>(const tuple<Others...> &other) const {
    return other < *this;
  }
  First head;
  tuple<Rest...> tail;
};
template <size_t i, typename Tuple> struct tuple_element;
template <typename First, typename... Rest> struct tuple_element<0, tuple<First, Rest...>> {
  typedef First type;
};
template <size_t i, typename First, typename... Rest>
struct tuple_element<i, tuple<First, Rest...>> : tuple_element<i - 1, tuple<Rest...>> {};
template <size_t i, typename Tuple> using tuple_element_t = typename tuple_element<i, Tuple>::type;
template <typename Tuple> struct tuple_size;
template <typename... Types>
struct tuple_size<tuple<Types...>> : std::integral_constant<size_t, sizeof...(Types)> {};
template <size_t i, typename First, typename... Rest>
AIWC_EITHER auto &get(tuple<First, Rest...> &of) {
  if constexpr (i == 0)
    return of.head;
  else
    return get<i - 1>(of.tail);
}
template <size_t i, typename First, typename... Rest>
AIWC_EITHER const auto &get(const tuple<First, Rest...> &of) {
  if constexpr (i == 0)
    return of.head;
  else
    return get<i - 1>(of.tail);
}
template <size_t i, typename First, typename... Rest>
AIWC_EITHER auto &get(tuple<First, Rest...> &&of) {
  return get<i>(of);
}
template <typename... Types> AIWC_EITHER tuple<std::decay_t<Types>...> make_tuple(Types &&...of) {
  return tuple<std::decay_t<Types>...>(static_cast<Types &&>(of)...);
}
template <typename... Types> AIWC_EITHER tuple<Types &...> tie(Types &...of) {
  return tuple<Types &...>(of...);
}

template <typename First, typename Second> struct pair {
  typedef First first_type;
  typedef Second second_type;
  First first;
  Second second;
  pair() = default;
  pair(const pair &) = default;
  AIWC_EITHER pair(First first, Second second) : first(first), second(second) {}
  template <typename A, typename B>
  AIWC_EITHER pair(const pair<A, B> &other) : first(other.first), second(other.second) {}
  template <typename A, typename B>
  pair(const std::pair<A, B> &other) : first(other.first), second(other.second) {}
  AIWC_EITHER pair &operator=(const pair &other) {
    first = other.first;
    second = other.second;
    return *this;
  }
  AIWC_EITHER bool operator==(const pair &other) const {
    return first == other.first && second == other.second;
  }
  AIWC_EITHER bool operator!=(const pair &other) const { return !(*this == other); }
  AIWC_EITHER bool operator<(const pair &other) const {
    return first < other.first || (!(other.first < first) && second < other.second);
  }
};
template <typename A, typename B>
AIWC_EITHER pair<std::decay_t<A>, std::decay_t<B>> make_pair(A &&a, B &&b) {
  return {a, b};
}
template <typename Value> AIWC_EITHER void swap(Value &a, Value &b) {
  const Value before = a;
  a = b;
  b = before;
}

// == Functions

template <typename Argument, typename Result> struct unary_function {
  typedef Argument argument_type;
  typedef Result result_type;
};
template <typename First, typename Second, typename Result> struct binary_function {
  typedef First first_argument_type;
  typedef Second second_argument_type;
  typedef Result result_type;
};
#define AIWC_FUNCTION(name, parameters, arguments, Typed, expression)                              \
  template <typename Value = void> struct name {                                                   \
    typedef Typed result_type;                                                                     \
    typedef Value argument_type, first_argument_type, second_argument_type;                        \
    AIWC_EITHER Typed operator() parameters const { return expression; }                           \
  };                                                                                               \
  template <> struct name<void> {                                                                  \
    template <typename A, typename B = A> AIWC_EITHER auto operator() arguments const {            \
      return expression;                                                                           \
    }                                                                                              \
  };
#define AIWC_BINARY(name, Typed, expression)                                                       \
  AIWC_FUNCTION(name, (const Value &a, const Value &b), (const A &a, const B &b), Typed, expression)
#define AIWC_UNARY(name, Typed, expression)                                                        \
  AIWC_FUNCTION(name, (const Value &a), (const A &a), Typed, expression)
AIWC_BINARY(plus, Value, a + b)
AIWC_BINARY(minus, Value, a - b)
AIWC_BINARY(multiplies, Value, a *b)
AIWC_BINARY(divides, Value, a / b)
AIWC_BINARY(modulus, Value, a % b)
AIWC_BINARY(maximum, Value, a < b ? b : a)
AIWC_BINARY(minimum, Value, b < a ? b : a)
AIWC_BINARY(bit_and, Value, a &b)
AIWC_BINARY(bit_or, Value, a | b)
AIWC_BINARY(bit_xor, Value, a ^ b)
AIWC_BINARY(less, bool, a < b)
AIWC_BINARY(greater, bool, b < a)
AIWC_BINARY(less_equal, bool, !(b < a))
AIWC_BINARY(greater_equal, bool, !(a < b))
AIWC_BINARY(equal_to, bool, a == b)
AIWC_BINARY(not_equal_to, bool, !(a == b))
AIWC_BINARY(logical_and, bool, a &&b)
AIWC_BINARY(logical_or, bool, a || b)
AIWC_BINARY(project1st, Value, a)
AIWC_BINARY(project2nd, Value, b)
AIWC_UNARY(negate, Value, -a)
AIWC_UNARY(square, Value, a *a)
AIWC_UNARY(identity, Value, a)
AIWC_UNARY(logical_not, bool, !a)
#undef AIWC_FUNCTION
#undef AIWC_BINARY
#undef AIWC_UNARY
template <typename Predicate> struct unary_negate {
  Predicate predicate;
  template <typename Value> AIWC_EITHER bool operator()(const Value &value) {
    return !predicate(value);
  }
};
template <typename Predicate> AIWC_EITHER unary_negate<Predicate> not1(Predicate predicate) {
  return {predicate};
}

// == Complex numbers

template <typename Real> struct complex {
  typedef Real value_type;
  Real re, im;
  AIWC_EITHER complex(Real re = 0, Real im = 0) : re(re), im(im) {}
  template <typename Other>
  AIWC_EITHER complex(const complex<Other> &other) : re(Real(other.re)), im(Real(other.im)) {}
  AIWC_EITHER Real real() const { return re; }
  AIWC_EITHER Real imag() const { return im; }
  AIWC_EITHER void real(Real value) { re = value; }
  AIWC_EITHER void imag(Real value) { im = value; }
  AIWC_EITHER complex operator+() const { return *this; }
  AIWC_EITHER complex operator-() const { return {-re, -im}; }
#define AIWC_COMPLEX(op)                                                                           \
  AIWC_EITHER complex &operator op##=(const complex &b) {                                          \
    return *this = *this op b;                                                                     \
  }                                                                                                \
  AIWC_EITHER complex &operator op##=(Real b) {                                                    \
    return *this = *this op b;                                                                     \
  }
  AIWC_COMPLEX(+)
  AIWC_COMPLEX(-)
  AIWC_COMPLEX(*)
  AIWC_COMPLEX(/)
#undef AIWC_COMPLEX
  friend AIWC_EITHER complex operator+(const complex &a, const complex &b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend AIWC_EITHER complex operator-(const complex &a, const complex &b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend AIWC_EITHER complex operator*(const complex &a, const complex &b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend AIWC_EITHER complex operator*(const complex &a, Real b) {
    return {a.re * b, a.im * b};
  }
  friend AIWC_EITHER complex operator*(Real a, const complex &b) {
    return {a * b.re, a * b.im};
  }
  friend AIWC_EITHER complex operator/(const complex &a, Real b) {
    return {a.re / b, a.im / b};
  }
  friend AIWC_EITHER complex operator/(const complex &a, const complex &b) {
    const Real size = b.re * b.re + b.im * b.im;
    return {(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
  }
  friend AIWC_EITHER bool operator==(const complex &a, const complex &b) {
    return a.re == b.re && a.im == b.im;
  }
  friend AIWC_EITHER bool operator!=(const complex &a, const complex &b) {
    return !(a == b);
  }
  friend AIWC_EITHER Real norm(const complex &a) {
    return a.re * a.re + a.im * a.im;
  }
  friend AIWC_EITHER Real abs(const complex &a) {
    return ::hypot(a.re, a.im);
  }
  friend AIWC_EITHER Real arg(const complex &a) {
    return ::atan2(a.im, a.re);
  }
  friend AIWC_EITHER complex conj(const complex &a) {
    return {a.re, -a.im};
  }
  friend AIWC_EITHER complex exp(const complex &a) {
    const Real size = ::exp(a.re);
    return {size * ::cos(a.im), size * ::sin(a.im)};
  }
  friend AIWC_EITHER complex log(const complex &a) {
    return {::log(abs(a)), arg(a)};
  }
  friend AIWC_EITHER complex sqrt(const complex &a) {
    const Real size = ::sqrt(abs(a)), half = arg(a) / 2;
    return {size * ::cos(half), size * ::sin(half)};
  }
  friend AIWC_EITHER complex pow(const complex &a, const complex &b) {
    return exp(b * log(a));
  }
};
template <typename Real> AIWC_EITHER complex<Real> polar(Real size, Real angle = 0) {
  return {size * ::cos(angle), size * ::sin(angle)};
}

// == Random numbers

/// x becomes a x mod (2^31 - 1).
template <unsigned int a> struct MinimalStandardEngine {
  typedef unsigned int result_type;
  static constexpr unsigned int min = 1, max = 2147483646, default_seed = 1;
  unsigned int state;
  AIWC_EITHER explicit MinimalStandardEngine(unsigned int seed = default_seed) { this->seed(seed); }
  AIWC_EITHER void seed(unsigned int seed) {
    state = seed % 2147483647;
    if (state == 0)
      state = 1;
  }
  AIWC_EITHER unsigned int operator()() { return state = times(state, a); }
  AIWC_EITHER void discard(unsigned long long steps) {
    for (unsigned int power = a; steps > 0; steps /= 2, power = times(power, power))
      if (steps % 2 == 1)
        state = times(state, power);
  }

private:
  static AIWC_EITHER unsigned int times(unsigned int x, unsigned int y) {
    return (unsigned int)((unsigned long long)x * y % 2147483647);
  }
};
typedef MinimalStandardEngine<48271> minstd_rand;
typedef MinimalStandardEngine<16807> minstd_rand0;
typedef minstd_rand default_random_engine;
template <typename Real = double> struct uniform_real_distribution {
  typedef Real result_type;
  Real from, to;
  AIWC_EITHER explicit uniform_real_distribution(Real from = 0, Real to = 1) : from(from), to(to) {}
  template <typename Engine> AIWC_EITHER Real operator()(Engine &engine) {
    return from + (to - from) * (Real(engine() - Engine::min) / (Real(Engine::max) + 1));
  }
};
template <typename Integer = int> struct uniform_int_distribution {
  typedef Integer result_type;
  Integer from, to;
  AIWC_EITHER explicit uniform_int_distribution(Integer from = 0,
                                                Integer to = std::numeric_limits<Integer>::max())
      : from(from), to(to) {}
  template <typename Engine> AIWC_EITHER Integer operator()(Engine &engine) {
    const double share = double(engine() - Engine::min) / (double(Engine::max) + 1);
    return Integer(double(from) + share * (double(to) - double(from) + 1));
  }
};
template <typename Real = double> struct normal_distribution {
  typedef Real result_type;
  Real mean, deviation;
  AIWC_EITHER explicit normal_distribution(Real mean = 0, Real deviation = 1)
      : mean(mean), deviation(deviation) {}
  template <typename Engine> AIWC_EITHER Real operator()(Engine &engine) {
    uniform_real_distribution<Real> uniform;
    const Real size = ::sqrt(Real(-2) * ::log(1 - uniform(engine)));
    return mean + deviation * size * ::cos(Real(6.283185307179586) * uniform(engine));
  }
};
namespace random {
using thrust::default_random_engine;
using thrust::minstd_rand;
using thrust::minstd_rand0;
using thrust::normal_distribution;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
} // namespace random

// == Iterators

template <typename Value, typename = void, typename = void, typename Distance = ptrdiff_t>
struct counting_iterator : cub::ComputedIterator<counting_iterator<Value, void, void, Distance>,
                                                 Value, Value, Distance> {
  Value first;
  AIWC_EITHER explicit counting_iterator(Value first = Value()) : first(first) {}
  AIWC_EITHER Value at(Distance i) const { return Value(first + Value(i)); }
  AIWC_EITHER void advance(Distance by) { first = Value(first + Value(by)); }
  AIWC_EITHER Distance distanceTo(const counting_iterator &other) const {
    return Distance(other.first) - Distance(first);
  }
};
template <typename Value> AIWC_EITHER counting_iterator<Value> make_counting_iterator(Value first) {
  return counting_iterator<Value>(first);
}
template <typename Value, typename = void, typename = void>
using constant_iterator = cub::ConstantInputIterator<Value>;
template <typename Value> AIWC_EITHER constant_iterator<Value> make_constant_iterator(Value value) {
  return constant_iterator<Value>(value);
}

/// What a function makes of an iterator's items. Asked without a caller, it may be one of the
/// device.
template <typename Function, typename Base>
using ResultOf =
    std::decay_t<decltype(std::declval<Function &>()(std::declval<const Base &>()[0]))>;
template <typename Function, typename Base, typename = void, typename = void>
struct transform_iterator
    : cub::ComputedIterator<transform_iterator<Function, Base>, ResultOf<Function, Base>,
                            ResultOf<Function, Base>, ptrdiff_t> {
  typedef ResultOf<Function, Base> Result;
  Base input;
  Function function;
  transform_iterator() = default;
  AIWC_EITHER transform_iterator(Base input, Function function)
      : input(input), function(function) {}
  AIWC_EITHER explicit transform_iterator(Base input) : input(input), function() {}
  AIWC_EITHER Base base() const { return input; }
  AIWC_EITHER Result at(ptrdiff_t i) const { return const_cast<Function &>(function)(input[i]); }
  AIWC_EITHER void advance(ptrdiff_t by) { input += by; }
  AIWC_EITHER ptrdiff_t distanceTo(const transform_iterator &other) const {
    return other.input - input;
  }
};
template <typename Function, typename Base>
AIWC_EITHER transform_iterator<Function, Base> make_transform_iterator(Base input,
                                                                       Function function) {
  return transform_iterator<Function, Base>(input, function);
}

/// values[indices[i]].
template <typename Values, typename Indices>
struct permutation_iterator
    : cub::ComputedIterator<permutation_iterator<Values, Indices>, ValueOf<Values>,
                            decltype(std::declval<const Values &>()[0]), ptrdiff_t> {
  Values values;
  Indices indices;
  permutation_iterator() = default;
  AIWC_EITHER permutation_iterator(Values values, Indices indices)
      : values(values), indices(indices) {}
  AIWC_EITHER Values base() const { return values; }
  AIWC_EITHER decltype(auto) at(ptrdiff_t i) const { return values[(ptrdiff_t)indices[i]]; }
  AIWC_EITHER void advance(ptrdiff_t by) { indices += by; }
  AIWC_EITHER ptrdiff_t distanceTo(const permutation_iterator &other) const {
    return other.indices - indices;
  }
};
template <typename Values, typename Indices>
AIWC_EITHER permutation_iterator<Values, Indices> make_permutation_iterator(Values values,
                                                                            Indices indices) {
  return permutation_iterator<Values, Indices>(values, indices);
}

template <typename Tuple> struct zip_iterator;
template <typename... Bases>
struct zip_iterator<tuple<Bases...>>
    : cub::ComputedIterator<zip_iterator<tuple<Bases...>>, tuple<ValueOf<Bases>...>,
                            tuple<decltype(std::declval<const Bases &>()[0])...>, ptrdiff_t> {
  typedef tuple<decltype(std::declval<const Bases &>()[0])...> Reference;
  tuple<Bases...> inputs;
  zip_iterator() = default;
  AIWC_EITHER zip_iterator(tuple<Bases...> inputs) : inputs(inputs) {}
  template <typename... Others>
  AIWC_EITHER zip_iterator(const zip_iterator<tuple<Others...>> &other) : inputs(other.inputs) {}
  AIWC_EITHER const tuple<Bases...> &get_iterator_tuple() const { return inputs; }
  AIWC_EITHER Reference at(ptrdiff_t i) const { return at(i, std::index_sequence_for<Bases...>()); }
  AIWC_EITHER void advance(ptrdiff_t by) { advance(by, std::index_sequence_for<Bases...>()); }
  AIWC_EITHER ptrdiff_t distanceTo(const zip_iterator &other) const {
    return get<0>(other.inputs) - get<0>(inputs);
  }

private:
  template <size_t... i>
  AIWC_EITHER Reference at(ptrdiff_t place, std::index_sequence<i...>) const {
    return Reference(get<i>(inputs)[place]...);
  }
  template <size_t... i> AIWC_EITHER void advance(ptrdiff_t by, std::index_sequence<i...>) {
    ((get<i>(inputs) += by), ...);
  }
};
template <typename... Bases>
AIWC_EITHER zip_iterator<tuple<Bases...>> make_zip_iterator(tuple<Bases...> inputs) {
  return zip_iterator<tuple<Bases...>>(inputs);
}
template <typename First, typename Second, typename... Bases>
AIWC_EITHER auto make_zip_iterator(First first, Second second, Bases... rest) {
  return make_zip_iterator(make_tuple(first, second, rest...));
}
/// A function of several arguments as one of a tuple.
template <typename Function> struct zip_function {
  Function function;
  template <typename... Types> AIWC_EITHER decltype(auto) operator()(const tuple<Types...> &of) {
    return call(of, std::index_sequence_for<Types...>());
  }

private:
  template <typename Tuple, size_t... i>
  AIWC_EITHER decltype(auto) call(const Tuple &of, std::index_sequence<i...>) {
    return function(get<i>(of)...);
  }
};
template <typename Function>
AIWC_EITHER zip_function<Function> make_zip_function(Function function) {
  return {function};
}

/// Takes what is assigned, and keeps nothing.
struct discard_iterator
    : cub::ComputedIterator<discard_iterator, cub::NullType, cub::NullType, ptrdiff_t> {
  ptrdiff_t place;
  AIWC_EITHER explicit discard_iterator(ptrdiff_t place = 0) : place(place) {}
  AIWC_EITHER cub::NullType at(ptrdiff_t) const { return {}; }
  AIWC_EITHER void advance(ptrdiff_t by) { place += by; }
  AIWC_EITHER ptrdiff_t distanceTo(const discard_iterator &other) const {
    return other.place - place;
  }
};
AIWC_BOTH discard_iterator make_discard_iterator() {
  return discard_iterator();
}
template <typename Base>
struct ReverseIterator
    : cub::ComputedIterator<ReverseIterator<Base>, ValueOf<Base>,
                            decltype(std::declval<const Base &>()[0]), ptrdiff_t> {
  Base behind;
  AIWC_EITHER explicit ReverseIterator(Base behind) : behind(behind) {}
  AIWC_EITHER Base base() const { return behind; }
  AIWC_EITHER decltype(auto) at(ptrdiff_t i) const { return behind[-1 - i]; }
  AIWC_EITHER void advance(ptrdiff_t by) { behind -= by; }
  AIWC_EITHER ptrdiff_t distanceTo(const ReverseIterator &other) const {
    return behind - other.behind;
  }
};
template <typename Base> using reverse_iterator = ReverseIterator<Base>;
template <typename Base> AIWC_EITHER ReverseIterator<Base> make_reverse_iterator(Base behind) {
  return ReverseIterator<Base>(behind);
}

template <typename Iterator> struct iterator_value { typedef ValueOf<Iterator> type; };
template <typename Iterator> struct iterator_difference {
  typedef typename std::iterator_traits<Iterator>::difference_type type;
};
template <typename Iterator> struct iterator_reference {
  typedef typename std::iterator_traits<Iterator>::reference type;
};
template <typename Iterator> struct iterator_pointer {
  typedef typename std::iterator_traits<Iterator>::pointer type;
};
template <typename Iterator> AIWC_EITHER auto distance(Iterator first, Iterator last) {
  return last - first;
}
template <typename Iterator, typename Distance>
AIWC_EITHER void advance(Iterator &iterator, Distance by) {
  iterator += by;
}
template <typename Iterator> AIWC_EITHER Iterator next(Iterator iterator, ptrdiff_t by = 1) {
  iterator += by;
  return iterator;
}
template <typename Iterator> AIWC_EITHER Iterator prev(Iterator iterator, ptrdiff_t by = 1) {
  iterator += -by;
  return iterator;
}

} // namespace thrust

template <typename... Types>
struct std::tuple_size<thrust::tuple<Types...>> : std::integral_constant<size_t, sizeof...(Types)> {
};
template <size_t i, typename... Types>
struct std::tuple_element<i, thrust::tuple<Types...>>
    : thrust::tuple_element<i, thrust::tuple<Types...>> {};
