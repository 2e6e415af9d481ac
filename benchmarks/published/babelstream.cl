// BabelStream's kernels: one work-item for each element. SCALAR is the benchmark's 0.4.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define SCALAR 0.4

kernel void copy(global const double *restrict a, global double *restrict c) {
  const size_t i = get_global_id(0);
  c[i] = a[i];
}

kernel void mul(global double *restrict b, global const double *restrict c) {
  const size_t i = get_global_id(0);
  b[i] = SCALAR * c[i];
}

kernel void add(global const double *restrict a, global const double *restrict b,
                global double *restrict c) {
  const size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}

kernel void triad(global double *restrict a, global const double *restrict b,
                  global const double *restrict c) {
  const size_t i = get_global_id(0);
  a[i] = b[i] + SCALAR * c[i];
}
