// Functions that the compiler leaves as calls; one calls the other.
__attribute__((noinline)) float square(float x) { return x * x; }

__attribute__((noinline)) float norm2(float x, float y) { return square(x) + square(y); }

kernel void call(global const float *restrict x, global const float *restrict y,
                 global float *restrict out) {
  const size_t i = get_global_id(0);
  out[i] = norm2(x[i], y[i]);
}
