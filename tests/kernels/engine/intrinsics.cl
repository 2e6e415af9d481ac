// What the compiler turns into LLVM's intrinsics, of every width, of scalars and vectors.
#define INTRINSICS(type, signedType, width)                                                        \
  {                                                                                                \
    type x = convert_##type(a[i]) * (type)0x9e3779b97f4a7c15, y = convert_##type(a[n - 1 - i]),    \
         r = x << (type)3 | x >> (type)(width - 3);                                                \
    r ^= x << (y & (type)(width - 1)) | x >> (-y & (type)(width - 1));                             \
    r += x >> (y & (type)(width - 1)) | x << (-y & (type)(width - 1));                             \
    r ^= x > y ? x - y : (type)0;                                                                  \
    r += (type)(x + y) < x ? (type)-1 : x + y;                                                     \
    r ^= x > y ? x : y;                                                                            \
    r += x < r ? x : r;                                                                            \
    signedType s = as_##signedType(x), t = as_##signedType(r);                                     \
    r ^= as_##type((signedType)(s < (signedType)0 ? -s : s));                                      \
    r += as_##type((signedType)__builtin_elementwise_abs(t));                                      \
    r ^= as_##type((signedType)__builtin_elementwise_max(s, t)) * (type)3;                         \
    r += as_##type((signedType)__builtin_elementwise_min(s, t));                                   \
    r ^= __builtin_elementwise_max(x, r) + __builtin_elementwise_min(y, r);                        \
    sum += convert_ulong4((ulong4)(0) + SUMMED(r));                                                \
  }

#define EVERY_WIDTH(lanes)                                                                         \
  INTRINSICS(uchar##lanes, char##lanes, 8)                                                         \
  INTRINSICS(ushort##lanes, short##lanes, 16)                                                      \
  INTRINSICS(uint##lanes, int##lanes, 32)                                                          \
  INTRINSICS(ulong##lanes, long##lanes, 64)

#define SUMMED(r) r
kernel void scalars(global const int *a, global ulong4 *out) {
  const size_t i = get_global_id(0), n = get_global_size(0);
  ulong4 sum = 0;
  EVERY_WIDTH()
  sum += (ulong4)(__builtin_bitreverse8(a[i] * 7), __builtin_bitreverse16(a[i] * 77),
                  __builtin_bitreverse32(a[i] * 777777), __builtin_bitreverse64(a[i] * 7777777777));
  uint d = a[i] * 7654321;
  sum.x += __builtin_bswap16(d) + __builtin_bswap32(d) + __builtin_bswap64(d);
  sum.y += __builtin_popcount(d) * 1000 + __builtin_clz(d | 1) * 100 + __builtin_ctz(d | 64);
  int p = a[i] * 100000000, q = a[n - 1 - i] * 90000000;
  long clamped = (long)p + q;
  clamped = clamped > INT_MAX ? INT_MAX : clamped;
  sum.z += (int)(clamped < INT_MIN ? INT_MIN : clamped);
  clamped = (long)p - q;
  clamped = clamped > INT_MAX ? INT_MAX : clamped;
  sum.w += (int)(clamped < INT_MIN ? INT_MIN : clamped);
  __builtin_assume(n > 1);
  float f = a[i] * 0.75f, g = 1.5f - a[n - 1 - i];
  f = __builtin_copysignf(f, g) + __builtin_floorf(f) * __builtin_ceilf(g) +
      __builtin_fmaxf(f, g) * __builtin_fminf(f, g) + __builtin_truncf(g) + __builtin_rintf(f) +
      __builtin_nearbyintf(g) + __builtin_roundf(f) + __builtin_sqrtf(__builtin_fabsf(g));
  sum.x ^= as_uint(f);
  out[i] = sum;
}
#undef SUMMED

#define SUMMED(r) convert_ulong4(r)
kernel void vectors(global const int4 *a, global ulong4 *out) {
  const size_t i = get_global_id(0), n = get_global_size(0);
  ulong4 sum = 0;
  EVERY_WIDTH(4)
  uint4 d = as_uint4(a[i]) * 7654321;
  sum += convert_ulong4(d >> 24 | (d >> 8 & 0xff00) | (d << 8 & 0xff0000) | d << 24);
  out[i] = sum;
}
