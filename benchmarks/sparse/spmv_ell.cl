// The product of a sparse matrix and a vector, y = A x; the matrix in ELLPACK form: every row has
// as many slots as the longest, and slot s of row r lies at s * rows + r.
//
// A work-item per row. Neighbouring work-items read neighbouring slots, and all of them take the
// same number of steps. Empty slots hold the value 0 and a column of the matrix, so that no lane
// has to ask; what they cost is the price of the form.
kernel void spmv_ell(const global uint *restrict columns, const global float *restrict values,
                     const global float *restrict x, global float *restrict y, const uint rows,
                     const uint slots) {
  const size_t row = get_global_id(0);
  if (row >= rows)
    return;
  float sum = 0;
  for (uint slot = 0; slot < slots; ++slot) {
    const size_t at = (size_t)slot * rows + row;
    sum += values[at] * x[columns[at]];
  }
  y[row] = sum;
}
