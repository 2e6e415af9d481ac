// A box of memory with pitches.
#include "right.h"
__global__ void k(cudaPitchedPtr box, int rows) {
  char *slice = (char *)box.ptr + blockIdx.x * box.pitch * rows;
  ((int *)(slice + threadIdx.y * box.pitch))[threadIdx.x] += 100;
}
bool isRight() {
  int host[2][3][4];
  for (int i = 0; i < 24; ++i)
    (&host[0][0][0])[i] = i;
  const cudaExtent extent = make_cudaExtent(4 * sizeof(int), 3, 2);
  cudaPitchedPtr box;
  if (cudaMalloc3D(&box, extent) != cudaSuccess)
    return false;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, 4 * sizeof(int), 4, 3);
  copy.dstPtr = box;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  k<<<2, dim3(4, 3)>>>(box, 3);
  copy.dstPtr = copy.srcPtr;
  copy.srcPtr = box;
  copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&copy);
  return host[0][0][0] == 100 && host[1][2][3] == 123;
}
