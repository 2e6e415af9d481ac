// Loop nests of numerical codes as kernels, for the recognition of idioms: labels.csv has their
// idioms, labelled by hand. N is the edge of square matrices and grids.
#ifndef N
#define N 16
#endif

kernel void copy(global const float *a, global float *c) {
  const size_t i = get_global_id(0);
  c[i] = a[i];
}

kernel void triad(global const float *a, global const float *b, global float *c, float q) {
  const size_t i = get_global_id(0);
  c[i] = a[i] + q * b[i];
}

// c := beta c + alpha a b, the sum in memory.
kernel void gemm(global const float *a, global const float *b, global float *c, float alpha,
                 float beta) {
  const size_t j = get_global_id(0), i = get_global_id(1);
  c[i * N + j] *= beta;
  for (int k = 0; k < N; k++)
    c[i * N + j] += alpha * a[i * N + k] * b[k * N + j];
}

// c := beta c + alpha a a^T, the sum in a register.
kernel void syrk(global const float *a, global float *c, float alpha, float beta) {
  const size_t j = get_global_id(0), i = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < N; k++)
    sum += a[i * N + k] * a[j * N + k];
  c[i * N + j] = beta * c[i * N + j] + alpha * sum;
}

kernel void syr2k(global const float *a, global const float *b, global float *c, float alpha,
                  float beta) {
  const size_t j = get_global_id(0), i = get_global_id(1);
  c[i * N + j] *= beta;
  for (int k = 0; k < N; k++) {
    c[i * N + j] += alpha * a[i * N + k] * b[j * N + k];
    c[i * N + j] += alpha * b[i * N + k] * a[j * N + k];
  }
}

kernel void atax_rows(global const float *a, global const float *x, global float *tmp) {
  const size_t i = get_global_id(0);
  tmp[i] = 0;
  for (int j = 0; j < N; j++)
    tmp[i] += a[i * N + j] * x[j];
}

kernel void atax_columns(global const float *a, global const float *tmp, global float *y) {
  const size_t j = get_global_id(0);
  float sum = 0;
  for (int i = 0; i < N; i++)
    sum += a[i * N + j] * tmp[i];
  y[j] = sum;
}

kernel void bicg_q(global const float *a, global const float *p, global float *q) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (int j = 0; j < N; j++)
    sum += a[i * N + j] * p[j];
  q[i] = sum;
}

kernel void mvt(global const float *a, global float *x, global const float *y) {
  const size_t i = get_global_id(0);
  for (int j = 0; j < N; j++)
    x[i] += a[j * N + i] * y[j];
}

kernel void gesummv(global const float *a, global const float *b, global const float *x,
                    global float *y, float alpha, float beta) {
  const size_t i = get_global_id(0);
  float ax = 0, bx = 0;
  for (int j = 0; j < N; j++) {
    ax += a[i * N + j] * x[j];
    bx += b[i * N + j] * x[j];
  }
  y[i] = alpha * ax + beta * bx;
}

kernel void conv2d(global const float *a, global float *b) {
  const size_t j = get_global_id(0), i = get_global_id(1);
  if (i > 0 && j > 0 && i < N - 1 && j < N - 1)
    b[i * N + j] = 0.2f * a[(i - 1) * N + j - 1] - 0.3f * a[(i - 1) * N + j] +
                   0.4f * a[(i - 1) * N + j + 1] + 0.5f * a[i * N + j - 1] + 0.6f * a[i * N + j] +
                   0.7f * a[i * N + j + 1] - 0.8f * a[(i + 1) * N + j - 1] -
                   0.9f * a[(i + 1) * N + j] + 0.1f * a[(i + 1) * N + j + 1];
}

// The weights in an array, and loops over the window.
kernel void conv2d_loops(global const float *a, global const float *weights, global float *b,
                         int radius) {
  const int j = get_global_id(0), i = get_global_id(1);
  if (i < radius || j < radius || i >= N - radius || j >= N - radius)
    return;
  float sum = 0;
  for (int y = -radius; y <= radius; y++)
    for (int x = -radius; x <= radius; x++)
      sum += weights[(y + radius) * (2 * radius + 1) + x + radius] * a[(i + y) * N + j + x];
  b[i * N + j] = sum;
}

kernel void jacobi1d(global const float *a, global float *b) {
  const size_t i = get_global_id(0);
  if (i > 0 && i < get_global_size(0) - 1)
    b[i] = 0.33333f * (a[i - 1] + a[i] + a[i + 1]);
}

kernel void jacobi2d(global const float *a, global float *b) {
  const size_t j = get_global_id(0), i = get_global_id(1);
  if (i > 0 && j > 0 && i < N - 1 && j < N - 1)
    b[i * N + j] = 0.2f * (a[i * N + j] + a[i * N + j - 1] + a[i * N + j + 1] + a[(i + 1) * N + j] +
                           a[(i - 1) * N + j]);
}

kernel void fdtd_ey(global const float *fict, global float *ey, global const float *hz, int t) {
  const size_t j = get_global_id(0), i = get_global_id(1);
  if (i == 0)
    ey[i * N + j] = fict[t];
  else
    ey[i * N + j] -= 0.5f * (hz[i * N + j] - hz[(i - 1) * N + j]);
}

kernel void fdtd_ex(global float *ex, global const float *hz) {
  const size_t j = get_global_id(0), i = get_global_id(1);
  if (j > 0)
    ex[i * N + j] -= 0.5f * (hz[i * N + j] - hz[i * N + j - 1]);
}

// ey has a row more than hz, ex a column more.
kernel void fdtd_hz(global const float *ex, global const float *ey, global float *hz) {
  const size_t j = get_global_id(0), i = get_global_id(1);
  hz[i * N + j] -= 0.7f * (ex[i * (N + 1) + j + 1] - ex[i * (N + 1) + j] + ey[(i + 1) * N + j] -
                           ey[i * N + j]);
}

kernel void column_mean(global const float *data, global float *mean) {
  const size_t j = get_global_id(0);
  float sum = 0;
  for (int i = 0; i < N; i++)
    sum += data[i * N + j];
  mean[j] = sum / N;
}

kernel void column_deviation(global const float *data, global const float *mean,
                             global float *deviation) {
  const size_t j = get_global_id(0);
  float sum = 0;
  for (int i = 0; i < N; i++)
    sum += (data[i * N + j] - mean[j]) * (data[i * N + j] - mean[j]);
  deviation[j] = sqrt(sum / N);
}

kernel void centre(global float *data, global const float *mean) {
  const size_t j = get_global_id(0), i = get_global_id(1);
  data[i * N + j] -= mean[j];
}

kernel void correlation(global const float *data, global float *result) {
  const size_t j = get_global_id(0), i = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < N; k++)
    sum += data[k * N + i] * data[k * N + j];
  result[i * N + j] = sum;
}

kernel void transposed_copy(global const float *a, global float *b) {
  const size_t j = get_global_id(0), i = get_global_id(1);
  b[i * N + j] = a[j * N + i];
}

kernel void permute(global const int *from, global const int *to, global const float *a,
                    global float *b) {
  const size_t i = get_global_id(0);
  b[to[i]] = a[from[i]];
}

kernel void spmv(global const int *begin, global const int *column, global const float *value,
                 global const float *x, global float *y) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (int k = begin[i]; k < begin[i + 1]; k++)
    sum += value[k] * x[column[k]];
  y[i] = sum;
}

// Two elements per work-item before the tree: no stencil, though an array is read at two offsets.
kernel void sum_of_pairs(global const float *a, global float *partial, local float *scratch) {
  const size_t l = get_local_id(0), w = get_local_size(0);
  const size_t i = get_group_id(0) * 2 * w + l;
  scratch[l] = a[i] + a[i + w];
  for (size_t s = w / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      scratch[l] += scratch[l + s];
  }
  if (l == 0)
    partial[get_group_id(0)] = scratch[0];
}

kernel void maximum(global const float *a, global float *result) {
  const size_t i = get_global_id(0);
  float most = a[i * N];
  for (int k = 1; k < N; k++)
    most = fmax(most, a[i * N + k]);
  result[i] = most;
}

// The sum of a quantity of structures that lie side by side.
kernel void kinetic(global const float *body, global float *energy) {
  const size_t i = get_global_id(0);
  const float x = body[4 * i], y = body[4 * i + 1], z = body[4 * i + 2];
  energy[i] = 0.5f * body[4 * i + 3] * (x * x + y * y + z * z);
}

// By a single work-item.
kernel void serial_gather(global const int *index, global const float *a, global float *b, int n) {
  for (int i = 0; i < n; i++)
    b[i] = a[index[i]];
}

kernel void serial_stencil(global const float *a, global float *b, int n) {
  for (int i = 1; i < n - 1; i++)
    b[i] = a[i - 1] + a[i + 1];
}

kernel void serial_product(global const float *a, global const float *b, global float *c) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < N; k++)
        sum += a[i * N + k] * b[k * N + j];
      c[i * N + j] = sum;
    }
}

kernel void serial_transpose(global const float *a, global float *b) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      b[j * N + i] = a[i * N + j];
}
