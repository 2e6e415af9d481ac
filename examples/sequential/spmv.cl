// y = A x, A in compressed sparse rows. Nothing that is written is read: no synchronisation.
kernel void spmv(global const uint *row_begin, global const uint *column,
                 global const float *value, global const float *x, global float *y, uint rows) {
  for (uint row = 0; row < rows; row++) {
    float sum = 0;
    for (uint k = row_begin[row]; k < row_begin[row + 1]; k++)
      sum += value[k] * x[column[k]];
    y[row] = sum;
  }
}
