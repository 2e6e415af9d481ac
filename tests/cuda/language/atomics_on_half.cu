// The last of an odd number of halves has a neighbour outside of the array.
#include "right.h"
#include <cuda_fp16.h>
__global__ void k(__half *sum) { atomicAdd(&sum[2], __float2half(0.5f)); }
bool isRight() {
  __half *sum;
  cudaMalloc(&sum, 3 * sizeof *sum);
  cudaMemset(sum, 0, 3 * sizeof *sum);
  k<<<2, 32>>>(sum);
  __half result[3];
  cudaMemcpy(result, sum, sizeof result, cudaMemcpyDeviceToHost);
  return __half2float(result[2]) == 32 && __half2float(result[1]) == 0;
}
