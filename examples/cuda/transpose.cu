// Transposes a square matrix on the device, and checks the result: transpose [tiled] [SIZE]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int kTile = 32;

__global__ void transpose(const float *in, float *out, int size) {
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  if (x < size && y < size)
    out[x * size + y] = in[y * size + x];
}

__global__ void transposeTiled(const float *in, float *out, int size) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  if (x < size && y < size)
    tile[threadIdx.y][threadIdx.x] = in[y * size + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  if (x < size && y < size)
    out[y * size + x] = tile[threadIdx.x][threadIdx.y];
}

int main(int argc, char **argv) {
  const bool isTiled = argc > 1 && std::strcmp(argv[1], "tiled") == 0;
  const int size = argc > 1 + isTiled ? std::atoi(argv[1 + isTiled]) : 1024;
  std::vector<float> in(size * size), out(size * size);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = i % 1000;

  float *deviceIn, *deviceOut;
  const size_t bytes = in.size() * sizeof(float);
  cudaMalloc(&deviceIn, bytes);
  cudaMalloc(&deviceOut, bytes);
  cudaMemcpy(deviceIn, in.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 block(kTile, kTile);
  const dim3 grid((size + kTile - 1) / kTile, (size + kTile - 1) / kTile);
  if (isTiled)
    transposeTiled<<<grid, block>>>(deviceIn, deviceOut, size);
  else
    transpose<<<grid, block>>>(deviceIn, deviceOut, size);
  cudaMemcpy(out.data(), deviceOut, bytes, cudaMemcpyDeviceToHost);
  if (const cudaError_t error = cudaGetLastError()) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      if (out[x * size + y] != in[y * size + x]) {
        std::printf("wrong at row %d, column %d\n", x, y);
        return 1;
      }
  std::printf("transposed %d x %d\n", size, size);
}
