// The sum of n values by a single work-item: no parallelism at all, one chain of n additions.
kernel void serial_sum(global const float *restrict in, global float *restrict out, uint n) {
  float sum = 0;
  for (uint i = 0; i < n; i++)
    sum += in[i];
  *out = sum;
}

// A dot product by a single work-item: the n multiplications could all run at once, the additions
// one after another.
kernel void serial_dot(global const float *restrict x, global const float *restrict y,
                       global float *restrict out, uint n) {
  float sum = 0;
  for (uint i = 0; i < n; i++)
    sum += x[i] * y[i];
  *out = sum;
}
