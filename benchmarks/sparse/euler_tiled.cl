// The loop over the edges of euler.cl by tiles. No two edges of a group share a node, and no two
// tiles of a launch, so the additions need no atomics.
//
// The groups of tile t are those from group_begins[t] up to group_begins[t + 1]; the lanes of a
// group lie side by side. The barrier is what SIMD lanes in lockstep would not need: the next group
// may add to a residual of this one. `residuals` is 0 before the first launch.
kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void
euler_tiled(const global uint *restrict group_begins, const global uint *restrict lane_firsts,
            const global uint *restrict lane_seconds, const global float *restrict lane_areas,
            const global float *restrict states, global float *residuals, const uint first_tile) {
  const uint tile = first_tile + get_group_id(0);
  const uint end = group_begins[tile + 1];
  for (uint group = group_begins[tile]; group < end; ++group) {
    const size_t at = (size_t)group * LANES + get_local_id(0);
    const uint first = lane_firsts[at];
    if (first != IDLE) {
      const uint second = lane_seconds[at];
      const float flux = edge_flux(states[first], states[second], lane_areas[at]);
      residuals[first] += flux;
      residuals[second] -= flux;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
