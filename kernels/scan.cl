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
