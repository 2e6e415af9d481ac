// half as a type of memory. Every half there is, and floats of every exponent in every rounding mode.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void load(global half *restrict halves, global uint *restrict out) {
  const size_t i = get_global_id(0);
  ((global ushort *)halves)[i] = (ushort)i;
  out[i] = as_uint(vload_half(i, halves));
}

kernel void store(global half *restrict out, global half *restrict rows,
                  local half *tile) {
  const size_t i = get_global_id(0), l = get_local_id(0), n = get_global_size(0);
  const float x = as_float((uint)i * 2098177u);
  vstore_half(x, i, out);
  vstore_half_rte(x, n + i, out);
  vstore_half_rtz(x, 2 * n + i, out);
  vstore_half_rtp(x, 3 * n + i, out);
  vstore_half_rtn(x, 4 * n + i, out);
  vstore_half((double)x * 1.0001, 5 * n + i, out);
  vstore_half_rtz((double)x, 6 * n + i, out);
  const float4 v = (float4)(x, 1.0f, -x, 0.1f);
  vstore_half3(v.xyz, i, rows);
  vstorea_half3_rtz(v.wzy, i, rows + 3 * n);
  vstore_half4_rtp(v, i, rows + 7 * n);
  vstore_half2(v.xw, l, tile);
  barrier(CLK_LOCAL_MEM_FENCE);
  const size_t other = get_local_size(0) - 1 - l;
  vstore_half(vload_half2(other, tile).x, 7 * n + i, out);
  vstore_half3(vloada_half3(i, rows + 3 * n), i, rows + 11 * n);
}
