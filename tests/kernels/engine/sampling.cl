// The work of a group grows with its number; every fifth of them does something besides.
kernel void varying(global const float *in, global float *out) {
  const int group = get_group_id(0);
  float sum = 0;
  for (int i = 0; i < 4 * group + (int)get_local_id(0); i++)
    sum += in[(i * 7) & 255] * 0.5f;
  if (group % 5 == 0)
    sum = sqrt(sum) / 3;
  out[get_global_id(0)] = sum;
}
