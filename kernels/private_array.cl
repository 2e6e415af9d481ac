// A table per work-item that does not fit registers, because its index is data: private memory.
#define SLOTS 8
kernel void private_array(global const uint *restrict which, global uint *restrict out) {
  const size_t i = get_global_id(0);
  uint table[SLOTS];
  for (uint k = 0; k < SLOTS; k++)
    table[k] = (k + 1) * (uint)i;
  out[i] = table[which[i] % SLOTS];
}
