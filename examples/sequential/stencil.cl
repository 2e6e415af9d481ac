// The worked example of docs/metrics.md: every row needs the one above it, the elements of a row
// need nothing of each other. n - 1 synchronisation points.
kernel void stencil(global float *a, uint n) {
  for (uint i = 1; i < n; i++)
    for (uint j = 0; j < n; j++)
      a[i * n + j] = a[(i - 1) * n + j] + 2.0f;
}
