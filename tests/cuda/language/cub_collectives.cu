// A block's scan, and a reduction of the device.
#include "right.h"
#include <cub/cub.cuh>
__global__ void k(int *out) {
  typedef cub::BlockScan<int, 128> Scan;
  __shared__ typename Scan::TempStorage storage;
  Scan(storage).ExclusiveSum((int)threadIdx.x, out[threadIdx.x]);
}
bool isRight() {
  int *out = managed<int>(128), *sum = managed<int>(1);
  k<<<1, 128>>>(out);
  void *memory = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Max(memory, bytes, out, sum, 128);
  cudaMalloc(&memory, bytes);
  cub::DeviceReduce::Max(memory, bytes, out, sum, 128);
  return synchronised() && out[127] == 8001 && *sum == 8001;
}
