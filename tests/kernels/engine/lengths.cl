// Copies and fills whose lengths the kernel computes, 0 among them.
kernel void lengths(global const int *restrict in, global int *restrict out) {
  const int i = get_global_id(0);
  const int n = in[i] & 7;
  int own[8], other[8];
  for (int k = 0; k < 8; k++) {
    own[k] = i * 10 + k;
    other[k] = -in[i];
  }
  __builtin_memcpy(own, other + (n >> 1), sizeof(int) * (n >> 1));
  __builtin_memset(other, n, n);
  __builtin_memmove(own + 1, own, (size_t)n);
  for (int k = 0; k < 8; k++)
    out[8 * i + k] = own[k] + other[k];
}

kernel void too_long(global const int *restrict in, global int *restrict out) {
  const int i = get_global_id(0);
  int own[8] = {1, 2, 3, 4, in[i], 6, 7, 8}, other[8];
  __builtin_memcpy(other, own, in[i] * 5);
  out[i] = other[in[i] & 7];
}
