// Kernels that show caches, latency and the start of work-groups, after the definitions of
// gpu-benches. What a kernel stores only to keep its loads depends on a value that it never has.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/// One element per work-item.
kernel void scale(global double *a, global const double *b, ulong n) {
  const size_t i = get_global_id(0);
  if (i < n)
    a[i] = 0.25 * b[i];
}

/// All work-items follow one chain: each element holds the index of the next, 64 bytes apart or
/// more.
kernel void pointer_chase(global const ulong *chain, global ulong *end, int loads) {
  ulong at = 0;
#pragma unroll 8
  for (int i = 0; i < loads; ++i)
    at = chain[at];
  if (at == (ulong)-1)
    *end = at;
}

#ifdef RUN
/// A work-group of 1024 reads 512 KiB: 32 blocks of 2048 doubles, RUN blocks apart.
kernel void l2_read(global const double *x, global double *end) {
  const size_t block = get_group_id(0) % RUN;
  double sum = 0;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const size_t at = ((size_t)i * RUN + block) * 2048 + get_local_id(0);
    sum += x[at] * x[at + 1024];
  }
  if (sum == -12345)
    *end = sum;
}
#endif

#ifdef WORD
/// All groups of 256 read the same n words, ITERATIONS times.
kernel void cache_read(global const WORD *x, global WORD *end, int n) {
  WORD sum = 0;
  for (int pass = 0; pass < ITERATIONS; ++pass) {
#pragma unroll 16
    for (int i = get_local_id(0); i < n; i += 256)
      sum += x[i];
    sum *= (WORD)1.3f;
  }
  if (IMPOSSIBLE(sum))
    *end = sum;
}
#endif
