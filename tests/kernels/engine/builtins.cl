// Calls of every kind that the compiled engine lowers by itself or leaves to Oclgrind's functions.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void reals(global const float *restrict x, global float *restrict out) {
  const size_t i = get_global_id(0);
  const float a = x[i], b = x[i + 1];
  float r = 0;
  r += sin(a) + cos(b) + tan(a) + exp(a * 0.1f) + exp2(b) + log(fabs(a) + 1) + pow(fabs(a), b * 0.1f);
  r += sqrt(fabs(a)) + rsqrt(fabs(b) + 1) + cbrt(a) + hypot(a, b) + fmin(a, b) * fmax(a, b);
  r += floor(a) - ceil(b) + trunc(a) + round(b) + rint(a) + fmod(a, b + 3) + remainder(a, b + 3);
  r += fma(a, b, r) + mad(b, a, r) + copysign(a, b) + fdim(a, b) + nextafter(a, b) - a;
  r += sinpi(a) + cospi(b) + atan2(a, b) + erf(a) + tgamma(fabs(a) + 1) + pown(a, 3) + ldexp(a, 2);
  r += clamp(a, -1.0f, 1.0f) + mix(a, b, 0.25f) + step(a, b) + smoothstep(-1.0f, 5.0f, a) + sign(b);
  r += native_sin(a) + native_exp(b * 0.1f) + native_divide(a, b + 3) + half_sqrt(fabs(a));
  out[i] = r;
  const int4 flags = (int4)(isnan(a), isfinite(b), isless(a, b), signbit(a));
  out[i + get_global_size(0)] = flags.x + 2 * flags.y + 4 * flags.z + 8 * flags.w;
}

kernel void doubles(global const double *restrict x, global double *restrict out) {
  const size_t i = get_global_id(0);
  const double a = x[i];
  out[i] = sin(a) * exp(-fabs(a)) + fma(a, a, 1.0) + sqrt(fabs(a)) + log1p(fabs(a)) +
           (double)(float)a + (double)(long)(a * 1e6) + (double)(uint)fabs(a);
}

kernel void integers(global const int *restrict x, global uint *restrict out) {
  const size_t i = get_global_id(0);
  const int a = x[i] * 77 - 300;
  const uint b = (uint)x[i] * 2654435761u;
  const char c = (char)a;
  uint r = 0;
  r += max(a, 5) + min(a, -5) + clamp(a, -100, 100) + abs(a) + abs_diff(a, 13);
  r += max(b, 5u) + min(b, 7u) + clz(b) + popcount(b) + rotate(b, 7u) + mul_hi(b, b) + hadd(b, 3u);
  r += mul24(a & 0xffff, 3) + mad24(a & 0xff, 5, a) + add_sat(a, INT_MAX) + sub_sat(b, UINT_MAX);
  r += (uint)(c << 3) + (uint)(c >> 1) + (b >> (a & 31)) + (a / (x[i] - 3)) + (a % (x[i] - 3));
  r += b / (uint)(x[i] - 2) + upsample((ushort)b, (ushort)a) + select(a, 3, x[i] > 4);
  r += convert_uchar_sat(a) + convert_short_sat(a) + convert_uint(convert_float(a) * 0.5f);
  r += (uint)convert_int_rte(a * 0.3f) + as_uint(convert_float_rtz(b));
  out[i] = r;
}

kernel void vectors(global const float4 *restrict x, global float4 *restrict out,
                    global const int *restrict which) {
  const size_t i = get_global_id(0);
  const float4 a = x[i];
  const int4 n = convert_int4_rtz(a * 3.0f);
  float4 r = a.wzyx * 2.0f + sin(a) + fmin(a, 0.5f) + convert_float4(n % 3) + dot(a, a) + length(a);
  r.xyz += cross(a, a.yzxw).xyz + normalize(a.xyz + 1.0f);
  r = select(r, -r, a > 2.0f) + (any(n > 2) ? 1.0f : 2.0f) + (all(n > 0) ? 4.0f : 8.0f);
  const float8 wide = (float8)(a, r);
  out[i] = shuffle(r, (uint4)(3, 1, 2, 0)) + wide.s0246;
  vstore2(vload2(0, (global const float *)x + 4 * i) + 1.0f, 0, (global float *)(out + i));
}

kernel void atomics(global uint *restrict counters, global int *restrict signedOnes,
                    local uint *scratch) {
  const uint l = get_local_id(0);
  scratch[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counters[0], l);
  atomic_sub(&counters[1], 1);
  atomic_inc(&scratch[l / 2]);
  atomic_dec(&scratch[0]);
  atomic_or(&counters[2], 1u << l);
  atomic_and(&counters[3], ~(1u << l));
  atomic_xor(&counters[4], l);
  atomic_max(&signedOnes[0], (int)l - 3);
  atomic_min(&signedOnes[1], (int)l - 3);
  atomic_max(&counters[5], l - 3);
  const uint old = atomic_cmpxchg(&counters[6], l, l + 1);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  signedOnes[2 + get_global_id(0)] = (int)(scratch[l] + old + atomic_xchg(&scratch[l], 0));
}

typedef struct {
  float position[3];
  int kind;
} particle;

__attribute__((noinline)) float weigh(particle p, global const float *restrict weights) {
  float sums[4];
  for (int k = 0; k < 3; k++)
    sums[k] = p.position[k] * weights[(p.kind + k) & 3];
  sums[3] = sums[p.kind & 3 ? 0 : 1];
  return sums[0] + sums[1] + sums[2] + sums[3];
}

kernel void structures(global particle *restrict particles, global const float *restrict weights) {
  const size_t i = get_global_id(0);
  particle mine = particles[i];
  mine.kind += get_num_groups(0) + get_work_dim();
  mine.position[mine.kind % 3] = weigh(mine, weights);
  particles[i] = mine;
}

// Of OpenCL C 2.0.
size_t __attribute__((overloadable)) get_global_linear_id(void);
size_t __attribute__((overloadable)) get_local_linear_id(void);

kernel void offsets(global uint *restrict out) {
  const size_t i = get_global_id(0) - get_global_offset(0);
  const size_t j = get_global_id(1);
  out[j * get_global_size(0) + i] =
      get_group_id(0) + 10 * get_group_id(1) + 100 * get_local_id(0) + 1000 * get_local_id(1) +
      10000 * get_local_size(0) + 100000 * get_num_groups(1) +
      1000000 * get_global_linear_id() + 100000000 * get_local_linear_id();
}
