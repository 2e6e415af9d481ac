// refused: cudaErrorNotSupported
#include "right.h"
__global__ void k(int *x) { ++*x; }
bool isRight() {
  int *x = managed<int>(1);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  const cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  printf("%s\n", cudaGetErrorName(error));
  k<<<1, 1, 0, stream>>>(x);
  cudaStreamEndCapture(stream, &graph);
  return false;
}
