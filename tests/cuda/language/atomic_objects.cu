// Atomic objects of libcu++ of 2, 4 and 8 bytes, whole numbers and others.
#include "right.h"
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/tuple>
struct Sums {
  int whole, most, shared, found;
  float real;
  short small;
  double wide;
  unsigned long long large;
};
typedef cuda::atomic<int, cuda::thread_scope_device> Counter;
__global__ void add(Sums *sums, Counter *counter) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> whole(sums->whole);
  whole.fetch_add(1, cuda::memory_order_relaxed);
  whole++;
  cuda::atomic_ref<int>(sums->most).fetch_max(threadIdx.x);
  cuda::atomic_ref<float, cuda::thread_scope_block>(sums->real) += 1.5f;
  cuda::atomic_ref<short>(sums->small).fetch_sub(1);
  cuda::atomic_ref<double>(sums->wide).fetch_add(0.25);
  cuda::atomic_ref<unsigned long long>(sums->large).fetch_or(1ull << threadIdx.x);
  __shared__ cuda::atomic<int, cuda::thread_scope_block> shared;
  if (threadIdx.x == 0)
    shared = 0;
  __syncthreads();
  shared.fetch_add(2);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_block);
  __syncthreads();
  sums->shared = shared;
  int expected = 63;
  ++*counter;
  if (counter->compare_exchange_strong(expected, -1, cuda::std::memory_order_acq_rel))
    sums->found = expected;
  const cuda::std::array<int, 2> array = {5, 7};
  const cuda::std::tuple<int, float> pair(array[threadIdx.x % 2], 0);
  if (cuda::std::get<0>(pair) > cuda::std::numeric_limits<short>::max())
    sums->found = 0;
}
bool isRight() {
  Sums *sums = managed<Sums>(1);
  Counter *counter = new (managed<Counter>(1)) Counter(0);
  add<<<1, 64>>>(sums, counter);
  if (!synchronised())
    return false;
  cuda::std::atomic<int> here(3);
  here += 2;
  return sums->whole == 128 && sums->most == 63 && sums->real == 96 && sums->small == -64 &&
         sums->wide == 16 && sums->large == ~0ull && sums->shared == 128 && sums->found == 63 &&
         counter->load() == 0 && here.load() == 5;
}
