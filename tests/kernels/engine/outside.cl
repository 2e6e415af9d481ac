// Accesses outside of all buffers: Oclgrind reports them and goes on. Writes change nothing. What
// reads give differs from run to run in the interpreter, so nothing is stored that depends on it.
#define UNLIKELY -123456789

kernel void beyond(global int *restrict out) {
  const size_t i = get_global_id(0);
  out[i] = 1;
  out[i * 4] = 2;
}

kernel void talking(global const int *restrict in) {
  const size_t i = get_global_id(0);
  printf("%d\n", in[i]);
  printf("and %d\n", in[i + (i & 4)] == UNLIKELY); // among what is printed
}

// One work-item of many work-groups.
kernel void late(global int *restrict out, global const int *restrict in) {
  const size_t i = get_global_id(0);
  int sum = 0;
  for (size_t j = 0; j < 16; ++j)
    sum += in[(i + 61 * j) & 4095];
  out[i] = sum;
  if (i == get_global_size(0) - 50)
    out[i + 50] = 1;
}

// Of work-groups that are proved to be apart, those of which memory says it.
kernel void gathering(global int *restrict out, global const int *restrict in,
                      global const int *restrict where) {
  const size_t i = get_global_id(0);
  out[i] = out[i] * 3 + (in[where[i] * 5] == UNLIKELY);
}

// Vectors and pieces of them: partly outside counts as outside.
kernel void vectors(global float4 *whole, global float *parts) {
  const size_t i = get_global_id(0);
  whole[i * 2] = (float4)(1, 2, 3, i);
  vstore4((float4)(4, 5, 6, i), i * 2, parts + 2);
  vstore3((float3)(7, 8, i), i * 3, parts);
  whole[i].x = isequal(vload2(i * 5, parts).y, (float)UNLIKELY);
  whole[i].y = isequal(whole[i * 3 + 1].z, (float)UNLIKELY);
}

// The code does not know into which of the buffers the pointer points.
kernel void choosing(global int *one, global int *other) {
  const size_t i = get_global_id(0);
  global int *place = i % 3 ? one : other;
  place[i * 2] += 1;
  *(global char *)(place + i + i / 4) = 5;
}

// In front of a buffer, and far behind it.
kernel void before(global int *out) {
  const size_t i = get_global_id(0);
  out[(long)i - 2] = 3;
  out[(i << 30) + i] = 4;
}

// In local memory: an argument, and an array by a constant; between barriers.
kernel void local_memory(global int *out, local int *row) {
  const size_t i = get_global_id(0), l = get_local_id(0);
  local int table[4];
  row[l * 2] = l;
  table[l] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = (row[l + 3] == UNLIKELY) + table[3 - l] + (table[5] == UNLIKELY);
}

// No buffer at all.
kernel void nowhere(global int *restrict out, global int *restrict none) {
  const size_t i = get_global_id(0);
  out[i] = i;
  none[i] = 1;
  out[i] += none[i * 2] == UNLIKELY;
}
