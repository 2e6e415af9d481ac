// Data of every common size: 1, 2 and 8 bytes in, 8 and 1 bytes out.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void types(global const uchar *restrict bytes, global const short *restrict shorts,
                  global const double *restrict doubles, global double *restrict sums,
                  global uchar *restrict low) {
  const size_t i = get_global_id(0);
  sums[i] = doubles[i] * 0.5 + bytes[i];
  low[i] = shorts[i] ^ bytes[i];
}
