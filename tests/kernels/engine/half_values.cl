// half as a type of values that are moved and never computed with.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

__attribute__((noinline)) half other(global half *from, size_t i, half own) {
  return i % 3 ? from[i ^ 1] : own;
}

kernel void move(global half *restrict in, global half4 *restrict out, local half *restrict tile) {
  const size_t i = get_global_id(0), l = get_local_id(0);
  const half4 v = vload4(i, in);
  half own = in[i];
  for (uint turn = 0; turn < i; ++turn)
    own = turn & 1 ? v.y : in[turn];
  tile[l] = other(in, i, own);
  barrier(CLK_LOCAL_MEM_FENCE);
  half table[3] = {v.x, own, tile[l ^ 1]};
  half4 all = i & 1 ? v.wzyx : v.xxyy;
  all.z = table[i % 3];
  all.w = as_half((ushort)(as_ushort(all.x) + 1));
  for (size_t n = get_global_size(0); n > 1000; --n) // no launch here has as many work-items
    own = own * all.y;
  all.y = own;
  out[i] = all;
}

kernel void compute(global half *restrict in, global half *restrict out) {
  const size_t i = get_global_id(0);
  out[i] = in[i];
  if (i + 3 == get_global_size(0)) // late
    out[i] = in[i] + in[0];
}

kernel void greatest(global half *restrict in, global half *restrict out) {
  const size_t i = get_global_id(0);
  out[i] = max(in[i], in[0]);
}
