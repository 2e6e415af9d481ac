// Two solvers by a single work-group, to show chains of dependences that run through memory.

// Jacobi iteration: in each of `sweeps` sweeps every point becomes the mean of its neighbours in
// the sweep before. A work-item per inner point, the sweeps read and write two grids in turns.
kernel void jacobi(global float *restrict x, global float *restrict y, uint sweeps) {
  const size_t i = get_local_id(0) + 1;
  for (uint s = 0; s < sweeps; s++) {
    if (s % 2 == 0)
      y[i] = 0.5f * (x[i - 1] + x[i + 1]);
    else
      x[i] = 0.5f * (y[i - 1] + y[i + 1]);
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

// LU decomposition in place, without pivoting; a work-item per row. n = get_local_size(0).
kernel void lu(global float *restrict a) {
  const size_t n = get_local_size(0), i = get_local_id(0);
  for (size_t k = 0; k + 1 < n; k++) {
    if (i > k) {
      const float factor = a[i * n + k] / a[k * n + k];
      a[i * n + k] = factor;
      for (size_t j = k + 1; j < n; j++)
        a[i * n + j] -= factor * a[k * n + j];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
