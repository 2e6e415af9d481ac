// prints: 3 of 4: -1.50 x
#include "right.h"
__global__ void k() {
  if (threadIdx.x == 3)
    printf("%d of %u: %.2f %c\n", threadIdx.x, blockDim.x, -1.5f, 'x');
}
bool isRight() {
  k<<<1, 4>>>();
  return synchronised();
}
