// Private memory that few work-items have, and the first of them late: after others have begun, and
// in the second of three groups. Their arrays are indexed at run time, so that they are memory.
__attribute__((noinline)) static int reversed(int seed, int at) {
  int values[8];
  for (int i = 0; i < 8; ++i)
    values[i] = seed * (i + 1);
  return values[7 - at];
}

kernel void late_array(global int *out, local int *shared) {
  const int i = get_local_id(0), group = get_group_id(0);
  shared[i] = i + group;
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = shared[(i + 3) % 8];
  if (group > 0 && i % 3 == 2)
    sum += reversed(sum, i % 8);
  barrier(CLK_LOCAL_MEM_FENCE);
  shared[i] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i % 2 == group % 2)
    sum -= reversed(shared[7 - i], (i + group) % 8);
  out[get_global_id(0)] = sum;
}
