// Work-items of one group that do different amounts of work: work-item l adds l elements.
kernel void divergent(global const float *restrict in, global float *restrict out) {
  const size_t l = get_local_id(0);
  float sum = 0;
  for (size_t k = 0; k < l; k++)
    sum += in[k];
  out[get_global_id(0)] = sum;
}
