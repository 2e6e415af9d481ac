// What has a reason of its own to be interpreted.

int count(int n) {
  return n < 2 ? n : count(n - 1) ^ 3 * count(n - 2);
}

kernel void recursive(global int *x) {
  const size_t i = get_global_id(0);
  x[i] = count(x[i]);
}

kernel void crowd(global int *x, local int *row) {
  const size_t i = get_global_id(0), l = get_local_id(0);
  row[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[i] = row[l ^ 1];
}
