// Lines of source that cost different things: one streams, one stays in any cache, one keeps lanes
// waiting. Work-item l of a group goes l times round the second loop.
kernel void hot_lines(global const float *restrict stream, global const float *restrict table,
                      global float *restrict out) {
  const size_t i = get_global_id(0), l = get_local_id(0);
  float sum = 0;
  for (size_t k = 0; k < 16; k++) {
    sum += stream[16 * (16 * i + k)];
    sum += table[k];
  }
  for (size_t k = 0; k < l; k++)
    sum = 0.5f * sum + 1;
  out[i] = sum;
}
