// Inclusive prefix sum of a work-group's elements (Hillis and Steele): log2(w) steps, in each of
// which a work-item adds what is d elements to its left. Two barriers a step: everybody has read
// before anybody writes, everybody has written before anybody reads.
kernel void scan(global const int *restrict in, global int *restrict out, local int *scratch) {
  const uint l = get_local_id(0);
  scratch[l] = in[get_global_id(0)];
  for (uint d = 1; d < get_local_size(0); d *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int left = l >= d ? scratch[l - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[l] += left;
  }
  out[get_global_id(0)] = scratch[l];
}

// The same in floating point, without a branch around the addition: a chain of log2(w) additions
// for every element, the neighbour's or a zero.
kernel void prefix_sum(global const float *restrict in, global float *restrict out,
                       local float *scratch) {
  const uint l = get_local_id(0);
  scratch[l] = in[get_global_id(0)];
  for (uint d = 1; d < get_local_size(0); d *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const float left = l >= d ? scratch[l - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[l] += left;
  }
  out[get_global_id(0)] = scratch[l];
}
