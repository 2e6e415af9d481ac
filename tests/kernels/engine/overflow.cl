// Arithmetic that says whether its result is wrong, and a product that is tested by a division.

kernel void checked(global const uint *restrict in, global ulong *restrict out) {
  const size_t i = get_global_id(0);
  const uint a = in[i] * 2654435761u, b = in[(i + 5) % get_global_size(0)] * 40503u;
  const long x = (long)a << 31 ^ (long)b << 7, y = (long)b - (long)(a >> 3);
  uint r = 0;
  int s = 0;
  long t = 0;
  ulong u = 0;
  short h = 0;
  uchar c = 0;
  uint wrong = __builtin_uadd_overflow(a, b, &r);
  ulong sum = r;
  wrong = wrong * 2 + __builtin_usub_overflow(a, b, &r);
  sum = sum * 3 + r;
  wrong = wrong * 2 + __builtin_umul_overflow(a, b, &r);
  sum = sum * 3 + r;
  wrong = wrong * 2 + __builtin_sadd_overflow((int)a, (int)b, &s);
  sum = sum * 3 + s;
  wrong = wrong * 2 + __builtin_ssub_overflow((int)a, (int)b, &s);
  sum = sum * 3 + s;
  wrong = wrong * 2 + __builtin_smul_overflow((int)(a >> 12), (int)(b >> 16), &s);
  sum = sum * 3 + s;
  wrong = wrong * 2 + __builtin_saddl_overflow(x, y << 30, &t);
  sum = sum * 3 + t;
  wrong = wrong * 2 + __builtin_smull_overflow(x, y, &t);
  sum = sum * 3 + t;
  wrong = wrong * 2 + __builtin_umull_overflow((ulong)x, (ulong)b, &u);
  sum = sum * 3 + u;
  wrong = wrong * 2 + __builtin_add_overflow((short)a, (short)b, &h);
  sum = sum * 3 + h;
  wrong = wrong * 2 + __builtin_mul_overflow((uchar)a, (uchar)b, &c);
  sum = sum * 3 + c;
  const uint product = a * b;
  if (b && product / b != a)
    wrong += 100000;
  out[2 * i] = sum;
  out[2 * i + 1] = wrong;
}
