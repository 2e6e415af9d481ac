// What does not depend on data: launches, work-groups, barriers, atomics.

kernel void empty(global uint *result) {
  if (get_global_id(0) == 0)
    result[0] += 1;
}

// The sums are the same for all work-items of the group, and need every barrier.
kernel void barriers(local uint *exchanged, uint rounds, global uint *result) {
  const uint item = get_local_id(0), width = get_local_size(0);
  uint sum = item;
  for (uint round = 0; round < rounds; ++round) {
    exchanged[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = exchanged[(item + 1) % width] + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  result[get_global_id(0)] = sum;
}

// spacing 0: one address for all; else an address for each work-item, so far apart.
kernel void atomics(global uint *counters, uint spacing, uint rounds) {
  global uint *counter = counters + get_global_id(0) * spacing;
  for (uint round = 0; round < rounds; ++round)
    atomic_add(counter, 1);
}
