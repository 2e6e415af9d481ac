// cuRAND in device code: the mean of uniform numbers.
#include "right.h"
#include <curand_kernel.h>
__global__ void k(float *out) {
  curandStatePhilox4_32_10_t state;
  curand_init(1234, threadIdx.x, 0, &state);
  float sum = 0;
  for (int i = 0; i < 100; ++i)
    sum += curand_uniform(&state);
  atomicAdd(out, sum / 100 / blockDim.x);
}
bool isRight() {
  float *out = managed<float>(1);
  k<<<1, 128>>>(out);
  return synchronised() && *out > 0.48f && *out < 0.52f;
}
