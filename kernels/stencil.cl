// Neighbourhood sums. Neighbouring work-items read the same elements again.

// Three points in a row; in has one element more than out at either end.
kernel void stencil_1d(global const float *restrict in, global float *restrict out) {
  const size_t i = get_global_id(0);
  out[i] = 0.25f * in[i] + 0.5f * in[i + 1] + 0.25f * in[i + 2];
}

// Five points in a cross on a w x h grid; the border is copied.
kernel void stencil_2d(global const float *restrict in, global float *restrict out) {
  const size_t w = get_global_size(0), h = get_global_size(1);
  const size_t x = get_global_id(0), y = get_global_id(1);
  const size_t i = y * w + x;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    out[i] = 0.5f * in[i] + 0.125f * (in[i - w] + in[i - 1] + in[i + 1] + in[i + w]);
  else
    out[i] = in[i];
}
