// Solves L x = b by forward substitution; L is a lower triangular matrix, its part below the
// diagonal in compressed rows (CSR), its diagonal apart.
//
// A row needs the x of the columns that it has non-zeros in. Level 0 is the rows that need none;
// a row's level is one more than the highest of the rows that it needs. A launch per level, a
// work-item per row of the level: launches are the only order that all work-groups share.
// `level_rows` lists the rows level by level; this level's are `count` from `first`.
kernel void triangular_solve(const global uint *restrict level_rows,
                             const global uint *restrict row_begins,
                             const global uint *restrict columns,
                             const global float *restrict values,
                             const global float *restrict diagonal, const global float *restrict b,
                             global float *x, const uint first, const uint count) {
  const size_t i = get_global_id(0);
  if (i >= count)
    return;
  const uint row = level_rows[first + i];
  const uint end = row_begins[row + 1];
  float sum = b[row];
  for (uint k = row_begins[row]; k < end; ++k)
    sum -= values[k] * x[columns[k]];
  x[row] = sum / diagonal[row];
}
