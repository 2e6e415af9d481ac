// OpenCL C 2.0: a pointer without an address space.
__attribute__((noinline)) int pick(const int *from, size_t i) { return from[i]; }

kernel void generic_pointer(global const int *restrict in, global int *restrict out) {
  const size_t i = get_global_id(0);
  out[i] = pick(in, i ^ 1);
}
