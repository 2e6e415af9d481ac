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
/// CUDA's errors, in its words.
inline const std::error_category &cuda_category() {
  static const struct : std::error_category {
    const char *name() const noexcept override { return "CUDA"; }
    std::string message(int code) const override { return cudaGetErrorString((cudaError_t)code); }
  } category;
  return category;
}
namespace system {
using std::system_error;
using thrust::cuda_category;
} // namespace system

AIWC_BEGIN_EITHER

typedef cub::NullType null_type;
template <class Iterator> using ValueOf = cub::ValueOf<Iterator>;

// == Tuples. They may hold references, to which they assign.

template <class... Types> class tuple;
template <> class tuple<> {
public:
  bool operator==(const tuple &) const { return true; }
  bool operator<(const tuple &) const { return false; }
};
template <class First, class... Rest> class tuple<First, Rest...> {
public:
  tuple() = default;
  tuple(const tuple &) = default;
  tuple(First first, Rest... rest)
      : head(static_cast<First &&>(first)), tail(static_cast<Rest &&>(rest)...) {}
  template <class Other, class... Others,
            class = std::enable_if_t<sizeof...(Others) == sizeof...(Rest) &&
                                     std::is_convertible_v<const Other &, First>>>
  tuple(const tuple<Other, Others...> &other) : head((First)other.head), tail(other.tail) {}
  tuple &operator=(const tuple &other) {
    head = other.head;
    tail = other.tail;
    return *this;
  }
  template <class... Others> tuple &operator=(const tuple<Others...> &other) {
    head = other.head;
    tail = other.tail;
    return *this;
  }
  template <class... Others> bool operator==(const tuple<Others...> &other) const {
    return head == other.head && tail == other.tail;
  }
  template <class... Others> bool operator!=(const tuple<Others...> &other) const {
    return !(*this == other);
  }
  template <class... Others> bool operator<(const tuple<Others...> &other) const {
    return head < other.head || (!(other.head < head) && tail < other.tail);
  }
  First head;
  tuple<Rest...> tail;
};
using std::tuple_element;
using std::tuple_element_t;
using std::tuple_size;
template <size_t i, class Tuple> auto &itemOf(Tuple &of) {
  if constexpr (i == 0)
    return of.head;
  else
    return itemOf<i - 1>(of.tail);
}
template <size_t i, class... Types> auto &get(tuple<Types...> &of) {
  return itemOf<i>(of);
}
template <size_t i, class... Types> auto &get(tuple<Types...> &&of) {
  return itemOf<i>(of);
}
template <size_t i, class... Types> auto &get(const tuple<Types...> &of) {
  return itemOf<i>(of);
}
template <class... Types> tuple<std::decay_t<Types>...> make_tuple(Types &&...of) {
  return tuple<std::decay_t<Types>...>(static_cast<Types &&>(of)...);
}
template <class... Types> tuple<Types &...> tie(Types &...of) {
  return tuple<Types &...>(of...);
}

/// Calls a function with the items of a tuple.
template <class Function, class Tuple, size_t... i>
decltype(auto) callWith(Function &&function, Tuple &of, std::index_sequence<i...>) {
  return function(itemOf<i>(of)...);
}
template <class Function, class Tuple> decltype(auto) callWith(Function &&function, Tuple &of) {
  return callWith(function, of, std::make_index_sequence<tuple_size<Tuple>::value>());
}

template <class First, class Second> struct pair {
  typedef First first_type;
  typedef Second second_type;
  First first;
  Second second;
  pair() = default;
  pair(First first, Second second) : first(first), second(second) {}
  template <class OtherFirst, class OtherSecond>
  pair(const pair<OtherFirst, OtherSecond> &other) : first(other.first), second(other.second) {}
  bool operator==(const pair &other) const {
    return first == other.first && second == other.second;
  }
  bool operator!=(const pair &other) const { return !(*this == other); }
  bool operator<(const pair &other) const {
    return first < other.first || (!(other.first < first) && second < other.second);
  }
};
template <class First, class Second>
pair<std::decay_t<First>, std::decay_t<Second>> make_pair(First &&a, Second &&b) {
  return {a, b};
}
template <class Value> void swap(Value &a, Value &b) {
  const Value before = a;
  a = b;
  b = before;
}

// == Functions

template <class Argument, class Result> struct unary_function {
  typedef Argument argument_type;
  typedef Result result_type;
};
template <class First, class Second, class Result> struct binary_function {
  typedef First first_argument_type;
  typedef Second second_argument_type;
  typedef Result result_type;
};
#define AIWC_FUNCTION(name, parameters, arguments, Typed, expression)                              \
  template <class Value = void> struct name {                                                      \
    typedef Typed result_type;                                                                     \
    typedef Value argument_type, first_argument_type, second_argument_type;                        \
    Typed operator() parameters const { return expression; }                                       \
  };                                                                                               \
  template <> struct name<void> {                                                                  \
    template <class First, class Second = First> auto operator() arguments const {                 \
      return expression;                                                                           \
    }                                                                                              \
  };
#define AIWC_BINARY(name, Typed, expression)                                                       \
  AIWC_FUNCTION(name, (const Value &a, const Value &b), (const First &a, const Second &b), Typed,  \
                expression)
#define AIWC_UNARY(name, Typed, expression)                                                        \
  AIWC_FUNCTION(name, (const Value &a), (const First &a), Typed, expression)
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
AIWC_UNARY(negate, Value, -a)
AIWC_UNARY(square, Value, a *a)
AIWC_UNARY(identity, Value, a)
AIWC_UNARY(logical_not, bool, !a)
#undef AIWC_FUNCTION
#undef AIWC_BINARY
#undef AIWC_UNARY

// == Functions that expressions of placeholders make (_1 + 2 * _2)

namespace placeholders {
struct AnyExpression {};
template <class Function> struct Expression : AnyExpression {
  Function function;
  constexpr explicit Expression(Function function) : function(function) {}
  template <class... Arguments> auto operator()(const Arguments &...arguments) const {
    return function(arguments...);
  }
};
template <size_t number> struct Argument {
  template <class First, class... Rest>
  auto operator()(const First &first, const Rest &...rest) const {
    if constexpr (number == 0)
      return first;
    else
      return Argument<number - 1>()(rest...);
  }
};
static constexpr Expression<Argument<0>> _1{{}};
static constexpr Expression<Argument<1>> _2{{}};
static constexpr Expression<Argument<2>> _3{{}};
template <class Function> auto expressionOf(Function function) {
  return Expression<Function>(function);
}
template <class Part> auto partOf(const Part &part) {
  if constexpr (std::is_base_of_v<AnyExpression, Part>)
    return part;
  else
    return [=](const auto &...) { return part; };
}
#define AIWC_EXPRESSION(op)                                                                        \
  template <class Left, class Right,                                                               \
            class = std::enable_if_t<std::is_base_of_v<AnyExpression, Left> ||                     \
                                     std::is_base_of_v<AnyExpression, Right>>>                     \
  auto operator op(const Left &left, const Right &right) {                                         \
    return expressionOf([a = partOf(left), b = partOf(right)](const auto &...arguments) {          \
      return a(arguments...) op b(arguments...);                                                   \
    });                                                                                            \
  }
AIWC_EXPRESSION(+)
AIWC_EXPRESSION(-)
AIWC_EXPRESSION(*)
AIWC_EXPRESSION(/)
AIWC_EXPRESSION(%)
AIWC_EXPRESSION(&)
AIWC_EXPRESSION(|)
AIWC_EXPRESSION(^)
AIWC_EXPRESSION(==)
AIWC_EXPRESSION(!=)
AIWC_EXPRESSION(<)
AIWC_EXPRESSION(>)
AIWC_EXPRESSION(<=)
AIWC_EXPRESSION(>=)
AIWC_EXPRESSION(&&)
AIWC_EXPRESSION(||)
#undef AIWC_EXPRESSION
template <class Function> auto operator-(const Expression<Function> &of) {
  return expressionOf([=](const auto &...arguments) { return -of(arguments...); });
}
template <class Function> auto operator!(const Expression<Function> &of) {
  return expressionOf([=](const auto &...arguments) { return !of(arguments...); });
}
} // namespace placeholders

// == Complex numbers

#define AIWC_COMPLEX(op)                                                                           \
  complex &operator op##=(const complex &b) {                                                      \
    return *this = *this op b;                                                                     \
  }                                                                                                \
  complex &operator op##=(Number b) {                                                              \
    return *this = *this op b;                                                                     \
  }
template <class Number> struct complex {
  typedef Number value_type;
  Number re, im;
  complex(Number re = 0, Number im = 0) : re(re), im(im) {}
  template <class Other>
  complex(const complex<Other> &other) : re(Number(other.re)), im(Number(other.im)) {}
  Number real() const { return re; }
  Number imag() const { return im; }
  void real(Number value) { re = value; }
  void imag(Number value) { im = value; }
  complex operator+() const { return *this; }
  complex operator-() const { return {-re, -im}; }
  AIWC_COMPLEX(+);
  AIWC_COMPLEX(-);
  AIWC_COMPLEX(*);
  AIWC_COMPLEX(/);
  friend complex operator+(const complex &a, const complex &b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend complex operator-(const complex &a, const complex &b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend complex operator*(const complex &a, const complex &b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend complex operator*(const complex &a, Number b) { return {a.re * b, a.im * b}; }
  friend complex operator*(Number a, const complex &b) { return {a * b.re, a * b.im}; }
  friend complex operator/(const complex &a, Number b) { return {a.re / b, a.im / b}; }
  friend complex operator/(const complex &a, const complex &b) {
    const Number size = b.re * b.re + b.im * b.im;
    return {(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
  }
  friend bool operator==(const complex &a, const complex &b) {
    return a.re == b.re && a.im == b.im;
  }
  friend bool operator!=(const complex &a, const complex &b) { return !(a == b); }
  friend Number norm(const complex &a) { return a.re * a.re + a.im * a.im; }
  friend Number abs(const complex &a) { return ::hypot(a.re, a.im); }
  friend Number arg(const complex &a) { return ::atan2(a.im, a.re); }
  friend complex conj(const complex &a) { return {a.re, -a.im}; }
  friend complex exp(const complex &a) {
    const Number size = ::exp(a.re);
    return {size * ::cos(a.im), size * ::sin(a.im)};
  }
  friend complex log(const complex &a) { return {::log(abs(a)), arg(a)}; }
  friend complex sqrt(const complex &a) {
    const Number size = ::sqrt(abs(a)), half = arg(a) / 2;
    return {size * ::cos(half), size * ::sin(half)};
  }
  friend complex pow(const complex &a, const complex &b) { return exp(b * log(a)); }
};
#undef AIWC_COMPLEX
template <class Number> complex<Number> polar(Number size, Number angle = 0) {
  return {size * ::cos(angle), size * ::sin(angle)};
}

// == Random numbers

/// x becomes a x mod (2^31 - 1).
template <unsigned int a> struct MinimalStandardEngine {
  typedef unsigned int result_type;
  static constexpr unsigned int min = 1, max = 2147483646, default_seed = 1;
  unsigned int state;
  explicit MinimalStandardEngine(unsigned int seed = default_seed) { this->seed(seed); }
  void seed(unsigned int seed) {
    state = seed % 2147483647;
    if (state == 0)
      state = 1;
  }
  unsigned int operator()() { return state = times(state, a); }
  void discard(unsigned long long steps) {
    for (unsigned int power = a; steps > 0; steps /= 2, power = times(power, power))
      if (steps % 2 == 1)
        state = times(state, power);
  }

private:
  static unsigned int times(unsigned int x, unsigned int y) {
    return (unsigned int)((unsigned long long)x * y % 2147483647);
  }
};
typedef MinimalStandardEngine<48271> minstd_rand;
typedef MinimalStandardEngine<16807> minstd_rand0;
typedef minstd_rand default_random_engine;
template <class Number = double> struct uniform_real_distribution {
  typedef Number result_type;
  Number from, to;
  explicit uniform_real_distribution(Number from = 0, Number to = 1) : from(from), to(to) {}
  template <class Engine> Number operator()(Engine &engine) {
    return from + (to - from) * (Number(engine() - Engine::min) / (Number(Engine::max) + 1));
  }
};
template <class Integer = int> struct uniform_int_distribution {
  typedef Integer result_type;
  Integer from, to;
  explicit uniform_int_distribution(Integer from = 0,
                                    Integer to = std::numeric_limits<Integer>::max())
      : from(from), to(to) {}
  template <class Engine> Integer operator()(Engine &engine) {
    const double share = double(engine() - Engine::min) / (double(Engine::max) + 1);
    return Integer(double(from) + share * (double(to) - double(from) + 1));
  }
};
namespace random {
using thrust::default_random_engine;
using thrust::minstd_rand;
using thrust::minstd_rand0;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
} // namespace random

// == Iterators

template <class Value, class = void, class = void, class Distance = ptrdiff_t>
using counting_iterator = cub::CountingInputIterator<Value, Distance>;
template <class Value> counting_iterator<Value> make_counting_iterator(Value first) {
  return counting_iterator<Value>(first);
}
template <class Value, class = void, class = void>
using constant_iterator = cub::ConstantInputIterator<Value>;
template <class Value> constant_iterator<Value> make_constant_iterator(Value value) {
  return constant_iterator<Value>(value);
}

template <class Base> using ReferenceOf = decltype(std::declval<const Base &>()[0]);
/// What a function makes of an iterator's items. Asked without a caller, it may be one of the
/// device.
template <class Function, class Base>
using ResultOf =
    std::decay_t<decltype(std::declval<Function &>()(std::declval<ReferenceOf<Base>>()))>;
template <class Function, class Base, class = void, class = void>
struct transform_iterator
    : cub::ComputedIterator<transform_iterator<Function, Base>, Base, ResultOf<Function, Base>> {
  Function function;
  transform_iterator() = default;
  explicit transform_iterator(Base input, Function function = Function())
      : transform_iterator::ComputedIterator(input), function(function) {}
  Base base() const { return this->position; }
  ResultOf<Function, Base> operator*() const {
    return const_cast<Function &>(function)(this->position[0]);
  }
};
template <class Function, class Base>
transform_iterator<Function, Base> make_transform_iterator(Base input, Function function) {
  return transform_iterator<Function, Base>(input, function);
}

/// values[indices[i]].
template <class Values, class Indices>
struct permutation_iterator : cub::ComputedIterator<permutation_iterator<Values, Indices>, Indices,
                                                    ReferenceOf<Values>, ValueOf<Values>> {
  Values values;
  permutation_iterator() = default;
  permutation_iterator(Values values, Indices indices)
      : permutation_iterator::ComputedIterator(indices), values(values) {}
  Values base() const { return values; }
  ReferenceOf<Values> operator*() const { return values[(ptrdiff_t)this->position[0]]; }
};
template <class Values, class Indices>
permutation_iterator<Values, Indices> make_permutation_iterator(Values values, Indices indices) {
  return permutation_iterator<Values, Indices>(values, indices);
}

/// The items before a place, backwards.
template <class Base>
struct reverse_iterator
    : cub::ComputedIterator<reverse_iterator<Base>, Base, ReferenceOf<Base>, ValueOf<Base>> {
  reverse_iterator() = default;
  explicit reverse_iterator(Base end) : reverse_iterator::ComputedIterator(end) {}
  Base base() const { return this->position; }
  ReferenceOf<Base> operator*() const { return this->position[-1]; }
  void advance(ptrdiff_t by) { this->position -= by; }
  template <class Other> ptrdiff_t distanceFrom(const Other &other) const {
    return other.position - this->position;
  }
};
template <class Base> reverse_iterator<Base> make_reverse_iterator(Base end) {
  return reverse_iterator<Base>(end);
}

template <class Tuple> struct zip_iterator;
/// Tuples of the items of several iterators.
template <class... Bases>
struct zip_iterator<tuple<Bases...>>
    : cub::ComputedIterator<zip_iterator<tuple<Bases...>>, tuple<Bases...>,
                            tuple<ReferenceOf<Bases>...>, tuple<ValueOf<Bases>...>> {
  zip_iterator() = default;
  zip_iterator(tuple<Bases...> inputs) : zip_iterator::ComputedIterator(inputs) {}
  template <class... Others>
  zip_iterator(const zip_iterator<tuple<Others...>> &other)
      : zip_iterator::ComputedIterator(other.position) {}
  const tuple<Bases...> &get_iterator_tuple() const { return this->position; }
  tuple<ReferenceOf<Bases>...> operator*() const {
    return callWith(
        [](const auto &...inputs) { return tuple<ReferenceOf<Bases>...>(inputs[0]...); },
        this->position);
  }
  void advance(ptrdiff_t by) {
    callWith([=](auto &...inputs) { ((inputs += by), ...); }, this->position);
  }
  template <class Other> ptrdiff_t distanceFrom(const Other &other) const {
    return this->position.head - other.position.head;
  }
};
template <class... Bases> zip_iterator<tuple<Bases...>> make_zip_iterator(tuple<Bases...> inputs) {
  return zip_iterator<tuple<Bases...>>(inputs);
}
template <class First, class Second, class... Bases>
auto make_zip_iterator(First first, Second second, Bases... rest) {
  return make_zip_iterator(thrust::make_tuple(first, second, rest...));
}

/// Calls a function with the items of a tuple.
template <class Function> struct zip_function {
  Function function;
  explicit zip_function(Function function) : function(function) {}
  template <class Tuple> decltype(auto) operator()(const Tuple &of) const {
    return callWith(function, of);
  }
};
template <class Function> zip_function<Function> make_zip_function(Function function) {
  return zip_function<Function>(function);
}

/// Takes what is assigned, and keeps nothing.
struct discard_iterator : cub::ComputedIterator<discard_iterator, ptrdiff_t, cub::NullType> {
  using ComputedIterator::ComputedIterator;
  cub::NullType operator*() const { return {}; }
};
inline discard_iterator make_discard_iterator() {
  return discard_iterator();
}
template <class Iterator> struct iterator_value { typedef ValueOf<Iterator> type; };
template <class Iterator> struct iterator_difference {
  typedef typename std::iterator_traits<Iterator>::difference_type type;
};
template <class Iterator> auto distance(Iterator first, Iterator last) {
  return last - first;
}
template <class Iterator, class Distance> void advance(Iterator &iterator, Distance by) {
  iterator += by;
}

AIWC_END_EITHER
} // namespace thrust

template <class... Types>
struct std::tuple_size<thrust::tuple<Types...>> : std::integral_constant<size_t, sizeof...(Types)> {
};
template <class First, class... Rest> struct std::tuple_element<0, thrust::tuple<First, Rest...>> {
  typedef First type;
};
template <size_t i, class First, class... Rest>
struct std::tuple_element<i, thrust::tuple<First, Rest...>>
    : std::tuple_element<i - 1, thrust::tuple<Rest...>> {};
