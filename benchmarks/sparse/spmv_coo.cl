// The product of a sparse matrix and a vector, y = A x; the matrix as a list of (row, column,
// value).
//
// A work-item per non-zero: all have the same amount of work, whatever the rows look like. The
// non-zeros of a row lie side by side, so neighbouring work-items add to the same number: the
// atomic additions pay for the balance. `y` is 0 before the launch.
kernel void spmv_coo(const global uint *restrict rows, const global uint *restrict columns,
                     const global float *restrict values, const global float *restrict x,
                     volatile global uint *restrict y, const uint non_zeros) {
  const size_t i = get_global_id(0);
  if (i >= non_zeros)
    return;
  atomic_add_float(y + rows[i], values[i] * x[columns[i]]);
}
