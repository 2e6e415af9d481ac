// Baum-Welch re-estimation of a discrete hidden Markov model from one sequence of observations, by
// the scaled forward-backward algorithm.
//
//   pi[i]              probability of starting in state i
//   a[i * states + j]  of going from state i to state j
//   b[k * states + i]  of seeing symbol k in state i: symbol by symbol, so that neighbouring
//                      work-items, which have neighbouring states, read neighbouring numbers
//   alpha, beta        a row of `states` numbers per step of time
//   scale[t]           the sum of row t of alpha before it was scaled: the probability of
//                      observation t given those before
//
// a and b become the new model in place, and beta becomes gamma: nothing is allocated twice.
//
// A global size is the number of states (or of numbers) rounded up to whole work-groups of any
// size, unless said otherwise. PARTS, a power of two, is the number of partial sums of a dot product
// by a work-group. Sums have an order that does not depend on the work-group's size.

#pragma OPENCL FP_CONTRACT OFF

// x . y, by the whole work-group, for each of its work-items. Partial sum k has the terms k,
// k + PARTS, ..., whichever work-item adds them up; a tree then adds the partial sums.
static float dot_by_group(const global float *x, const global float *y, uint count,
                          local float *partial) {
  const size_t lane = get_local_id(0);
  const size_t lanes = get_local_size(0);
  for (size_t k = lane; k < PARTS; k += lanes) {
    float sum = 0.0f;
    for (size_t i = k; i < count; i += PARTS)
      sum += x[i] * y[i];
    partial[k] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t width = PARTS / 2; width > 0; width /= 2) {
    for (size_t k = lane; k < width; k += lanes)
      partial[k] += partial[k + width];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return partial[0];
}

// result[slot] = x . y, x from x_first on. One work-group.
kernel void s_dot_kernel_naive(const global float *restrict x, const uint x_first,
                               const global float *restrict y, const uint count,
                               global float *restrict result, const uint slot) {
  local float partial[PARTS];
  const float sum = dot_by_group(x + x_first, y, count, partial);
  if (get_local_id(0) == 0)
    result[slot] = sum;
}

// y = M x, y from y_first on. A work-group per row of the matrix, which it reads in order.
kernel void mvm_non_kernel_naive(const global float *restrict matrix,
                                 const global float *restrict x, global float *restrict y,
                                 const uint y_first, const uint columns) {
  local float partial[PARTS];
  const size_t row = get_group_id(0);
  const float sum = dot_by_group(matrix + row * columns, x, columns, partial);
  if (get_local_id(0) == 0)
    y[y_first + row] = sum;
}

// y = M^T x, x from x_first and y from y_first on: they may be rows of the same buffer. A work-item
// per column of the matrix, so that a work-group reads its rows in order.
kernel void mvm_trans_kernel_naive(const global float *restrict matrix, const global float *x,
                                   const uint x_first, global float *y, const uint y_first,
                                   const uint rows, const uint columns) {
  const size_t column = get_global_id(0);
  if (column >= columns)
    return;
  float sum = 0.0f;
  for (size_t row = 0; row < rows; ++row)
    sum += matrix[row * columns + column] * x[x_first + row];
  y[y_first + column] = sum;
}

kernel void init_ones_dev(global float *restrict ones, const uint count) {
  const size_t i = get_global_id(0);
  if (i < count)
    ones[i] = 1.0f;
}

// Row 0 of alpha, not scaled yet.
kernel void init_alpha_dev(const global float *restrict pi, const global float *restrict b,
                           const global uint *restrict observations, global float *restrict alpha,
                           const uint states) {
  const size_t i = get_global_id(0);
  if (i < states)
    alpha[i] = pi[i] * b[(size_t)observations[0] * states + i];
}

// Row t of alpha, not scaled yet, from what A^T made of row t - 1.
kernel void calc_alpha_dev(const global float *restrict b, const global uint *restrict observations,
                           global float *restrict alpha, const uint t, const uint states) {
  const size_t i = get_global_id(0);
  if (i < states)
    alpha[t * states + i] *= b[(size_t)observations[t] * states + i];
}

kernel void scale_alpha_dev(global float *restrict alpha, const global float *restrict scale,
                            const uint t, const uint states) {
  const size_t i = get_global_id(0);
  if (i < states)
    alpha[t * states + i] /= scale[t];
}

// The last row of beta.
kernel void init_beta_dev(global float *restrict beta, const uint last, const uint states) {
  const size_t i = get_global_id(0);
  if (i < states)
    beta[last * states + i] = 1.0f;
}

// What A has to be multiplied by to give row t - 1 of beta.
kernel void calc_beta_dev(const global float *restrict b, const global uint *restrict observations,
                          const global float *restrict scale, const global float *restrict beta,
                          global float *restrict weighted, const uint t, const uint states) {
  const size_t i = get_global_id(0);
  if (i < states)
    weighted[i] = b[(size_t)observations[t] * states + i] * beta[t * states + i] / scale[t];
}

// The probability of being in state i at time t, given all observations, in place of beta.
kernel void calc_gamma_dev(const global float *restrict alpha, global float *restrict beta,
                           const uint count) {
  const size_t k = get_global_id(0);
  if (k < count)
    beta[k] *= alpha[k];
}

// The expected number of transitions from state i to state j, in place of a[i, j]. Dimension 0 of
// the NDRange has the states j, dimension 1 the states i.
kernel void calc_xi_dev(global float *restrict a, const global float *restrict b,
                        const global uint *restrict observations,
                        const global float *restrict scale, const global float *restrict alpha,
                        const global float *restrict beta, const uint states, const uint length) {
  const size_t j = get_global_id(0);
  const size_t i = get_global_id(1);
  if (j >= states)
    return;
  float sum = 0.0f;
  for (size_t t = 1; t < length; ++t) {
    const float before = alpha[(t - 1) * states + i] / scale[t];
    sum += before * b[(size_t)observations[t] * states + j] * beta[t * states + j];
  }
  a[i * states + j] *= sum;
}

// Divides the expected numbers of transitions by how often state i was left. A state that was never
// visited says nothing: its transitions become equally probable. NDRange as for calc_xi_dev.
kernel void est_a_dev(global float *restrict a, const global float *restrict visits,
                      const uint states) {
  const size_t j = get_global_id(0);
  const size_t i = get_global_id(1);
  if (j < states)
    a[i * states + j] =
        visits[i] > 0.0f ? a[i * states + j] / visits[i] : 1.0f / (float)states;
}

// Makes the rows of a sum to 1 again, which they do up to rounding. NDRange as for calc_xi_dev.
kernel void scale_a_dev(global float *restrict a, const global float *restrict sums,
                        const uint states) {
  const size_t j = get_global_id(0);
  const size_t i = get_global_id(1);
  if (j < states)
    a[i * states + j] /= sums[i];
}

// How often symbol k was seen in state i, in place of b. Dimension 0 of the NDRange has the states,
// dimension 1 the symbols.
kernel void acc_b_dev(global float *restrict b, const global float *restrict gamma,
                      const global uint *restrict observations, const uint states,
                      const uint length) {
  const size_t i = get_global_id(0);
  const size_t k = get_global_id(1);
  if (i >= states)
    return;
  float sum = 0.0f;
  for (size_t t = 0; t < length; ++t)
    if (observations[t] == k)
      sum += gamma[t * states + i];
  b[k * states + i] = sum;
}

// Divides by how often state i was visited; see est_a_dev. NDRange as for acc_b_dev.
kernel void est_b_dev(global float *restrict b, const global float *restrict visits,
                      const uint states, const uint symbols) {
  const size_t i = get_global_id(0);
  const size_t k = get_global_id(1);
  if (i < states)
    b[k * states + i] =
        visits[i] > 0.0f ? b[k * states + i] / visits[i] : 1.0f / (float)symbols;
}

// Makes the probabilities of a state's symbols sum to 1 again. NDRange as for acc_b_dev.
kernel void scale_b_dev(global float *restrict b, const global float *restrict sums,
                        const uint states) {
  const size_t i = get_global_id(0);
  const size_t k = get_global_id(1);
  if (i < states)
    b[k * states + i] /= sums[i];
}

// The new pi: row 0 of gamma over its sum, which is scale[slot].
kernel void est_pi_dev(global float *restrict pi, const global float *restrict gamma,
                       const global float *restrict scale, const uint slot, const uint states) {
  const size_t i = get_global_id(0);
  if (i < states)
    pi[i] = gamma[i] / scale[slot];
}
