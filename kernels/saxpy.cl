// y := a x + y, one element per work-item: two streams in, one out, no reuse.
kernel void saxpy(float a, global const float *restrict x, global float *restrict y) {
  const size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
