// Barriers and pipelines of libcu++, whose copies are awaited before they are read.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <utility>

#include "right.h"

constexpr int kStages = 3, kRounds = 5;

__global__ void byThread(const float4 *in, float4 *out) {
  __shared__ alignas(alignof(float4)) float4 tile[kStages][64];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const auto shape = cuda::aligned_size_t<alignof(float4)>(sizeof(float4));
  for (int i = 0; i < kStages; ++i) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[i][threadIdx.x], &in[64 * i + threadIdx.x], shape, pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  __syncthreads();
  float4 sum = {};
  for (int i = 0; i < kStages; ++i)
    sum.x += tile[i][63 - threadIdx.x].w;
  out[threadIdx.x] = sum;
}

__global__ void byBlock(const int *in, int *out) {
  __shared__ int tile[kStages][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0, fetched = 0;
  for (int i = 0; i < kRounds; ++i) {
    for (; fetched < kRounds && fetched < i + kStages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetched % kStages], in + 64 * fetched, 64 * sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tile[i % kStages][63 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

__global__ void byBarrier(const int *in, int *out) {
  __shared__ int tile[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), barrier);
  auto token = barrier.arrive();
  barrier.wait(std::move(token));
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void byTile(const int *in, int *out) {
  __shared__ int tile[64];
  const auto block = cooperative_groups::this_thread_block();
  const auto warp = cooperative_groups::tiled_partition<32>(block);
  const int first = 32 * warp.meta_group_rank();
  cooperative_groups::memcpy_async(warp, tile + first, in + first,
                                   cuda::aligned_size_t<16>(32 * sizeof(int)));
  cooperative_groups::wait(warp);
  out[threadIdx.x] = tile[first + 31 - warp.thread_rank()];
}

bool isRight() {
  int *in = managed<int>(64 * kRounds), *out = managed<int>(3 * 64);
  float4 *vectors = managed<float4>(64 * kStages), *sums = managed<float4>(64);
  for (int i = 0; i < 64 * kRounds; ++i)
    in[i] = i * i;
  for (int i = 0; i < 64 * kStages; ++i)
    vectors[i].w = i;
  byThread<<<1, 64>>>(vectors, sums);
  byBlock<<<1, 64>>>(in, out);
  byBarrier<<<1, 64>>>(in, out + 64);
  byTile<<<1, 64>>>(in, out + 128);
  bool right = synchronised();
  for (int t = 0; t < 64; ++t) {
    float ofVectors = 0;
    int sum = 0;
    for (int i = 0; i < kStages; ++i)
      ofVectors += 64 * i + 63 - t;
    for (int i = 0; i < kRounds; ++i)
      sum += in[64 * i + 63 - t];
    const int ofWarp = t / 32 * 32 + 31 - t % 32;
    right = right && sums[t].x == ofVectors && out[t] == sum && out[64 + t] == in[63 - t] &&
            out[128 + t] == in[ofWarp];
  }
  return right;
}
