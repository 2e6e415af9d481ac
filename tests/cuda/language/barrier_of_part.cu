// prints: cudaErrorAssert
#include <cuda/barrier>
#include <cuda/std/type_traits>

#include "right.h"
static_assert(cuda::std::is_same<int, int>::value, "a name of libcu++");
__global__ void k(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0)
    init(&barrier, 32);
  __syncthreads();
  *out = 1;
}
bool isRight() {
  k<<<1, 64>>>(managed<int>(1));
  return !synchronised();
}
