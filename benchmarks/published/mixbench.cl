// Arithmetic of a chosen intensity on a stream, after the definition of mixbench: a work-item has
// 32 elements in four rounds of eight, 256 apart, and does `ITERATIONS` times x = x * x + seed to
// each. What it stores depends on a sum that never has the value tested for.
//
// VALUE: float, double or int. UNROLL: how many iterations the source's loop has in a body.
#ifdef USE_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define GROUP 256
#define ROUND 8
#define ROUNDS 4

VALUE grown(VALUE x, VALUE seed);

VALUE grown(VALUE x, VALUE seed) {
#ifdef INTEGER
  return x * x + seed;
#else
  return fma(x, x, seed);
#endif
}

kernel void mix(VALUE seed, global VALUE *data) {
  const size_t first = get_group_id(0) * (GROUP * ROUND * ROUNDS) + get_local_id(0);
  VALUE sum = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    VALUE x[ROUND];
#pragma unroll
    for (int i = 0; i < ROUND; ++i)
      x[i] = data[first + (round * ROUND + i) * GROUP];
#pragma unroll UNROLL
    for (int iteration = 0; iteration < ITERATIONS; ++iteration)
#pragma unroll
      for (int i = 0; i < ROUND; ++i)
        x[i] = grown(x[i], seed);
#pragma unroll
    for (int i = 0; i < ROUND; ++i)
      sum += x[i];
  }
  if (sum == (VALUE)-12345)
    data[first] = sum;
}
