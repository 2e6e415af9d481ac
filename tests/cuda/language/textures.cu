// refused: the simulator has no textures
#include "right.h"
__global__ void k(cudaTextureObject_t texture, float *out) { *out = tex2D<float>(texture, 0.5f, 0.5f); }
bool isRight() { return false; }
