kernel void scale(global float *a) {
  size_t i = get_global_id(0);
  a[i] = 2 * a[i] + 1;
}
