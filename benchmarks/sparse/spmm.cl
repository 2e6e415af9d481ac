// The product of a sparse matrix in compressed rows (CSR) and a dense matrix of 8 columns, which
// is stored by rows: Y = A X.
//
// A work-item per row. Each non-zero reads 8 numbers that lie side by side, so a gather moves a
// useful piece of a cache line, where the product with one vector uses 4 bytes of it.
kernel void spmm(const global uint *restrict row_begins, const global uint *restrict columns,
                 const global float *restrict values, const global float *restrict x,
                 global float *restrict y, const uint rows) {
  const size_t row = get_global_id(0);
  if (row >= rows)
    return;
  const uint end = row_begins[row + 1];
  float8 sums = 0;
  for (uint i = row_begins[row]; i < end; ++i)
    sums += values[i] * vload8(columns[i], x);
  vstore8(sums, row, y);
}
