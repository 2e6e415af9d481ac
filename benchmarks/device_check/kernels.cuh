// The kernels of device_check.cu: each has one property of a device that decides its time.
#pragma once
#include <cuda_runtime.h>

// -------------------------------------------------------------------------------------------------
__global__ void empty() {}
template <typename T> __global__ void copy(const T *a, T *b, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i];
}
template <typename T> __global__ void triad(const T *a, const T *b, T *c, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + T(0.4) * b[i];
}
template <typename T, int Chains> __global__ void fma_chains(T *o, T m, T c, int n) {
  T a[Chains];
  for (int k = 0; k < Chains; k++)
    a[k] = T(threadIdx.x + k);
  for (int i = 0; i < n; i++)
#pragma unroll
    for (int k = 0; k < Chains; k++)
      a[k] = a[k] * m + c;
  T s = 0;
  for (int k = 0; k < Chains; k++)
    s += a[k];
  o[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void int_hash(unsigned *o, unsigned seed, int n) { // add, xor, rotate
  unsigned a = threadIdx.x + seed, b = blockIdx.x, c = 0x9e3779b9u, d = a ^ c;
  for (int i = 0; i < n; i++) {
    a += b;
    d = (d ^ a) << 16 | (d ^ a) >> 16;
    c += d;
    b = (b ^ c) << 12 | (b ^ c) >> 20;
  }
  o[blockIdx.x * blockDim.x + threadIdx.x] = a ^ b ^ c ^ d;
}
__global__ void strided(const float *a, float *b, size_t n, size_t stride) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[(i * stride) % (n * stride)];
}
__global__ void gather(const unsigned *index, const float *a, float *b, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[index[i]];
}
__global__ void chase(const unsigned *next, unsigned *o, int loads) {
  unsigned p = 0;
  for (int i = 0; i < loads; i++)
    p = next[p];
  o[0] = p;
}
__global__ void bank_reads(float *o, int stride, int n) {
  __shared__ float t[32 * 33];
  for (int i = threadIdx.x; i < 32 * 33; i += blockDim.x)
    t[i] = i;
  __syncthreads();
  float s = 0;
  int p = (threadIdx.x % 32) * stride % 1024;
  for (int i = 0; i < n; i++) {
    s += t[p];
    p = (p + 1) & 1023;
  }
  o[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void transpose_naive(const float *a, float *b, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    b[x * (size_t)n + y + j] = a[(y + j) * (size_t)n + x];
}
template <int Pad> __global__ void transpose_tiled(const float *a, float *b, int n) {
  __shared__ float t[32][32 + Pad];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    t[threadIdx.y + j][threadIdx.x] = a[(y + j) * (size_t)n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    b[(y + j) * (size_t)n + x] = t[threadIdx.x][threadIdx.y + j];
}
__global__ void matmul_naive(const float *a, const float *b, float *c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = 0; k < n; k++)
    s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}
template <int T> __global__ void matmul_tiled(const float *a, const float *b, float *c, int n) {
  __shared__ float p[T][T], q[T][T];
  int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
  float s = 0;
  for (int k = 0; k < n; k += T) {
    p[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
    q[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < T; i++)
      s += p[threadIdx.y][i] * q[i][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = s;
}
__global__ void matmul_register(const float *a, const float *b, float *c,
                                int n) { // 64 x 64 of a block of 16 x 16, 4 x 4 each
  __shared__ float p[16][64], q[16][64];
  int bx = blockIdx.x * 64, by = blockIdx.y * 64, tx = threadIdx.x, ty = threadIdx.y,
      t = ty * 16 + tx;
  float s[4][4] = {};
  for (int k = 0; k < n; k += 16) {
    for (int i = 0; i < 4; i++) {
      int e = t + i * 256;
      p[e % 16][e / 16] = a[(by + e / 16) * n + k + e % 16];
      q[e / 64][e % 64] = b[(k + e / 64) * n + bx + e % 64];
    }
    __syncthreads();
    for (int kk = 0; kk < 16; kk++) {
      float u[4], v[4];
#pragma unroll
      for (int i = 0; i < 4; i++) {
        u[i] = p[kk][ty * 4 + i];
        v[i] = q[kk][tx * 4 + i];
      }
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
          s[i][j] += u[i] * v[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      c[(by + ty * 4 + i) * n + bx + tx * 4 + j] = s[i][j];
}
template <bool Interleaved> __global__ void reduce(const float *a, float *o, size_t n) {
  __shared__ float t[256];
  float s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    s += a[i];
  t[threadIdx.x] = s;
  __syncthreads();
  if (Interleaved) {
    for (int d = 1; d < 256; d *= 2) {
      if (threadIdx.x % (2 * d) == 0)
        t[threadIdx.x] += t[threadIdx.x + d];
      __syncthreads();
    }
  } else {
    for (int d = 128; d > 0; d /= 2) {
      if (threadIdx.x < d)
        t[threadIdx.x] += t[threadIdx.x + d];
      __syncthreads();
    }
  }
  if (threadIdx.x == 0)
    o[blockIdx.x] = t[0];
}
__global__ void nbody(const float4 *p, float4 *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 a = p[i];
  float x = 0, y = 0, z = 0;
  for (int j = 0; j < n; j++) {
    float4 b = p[j];
    float u = b.x - a.x, v = b.y - a.y, w = b.z - a.z, r = rsqrtf(u * u + v * v + w * w + 1e-3f);
    r = b.w * r * r * r;
    x += u * r;
    y += v * r;
    z += w * r;
  }
  f[i] = make_float4(x, y, z, 0);
}
__global__ void softmax_rows(const float *a, float *b, int n) { // a block of 256 per row
  __shared__ float t[256];
  const float *r = a + blockIdx.x * (size_t)n;
  float m = -1e30f, s = 0;
  for (int i = threadIdx.x; i < n; i += 256)
    m = fmaxf(m, r[i]);
  t[threadIdx.x] = m;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (threadIdx.x < d)
      t[threadIdx.x] = fmaxf(t[threadIdx.x], t[threadIdx.x + d]);
    __syncthreads();
  }
  m = t[0];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 256)
    s += expf(r[i] - m);
  t[threadIdx.x] = s;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (threadIdx.x < d)
      t[threadIdx.x] += t[threadIdx.x + d];
    __syncthreads();
  }
  s = t[0];
  for (int i = threadIdx.x; i < n; i += 256)
    b[blockIdx.x * (size_t)n + i] = expf(r[i] - m) / s;
}
__global__ void stencil2d(const float *a, float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
    size_t i = y * (size_t)n + x;
    b[i] = 0.5f * a[i] + 0.125f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n]);
  }
}
__global__ void stencil3d(const float *a, float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z;
  size_t p = n * (size_t)n, i = z * p + y * (size_t)n + x;
  if (x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1)
    b[i] = a[i] * 0.4f + 0.1f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i - p] + a[i + p]);
}
__global__ void histogram_global(const unsigned *a, unsigned *h, size_t n, unsigned bins) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    atomicAdd(&h[a[i] % bins], 1u);
}
__global__ void histogram_shared(const unsigned *a, unsigned *h, size_t n) {
  __shared__ unsigned t[256];
  t[threadIdx.x] = 0;
  __syncthreads();
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x)
    atomicAdd(&t[a[i] & 255], 1u);
  __syncthreads();
  atomicAdd(&h[threadIdx.x], t[threadIdx.x]);
}
__global__ void spmv_scalar(const unsigned *ptr, const unsigned *col, const float *v,
                            const float *x, float *y, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float s = 0;
    for (unsigned k = ptr[r]; k < ptr[r + 1]; k++)
      s += v[k] * x[col[k]];
    y[r] = s;
  }
}
__global__ void options(const float *s, float *c,
                        size_t n) { // Black and Scholes: logarithm, exponential, root, division
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float S = 10 + s[i], K = 50, T = 1, r = 0.02f, v = 0.3f,
        d = (logf(S / K) + (r + 0.5f * v * v) * T) / (v * sqrtf(T)), e = d - v * sqrtf(T);
  c[i] = S * 0.5f * erfcf(-d * 0.70710678f) - K * expf(-r * T) * 0.5f * erfcf(-e * 0.70710678f);
}
__global__ void doubles(const float *a, float *b, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) {
    double x = a[i] + 1.5;
    b[i] = (float)(exp(-x) + log(x) / sqrt(x));
  }
}
__global__ void private_array(const unsigned *a, float *b, size_t n,
                              int steps) { // an array that cannot live in registers
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float t[64];
  for (int k = 0; k < 64; k++)
    t[k] = k;
  unsigned p = a[i];
  for (int k = 0; k < steps; k++) {
    p = p * 1664525u + 1013904223u;
    t[p >> 26] += 1.0f;
  }
  float s = 0;
  for (int k = 0; k < 64; k++)
    s += t[k] * k;
  b[i] = s;
}
__global__ void divergent(float *b, int lanes, int n) {
  float s = threadIdx.x;
  if ((threadIdx.x & 31) < (unsigned)lanes)
    for (int i = 0; i < n; i++)
      s = s * 0.999f + 1.0f;
  b[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void convolution(const float *a, const float *w, float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int j = 0; j < 15; j++)
    for (int i = 0; i < 15; i++)
      s += a[(y + j) * (size_t)(n + 14) + x + i] * w[j * 15 + i];
  b[y * (size_t)n + x] = s;
}
