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

// 32 768 statements: without optimisation, about a million instructions of compiled code.
#define EIGHT(s) s s s s s s s s
kernel void statements(global int *x) {
  const size_t i = get_global_id(0);
  int a = x[i], b = 1, c = 2;
#define FOUR a = b * c + x[i]; b = a ^ c; a = b * c + x[i]; b = a ^ c;
  EIGHT(EIGHT(EIGHT(EIGHT(FOUR FOUR))))
  x[i] = a;
}
