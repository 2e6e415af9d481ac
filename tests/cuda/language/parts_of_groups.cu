// Parts of parts of a block, and of the threads that are together, by cooperative groups.
#include "right.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
__device__ int wrong;
#define IS(left, right)                                                                            \
  if ((left) != (right))                                                                           \
  printf("%s of thread %d is %d\n", #left, (int)threadIdx.x, (int)(left)), wrong = 1
__global__ void tiles() {
  const auto block = cg::this_thread_block();
  const int t = block.thread_rank();
  const auto warp = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(warp);
  const cg::thread_block_tile<4> four = cg::tiled_partition<4>(eight);
  IS(warp.meta_group_rank(), t / 32);
  IS(warp.meta_group_size(), 2);
  IS(eight.meta_group_rank(), t % 32 / 8);
  IS(eight.meta_group_size(), 4);
  IS(four.meta_group_rank(), t % 8 / 4);
  IS(four.meta_group_size(), 2);
  int isSame = 0;
  IS(eight.match_all(t / 8, isSame), 0xff);
  IS(isSame, 1);
  IS(eight.match_all(t, isSame), 0);
  IS(isSame, 0);
  IS(cg::inclusive_scan(eight, 2), t % 8 * 2 + 2);
  IS(cg::exclusive_scan(eight, 2), t % 8 * 2);
  const cg::thread_group half = cg::tiled_partition(warp, 16);
  const cg::thread_group two = cg::tiled_partition(half, 2);
  IS(half.thread_rank(), t % 16);
  IS(two.size() * 10 + two.thread_rank(), 20 + t % 2);
}
__global__ void together() {
  const int t = threadIdx.x;
  if (t % 3 != 1)
    return;
  const cg::coalesced_group all = cg::coalesced_threads(); // 11 threads: 1, 4, ... 31
  const int rank = t / 3;
  const cg::coalesced_group fours = cg::tiled_partition(all, 4);
  IS(fours.size(), rank < 8 ? 4 : 3);
  IS(fours.thread_rank(), rank % 4);
  IS(cg::reduce(fours, t, cg::plus<int>()), rank < 4 ? 22 : rank < 8 ? 70 : 84);
  int isSame = 0;
  IS(all.match_all(7, isSame), 0x7ff);
  IS(cg::inclusive_scan(all, 1), rank + 1);
}
// The leader alone has a value to pass.
__device__ int aggregated(int *count) {
  const cg::coalesced_group group = cg::coalesced_threads();
  int first;
  if (group.thread_rank() == 0)
    first = atomicAdd(count, group.size());
  return group.shfl(first, 0) + group.thread_rank();
}
__global__ void keepOdd(int *kept, int *count) {
  if (threadIdx.x % 2 == 1)
    kept[aggregated(count)] = threadIdx.x;
}
bool isRight() {
  int *kept = managed<int>(64), *count = managed<int>(1), found = 0, sum = 0;
  tiles<<<1, 64>>>();
  together<<<1, 32>>>();
  keepOdd<<<1, 128>>>(kept, count);
  if (!synchronised())
    return false;
  for (int i = 0; i < 64; ++i)
    sum += kept[i];
  cudaMemcpyFromSymbol(&found, wrong, sizeof found);
  return !found && *count == 64 && sum == 64 * 64; // 1 + 3 + ... + 127
}
