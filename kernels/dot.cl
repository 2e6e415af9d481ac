// Dot product. Every work-group multiplies its elements, adds the products up in a tree through
// local memory and leaves one partial sum.
kernel void dot_product(global const float *restrict x, global const float *restrict y,
                        global float *restrict partial, local float *scratch) {
  const uint l = get_local_id(0);
  scratch[l] = x[get_global_id(0)] * y[get_global_id(0)];
  for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      scratch[l] += scratch[l + s];
  }
  if (l == 0)
    partial[get_group_id(0)] = scratch[0];
}
