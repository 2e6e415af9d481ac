// A filter whose weights are in constant memory: an argument, and a table of the program.
constant float window[4] = {1, 3, 3, 1};

kernel void constant_filter(global const float *restrict in, constant float *gain,
                            global float *restrict out) {
  const size_t i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < 4; k++)
    sum += window[k] * in[i + k];
  out[i] = sum * gain[0];
}
