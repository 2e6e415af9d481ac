// Floating-point work of every kind: add, multiply, fused, divide and builtin functions.
kernel void math(global const float *restrict x, global const float *restrict y,
                 global float *restrict out) {
  const size_t i = get_global_id(0);
  const float r = sqrt(fma(x[i], x[i], y[i] * y[i]));
  out[i] = mad(2.0f, r, -x[i]) / exp2(y[i] - 1.0f);
}
