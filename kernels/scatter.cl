// out[index[i]] := in[i]: where the writes go is data. index must not repeat an element.
kernel void scatter(global const int *restrict index, global const float *restrict in,
                    global float *restrict out) {
  const size_t i = get_global_id(0);
  out[index[i]] = in[i];
}
