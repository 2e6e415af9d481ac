// refused: kernel 'k' uses a pipeline of producers and consumers
#include <cooperative_groups.h>
#include <cuda/pipeline>

#include "right.h"
__global__ void k(int *out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state,
                                  threadIdx.x < 32 ? cuda::pipeline_role::producer
                                                   : cuda::pipeline_role::consumer);
  pipe.producer_commit();
  *out = 1;
}
bool isRight() {
  k<<<1, 64>>>(managed<int>(1));
  return synchronised();
}
