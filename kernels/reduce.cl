// Sum of a work-group's elements, as a tree through local memory: log2(w) steps, a barrier in
// front of each, half of the work-items of the step before at work in each.
kernel void reduce(global const float *restrict in, global float *restrict out,
                   local float *scratch) {
  const uint l = get_local_id(0);
  scratch[l] = in[get_global_id(0)];
  for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      scratch[l] += scratch[l + s];
  }
  if (l == 0)
    out[get_group_id(0)] = scratch[0];
}
