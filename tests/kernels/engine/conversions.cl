#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Conversions of whole vectors, which the compiler makes of no call: of numbers that fit, that do
// not fit, and of infinities and NaNs.
kernel void conversions(global const float4 *restrict in, global int4 *restrict ints,
                        global uint4 *restrict uints, global long4 *restrict longs,
                        global ulong4 *restrict ulongs, global char4 *restrict chars) {
  const size_t i = get_global_id(0);
  float4 x = in[i] * 0.75f;
  if (i & 1)
    x = x * x * x * x * x * x * x * x * x * x * x * x * x * x * x * x;
  if (i == 6)
    x /= in[8] - in[8];
  if (i == 7)
    x = x * INFINITY - x * INFINITY;
  const double4 y = __builtin_convertvector(x, double4) * 1.5;
  ints[i] = __builtin_convertvector(x, int4);
  uints[i] = __builtin_convertvector(x, uint4);
  longs[i] = __builtin_convertvector(y, long4) ^ __builtin_convertvector(x, long4);
  ulongs[i] = __builtin_convertvector(y, ulong4) ^ __builtin_convertvector(x, ulong4);
  chars[i] = __builtin_convertvector(x, char4);
}
