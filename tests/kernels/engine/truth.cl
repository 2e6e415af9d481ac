// Truth values and integers of odd widths, of which the interpreter keeps, and looks at, whole bytes.
kernel void truth(global const int4 *restrict in, global int4 *restrict out,
                  global int *restrict single) {
  const size_t i = get_global_id(0), n = get_global_size(0);
  const int4 a = in[i], b = in[n - 1 - i];
  const float4 x = convert_float4(a) * 0.5f;
  int4 r = (a < b) ^ (x > 1.0f);
  r += select(a, b, !(a == b) && (x < 3.0f || b > 2));
  r -= convert_int4(convert_char4(a > 0) != (char4)(0)) & 5;
  out[i] = r;
  single[i] = any((a < b) & (b < 5)) + 2 * all((a > -3) | (b > 3)) + 4 * (((a > b) ^ (a > 0)).z & 1);
  bool odd = a.x & 1, both = odd & (b.y > 0);
  for (int k = 0; k < 5; k++) {
    odd ^= both | (a.z > k);
    both = both != (b.x < k);
  }
  single[n + i] = odd + 2 * both + 4 * (odd > both) + 8 * (-(int)odd);
  int sum = 0;
  const int scalar = ((global const int *)in)[i];
  switch (scalar & 3) {
  case 1:
    sum += 5;
  case 3:
    sum += 7;
    break;
  case 2:
    sum = a.x;
  }
  switch ((scalar & 7) + sum % 2) {
  case 0:
  case 5:
    sum *= 3;
    break;
  case 4:
    sum ^= 9;
  default:
    sum -= 1;
  }
  single[2 * n + i] = sum + (odd ? (a.x & 1 ? 1 : 7) : (both ? 2 : 4));
}
