// Kernels that show caches and the start of work-groups, after the definitions of gpu-benches.
// l2_read stores only to keep its loads, for a value that the sum never has.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/// One element per work-item.
kernel void scale(global double *a, global const double *b, ulong n) {
  const size_t i = get_global_id(0);
  if (i < n)
    a[i] = 0.25 * b[i];
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
