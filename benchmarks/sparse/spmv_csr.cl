// The product of a sparse matrix and a vector, y = A x; the matrix in compressed rows (CSR).
//
// A work-item per row. It reads the non-zeros of its row one after the other, which suits a cache;
// neighbouring work-items read far apart. A work-group waits for its longest row.
kernel void spmv_csr(const global uint *restrict row_begins, const global uint *restrict columns,
                     const global float *restrict values, const global float *restrict x,
                     global float *restrict y, const uint rows) {
  const size_t row = get_global_id(0);
  if (row >= rows)
    return;
  const uint end = row_begins[row + 1];
  float sum = 0;
  for (uint i = row_begins[row]; i < end; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}
