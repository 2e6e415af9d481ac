// The headers of libcu++ (cuda/std/*, cuda/atomic, cuda/functional) whose names are those of C++:
// functions that are constexpr are those of device code, too. Atomic objects are atomic for the
// whole device, in one order, whatever scope and order the program names.
#pragma once
#pragma GCC system_header
#include "aiwc_cub_types.h"

#include <array>
#include <atomic>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <optional>
#include <ratio>
#include <tuple>
#include <type_traits>
#include <utility>

namespace cuda {

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread
};
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

} // namespace cuda

AIWC_BEGIN_EITHER
namespace aiwc_cuda {
/// What `Self`, an object of a program that has the address of a value, does with it.
template <typename Self, typename Value> class AtomicOperations {
  typedef cuda::memory_order Order;
  static constexpr Order kOrder = Order::memory_order_seq_cst;
  Value *at() const { return static_cast<const Self *>(this)->address(); }
  /// Replaces the value by `next` of it.
  template <typename Next> Value changed(Next next) const {
    Value before = load();
    while (!compare_exchange_weak(before, next(before)))
      ;
    return before;
  }

public:
  typedef Value value_type;
  static constexpr bool is_always_lock_free = true;
  bool is_lock_free() const { return true; }
  Value load(Order = kOrder) const {
    Value value;
    __atomic_load(at(), &value, __ATOMIC_SEQ_CST);
    return value;
  }
  void store(Value value, Order = kOrder) const { __atomic_store(at(), &value, __ATOMIC_SEQ_CST); }
  operator Value() const { return load(); }
  Value exchange(Value value, Order = kOrder) const {
    Value before;
    __atomic_exchange(at(), &value, &before, __ATOMIC_SEQ_CST);
    return before;
  }
  bool compare_exchange_strong(Value &expected, Value value, Order = kOrder, Order = kOrder) const {
    return __atomic_compare_exchange(at(), &expected, &value, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
  }
  bool compare_exchange_weak(Value &expected, Value value, Order = kOrder, Order = kOrder) const {
    return compare_exchange_strong(expected, value);
  }
  template <typename Other> Value fetch_add(Other by, Order = kOrder) const {
    if constexpr (::std::is_integral_v<Value>)
      return __atomic_fetch_add(at(), (Value)by, __ATOMIC_SEQ_CST);
    else
      return changed([=](Value value) { return value + by; });
  }
  template <typename Other> Value fetch_sub(Other by, Order = kOrder) const {
    if constexpr (::std::is_integral_v<Value>)
      return __atomic_fetch_sub(at(), (Value)by, __ATOMIC_SEQ_CST);
    else
      return changed([=](Value value) { return value - by; });
  }
  Value fetch_and(Value by, Order = kOrder) const {
    return __atomic_fetch_and(at(), by, __ATOMIC_SEQ_CST);
  }
  Value fetch_or(Value by, Order = kOrder) const {
    return __atomic_fetch_or(at(), by, __ATOMIC_SEQ_CST);
  }
  Value fetch_xor(Value by, Order = kOrder) const {
    return __atomic_fetch_xor(at(), by, __ATOMIC_SEQ_CST);
  }
  Value fetch_min(Value by, Order = kOrder) const {
    if constexpr (sizeof(Value) == 4 && ::std::is_integral_v<Value>)
      return __atomic_fetch_min(at(), by, __ATOMIC_SEQ_CST);
    else
      return changed([=](Value value) { return by < value ? by : value; });
  }
  Value fetch_max(Value by, Order = kOrder) const {
    if constexpr (sizeof(Value) == 4 && ::std::is_integral_v<Value>)
      return __atomic_fetch_max(at(), by, __ATOMIC_SEQ_CST);
    else
      return changed([=](Value value) { return value < by ? by : value; });
  }
  Value operator++(int) const { return fetch_add(1); }
  Value operator--(int) const { return fetch_sub(1); }
  Value operator++() const { return fetch_add(1) + 1; }
  Value operator--() const { return fetch_sub(1) - 1; }
  template <typename Other> Value operator+=(Other by) const { return fetch_add(by) + by; }
  template <typename Other> Value operator-=(Other by) const { return fetch_sub(by) - by; }
  Value operator&=(Value by) const { return fetch_and(by) & by; }
  Value operator|=(Value by) const { return fetch_or(by) | by; }
  Value operator^=(Value by) const { return fetch_xor(by) ^ by; }
};
} // namespace aiwc_cuda

namespace cuda {

template <typename Value, thread_scope scope = thread_scope_system>
class atomic : public aiwc_cuda::AtomicOperations<atomic<Value, scope>, Value> {
  mutable Value value_;

public:
  atomic() = default;
  constexpr atomic(Value value) : value_(value) {}
  atomic(const atomic &) = delete;
  Value operator=(Value value) {
    this->store(value);
    return value;
  }
  Value *address() const { return &value_; }
};
template <typename Value, thread_scope scope = thread_scope_system>
class atomic_ref : public aiwc_cuda::AtomicOperations<atomic_ref<Value, scope>, Value> {
  Value *address_;

public:
  explicit atomic_ref(Value &value) : address_(&value) {}
  atomic_ref(const atomic_ref &) = default;
  Value operator=(Value value) const {
    this->store(value);
    return value;
  }
  Value *address() const { return address_; }
};
inline void atomic_thread_fence(memory_order, thread_scope = thread_scope_system) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
template <typename Result, typename Function> Function proclaim_return_type(Function function) {
  return function;
}

namespace std {
using namespace ::std;
template <typename Value> using atomic = cuda::atomic<Value>;
template <typename Value> using atomic_ref = cuda::atomic_ref<Value>;
using cuda::atomic_thread_fence;
template <typename Value> void swap(Value &a, Value &b) {
  Value before = static_cast<Value &&>(a);
  a = static_cast<Value &&>(b);
  b = static_cast<Value &&>(before);
}
} // namespace std
} // namespace cuda
AIWC_END_EITHER
