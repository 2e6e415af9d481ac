// An object with a constructor and a copy constructor is passed, and one lives in shared memory.
#include "right.h"
struct Counter {
  int *count;
  __host__ __device__ Counter(int *count) : count(count) {}
  __host__ __device__ Counter(const Counter &other) : count(other.count) {}
  __device__ void operator++() { atomicAdd(count, 1); }
};
__global__ void k(Counter counter) {
  __shared__ int4 box;
  if (threadIdx.x == 0)
    box = make_int4(1, 2, 3, 4);
  __syncthreads();
  if (box.z == 3)
    ++counter;
}
bool isRight() {
  int *count = managed<int>(1);
  k<<<3, 40>>>(Counter(count));
  return synchronised() && *count == 120;
}
