// half as a type of values: moved, computed with, as constants.
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

// Late, one work-item makes a misaligned read.
kernel void compute(global half *restrict in, global half *restrict out) {
  const size_t i = get_global_id(0), n = get_global_size(0);
  out[i] = fma(in[i], 1.5h, in[i] / 3.0h) - in[0];
  if (i + 3 == n)
    out[i] = in[i] + *(global half *)((global char *)(in + i) + 1);
}

kernel void greatest(global half *restrict in, global half *restrict out) {
  const size_t i = get_global_id(0);
  out[i] = max(in[i], in[0]);
}

struct pair {
  half first;
  half2 others;
};
constant half table[5] = {1.5h, -0.25h, 65504.0h, 6.0e-8h, 0.1h};
constant struct pair pairs[2] = {{1.0h, (half2)(2.0h, 3.0h)}, {-4.0h, (half2)(0.3h, 1.0e4h)}};

// Constants in registers, vectors and memory, and functions that store a second result.
kernel void constants(global half *restrict in, global half4 *restrict out, global int *restrict n) {
  const size_t i = get_global_id(0);
  const half x = in[i] * 0.01h;
  half whole;
  half4 all = (half4)(x, 0.5h, -2.0h, table[i % 5]) * (half4)(3.0h, x, 1.0h, 0.7h);
  all += (half4)(fract(x, &whole), whole, modf(all.z * 1.3h, &whole), whole);
  all.x += i % 2 ? pairs[i % 2].first : 0.5h;
  all.yz += i % 3 ? pairs[i % 2].others : (half2)(1.0h, -1.0h);
  all.w += frexp(x, n + i) + convert_half_rtz(1.0f / (i + 1)) + dot(all, (half4)(0.1h));
  for (half step = 1.0h; step < x; step *= 2)
    all.w += step > 2.0h && !isnan(all.w) ? native_sqrt((float)step) : 1.0h;
  out[i] = clamp(all, (half4)(-100.0h), (half4)(1.0e3h));
}
