/* Four divisions by values that the compiler does not know and that all work-items share, in about
   40 instructions. */
kernel void divided(global const int *in, global int *out, int a, int b, int c, int d)
{
  const int i = get_global_id(0);
  int x = in[i];
  for (int step = 0; step < 2; ++step)
  {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  out[i] = x / a + x / b + x / c + x / d;
}
