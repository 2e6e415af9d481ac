// Functions with a second result, which they store: of every type, in every address space. Their
// arguments are bit patterns, so that there are NaNs, infinities and denormal numbers among them.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void second_results(global float *restrict out, global float *restrict whole,
                           global int *restrict exponents, local float4 *lanes) {
  const size_t i = get_global_id(0), l = get_local_id(0), n = get_global_size(0);
  const float x = as_float((uint)i * 4198405u), y = as_float((uint)(n - i) * 4197001u);
  float own;
  int ownInteger;
  out[i] = fract(x, &whole[i]);
  out[n + i] = modf(x, &own) - own;
  out[2 * n + i] = sincos(x, &own) + own;
  out[3 * n + i] = frexp(x, &exponents[i]);
  out[4 * n + i] = remquo(x, y, &ownInteger);
  exponents[n + i] = ownInteger;
  out[5 * n + i] = lgamma_r(x, &ownInteger);
  exponents[2 * n + i] = ownInteger;
  const float4 v = (float4)(x, y, x * 0.5f, 3.75f);
  const float4 fraction = fract(v, &lanes[l]);
  barrier(CLK_LOCAL_MEM_FENCE);
  const float4 next = lanes[(l + 1) % get_local_size(0)];
  out[6 * n + i] = fraction.x + fraction.w + next.y + next.z;
  float3 cosines;
  const float3 sines = sincos(v.xyz, &cosines);
  vstore3(sines - cosines, i, whole + n);
  int4 powers;
  const float4 mantissas = frexp(v.wzyx, &powers);
  vstore4(powers, i, exponents + 3 * n);
  out[7 * n + i] = mantissas.x + mantissas.z;
}

kernel void doubles(global const double *restrict x, global double *restrict out,
                    global int *restrict quotients) {
  const size_t i = get_global_id(0), n = get_global_size(0);
  double second;
  out[i] = fract(x[i], &second) + second;
  out[n + i] = sincos(x[i], &second) * second;
  out[2 * n + i] = remquo(x[i], 0.75, &quotients[i]);
  double2 integral;
  const double2 v = modf((double2)(x[i], -x[i] * 0.3), &integral);
  out[3 * n + i] = v.x + integral.y;
}
