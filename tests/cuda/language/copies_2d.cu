// Rows of memory with a pitch.
#include "right.h"
__global__ void k(float *p, size_t pitch) {
  float *row = (float *)((char *)p + threadIdx.y * pitch);
  row[threadIdx.x] = 2 * row[threadIdx.x];
}
bool isRight() {
  float host[3][5], *p;
  size_t pitch;
  for (int i = 0; i < 15; ++i)
    host[i / 5][i % 5] = i;
  cudaMallocPitch(&p, &pitch, 5 * sizeof(float), 3);
  cudaMemcpy2D(p, pitch, host, sizeof host[0], sizeof host[0], 3, cudaMemcpyHostToDevice);
  k<<<1, dim3(5, 3)>>>(p, pitch);
  cudaMemcpy2D(host, sizeof host[0], p, pitch, sizeof host[0], 3, cudaMemcpyDeviceToHost);
  return pitch >= 20 && host[0][1] == 2 && host[2][4] == 28;
}
