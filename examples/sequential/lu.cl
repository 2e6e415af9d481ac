// LU decomposition in place, without pivoting (Doolittle), row-major n x n. Each step k needs the
// matrix that the step before left; inside a step, the rows below k are independent.
kernel void lu(global float *a, uint n) {
  for (uint k = 0; k < n; k++)
    for (uint i = k + 1; i < n; i++) {
      const float factor = a[i * n + k] / a[k * n + k];
      a[i * n + k] = factor;
      for (uint j = k + 1; j < n; j++)
        a[i * n + j] -= factor * a[k * n + j];
    }
}
