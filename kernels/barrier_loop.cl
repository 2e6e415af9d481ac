// Turns a ring of values by one place per step: two barriers in a loop that runs `steps` times.
kernel void barrier_loop(global int *restrict data, local int *ring, uint steps) {
  const uint w = get_local_size(0), l = get_local_id(0);
  int value = data[get_global_id(0)];
  for (uint s = 0; s < steps; s++) {
    ring[l] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value = ring[(l + 1) % w];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  data[get_global_id(0)] = value;
}
