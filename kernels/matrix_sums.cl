// Sums over an n x n matrix, row-major, n = get_global_size(0), one sum per work-item. Both read
// every element once; what differs is where the work-items of a group are at the same time.

// Work-item i walks along row i: neighbours are a row apart.
kernel void row_sums(global const float *restrict in, global float *restrict out) {
  const size_t n = get_global_size(0), i = get_global_id(0);
  float sum = 0;
  for (size_t k = 0; k < n; k++)
    sum += in[i * n + k];
  out[i] = sum;
}

// Work-item i walks down column i: neighbours are an element apart.
kernel void column_sums(global const float *restrict in, global float *restrict out) {
  const size_t n = get_global_size(0), i = get_global_id(0);
  float sum = 0;
  for (size_t k = 0; k < n; k++)
    sum += in[k * n + i];
  out[i] = sum;
}
