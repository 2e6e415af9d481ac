// Tiles of a warp reduce and vote by themselves.
#include "right.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(int *out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int sum = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
  const int votes = tile.ballot(threadIdx.x % 8 == 3);
  if (tile.thread_rank() == 0)
    out[tile.meta_group_rank()] = sum + votes;
}
bool isRight() {
  int *out = managed<int>(8);
  k<<<1, 64>>>(out);
  return synchronised() && out[0] == 28 + 8 && out[7] == 28 + 8 * 56 + 8;
}
