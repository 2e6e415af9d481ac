// What the programs of this folder share: each defines isRight().
#pragma once
#include <cuda_runtime.h>

#include <cstdio>

template <typename T> T *managed(size_t count) {
  T *memory = nullptr;
  cudaMallocManaged(&memory, count * sizeof(T));
  memset((void *)memory, 0, count * sizeof(T));
  return memory;
}
inline bool synchronised() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    printf("%s\n", cudaGetErrorName(error));
  return error == cudaSuccess;
}
bool isRight();
int main() {
  printf(isRight() ? "right\n" : "wrong\n");
}
