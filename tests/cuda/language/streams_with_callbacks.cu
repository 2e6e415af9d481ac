// What the host does in a stream comes in the stream's order.
#include "right.h"
__global__ void add(int *x, int by) { *x += by; }
void CUDART_CB doubled(void *x) { *(int *)x *= 2; }
bool isRight() {
  int *x = managed<int>(1);
  cudaStream_t a, b;
  cudaEvent_t done;
  cudaStreamCreate(&a);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventCreate(&done);
  add<<<1, 1, 0, a>>>(x, 3);
  cudaLaunchHostFunc(a, doubled, x);
  cudaEventRecord(done, a);
  cudaStreamWaitEvent(b, done, 0);
  add<<<1, 1, 0, b>>>(x, 1);
  return synchronised() && *x == 7 && cudaStreamQuery(a) == cudaSuccess;
}
