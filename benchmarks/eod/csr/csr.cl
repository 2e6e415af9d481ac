// The product of a sparse matrix and a vector, y = A x. The matrix is in compressed sparse rows:
// the entries of row r are those from row_begin[r] up to row_begin[r + 1], `column` and `value` say
// where in the row each one is and what it is.
//
// A work-item per row. It adds the products up in the order of the row, with a rounding that is
// the same in every work-group: the result does not depend on the local size, to the bit. The
// entries of a row lie side by side, so that a processor with caches reads whole lines of them; on
// a processor that wants neighbouring work-items to read neighbouring numbers, several work-items
// would have to share a row. Rows of different lengths keep work-items of a group waiting.
//
// The global size is the number of rows, rounded up to whole work-groups of any size.

#pragma OPENCL FP_CONTRACT OFF

static float add_product(float sum, float a, float x) {
#ifdef FP_FAST_FMAF
  return fma(a, x, sum);
#else
  return sum + a * x;
#endif
}

kernel void csr(const global uint *restrict row_begin, const global uint *restrict column,
                const global float *restrict value, const global float *restrict x,
                global float *restrict y, const uint rows) {
  const size_t row = get_global_id(0);
  if (row >= rows)
    return;

  const uint end = row_begin[row + 1];
  float sum = 0.0f;
  for (uint i = row_begin[row]; i < end; ++i)
    sum = add_product(sum, value[i], x[column[i]]);
  y[row] = sum;
}
