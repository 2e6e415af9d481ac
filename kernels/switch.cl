// A multi-way branch: what is done with a and b is data.
kernel void switch_op(global const int *restrict op, global const int *restrict a,
                      global const int *restrict b, global int *restrict out) {
  const size_t i = get_global_id(0);
  switch (op[i]) {
  case 0:
    out[i] = a[i] + b[i];
    break;
  case 1:
    out[i] = a[i] * b[i];
    break;
  case 2:
    out[i] = a[i];
    break;
  case 5:
    out[i] = a[i] / b[i];
    break;
  default: // leaves out as it is
    break;
  }
}
