// out[i] := in[index[i]]: where the reads go is data.
kernel void gather(global const int *restrict index, global const float *restrict in,
                   global float *restrict out) {
  const size_t i = get_global_id(0);
  out[i] = in[index[i]];
}
