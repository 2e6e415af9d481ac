// build: --warps-in-step
#include "right.h"
__global__ void reduce(int *sum) { // as volatile_exchange.cu, but the memory is not volatile
  __shared__ int part[64];
  const int i = threadIdx.x;
  part[i] = i * i;
  __syncthreads();
  if (i < 32) {
    part[i] += part[i + 32];
    for (int distance = 16; distance > 0; distance /= 2)
      part[i] += part[i + distance];
  }
  if (i == 0)
    *sum = part[0];
}
__global__ void transpose(int *out) {
  __shared__ int tile[32][33];
  for (int row = 0; row < 32; ++row)
    tile[row][threadIdx.x] = 100 * row + threadIdx.x;
  for (int row = 0; row < 32; ++row)
    out[32 * row + threadIdx.x] = tile[threadIdx.x][row];
}
struct View {
  int *begin;
};
__global__ void throughMemory(int *out) { // no analysis tells where the pointer leads
  __shared__ int values[32];
  __shared__ View views[2];
  if (threadIdx.x == 0)
    views[0].begin = views[1].begin = values;
  __syncthreads();
  int *chosen = views[threadIdx.x % 2].begin;
  chosen[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = chosen[31 - threadIdx.x];
}
bool isRight() {
  int *sum = managed<int>(1), *out = managed<int>(32 * 32), *reversed = managed<int>(32);
  reduce<<<1, 64>>>(sum);
  transpose<<<1, 32>>>(out);
  throughMemory<<<1, 32>>>(reversed);
  bool right = synchronised() && *sum == 63 * 64 * 127 / 6;
  for (int i = 0; i < 32 * 32; ++i)
    right = right && out[i] == 100 * (i % 32) + i / 32;
  for (int i = 0; i < 32; ++i)
    right = right && reversed[i] == 31 - i;
  return right;
}
