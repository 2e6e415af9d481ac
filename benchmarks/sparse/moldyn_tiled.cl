// The forces of moldyn.cl by tiles. No two pairs of a group share a molecule, and no two tiles of a
// launch, so the additions need no atomics.
//
// The groups of tile t are those from group_begins[t] up to group_begins[t + 1]; the lanes of a
// group lie side by side. The barrier is what SIMD lanes in lockstep would not need: the next group
// may add to a force of this one. `forces` is 0 before the first launch.
kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void
moldyn_tiled(const global uint *restrict group_begins, const global uint *restrict lane_firsts,
             const global uint *restrict lane_seconds, const global float *restrict positions,
             global float *forces, const uint first_tile, const float cut_off, const float sigma,
             const float core) {
  const uint tile = first_tile + get_group_id(0);
  const uint end = group_begins[tile + 1];
  for (uint group = group_begins[tile]; group < end; ++group) {
    const size_t at = (size_t)group * LANES + get_local_id(0);
    if (lane_firsts[at] != IDLE) {
      const size_t first = (size_t)3 * lane_firsts[at];
      const size_t second = (size_t)3 * lane_seconds[at];
      const float x = positions[first] - positions[second];
      const float y = positions[first + 1] - positions[second + 1];
      const float z = positions[first + 2] - positions[second + 2];
      const float square = x * x + y * y + z * z;
      if (square < cut_off) {
        const float force = force_per_distance(square, sigma, core);
        forces[first] += force * x;
        forces[first + 1] += force * y;
        forces[first + 2] += force * z;
        forces[second] -= force * x;
        forces[second + 1] -= force * y;
        forces[second + 2] -= force * z;
      }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
