// c := a b, all n x n and row-major, n = 8 get_global_size(0); 8 x 8 elements of c per work-item,
// in registers, from tiles of 64 x 8 of a and 8 x 64 of b in local memory. Groups of 8 x 8.
kernel void product_blocked(global const double *restrict a, global const double8 *restrict b,
                            global double8 *restrict c) {
  local double tileA[64][8];
  local double8 tileB[8][8];
  const size_t n8 = get_global_size(0), n = 8 * n8;
  const size_t lx = get_local_id(0), ly = get_local_id(1);
  const size_t col = get_global_id(0), row = 8 * get_global_id(1);
  double8 sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0, sum4 = 0, sum5 = 0, sum6 = 0, sum7 = 0;
  for (size_t t = 0; t < n; t += 8) {
    for (size_t i = 0; i < 8; i++)
      tileA[8 * ly + i][lx] = a[(row + i) * n + t + lx];
    tileB[ly][lx] = b[(t + ly) * n8 + col];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t k = 0; k < 8; k++) {
      const double8 bk = tileB[k][lx];
      sum0 += tileA[8 * ly + 0][k] * bk;
      sum1 += tileA[8 * ly + 1][k] * bk;
      sum2 += tileA[8 * ly + 2][k] * bk;
      sum3 += tileA[8 * ly + 3][k] * bk;
      sum4 += tileA[8 * ly + 4][k] * bk;
      sum5 += tileA[8 * ly + 5][k] * bk;
      sum6 += tileA[8 * ly + 6][k] * bk;
      sum7 += tileA[8 * ly + 7][k] * bk;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[(row + 0) * n8 + col] = sum0;
  c[(row + 1) * n8 + col] = sum1;
  c[(row + 2) * n8 + col] = sum2;
  c[(row + 3) * n8 + col] = sum3;
  c[(row + 4) * n8 + col] = sum4;
  c[(row + 5) * n8 + col] = sum5;
  c[(row + 6) * n8 + col] = sum6;
  c[(row + 7) * n8 + col] = sum7;
}
