// The sum of n values by a single work-item: no parallelism at all, one chain of n additions.
kernel void serial_sum(global const float *restrict in, global float *restrict out, uint n) {
  float sum = 0;
  for (uint i = 0; i < n; i++)
    sum += in[i];
  *out = sum;
}
