// Functions that the compiler leaves as calls; one calls the other.
__attribute__((noinline)) float square(float x) { return x * x; }

__attribute__((noinline)) float norm2(float x, float y) { return square(x) + square(y); }

kernel void call(global const float *restrict x, global const float *restrict y,
                 global float *restrict out) {
  const size_t i = get_global_id(0);
  out[i] = norm2(x[i], y[i]);
}

// A barrier inside a called function: the neighbour's value, through local memory.
__attribute__((noinline)) int neighbour(local int *ring, int value) {
  const uint l = get_local_id(0);
  ring[l] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  return ring[(l + 1) % get_local_size(0)];
}

kernel void call_barrier(global int *restrict data, local int *ring) {
  const size_t i = get_global_id(0);
  data[i] = neighbour(ring, data[i] + 1) * 2;
}

// A structure that is passed by value: the function has a copy of its own.
struct sample {
  float value, weight;
};

__attribute__((noinline)) float weighted(struct sample s) { return s.value * s.weight; }

kernel void call_struct(global const float *restrict x, global float *restrict out) {
  const size_t i = get_global_id(0);
  struct sample s;
  s.value = x[i] + 1;
  s.weight = x[i] * 2;
  out[i] = weighted(s);
}
