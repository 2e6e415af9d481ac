// Work-groups that are proved to be apart before they run, and such as just are not: there, what is
// left depends on their order.

kernel void shifted(global int *x, int by) {
  const int i = get_global_id(0);
  x[i + by] = x[i + by] * 3 + i;
}

// The last of a group writes what the first of the next one does, if `behind` is 1.
kernel void pairs(global int *x, int behind) {
  const int i = get_global_id(0);
  x[2 * i] = i;
  x[2 * i + behind] += 5 * i;
}

kernel void rows(global int *x, int pitch) {
  const int i = get_global_id(0), j = get_global_id(1);
  x[j * pitch + i] += i + 100 * j;
}

// The NDRange is larger than the buffer.
kernel void guarded(global int *x, int n, int pitch) {
  const int i = get_global_id(0), j = get_global_id(1);
  if (i < n && j < n)
    x[j * pitch + i] = x[j * pitch + i] * 7 + j;
}

// As many numbers at a time as there are work-items.
kernel void striding(global int *x, global const int *in, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    x[i] = x[i] * 3 + in[i];
}

// 32 bits wrap: the last groups write what the first do.
kernel void wrapping(global int *x, uint factor) {
  const uint i = get_global_id(0);
  x[i * factor >> 20] = i;
}

kernel void gathering(global int *x, global const int *in, global const int *where) {
  const size_t i = get_global_id(0);
  x[i] = x[i] * 3 + in[where[i]];
}

kernel void turned(global double *out, global const double *in, int n) {
  local double tile[8][8];
  const int x = get_global_id(0), y = get_global_id(1);
  const int i = get_local_id(0), j = get_local_id(1);
  tile[j][i] = in[y * n + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int column = get_group_id(1) * 8 + i, row = get_group_id(0) * 8 + j;
  out[row * n + column] = tile[i][j];
}
