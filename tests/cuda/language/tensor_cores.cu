// refused: the simulator has no tensor cores
#include "right.h"
#include <mma.h>
__global__ void k(half *a, float *c) {
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> left;
  nvcuda::wmma::load_matrix_sync(left, a, 16);
}
bool isRight() { return false; }
