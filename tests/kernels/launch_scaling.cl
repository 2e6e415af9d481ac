// Kernels whose work-items are all alike: twice the work-items are twice the work.

kernel void vector_add(global const float *restrict a, global const float *restrict b,
                       global float *restrict c) {
  const size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}

// A row of a matrix per work-item: what a work-item does is in an argument, not in the NDRange.
kernel void row_sums(global const float *restrict in, global float *restrict out, uint columns) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < columns; k++)
    sum += in[i * columns + k];
  out[i] = sum;
}

// And here it is the NDRange that tells how long a row is.
kernel void square_row_sums(global const float *restrict in, global float *restrict out) {
  const size_t n = get_global_size(0), i = get_global_id(0);
  float sum = 0;
  for (size_t k = 0; k < n; k++)
    sum += in[i * n + k];
  out[i] = sum;
}
