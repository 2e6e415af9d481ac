// thrust's pointers and vectors of the device's memory, and vectors of the host's.
#pragma once
#pragma GCC system_header
#include "aiwc_cub_device.h"
#include "aiwc_thrust_types.h"

#include <algorithm>
#include <initializer_list>
#include <iostream> // programs expect it of thrust
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace thrust {

/// Throws the error of a launch or copy that a function of thrust has made, if there is one.
inline void expectSuccess(cudaError_t error, const char *function) {
  if (error == cudaSuccess)
    return;
  cudaGetLastError(); // the exception says it
  throw system_error(error, cuda_category(), function);
}
inline void copyBytes(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                      const char *function, cudaStream_t stream = 0) {
  expectSuccess(cudaMemcpyAsync(to, from, bytes, kind, stream), function);
}

AIWC_BEGIN_EITHER

template <class Value> class device_ptr;

#define AIWC_COMPOUND(op)                                                                          \
  template <class Other> const device_reference &operator op##=(const Other &value) const {        \
    write(Copy(read() op value));                                                                  \
    return *this;                                                                                  \
  }
/// An object in the device's memory, which the host copies to read and write.
template <class Value> class device_reference {
public:
  typedef std::remove_const_t<Value> Copy;
  explicit device_reference(Value *address) : address_(address) {}
  device_reference(const device_reference &) = default;
  device_ptr<Value> operator&() const { return device_ptr<Value>(address_); }
  operator Copy() const { return read(); }
  const device_reference &operator=(const Copy &value) const {
    write(value);
    return *this;
  }
  const device_reference &operator=(const device_reference &other) const {
    write(other.read());
    return *this;
  }
  AIWC_COMPOUND(+);
  AIWC_COMPOUND(-);
  AIWC_COMPOUND(*);
  AIWC_COMPOUND(/);
  const device_reference &operator++() const { return *this += 1; }
  const device_reference &operator--() const { return *this -= 1; }
  Copy read() const {
#ifdef __HIP_DEVICE_COMPILE__
    return *address_;
#else
    alignas(Copy) unsigned char bytes[sizeof(Copy)];
    copyBytes(bytes, (const void *)address_, sizeof(Copy), cudaMemcpyDeviceToHost,
              "thrust::device_reference");
    return *(Copy *)bytes;
#endif
  }
  void write(const Copy &value) const {
#ifdef __HIP_DEVICE_COMPILE__
    *const_cast<Copy *>(address_) = value;
#else
    copyBytes(const_cast<Copy *>(address_), &value, sizeof(Copy), cudaMemcpyHostToDevice,
              "thrust::device_reference");
#endif
  }

private:
  Value *address_;
};
#undef AIWC_COMPOUND

#ifdef __HIP_DEVICE_COMPILE__
template <class Value> using DeviceObject = Value &;
#else
template <class Value> using DeviceObject = device_reference<Value>;
#endif
/// A pointer to the device's memory, which is the iterator of a device_vector, too.
template <class Value>
class device_ptr : public cub::ComputedIterator<device_ptr<Value>, Value *, DeviceObject<Value>,
                                                std::remove_const_t<Value>> {
  template <class Other> using If = std::enable_if_t<std::is_convertible_v<Other *, Value *>>;

public:
  typedef device_ptr pointer;
  typedef device_reference<Value> reference;
  typedef Value element_type;
  device_ptr(std::nullptr_t = nullptr) : device_ptr::ComputedIterator(nullptr) {}
  template <class Other, class = If<Other>>
  explicit device_ptr(Other *address) : device_ptr::ComputedIterator(address) {}
  template <class Other, class = If<Other>>
  device_ptr(const device_ptr<Other> &other) : device_ptr::ComputedIterator(other.get()) {}
  Value *get() const { return this->position; }
  device_ptr base() const { return *this; }
  explicit operator bool() const { return get() != nullptr; }
  DeviceObject<Value> operator*() const {
#ifdef __HIP_DEVICE_COMPILE__
    return *get();
#else
    return reference(get());
#endif
  }
};
template <class Value> device_ptr<Value> device_pointer_cast(Value *address) {
  return device_ptr<Value>(address);
}
template <class Value> device_ptr<Value> device_pointer_cast(const device_ptr<Value> &address) {
  return address;
}
template <class Value> Value *raw_pointer_cast(const device_ptr<Value> &address) {
  return address.get();
}
template <class Value> Value *raw_pointer_cast(Value *address) {
  return address;
}
AIWC_END_EITHER

template <class Value> device_ptr<Value> device_malloc(size_t count) {
  Value *memory = nullptr;
  if (count > 0 && cudaMalloc((void **)&memory, count * sizeof(Value)) != cudaSuccess)
    throw std::bad_alloc();
  return device_ptr<Value>(memory);
}
template <class Value> void device_free(device_ptr<Value> memory) {
  cudaFree((void *)memory.get());
}
template <class Value> class device_allocator {
public:
  typedef Value value_type;
};

/// Memory of the device for the time of a call.
template <class Value> class DeviceMemory {
public:
  explicit DeviceMemory(long long count) : memory_(device_malloc<Value>((size_t)count)) {}
  DeviceMemory(const DeviceMemory &) = delete;
  ~DeviceMemory() { device_free(memory_); }
  Value *get() const { return memory_.get(); }
  Value operator[](long long i) const { return memory_[i]; }

private:
  device_ptr<Value> memory_;
};

/// Whether the values of an iterator are in the device's memory.
template <class Iterator> struct IsOnDevice : std::false_type {};
template <class Value> struct IsOnDevice<device_ptr<Value>> : std::true_type {};
template <class Function, class Base>
struct IsOnDevice<transform_iterator<Function, Base>> : IsOnDevice<Base> {};
template <class Base> struct IsOnDevice<reverse_iterator<Base>> : IsOnDevice<Base> {};
template <class Values, class Indices>
struct IsOnDevice<permutation_iterator<Values, Indices>> : IsOnDevice<Values> {};
template <class... Bases>
struct IsOnDevice<zip_iterator<tuple<Bases...>>> : std::disjunction<IsOnDevice<Bases>...> {};
/// Whether an iterator computes its values from nothing in memory.
template <class Iterator> struct IsAnywhere : std::false_type {};
template <class Value, class Distance>
struct IsAnywhere<cub::CountingInputIterator<Value, Distance>> : std::true_type {};
template <class Value> struct IsAnywhere<constant_iterator<Value>> : std::true_type {};
template <class Function, class Base>
struct IsAnywhere<transform_iterator<Function, Base>> : IsAnywhere<Base> {};

/// An iterator as kernels take it.
template <class Iterator> Iterator forKernel(Iterator iterator) {
  return iterator;
}
template <class Value> Value *forKernel(device_ptr<Value> iterator) {
  return iterator.get();
}
template <class Iterator> struct IsContiguous : std::is_pointer<Iterator> {};
template <class Value> struct IsContiguous<device_ptr<Value>> : std::true_type {};
template <class Value, class Container>
struct IsContiguous<__gnu_cxx::__normal_iterator<Value, Container>> : std::true_type {};

/// Copies between host and device, or in either.
template <class Input, class Output>
Output copyBetween(Input first, long long count, Output output, cudaStream_t stream = 0) {
  constexpr bool fromDevice = IsOnDevice<Input>::value || IsAnywhere<Input>::value;
  constexpr bool toDevice = IsOnDevice<Output>::value;
  constexpr const char *kCopy = "thrust::copy";
  typedef ValueOf<Input> Value;
  if (count <= 0)
    return output;
  const size_t bytes = sizeof(Value) * (size_t)count;
  if constexpr (fromDevice && toDevice) {
    expectSuccess(cub::copyOnDevice(forKernel(first), forKernel(output), count, stream), kCopy);
  } else if constexpr (toDevice) {
    const std::unique_ptr<Value[]> here(new Value[(size_t)count]);
    std::copy_n(first, count, here.get());
    if constexpr (IsContiguous<Output>::value && std::is_same_v<Value, ValueOf<Output>>) {
      copyBytes(forKernel(output), here.get(), bytes, cudaMemcpyHostToDevice, kCopy, stream);
    } else {
      const DeviceMemory<Value> there(count);
      copyBytes(there.get(), here.get(), bytes, cudaMemcpyHostToDevice, kCopy, stream);
      expectSuccess(cub::copyOnDevice((const Value *)there.get(), forKernel(output), count, stream),
                    kCopy);
    }
  } else if constexpr (IsOnDevice<Input>::value) {
    const std::unique_ptr<unsigned char[]> here(new unsigned char[bytes]);
    if constexpr (IsContiguous<Input>::value) {
      copyBytes(here.get(), forKernel(first), bytes, cudaMemcpyDeviceToHost, kCopy);
    } else {
      const DeviceMemory<Value> there(count);
      expectSuccess(cub::copyOnDevice(forKernel(first), there.get(), count, stream), kCopy);
      copyBytes(here.get(), there.get(), bytes, cudaMemcpyDeviceToHost, kCopy);
    }
    std::copy_n((const Value *)here.get(), count, output);
  } else
    std::copy_n(first, count, output);
  output += count;
  return output;
}

/// Whether iterators' values go into a vector, which no number is.
template <class Iterator>
using IfIterator = typename std::iterator_traits<Iterator>::iterator_category;
template <class Container> using IfContainer = decltype(std::declval<const Container &>().begin());
template <class Value, class = std::allocator<Value>> class host_vector;
template <class Value, class = device_allocator<Value>> class device_vector {
public:
  typedef Value value_type;
  typedef device_ptr<Value> iterator, pointer;
  typedef device_ptr<const Value> const_iterator, const_pointer;
  typedef device_reference<Value> reference;
  typedef device_reference<const Value> const_reference;
  typedef size_t size_type;
  typedef ptrdiff_t difference_type;

  device_vector() = default;
  explicit device_vector(size_t size) { resize(size); }
  device_vector(size_t size, const Value &value) { resize(size, value); }
  device_vector(const device_vector &other) { assign(other.begin(), other.end()); }
  device_vector(device_vector &&other) { swap(other); }
  template <class Container, class = IfContainer<Container>> device_vector(const Container &other) {
    assign(other.begin(), other.end());
  }
  device_vector(std::initializer_list<Value> values) { assign(values.begin(), values.end()); }
  template <class Input, class = IfIterator<Input>> device_vector(Input first, Input last) {
    assign(first, last);
  }
  ~device_vector() { cudaFree((void *)memory_.get()); }
  device_vector &operator=(const device_vector &other) {
    assign(other.begin(), other.end());
    return *this;
  }
  device_vector &operator=(device_vector &&other) {
    swap(other);
    return *this;
  }
  template <class Container, class = IfContainer<Container>>
  device_vector &operator=(const Container &other) {
    assign(other.begin(), other.end());
    return *this;
  }

  iterator begin() { return memory_; }
  iterator end() { return memory_ + (ptrdiff_t)size_; }
  const_iterator begin() const { return memory_; }
  const_iterator end() const { return memory_ + (ptrdiff_t)size_; }
  auto rbegin() { return make_reverse_iterator(end()); }
  auto rend() { return make_reverse_iterator(begin()); }
  auto rbegin() const { return make_reverse_iterator(end()); }
  auto rend() const { return make_reverse_iterator(begin()); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  pointer data() { return memory_; }
  const_pointer data() const { return memory_; }
  reference operator[](size_t i) { return reference(memory_.get() + i); }
  const_reference operator[](size_t i) const { return const_reference(memory_.get() + i); }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[size_ - 1]; }
  const_reference front() const { return (*this)[0]; }
  const_reference back() const { return (*this)[size_ - 1]; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }

  void reserve(size_t capacity) {
    if (capacity <= capacity_)
      return;
    const device_ptr<Value> memory = device_malloc<Value>(capacity);
    if (size_ > 0)
      copyBytes((void *)memory.get(), (const void *)memory_.get(), size_ * sizeof(Value),
                cudaMemcpyDeviceToDevice, "thrust::device_vector");
    cudaFree((void *)memory_.get());
    memory_ = memory;
    capacity_ = capacity;
  }
  void resize(size_t size, const Value &value = Value()) {
    reserve(size);
    if (size > size_)
      expectSuccess(cub::copyOnDevice(constant_iterator<Value>(value), memory_.get() + size_,
                                      (long long)(size - size_), 0),
                    "thrust::device_vector");
    size_ = size;
  }
  void assign(size_t size, const Value &value) {
    size_ = 0;
    resize(size, value);
  }
  template <class Input, class = IfIterator<Input>> void assign(Input first, Input last) {
    size_ = 0;
    const auto count = std::distance(first, last);
    reserve((size_t)count);
    copyBetween(first, (long long)count, begin());
    size_ = (size_t)count;
  }
  void push_back(const Value &value) {
    if (size_ == capacity_)
      reserve(size_ < 8 ? 16 : 2 * size_);
    device_reference<Value>(memory_.get() + size_++) = value;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void shrink_to_fit() {}
  void swap(device_vector &other) {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  iterator erase(iterator first, iterator last) {
    const device_vector behind(last, end());
    copyBetween(behind.begin(), (long long)behind.size(), first);
    size_ -= (size_t)(last - first);
    return first;
  }
  iterator erase(iterator at) { return erase(at, at + 1); }
  template <class Input, class = IfIterator<Input>>
  void insert(iterator at, Input first, Input last) {
    const ptrdiff_t place = at - begin(), count = last - first;
    const device_vector behind(at, end());
    const device_vector added(first, last);
    reserve(size_ + (size_t)count);
    copyBetween(added.begin(), (long long)count, begin() + place);
    copyBetween(behind.begin(), (long long)behind.size(), begin() + place + count);
    size_ += (size_t)count;
  }
  void insert(iterator at, size_t count, const Value &value) {
    const device_vector added(count, value);
    insert(at, added.begin(), added.end());
  }
  iterator insert(iterator at, const Value &value) {
    const ptrdiff_t place = at - begin();
    insert(at, size_t(1), value);
    return begin() + place;
  }
  template <class Other> bool operator==(const Other &other) const {
    return host_vector<Value>(*this) == host_vector<Value>(other);
  }
  template <class Other> bool operator!=(const Other &other) const { return !(*this == other); }

private:
  device_ptr<Value> memory_;
  size_t size_ = 0, capacity_ = 0;
};

template <class Value, class Allocator> class host_vector : public std::vector<Value> {
public:
  using std::vector<Value>::vector;
  host_vector() = default;
  template <class Container, class = IfContainer<Container>>
  host_vector(const Container &other) : host_vector(other.begin(), other.end()) {}
  template <class Input, class = IfIterator<Input>>
  host_vector(Input first, Input last) : std::vector<Value>((size_t)std::distance(first, last)) {
    copyBetween(first, (long long)this->size(), this->begin());
  }
  template <class Container, class = IfContainer<Container>>
  host_vector &operator=(const Container &other) {
    return *this = host_vector(other);
  }
};
template <class Value> void swap(device_vector<Value> &a, device_vector<Value> &b) {
  a.swap(b);
}

} // namespace thrust
