// An iteration of PageRank by tiles: pagerank_tiled adds the shares up, in as many launches as it
// takes until no tile shares a row with another of its launch; then pagerank_finish makes ranks of
// the sums. A non-zero (i, j) is a link from node j to node i.

// The groups of tile t are those from group_begins[t] up to group_begins[t + 1]; the lanes of a
// group lie side by side. The barrier is what SIMD lanes in lockstep would not need: the next group
// may add to a sum of this one.
kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void
pagerank_tiled(const global uint *restrict group_begins, const global uint *restrict lane_rows,
               const global uint *restrict lane_columns, const global float *restrict shares,
               global float *sums, const uint first_tile) {
  const uint tile = first_tile + get_group_id(0);
  const uint end = group_begins[tile + 1];
  for (uint group = group_begins[tile]; group < end; ++group) {
    const size_t at = (size_t)group * LANES + get_local_id(0);
    const uint row = lane_rows[at];
    if (row != IDLE)
      sums[row] += shares[lane_columns[at]];
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

// Leaves the sums 0 for the next iteration.
kernel void pagerank_finish(const global float *restrict per_link, global float *restrict shares,
                            global float *restrict ranks, global float *restrict sums,
                            const uint nodes, const float damping) {
  const size_t node = get_global_id(0);
  if (node >= nodes)
    return;
  const float rank = (1 - damping) / nodes + damping * sums[node];
  sums[node] = 0;
  ranks[node] = rank;
  shares[node] = rank * per_link[node];
}
